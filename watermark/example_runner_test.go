package watermark_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// A split that is silent for a minute holds nobody back any more, and while all are silent the
// watermark follows the clock: every strategy can be asked for both.
func ExampleBoundedStrategy_IdleAdvance() {
	read := func(*int64) (time.Time, bool) { return time.Time{}, false }
	for _, s := range []watermark.Strategy{
		watermark.Bounded(0).Idle(time.Minute).IdleAdvance(),
		watermark.Adaptive(0.9, 0, time.Minute).Idle(time.Minute).IdleAdvance(),
		watermark.Arrival(0).Idle(time.Minute).IdleAdvance(),
		watermark.Periods(window.Days(), 1).Idle(time.Minute).IdleAdvance(),
		watermark.Punctuated(read).Idle(time.Minute).IdleAdvance(),
	} {
		g := s.Start()
		fmt.Println(watermark.IdleTimeout(s), watermark.IdleAdvances(s), g.Tick(3_600_000_000) > g.W()-1)
	}
	// Output:
	// 1m0s true true
	// 1m0s true true
	// 1m0s true true
	// 1m0s true true
	// 1m0s true true
}

// What a strategy wants to be told of records, and the ways in which it reads it from them.
func ExampleNeeds() {
	type record struct{ Seen, Mark time.Time }
	var needs watermark.Needs = watermark.Bounded(0).Needs()
	fmt.Println("bounded: the clock", needs.Now)

	arrivals := watermark.ArrivalFrom(watermark.Arrival(time.Minute), func(r *record) time.Time { return r.Seen })
	var a watermark.Arriver[record] = arrivals
	fmt.Println("arrival:", a.Needs().Arrival, a.ArrivalOf(&record{Seen: time.Unix(3, 0)}))

	var m watermark.Marker[record] = watermark.Punctuated(func(r *record) (time.Time, bool) { return r.Mark, true })
	fmt.Println("punctuated:", m.Needs().Mark, m.Mark(&record{Mark: time.Unix(4, 0)}))
	// Output:
	// bounded: the clock true
	// arrival: true 3000000
	// punctuated: true 4000000
}

// A record that claims less than one before it ends the run.
func ExampleBackwardsError() {
	s := watermark.Punctuated(func(*int64) (time.Time, bool) { return time.Time{}, false })
	g := s.Start()
	_, err := g.Observe(watermark.Columns{At: []int64{1, 2}, Mark: []int64{9_000_000, 4_000_000}}, make([]int64, 2))
	var back *watermark.BackwardsError
	if errors.As(err, &back) && errors.Is(err, watermark.ErrBackwards) {
		fmt.Println("record", back.Record, "from", etime.Time(back.From).Second(), "to", etime.Time(back.To).Second())
	}
	// Output: record 1 from 9 to 4
}

// The guard names the record that no other supports, as soon as the next one is read. Its state is
// plain numbers, and another generator goes on from there.
func ExampleSifter() {
	fmt.Println(watermark.DefaultSupport, watermark.DefaultMaxFutureSkew)
	first := watermark.Ascending().Start()
	const hour = 3_600_000_000
	first.Observe(watermark.Columns{At: []int64{0, 1, 100 * hour}}, make([]int64, 3))
	fmt.Println("to be judged:", first.(watermark.Sifter).Fresh())

	var next watermark.Generator = watermark.Ascending().Start()
	if err := next.RestoreState(first.AppendState(nil)); err != nil {
		fmt.Println(err)
	}
	next.Observe(watermark.Columns{At: []int64{2, 3}}, make([]int64, 2))
	fmt.Println("from the future:", next.(watermark.Sifter).Odd(), next.Future())
	// Output:
	// 1h0m0s 5m0s
	// to be judged: true
	// from the future: [-1] 1
}
