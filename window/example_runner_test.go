package window_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/strandline-stream/strandline/window"
)

func ExampleInterval() {
	w := window.Between(time.Unix(0, 0), time.Unix(10, 0))
	lo, hi := w.Micros()
	fmt.Println(lo == w.Lo(), hi == w.Hi(), w == window.FromMicros(0, 10_000_000), w.Span())
	fmt.Println(w.Contains(w.Last()), w.Contains(w.End()))
	fmt.Println(w.Overlaps(window.FromMicros(9_999_999, 20_000_000)), w.Overlaps(window.FromMicros(10_000_000, 20_000_000)))
	all := window.Global().Assign(nil, 0)[0]
	fmt.Println(w.IsGlobal(), all.IsGlobal())
	// Output:
	// true true true 10s
	// true false
	// true false
	// false true
}

// What a runner asks of windows, whatever they are: when the window of an element is due, and
// which of the windows of a key merge.
func ExampleMerger() {
	var a window.Assigner = window.Session(5 * time.Second).MergeTouching()
	open := []window.Interval{a.Assign(nil, 0)[0], a.Assign(nil, 20_000_000)[0], a.Assign(nil, 5_000_000)[0]}
	if m, merges := a.(window.Merger); merges {
		for _, j := range m.Merge(open) {
			fmt.Println("into", j.Into.Span(), "from", j.From)
		}
	}
	fmt.Println("due a microsecond after its end:", window.Due(a, open[1])-open[1].Hi())
	// Output:
	// into 10s from [0 2]
	// due a microsecond after its end: 1
}

// Windows of a user's own that merge if they are on one day.
func ExampleCustomWindows_Merging() {
	minute := func(t time.Time) []window.Interval {
		start := t.Truncate(time.Minute)
		return []window.Interval{window.Between(start, start.Add(time.Minute))}
	}
	daily := window.Custom("minutes of a day", minute).Merging(func(ws []window.Interval) []window.Merged {
		days := map[time.Time][]int{}
		for i, w := range ws {
			day := w.Start().Truncate(24 * time.Hour)
			days[day] = append(days[day], i)
		}
		var merged []window.Merged
		for _, from := range days {
			if len(from) < 2 {
				continue
			}
			into := ws[from[0]]
			for _, i := range from {
				into = window.FromMicros(min(into.Lo(), ws[i].Lo()), max(into.Hi(), ws[i].Hi()))
			}
			merged = append(merged, window.Merged{Into: into, From: from})
		}
		return merged
	})
	ws := slices.Concat(daily.Assign(nil, 0), daily.Assign(nil, 3600_000_000), daily.Assign(nil, 90_000_000_000))
	for _, j := range daily.Merge(ws) {
		fmt.Println(j.Into.Span(), j.From)
	}
	// Output: 1h1m0s [0 1]
}

// Sessions whose elements bring their gap: a step before the grouping opens them.
func ExampleSessionGaps() {
	s := window.SessionGaps()
	short, long := s.Open(0, 2_000_000), s.Open(1_000_000, 60_000_000)
	for _, j := range s.Merge([]window.Interval{short, long}) {
		fmt.Println(j.Into.Span())
	}
	var _ window.SessionGapWindows = s
	// Output: 1m1s
}

// What the parameters of a windowing are, in microseconds, for a runner that has a faster way for
// some kinds, and an assigner for one of its workers, which may remember what it found last.
func ExampleForWorker() {
	fmt.Println(window.Fixed(time.Second).Offset(time.Millisecond).Micros())
	fmt.Println(window.Sliding(time.Minute, time.Second).Micros())
	fmt.Println(window.Cumulative(time.Minute, time.Second).Micros())
	s := window.Session(time.Second).MergeTouching()
	fmt.Println(s.GapMicros(), s.Touching(), s.Due(window.FromMicros(0, 10)))

	days := window.Days()
	mine := window.ForWorker(days) // days.Cursor()
	fmt.Println(slices.Equal(mine.Assign(nil, 1), days.Cursor().Assign(nil, 1)), len(window.ZoneRelease) > 4)
	// Output:
	// 1000000 1000
	// 60000000 1000000 0
	// 60000000 1000000 0
	// 1000000 true 11
	// true true
}
