package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// event is what P1a aggregates: 24 bytes with an integer key.
type event[K comparable] struct {
	At    int64 // µs
	Key   K
	Value int64
}

// agg is what it aggregates to.
type agg struct{ Count, Sum int64 }

// countSum is the combiner, written as a user would write it who cares for speed.
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

const (
	windowSize = 10_000_000 // µs
	disorder   = 2_000_000
	bound      = 2_000_000
)

// events makes n events over a span of seconds, each up to two seconds out of order.
func events[K comparable](n int, span time.Duration, keys int, key func(int) K) []event[K] {
	r := rand.New(rand.NewPCG(1, 2))
	vs := make([]event[K], n)
	step := float64(span.Microseconds()) / float64(n)
	names := make([]K, keys)
	for i := range names {
		names[i] = key(i)
	}
	for i := range vs {
		at := int64(float64(i)*step) - r.Int64N(disorder)
		vs[i] = event[K]{At: at, Key: names[r.IntN(keys)], Value: int64(i & 1023)}
	}
	return vs
}

// digest of the results: order does not show in it.
type digest struct{ panes, count, sum, mix int64 }

func (d *digest) add(start int64, a agg) {
	d.panes++
	d.count += a.Count
	d.sum += a.Sum
	d.mix += (start/windowSize + 1) * (a.Count*31 + a.Sum)
}

// engineP1a runs the job through the typed API.
func engineP1a[K comparable](vs []event[K]) digest {
	p := strandline.New("p1a")
	in := strandline.ReadMicros(p, memory.Slice("events", vs), watermark.Bounded(bound*time.Microsecond),
		func(e *event[K]) int64 { return e.At })
	out := in.KeyBy("key", func(e *event[K]) K { return e.Key }).
		WindowInto(window.Fixed(windowSize*time.Microsecond)).
		CombinePerKey("agg", countSum[K]{})
	d := &digest{}
	out.WriteTo(sink[K]{d})
	if _, err := p.Run(context.Background()); err != nil {
		panic(err)
	}
	return *d
}

// loopP1a is the same by hand: nested maps, the same watermark, the same late test.
func loopP1a[K comparable](vs []event[K]) digest {
	var d digest
	windows := map[int64]map[K]*agg{}
	w, next := int64(-1<<62), int64(1<<62)
	late := 0
	fire := func(upto int64) {
		next = 1 << 62
		for start, keys := range windows {
			if start+windowSize > upto {
				next = min(next, start+windowSize)
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
		start := e.At - e.At%windowSize
		if e.At%windowSize < 0 {
			start -= windowSize
		}
		if start+windowSize <= w {
			late++
			continue
		}
		keys := windows[start]
		if keys == nil {
			keys = map[K]*agg{}
			windows[start] = keys
			next = min(next, start+windowSize)
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
	fire(1 << 62)
	if late > 0 {
		panic(fmt.Sprint("late: ", late))
	}
	return d
}
