package run

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/etime"
)

// pairing makes a join of numbers with a string key; the results go nowhere.
func pairing(t *testing.T, lateness int64) *timeJoinOp[string, int64, int64, string] {
	t.Helper()
	key, err := codec.ForKey[string]()
	if err != nil {
		t.Fatal(err)
	}
	o := newTimeJoin(&TimeJoin[string, int64, int64, string]{Key: key, Lateness: lateness, Give: func(k string, l, r *int64) string { return k }})
	o.n = &Counts{}
	return o
}

// put hands over one element at the watermark w.
func put(s windows[string, Side[int64, int64]], k string, right bool, t, w int64) {
	s.rows([]string{k}, []Side[int64, int64]{{Right: right}}, []int64{t}, []int64{w}, nil)
}

func TestAnIntervalJoinForgetsWhatNothingToComeCanMatch(t *testing.T) { // S10.3
	// From -5 to 20, lateness 3. A left element at 100 matches right ones up to 120, which are
	// admitted until W is 123. A right one at 100 matches left ones up to 105: until 108.
	s := newInterval(pairing(t, 3), -5, 20)
	s.o.windows = s
	put(s, "a", false, 100, 100)
	put(s, "a", true, 100, 100)
	put(s, "b", false, 101, 100)
	for _, x := range []struct{ w, kept, keys int64 }{
		{108, 3, 2}, {109, 2, 2}, {123, 2, 2}, {124, 1, 1}, {125, 0, 0},
	} {
		s.advance(x.w)
		if s.kept() != int(x.kept) || len(s.state.at) != int(x.keys) {
			t.Errorf("at watermark %d %d elements of %d keys are kept, want %d of %d", x.w, s.kept(), len(s.state.at), x.kept, x.keys)
		}
	}
	if n := s.state.keys.ids.Len(); n != 0 || s.state.plan.Len() != 0 {
		t.Errorf("%d keys and %d plans are left", n, s.state.plan.Len())
	}
}

func TestAnIntervalInThePastKeepsOneSideOnly(t *testing.T) { // S10.3
	// From -20 to -10: the right one is 10 to 20 before the left one.
	s := newInterval(pairing(t, 0), -20, -10)
	s.o.windows = s
	put(s, "a", false, 100, 95) // right ones up to 90 are over
	if s.kept() != 0 {
		t.Error("a left element is kept, and nothing to come can match it")
	}
	put(s, "a", true, 100, 95)
	for _, x := range []struct{ w, kept int64 }{{120, 1}, {121, 0}} {
		if s.advance(x.w); s.kept() != int(x.kept) {
			t.Errorf("at watermark %d %d elements are kept, want %d", x.w, s.kept(), x.kept)
		}
	}
}

func TestStateOfAnIntervalJoinIsBoundedByEventTimeHoweverLongItRuns(t *testing.T) { // materialize#26029, risingwave#16045
	const lo, hi, lateness, bound = -50, 30, 10, 7
	s := newInterval(pairing(t, lateness), lo, hi)
	s.o.windows = s
	r := rand.New(rand.NewPCG(3, 5))
	high := etime.Min
	for now := range int64(20_000) { // an element each side and microsecond
		for _, right := range []bool{false, true} {
			at := now - r.Int64N(bound+lateness)
			put(s, fmt.Sprint("k", now/200, r.IntN(3)), right, at, high)
		}
		high = now - bound
		s.advance(high)
		// Behind the watermark: left ones hi + lateness, right ones -lo + lateness; ahead of it bound.
		// Each microsecond is the time of at most bound+lateness elements of a side, one on average.
		n := 0
		for _, e := range s.state.at {
			l, r := &e.s.l, &e.s.r
			n += l.len() + r.len()
			if l.len() > 0 && l.at[l.head] < high-hi-lateness || r.len() > 0 && r.at[r.head] < high+lo-lateness {
				t.Fatalf("at watermark %d an element that is older than the bound is kept", high)
			}
			for _, space := range []int{cap(l.v), cap(r.v)} {
				if space > 512 {
					t.Fatalf("at watermark %d a key has space for %d elements", high, space)
				}
			}
		}
		if most := 2 * (hi - lo + 2*lateness + 2*(bound+lateness)); n > most {
			t.Fatalf("at watermark %d %d elements are kept, want no more than %d", high, n, most)
		}
	}
	if n := s.state.keys.ids.Len(); n > 12 {
		t.Errorf("%d keys are known, and those of the last stretch are 6", n)
	}
	if n := len(s.state.refs); n > 12 {
		t.Errorf("there is space for %d keys", n)
	}
}

func TestAnAsOfJoinKeepsOneVersionOfAKeyBehindAllowedLateness(t *testing.T) { // S10.4
	key := pairing(t, 10)
	version, err := codec.For[int64]()
	if err != nil {
		t.Fatal(err)
	}
	s := newAsOf(key, version)
	s.o.windows = s
	for at := range int64(50) {
		put(s, "a", true, at, 0)
	}
	put(s, "b", true, 3, 0)
	for _, x := range []struct {
		w        int64
		versions int
	}{
		{10, 51}, // left elements from 0 on are admitted: all versions may be asked for
		{11, 50}, // from 1 on
		{30, 31}, // from 20 on: 20 to 49, and that of b
		{59, 2},
		{1 << 40, 2}, // the newest of each key, for ever
	} {
		s.advance(x.w)
		if versions, _ := s.kept(); versions != x.versions {
			t.Errorf("at watermark %d %d versions are kept, want %d", x.w, versions, x.versions)
		}
	}
}

func TestAnAsOfJoinForgetsKeysThatHaveNoVersion(t *testing.T) { // S10.4
	version, err := codec.For[int64]()
	if err != nil {
		t.Fatal(err)
	}
	s := newAsOf(pairing(t, 0), version)
	s.o.windows = s
	for at := range int64(1000) {
		put(s, fmt.Sprint("k", at), false, at+5, at)
		if s.hold() != max(at, 5) {
			t.Fatalf("at watermark %d the output watermark is held at %d, want that of the first element that waits, %d", at, s.hold(), max(at, 5))
		}
	}
	// At 999 those from 999 to 1004 wait: W has not passed them.
	if _, waiting := s.kept(); waiting != 6 || len(s.state.at) != 6 || len(s.lefts) > 8 {
		t.Errorf("%d elements of %d keys wait, in space for %d", waiting, len(s.state.at), len(s.lefts))
	}
	s.advance(1005)
	if n := s.state.keys.ids.Len(); n != 0 || s.open() != 0 || s.hold() != etime.Max {
		t.Errorf("%d keys are left, %d open, held at %d", n, s.open(), s.hold())
	}
}

func TestADeduplicationForgetsAKeyWhenTheWatermarkPassesItsHorizon(t *testing.T) { // S10.5
	key, err := codec.ForKey[string]()
	if err != nil {
		t.Fatal(err)
	}
	o := &dedupOp[string, int64]{front: front[string, int64]{op: op{n: &Counts{}}}}
	s := newDedup(o, 100, 7, key)
	s.o.windows = s
	put := func(k string, t, w int64) { s.rows([]string{k}, []int64{1}, []int64{t}, []int64{w}, nil) }
	put("a", 10, 0)
	put("b", 20, 0)
	put("a", 109, 50) // a repeat does not move the horizon
	put("b", 120, 60) // not one: b is kept again, until 220
	for _, x := range []struct{ w, keys int64 }{{116, 2}, {117, 1}, {226, 1}, {227, 0}} {
		if s.advance(x.w); len(s.state.at) != int(x.keys) {
			t.Errorf("at watermark %d %d keys are kept, want %d", x.w, len(s.state.at), x.keys)
		}
	}
	if o.n.Filtered != 1 || s.state.keys.ids.Len() != 0 || s.state.plan.Len() != 0 {
		t.Errorf("%d repeats, want 1; %d keys and %d plans are left", o.n.Filtered, s.state.keys.ids.Len(), s.state.plan.Len())
	}
	put("c", 30, 227) // so late that it is forgotten at once
	if len(s.state.at) != 0 {
		t.Error("state is made that nothing will forget")
	}
}

func TestATimelineIsInOrderOfTimeAndThenOfArrival(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var l timeline[int]
		type item struct {
			at int64
			n  int
		}
		var want []item
		for n := range r.IntN(300) {
			at := int64(n/3) - r.Int64N(10)
			if r.IntN(6) == 0 {
				cut, i := at-r.Int64N(12), 0
				for i < len(want) && want[i].at < cut {
					i++
				}
				want = want[i:]
				l.forget(l.from(cut))
			}
			i := len(want)
			for i > 0 && want[i-1].at > at {
				i--
			}
			want = append(want[:i:i], append([]item{{at, n}}, want[i:]...)...)
			l.add(at, n)
			if l.len() != len(want) {
				t.Fatalf("%d values, want %d", l.len(), len(want))
			}
			for i, x := range want {
				if l.at[l.head+i] != x.at || l.v[l.head+i] != x.n {
					t.Fatalf("value %d is %d at %d, want %d at %d", i, l.v[l.head+i], l.at[l.head+i], x.n, x.at)
				}
			}
		}
	}
}
