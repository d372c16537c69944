package window

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

func always(ws ...Interval) CustomWindows {
	return Custom("odd", func(time.Time) []Interval { return ws })
}

func TestCustomWindowsComeOnceAndInOrderOfEnd(t *testing.T) {
	given := []Interval{{5, 30}, {0, 10}, {2, 30}, {0, 10}}
	a := always(given...)
	if got, want := a.Assign(nil, 7), []Interval{{0, 10}, {2, 30}, {5, 30}}; !slices.Equal(got, want) {
		t.Errorf("assigned %v, want %v", got, want)
	}
	if given[0] != (Interval{5, 30}) {
		t.Error("the user's slice was sorted")
	}
	if got := always().Assign(nil, 7); len(got) != 0 {
		t.Errorf("in a gap: assigned %v", got)
	}
}

func TestCustomGetsTheInstantInUTC(t *testing.T) {
	var got time.Time
	Custom("look", func(at time.Time) []Interval { got = at; return nil }).Assign(nil, us(t, "2026-07-26T12:00:00.000001+02:00"))
	if want := "2026-07-26T10:00:00.000001Z"; got.Format(time.RFC3339Nano) != want {
		t.Errorf("the function was given %v, want %s", got, want)
	}
}

func panicOf(f func()) (text string) {
	defer func() { text, _ = recover().(string) }()
	f()
	return ""
}

func TestCustomWindowingThatContradictsItselfIsAPanicThatNamesIt(t *testing.T) {
	merging := func(ms ...Merged) func() {
		return func() {
			always().Merging(func([]Interval) []Merged { return ms }).Merge([]Interval{{0, 10}, {5, 15}, {20, 30}})
		}
	}
	for want, f := range map[string]func(){
		"does not end after its start":                                           func() { always(Interval{3, 3}).Assign(nil, 0) },
		"it assigned [1970-01-01T00:00:00.000009Z, 1970-01-01T00:00:00.000003Z)": func() { always(Interval{9, 3}).Assign(nil, 0) },
		"000015Z, 1970-01-01T00:00:00Z) does not end":                            merging(Merged{Interval{15, 0}, []int{0, 1}}),
		"is made from no window":                                                 merging(Merged{Interval{0, 15}, nil}),
		"is made from number 3 of 3 windows":                                     merging(Merged{Interval{0, 15}, []int{0, 3}}),
		"is made from number -1 of 3":                                            merging(Merged{Interval{0, 15}, []int{-1, 0}}),
		"is used twice":                                                          merging(Merged{Interval{0, 15}, []int{0, 1}}, Merged{Interval{0, 30}, []int{1, 2}}),
		"is made twice":                                                          merging(Merged{Interval{0, 15}, []int{0}}, Merged{Interval{0, 15}, []int{1, 2}}),
		"1970-01-01T00:00:00.00003Z) is made, but also left":                     merging(Merged{Interval{20, 30}, []int{0, 1}}),
	} {
		got := panicOf(f)
		if !strings.Contains(got, want) || !strings.Contains(got, `custom("odd"`) {
			t.Errorf("panic %q, want one that names custom(\"odd\" and says %q", got, want)
		}
	}
}

func TestOnlyCustomWindowsWithAMergeMerge(t *testing.T) {
	if _, merges := Assigner(always()).(Merger); merges {
		t.Error("custom windows without a merge are a Merger")
	}
	m := always().Merging(func(ws []Interval) []Merged {
		return []Merged{{Interval{0, 30}, []int{0, 2}}, {ws[1], []int{1}}}
	})
	got := m.Merge([]Interval{{0, 10}, {40, 50}, {20, 30}})
	if len(got) != 1 || got[0].Into != (Interval{0, 30}) || !slices.Equal(got[0].From, []int{0, 2}) {
		t.Errorf("merged %v, want the first and the third, without the group that changes nothing", got)
	}
	// One window may become another by itself.
	grow := always().Merging(func([]Interval) []Merged { return []Merged{{Interval{0, 20}, []int{0}}} })
	if got := grow.Merge([]Interval{{0, 10}}); len(got) != 1 || got[0].Into != (Interval{0, 20}) {
		t.Errorf("merged %v, want [0, 10) to become [0, 20)", got)
	}
}

func TestOutputTimesAreTheUsersToTransform(t *testing.T) {
	w := Interval{0, 10}
	start := func(w Interval, _ time.Time) time.Time { return w.Start() }
	same := func(_ Interval, t time.Time) time.Time { return t }
	later := func(_ Interval, t time.Time) time.Time { return t.Add(100 * time.Microsecond) }
	for _, c := range []struct {
		a    Assigner
		want int64
	}{
		{Fixed(time.Second), 9}, {always(), 9}, {always().OutputTimes(start), 0}, {always().OutputTimes(same), 9},
		{always().OutputTimes(later), 109}, // outside the window, as one of Beam's transcripts has it
		{always().Merging(nil).OutputTimes(start), 0}, {always().OutputTimes(start).Merging(nil), 0},
	} {
		if got := OutputTime(c.a, w, 9); got != c.want {
			t.Errorf("%v: the output time 9 becomes %d, want %d", c.a, got, c.want)
		}
	}
	if got := OutputTime(always().OutputTimes(same), everything, etime.Max-1); got != etime.Max-1 {
		t.Errorf("the last instant of the global window becomes %d", got)
	}
}
