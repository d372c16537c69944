package core

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestTheWatermarkIsTheLeastOfTheLiveLanes(t *testing.T) {
	const end = etime.Max
	type tell struct {
		lane int
		w    int64
		idle bool
		want int64
	}
	for name, script := range map[string][]tell{
		"nothing before all have spoken":  {{0, 5, false, etime.Min}, {1, 3, false, 3}, {1, 9, false, 5}},
		"a lane does not move backwards":  {{0, 5, false, etime.Min}, {1, 7, false, 5}, {0, 2, false, 5}, {0, 8, false, 7}},
		"an idle lane holds nothing back": {{0, 5, false, etime.Min}, {1, etime.Min, true, 5}, {0, 9, false, 9}},
		"one that wakes does not pull back, but holds": {
			{0, 5, false, etime.Min}, {1, 2, false, 2}, {1, 2, true, 5}, {1, 3, false, 5}, {0, 9, false, 5}, {1, 8, false, 8}},
		"all idle: it stays":                {{0, 5, false, etime.Min}, {1, 7, false, 5}, {0, 5, true, 7}, {1, 7, true, 7}},
		"a lane moves, then falls idle":     {{0, etime.Min, true, etime.Min}, {1, 7, true, 7}},
		"told again that it is idle":        {{0, 10, false, etime.Min}, {1, 5, false, 5}, {0, 10, true, 5}, {1, 5, true, 5}, {0, 10, true, 5}},
		"an ended lane holds nothing back":  {{0, end, false, etime.Min}, {1, 4, false, 4}, {1, end, false, end}},
		"ended and idle: it stays":          {{0, 5, false, etime.Min}, {1, 3, false, 3}, {1, 3, true, 5}, {0, end, false, 5}, {1, 6, false, 6}},
		"the end of one is not that of all": {{0, 5, false, etime.Min}, {1, 6, false, 5}, {0, end, false, 6}},
	} {
		l := NewLanes(2)
		for i, s := range script {
			if got := l.Advance(s.lane, s.w, s.idle); got != s.want || l.W() != got {
				t.Errorf("%s: word %d: got %d, want %d", name, i, got, s.want)
			}
		}
	}
}

func TestOneLaneIsItsOwnWatermark(t *testing.T) {
	l := NewLanes(1)
	for _, w := range []int64{-5, 0, 7, 7, 100} {
		if got := l.Advance(0, w, false); got != w {
			t.Errorf("got %d, want %d", got, w)
		}
	}
	if got := l.Others(0); got != etime.Max {
		t.Errorf("no others hold back, and stand at %d", got)
	}
}

func TestOthersAreTheLeastOfTheLiveOthers(t *testing.T) {
	l := NewLanes(4)
	l.Advance(0, 1, false)
	l.Advance(1, 5, false)
	l.Advance(2, 3, true)
	l.Advance(3, etime.Max, false)
	for i, want := range []int64{5, 1, 1, 1} {
		if got := l.Others(i); got != want {
			t.Errorf("others than %d: got %d, want %d", i, got, want)
		}
	}
}

func TestAColumnIsWhatAdvancingOneByOneGives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		l := NewLanes(1 + r.IntN(3))
		for i := range l.Len() {
			l.Advance(i, r.Int64N(20), r.IntN(4) == 0)
		}
		lane := r.IntN(l.Len())
		start, _ := l.Lane(lane)
		var w []int64
		for range r.IntN(10) {
			start += r.Int64N(5)
			w = append(w, start)
		}
		got := make([]int64, len(w))
		l.Column(lane, w, got)
		var want []int64
		for _, x := range w {
			want = append(want, l.Advance(lane, x, false))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("lane %d, column %v: got %v, want %v", lane, w, got, want)
		}
	}
}

func TestLanesAreIdleWhenAllThatHaveNotEndedAre(t *testing.T) {
	l := NewLanes(3)
	steps := []struct {
		lane int
		w    int64
		idle bool
		want bool
	}{{0, 1, true, false}, {1, 2, true, false}, {2, etime.Max, false, true}, {0, 5, false, false}, {0, 5, true, true}, {0, etime.Max, false, true}, {1, etime.Max, false, false}}
	for i, s := range steps {
		l.Advance(s.lane, s.w, s.idle)
		if got := l.Idle(); got != s.want {
			t.Errorf("word %d: idle %t, want %t", i, got, s.want)
		}
	}
}

func TestTheVerdictIsNeverBelowTheStepsOwnWatermark(t *testing.T) {
	for _, x := range []struct{ carried, others, own, want int64 }{
		{20, etime.Max, 15, 20}, // one split: as it was read
		{20, 17, 15, 17},        // another split has been heard at 17 only
		{20, 12, 15, 15},        // the step itself is further
		{10, etime.Max, 15, 15},
	} {
		if got := Verdict(x.carried, x.others, x.own); got != x.want {
			t.Errorf("Verdict(%d, %d, %d) = %d, want %d", x.carried, x.others, x.own, got, x.want)
		}
	}
}

func ExampleLanes() {
	l := NewLanes(2)
	l.Advance(0, 30, false)
	fmt.Println(l.Advance(1, 10, false), l.Advance(1, 10, true))
	// Output: 10 30
}
