package main

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// agg is what events are aggregated to.
type agg struct{ Count, Sum int64 }

// countSum is the combiner, written as somebody would who cares for speed.
type countSum[K comparable] struct{}

func (countSum[K]) Create() agg { return agg{} }

func (countSum[K]) Add(a *agg, v *event[K]) {
	a.Count++
	a.Sum += v.Value
}

func (countSum[K]) AddBatch(accs []agg, slots []uint32, vs []event[K]) {
	slots = slots[:len(vs)]
	for i := range vs {
		a := &accs[slots[i]]
		a.Count++
		a.Sum += vs[i].Value
	}
}

func (countSum[K]) Merge(a, b *agg) {
	a.Count += b.Count
	a.Sum += b.Sum
}

func (countSum[K]) Extract(a *agg) (agg, error) { return *a, nil }

// engine runs count and sum per key through the typed API.
func engine[K comparable](from connector.Source[event[K]], w window.Assigner, opts ...strandline.Option) digest {
	p := strandline.New("bench")
	in := strandline.ReadMicros(p, from, watermark.Bounded(bound*time.Microsecond), func(e *event[K]) int64 { return e.At })
	out := in.KeyBy("key", func(e *event[K]) K { return e.Key }).WindowInto(w).CombinePerKey("count and sum", countSum[K]{})
	d := digest{}
	out.WriteTo(sink[K]{&d})
	if _, err := p.Run(context.Background(), opts...); err != nil {
		panic(err)
	}
	return d
}

// loop is the same by hand for windows end to end: nested maps, the same watermark, the same late
// test.
func loop[K comparable](vs []event[K], size int64) digest {
	const never = 1 << 62
	var d digest
	windows := map[int64]map[K]*agg{}
	w, next := int64(-never), int64(never) // the watermark, and the end of the first open window
	late := 0
	fire := func(upto int64) {
		next = never
		for start, keys := range windows {
			if start+size > upto {
				next = min(next, start+size)
				continue
			}
			for _, a := range keys {
				d.add(start, *a)
			}
			delete(windows, start)
		}
	}
	for i := range vs {
		e := &vs[i]
		start := e.At - e.At%size
		if e.At%size < 0 {
			start -= size
		}
		if start+size <= w {
			late++
			continue
		}
		keys := windows[start]
		if keys == nil {
			keys = map[K]*agg{}
			windows[start] = keys
			next = min(next, start+size)
		}
		a := keys[e.Key]
		if a == nil {
			a = &agg{}
			keys[e.Key] = a
		}
		a.Count++
		a.Sum += e.Value
		if e.At-bound > w {
			if w = e.At - bound; w >= next {
				fire(w)
			}
		}
	}
	fire(never)
	if late > 0 {
		panic(fmt.Sprint("late: ", late))
	}
	return d
}
