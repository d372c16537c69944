package run

import (
	"testing"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// newSides makes the state of a step with a side input over windows of ten microseconds, with 5
// of allowed lateness. seen gathers what elements find, -1 for none.
func newSides(seen *[]int) (*sides[int, int, SideValue[int], int], sideRows[int, int, SideValue[int], int]) {
	spec := &SideSpec[int, int, SideValue[int], int]{
		Main:   &Windowing{Assigner: window.Fixed(10e3), Lateness: 5},
		Side:   window.Fixed(10e3),
		Gather: GatherValue[int],
		Call: func(_ *Context, v *int, c *SideValue[int], _ func(int)) {
			if c == nil {
				*seen = append(*seen, -1)
			} else {
				*seen = append(*seen, c.V)
			}
		},
	}
	o := &sideOp[int, int]{front: front[trigger.Pane, int]{op: op{n: &Counts{}}}}
	s := &sides[int, int, SideValue[int], int]{o: o, spec: spec, assign: spec.Main.Assigner, side: spec.Side,
		at: map[window.Interval]*sideWindow[int, SideValue[int]]{}, w: etime.Min, sideW: etime.Min, low: etime.Max}
	s.emit, o.windows = s.give, s
	return s, sideRows[int, int, SideValue[int], int]{s}
}

var noPane = []trigger.Pane{trigger.NoFiring}

func TestSideWindowsAreForgottenWhenNobodyLooksIntoThemAnyMore(t *testing.T) {
	var seen []int
	s, side := newSides(&seen)
	for i := range int64(1000) {
		at := i * 10
		side.rows(noPane, []int{int(i)}, []int64{at}, []int64{at}, nil)
		s.rows(noPane, []int{0}, []int64{at}, []int64{at}, nil)
		side.advance(at + 10)
		// Open are this window and, within allowed lateness and a microsecond, the one before.
		if len(s.at) > 2 || len(s.byEnd) != len(s.at) || len(s.awaited) != 0 {
			t.Fatalf("at %d: %d windows are kept, %d of them in order, and %d waited for", at, len(s.at), len(s.byEnd), len(s.awaited))
		}
	}
	if len(seen) != 1000 || seen[0] != 0 || seen[999] != 999 {
		t.Errorf("the elements found %v", seen)
	}
}

func TestASideWindowIsKeptWhileAnElementWaitsForIt(t *testing.T) {
	var seen []int
	s, side := newSides(&seen)
	s.rows(noPane, []int{0}, []int64{3}, []int64{0}, nil)
	s.advance(1000)
	if len(s.at) != 1 || s.hold() != 3 || s.open() != 1 {
		t.Fatalf("%d windows are kept, the hold is %d, %d wait: want 1, 3, 1", len(s.at), s.hold(), s.open())
	}
	side.rows(noPane, []int{7}, []int64{4}, []int64{5}, nil)
	side.advance(10)
	if len(seen) != 1 || seen[0] != 7 || s.hold() != etime.Max || s.open() != 0 {
		t.Errorf("the element found %v, the hold is %d, %d wait", seen, s.hold(), s.open())
	}
	side.advance(11)
	side.rows(noPane, []int{8}, []int64{5}, []int64{11}, nil)
	if len(s.at) != 0 {
		t.Errorf("a value that nobody will look at is kept in %d windows", len(s.at))
	}
}

func TestALateElementThatWaitsHoldsTheWatermarkWhereItCame(t *testing.T) {
	var seen []int
	s, _ := newSides(&seen)
	s.rows(noPane, []int{0}, []int64{3}, []int64{12}, nil)
	if s.hold() != 12 {
		t.Errorf("the hold is %d, want 12", s.hold())
	}
}
