package core

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/window"
)

func TestAnElementsSessionMergesWithTheOpenOnesThatItMeets(t *testing.T) {
	win := func(lo, hi int64) window.Interval { return window.FromMicros(lo*1e6, hi*1e6) }
	apart, touching := window.Session(5*time.Second), window.Session(5*time.Second).MergeTouching()
	for _, x := range []struct {
		name string
		m    window.Merger
		open []window.Interval
		win  window.Interval
		into window.Interval
		from []int
		same int
	}{
		{"the first", apart, nil, win(1, 6), win(1, 6), nil, -1},
		{"apart from the open one", apart, []window.Interval{win(1, 6)}, win(8, 13), win(8, 13), nil, -1},
		{"exactly a gap apart (S2.4)", apart, []window.Interval{win(1, 6)}, win(6, 11), win(6, 11), nil, -1},
		{"exactly a gap apart, and touching is enough", touching, []window.Interval{win(1, 6)}, win(6, 11), win(1, 11), []int{0}, -1},
		{"it extends the open one", apart, []window.Interval{win(1, 6)}, win(3, 8), win(1, 8), []int{0}, -1},
		{"it lies within the open one", apart, []window.Interval{win(1, 16)}, win(3, 8), win(1, 16), []int{0}, 0},
		{"it is the open one", apart, []window.Interval{win(20, 25), win(1, 6)}, win(1, 6), win(1, 6), []int{1}, 1},
		{"it bridges two", apart, []window.Interval{win(1, 6), win(30, 35), win(8, 13)}, win(4, 9), win(1, 13), []int{0, 2}, -1},
	} {
		got := Merge(x.m, x.open, x.win)
		slices.Sort(got.From)
		if got.Into != x.into || !slices.Equal(got.From, x.from) || got.Same != x.same {
			t.Errorf("%s: got %s, want into %v from %v same %d", x.name, fmt.Sprint(got), x.into, x.from, x.same)
		}
	}
}
