package window

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestSessionsMerge(t *testing.T) {
	apart, together := Session(10*time.Second), Session(10*time.Second).MergeTouching()
	for _, c := range []struct {
		about string
		s     SessionWindows
		ws    []Interval
		want  []Merged
	}{
		{"none", apart, nil, nil},
		{"one", apart, seconds(0, 10), nil},
		{"less than the gap apart", apart, seconds(0, 10, 9, 19), []Merged{{seconds(0, 19)[0], []int{0, 1}}}},
		{"exactly the gap apart", apart, seconds(0, 10, 10, 20), nil},
		{"exactly the gap apart, touching", together, seconds(0, 10, 10, 20), []Merged{{seconds(0, 20)[0], []int{0, 1}}}},
		{"a microsecond more, touching", together, []Interval{{0, 10}, {11, 21}}, nil},
		{"in any order", apart, seconds(9, 19, 0, 10), []Merged{{seconds(0, 19)[0], []int{1, 0}}}},
		{"one inside another", apart, seconds(0, 30, 5, 15), []Merged{{seconds(0, 30)[0], []int{0, 1}}}},
		{"one that bridges two", apart, seconds(0, 10, 15, 25, 8, 18), []Merged{{seconds(0, 25)[0], []int{0, 2, 1}}}},
		{"two groups and one alone", apart, seconds(50, 60, 0, 10, 5, 15, 100, 110, 55, 65),
			[]Merged{{seconds(0, 15)[0], []int{1, 2}}, {seconds(50, 65)[0], []int{0, 4}}}},
		{"negative times", apart, seconds(-105, -95, -100, -90), []Merged{{seconds(-105, -90)[0], []int{0, 1}}}},
	} {
		ws := slices.Clone(c.ws)
		got := c.s.Merge(ws)
		if !slices.EqualFunc(got, c.want, func(a, b Merged) bool { return a.Into == b.Into && slices.Equal(a.From, b.From) }) {
			t.Errorf("%s: %v merge to %v, want %v", c.about, c.ws, got, c.want)
		}
		if !slices.Equal(ws, c.ws) {
			t.Errorf("%s: merging changed its argument", c.about)
		}
	}
}

// However the elements come, and after whichever of them windows are merged, the sessions are
// those that a pass over the sorted times finds.
func TestSessionsDoNotDependOnOrderOfArrival(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 2000 {
		gap := r.Int64N(9) + 1
		s := Session(time.Duration(gap) * time.Microsecond)
		if r.IntN(2) == 0 {
			s = s.MergeTouching()
		}
		times := make([]int64, r.IntN(40)+1)
		for i := range times {
			times[i] = r.Int64N(200) - 100
		}

		var got []Interval
		for _, x := range times {
			for _, w := range s.Assign(nil, x) {
				if !slices.Contains(got, w) {
					got = append(got, w)
				}
			}
			if r.IntN(3) > 0 {
				got = merged(got, s.Merge(got))
			}
		}
		got = merged(got, s.Merge(got))
		slices.SortFunc(got, byEnd)

		slices.Sort(times)
		var want []Interval
		for _, x := range times {
			last := len(want) - 1
			if last >= 0 && (x < want[last].hi || s.Touching() && x == want[last].hi) {
				want[last].hi = x + gap
			} else {
				want = append(want, Interval{x, x + gap})
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v: %v make %v, want %v", s, times, got, want)
		}
	}
}

func merged(ws []Interval, groups []Merged) []Interval {
	gone := map[int]bool{}
	var left []Interval
	for _, g := range groups {
		left = append(left, g.Into)
		for _, i := range g.From {
			gone[i] = true
		}
	}
	for i, w := range ws {
		if !gone[i] {
			left = append(left, w)
		}
	}
	slices.SortFunc(left, func(a, b Interval) int { return cmp.Compare(b.lo, a.lo) })
	return left
}

func TestSessionsThatMergeOnTouchAreDueAfterTheirEnd(t *testing.T) {
	w := Interval{0, 10}
	for _, c := range []struct {
		a    Assigner
		want int64
	}{
		{Session(time.Second), 10}, {Session(time.Second).MergeTouching(), 11}, {Fixed(time.Second), 10}, {Days(), 10},
	} {
		if got := Due(c.a, w); got != c.want {
			t.Errorf("%v: [0, 10) is due at %d, want %d", c.a, got, c.want)
		}
	}
	if got := Due(Session(1).MergeTouching(), everything); got != everything.hi {
		t.Errorf("a session without end is due at %d, want after everything", got)
	}
}

func BenchmarkSessionMergeOfTwo(b *testing.B) {
	s, ws := Session(time.Second), seconds(0, 10, 5, 15)
	b.ReportAllocs()
	for range b.N {
		s.Merge(ws)
	}
}
