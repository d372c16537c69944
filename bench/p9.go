package main

import (
	"context"
	"io"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// p9: what an open count per integer key and window takes of the heap, and how long the collector
// stops the run while there are ten million of them.
func p9(b *board) {
	const keys = 10 * million
	b.p9("10M x 1", keys, 1)
	b.p9("100k x 100", keys/100, 100)
}

func (b *board) p9(name string, keys, windows int64) {
	const (
		limit = 32.0 // bytes
		most  = 10.0 // ms
	)
	from := &crowd{keys: keys, windows: windows}
	p := strandline.New("p9")
	// The watermark stays behind all windows until the input has ended.
	in := strandline.ReadMicros(p, from, watermark.Bounded(24*time.Hour), func(v *event[int64]) int64 { return v.At })
	counts := in.KeyBy("key", func(v *event[int64]) int64 { return v.Key }).
		WindowInto(window.Fixed(p1Size)).CombinePerKey("count", combine.Count[event[int64]]())
	var open, panes int64
	counts.WriteTo(memory.Each(func(v strandline.KV[int64, int64], _ time.Time, _ window.Interval, _ trigger.Pane) {
		panes++
		open += v.Value
	}))
	before := live()
	pauses := readPauses()
	from.measure = func() {
		from.bytes = live() - before
		from.worst = pauses.worst()
	}
	if _, err := p.Run(context.Background()); err != nil {
		panic(err)
	}
	if panes != keys*windows || open != keys*windows {
		panic("P9: the answer is wrong")
	}
	bytes := float64(from.bytes) / float64(keys*windows)
	b.put(result{id: "P9", name: name, side: "engine", rival: "limit", unit: "B", ours: bytes, theirs: limit, ratio: limit / bytes, goal: 1})
	ms := from.worst * 1e3
	b.put(result{id: "P9", name: name + " pause", side: "worst", rival: "limit", unit: "ms", ours: ms, theirs: most, ratio: most / ms, goal: 1})
}

// live is the size of the live heap, in bytes.
func live() int64 {
	runtime.GC()
	runtime.GC() // the first may have begun before what is garbage now was
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// crowd is a source of one event for each key and window, with keys from all over the integers,
// that takes the measure of the engine before it says that it has ended.
type crowd struct {
	keys, windows int64
	at            int64
	measure       func()
	bytes         int64
	worst         float64 // seconds
	vs            [connector.BatchSize]event[int64]
}

func (c *crowd) Name() string  { return "crowd" }
func (c *crowd) Bounded() bool { return true }
func (c *crowd) Close() error  { return nil }

func (c *crowd) Splits(context.Context) ([]connector.Split[event[int64]], error) {
	return []connector.Split[event[int64]]{c}, nil
}

func (c *crowd) Open(context.Context) (connector.Reader[event[int64]], error) { return c, nil }

func (c *crowd) Read(_ context.Context, b *connector.Batch[event[int64]]) error {
	n := 0
	for ; n < len(c.vs) && c.at < c.keys*c.windows; n++ {
		key := uint64(c.at%c.keys+1) * 0x9e3779b97f4a7c15 // a bijection
		key = (key ^ key>>29) * 0xbf58476d1ce4e5b9
		c.vs[n] = event[int64]{At: c.at / c.keys * p1Size.Microseconds(), Key: int64(key ^ key>>32)}
		c.at++
	}
	*b = connector.Batch[event[int64]]{Values: c.vs[:n]}
	if n == 0 {
		c.measure()
		return io.EOF
	}
	return nil
}

// pauses is how often the collector had stopped the program for how long.
type pauses struct{ h metrics.Float64Histogram }

func readPauses() pauses {
	s := []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(s)
	h := s[0].Value.Float64Histogram()
	return pauses{metrics.Float64Histogram{Counts: append([]uint64(nil), h.Counts...), Buckets: h.Buckets}}
}

// worst gives the longest pause since p was read, in seconds: the upper end of its bucket.
func (p pauses) worst() float64 {
	now := readPauses()
	for i := len(now.h.Counts) - 1; i >= 0; i-- {
		if now.h.Counts[i] > p.h.Counts[i] {
			return now.h.Buckets[i+1]
		}
	}
	return 0
}
