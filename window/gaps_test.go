package window

import (
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestSessionsWithGapsOfTheirOwnMergeIfTheyOverlap(t *testing.T) {
	g := SessionGaps()
	ws := []Interval{g.Open(0, 10), g.Open(9, 1), g.Open(10, 5), g.Open(-3, 3)}
	got := g.Merge(ws)
	// [-3, 0) and [10, 15) only touch [0, 10), which has [9, 10) in it.
	if len(got) != 1 || got[0].Into != (Interval{0, 10}) || !slices.Equal(got[0].From, []int{0, 1}) {
		t.Errorf("they merge to %v", got)
	}
	if due := Due(g, Interval{0, 10}); due != 10 {
		t.Errorf("[0, 10) is due at %d, want 10", due)
	}
}

func TestSessionsWithEqualGapsMergeAsThoseOfOneGap(t *testing.T) {
	one, each := Session(7*time.Microsecond), SessionGaps()
	var ws []Interval
	for _, x := range []int64{30, 0, 6, 13, 44, 37, 21, 20} {
		ws = append(ws, each.Open(x, 7))
		if w := one.Assign(nil, x)[0]; w != ws[len(ws)-1] {
			t.Errorf("at %d: %v, want %v", x, ws[len(ws)-1], w)
		}
	}
	same := func(a, b Merged) bool { return a.Into == b.Into && slices.Equal(a.From, b.From) }
	if got, want := each.Merge(ws), one.Merge(ws); !slices.EqualFunc(got, want, same) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAGapAtTheEndsOfTimeOpensAWindow(t *testing.T) {
	for _, at := range []int64{etime.Min, etime.Max} {
		if w := SessionGaps().Open(at, 1); w.hi <= w.lo {
			t.Errorf("at %d: %v is empty", at, w)
		}
	}
}
