package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

const (
	p13Size  = time.Second
	p13Keys  = 1000
	p13Match = 20 * time.Millisecond
)

// p13: what joins and retractions cost an event, against GroupByKey with the same events in windows
// of 1 s, on one worker. There is no goal.
func p13(b *board) {
	const n = 4 * million
	in := newP13(n)
	for _, c := range []struct {
		name string
		run  func(p13Input)
	}{
		{"co-group", p13CoGroup},
		{"interval join", p13IntervalJoin},
		{"late panes", func(in p13Input) { p13Late(in, false) }},
		{"retracting", func(in p13Input) { p13Late(in, true) }},
	} {
		times := duel(b.turns, clocked(func() { c.run(in) }), clocked(func() { p13GroupByKey(in) }))
		ns := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / n }
		b.put(result{id: "P13", name: c.name, side: "takes", rival: "group by key", unit: "ns",
			ours: ns(times[0]), theirs: ns(times[1]), ratio: times[1].Seconds() / times[0].Seconds()})
	}
}

// p13Input is events, all and in halves, with what the jobs must find in them.
type p13Input struct {
	all, left, right []event[int64]
	groups           digest // by key and window
	pairs            int64  // of the interval join
}

// newP13 makes n events, 100 of them a millisecond.
func newP13(n int) p13Input {
	vs := events(n, time.Duration(n)*10*time.Microsecond, running(p13Keys))
	in := p13Input{all: vs, left: deal(vs, 0), right: deal(vs, 1)}
	in.groups = loop(vs, p13Size.Microseconds())
	// The times of either side by key, in order: what is within the interval of a left one moves
	// along the right ones.
	left, right := timesByKey(in.left), timesByKey(in.right)
	for k := range left {
		from, to := 0, 0
		for _, at := range left[k] {
			for from < len(right[k]) && right[k][from] < at {
				from++
			}
			for to < len(right[k]) && right[k][to] <= at+p13Match.Microseconds() {
				to++
			}
			in.pairs += int64(to - from)
		}
	}
	return in
}

func timesByKey(vs []event[int64]) [][]int64 {
	by := make([][]int64, p13Keys)
	for i := range vs {
		by[vs[i].Key] = append(by[vs[i].Key], vs[i].At)
	}
	for _, ts := range by {
		slices.Sort(ts)
	}
	return by
}

// p13Read reads events that come up to two seconds out of order behind a watermark that waits so long.
func p13Read(p *strandline.Pipeline, name string, vs []event[int64], behind int64) strandline.Keyed[int64, event[int64]] {
	return strandline.ReadMicros(p, memory.Slice(name, vs), watermark.Bounded(time.Duration(behind)*time.Microsecond), func(e *event[int64]) int64 { return e.At }).
		KeyBy("key of "+name, func(e *event[int64]) int64 { return e.Key }).WindowInto(window.Fixed(p13Size))
}

func p13Run(p *strandline.Pipeline) {
	if _, err := p.Run(context.Background()); err != nil {
		panic(err)
	}
}

func p13GroupByKey(in p13Input) {
	var d digest
	p := strandline.New("group by key")
	strandline.GroupByKey("group", p13Read(p, "events", in.all, bound)).WriteTo(rowsTo[strandline.KV[int64, []event[int64]]](
		func(lo int64, v strandline.KV[int64, []event[int64]], _ bool) { d.add(lo, total(v.Value)) }))
	p13Run(p)
	same("P13: group by key", d, in.groups)
}

func p13CoGroup(in p13Input) {
	var d digest
	p := strandline.New("co-group")
	p13Read(p, "left", in.left, bound).CoGroup("both", p13Read(p, "right", in.right, bound), func(_ int64, left, right []event[int64]) agg {
		a, b := total(left), total(right)
		return agg{a.Count + b.Count, a.Sum + b.Sum}
	}).WriteTo(rowsTo[agg](func(lo int64, a agg, _ bool) { d.add(lo, a) }))
	p13Run(p)
	same("P13: co-group", d, in.groups)
}

func p13IntervalJoin(in p13Input) {
	var pairs int64
	p := strandline.New("interval join")
	p13Read(p, "left", in.left, bound).IntervalJoin("near", p13Read(p, "right", in.right, bound), 0, p13Match,
		func(_ int64, left, right *event[int64]) int64 { return right.At - left.At },
	).WriteTo(rowsTo[int64](func(int64, int64, bool) { pairs++ }))
	p13Run(p)
	if pairs != in.pairs {
		panic(fmt.Sprintf("P13: %d pairs, want %d", pairs, in.pairs))
	}
}

// p13Late counts and sums behind a watermark that waits half as long as it would have to: a quarter of
// the events come when their window has fired, and each gives another pane, and a retraction if so.
func p13Late(in p13Input, retract bool) {
	var last agg
	p := strandline.New("late")
	keyed := p13Read(p, "events", in.all, bound/2).AllowedLateness(bound / 2 * time.Microsecond)
	if retract {
		keyed = keyed.Retracting()
	}
	rows := 0
	keyed.CombinePerKey("count and sum", countSum[int64]{}).WriteTo(rowsTo[strandline.KV[int64, agg]](
		func(_ int64, v strandline.KV[int64, agg], back bool) {
			rows++
			if a := v.Value; back {
				last.Count, last.Sum = last.Count-a.Count, last.Sum-a.Sum
			} else {
				last.Count, last.Sum = last.Count+a.Count, last.Sum+a.Sum
			}
		}))
	p13Run(p)
	if retract && (last.Count != in.groups.Count || last.Sum != in.groups.Sum) {
		panic(fmt.Sprintf("P13: what remains is %+v, want %+v", last, in.groups))
	}
}

// total counts and sums.
func total(vs []event[int64]) (a agg) {
	for i := range vs {
		a.Count++
		a.Sum += vs[i].Value
	}
	return a
}

// rowsTo is a sink that calls a function for each row, with the start of its window in microseconds
// and whether it takes back an earlier one.
type rowsTo[T any] func(lo int64, v T, back bool)

func (f rowsTo[T]) Name() string                                   { return "rows" }
func (f rowsTo[T]) Open(context.Context) (connector.Writer, error) { return f, nil }
func (f rowsTo[T]) Flush(context.Context) error                    { return nil }
func (f rowsTo[T]) Close() error                                   { return nil }

func (f rowsTo[T]) Write(_ context.Context, rows connector.Rows) error {
	for i, v := range rows.Values().([]T) {
		w, _ := rows.Window(i)
		f(w.Lo(), v, rows.Pane(i).Retraction)
	}
	return nil
}
