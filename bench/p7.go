package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/datagen"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

const (
	p7Rate     = 100_000 // events a second
	p7Size     = 20 * time.Millisecond
	p7Keys     = 200
	p7Disorder = 20 * time.Millisecond
)

// p7: how long after the record that moves the watermark past a window's end its panes are at the
// sink, with 100,000 events a second that come by the clock, and 10,000 panes a second. With two
// workers elements go through an exchange, which waits for more of them while there are some.
func p7(b *board) {
	b.p7("one worker", 1)
	b.p7("two workers", 2)
}

func (b *board) p7(name string, workers int) {
	const (
		span = 4 * time.Second
		most = 10.0 // ms
	)
	var l latencies
	for range b.turns {
		x := p7Run(span, workers)
		l.read, l.due = append(l.read, x.read...), append(l.due, x.due...)
	}
	slices.Sort(l.read)
	slices.Sort(l.due)
	ms := func(d time.Duration) float64 { return d.Seconds() * 1e3 }
	p99 := ms(l.read.quantile(0.99))
	b.put(result{id: "P7", name: name, side: "p99", rival: "limit", unit: "ms", ours: p99, theirs: most, ratio: most / p99, goal: 1})
	fmt.Printf("P7   %-14s of %d panes: p50 %.2f ms, p99 %.2f ms, max %.2f ms; since the record was due: p50 %.2f ms, p99 %.2f ms, max %.2f ms\n",
		name, len(l.read), ms(l.read.quantile(0.5)), p99, ms(l.read.quantile(1)),
		ms(l.due.quantile(0.5)), ms(l.due.quantile(0.99)), ms(l.due.quantile(1)))
}

// latencies are those of every pane: since the record that let it go was
// read, and since it was due, which a reader that is late does not make shorter.
type latencies struct{ read, due quantiles }

type quantiles []time.Duration

// quantile is for durations that are sorted.
func (q quantiles) quantile(x float64) time.Duration {
	return q[min(int(x*float64(len(q))), len(q)-1)]
}

// tick is a record.
type tick struct{ N, Key int64 }

// p7Run runs the job for a time. Panes that the end of the input lets go of do not count.
func p7Run(span time.Duration, workers int) latencies {
	from := &watched{ends: map[int64]moment{}, Source: datagen.Events("ticks", func(n int64, _ time.Time, r *rand.Rand) tick {
		return tick{n, r.Int64N(p7Keys)}
	}).Rate(p7Rate).Disorder(p7Disorder).For(span)}
	p := strandline.New("p7")
	ticks := strandline.Read(p, from, watermark.Bounded(p7Disorder), nil)
	counts := ticks.KeyBy("key", func(v *tick) int64 { return v.Key }).WindowInto(window.Fixed(p7Size)).
		CombinePerKey("count", combine.Count[tick]())
	out := &arrivals{from: from}
	counts.WriteTo(out)
	if _, err := p.Run(context.Background(), strandline.Workers(workers)); err != nil {
		panic(err)
	}
	if want := p7Rate * int64(span/time.Second); out.counted != want {
		panic(fmt.Sprintf("P7: %d events came out, of %d", out.counted, want))
	}
	return out.latencies
}

// moment is when the record that moved the watermark past a window's end was read, and when it was
// due.
type moment struct{ read, due time.Time }

// watched is a source that notes such moments.
type watched struct {
	connector.Source[tick]
	mu   sync.Mutex
	ends map[int64]moment // by the end of the window, in µs
}

func (s *watched) Timed() bool { return true }

func (s *watched) Splits(ctx context.Context) ([]connector.Split[tick], error) {
	splits, err := s.Source.Splits(ctx)
	for i := range splits {
		splits[i] = watchedSplit{splits[i], s}
	}
	return splits, err
}

type watchedSplit struct {
	connector.Split[tick]
	s *watched
}

func (s watchedSplit) Open(ctx context.Context) (connector.Reader[tick], error) {
	start := time.Now()
	r, err := s.Split.Open(ctx)
	return &watchedReader{Reader: r, s: s.s, start: start}, err
}

type watchedReader struct {
	connector.Reader[tick]
	s     *watched
	start time.Time
	begun bool
	top   int64 // the greatest event time
	next  int64 // the end of the first window that is not over
}

func (r *watchedReader) Read(ctx context.Context, b *connector.Batch[tick]) error {
	const size = int64(p7Size / time.Microsecond)
	err := r.Reader.Read(ctx, b)
	now := time.Now()
	for i, at := range b.Times {
		if r.top = max(r.top, at); !r.begun {
			r.begun = true
			r.next = at - at%size
		}
		for ; r.next <= r.top-int64(p7Disorder/time.Microsecond); r.next += size {
			due := r.start.Add(time.Duration(b.Values[i].N) * time.Second / p7Rate)
			r.s.mu.Lock()
			r.s.ends[r.next] = moment{now, due}
			r.s.mu.Unlock()
		}
	}
	return err
}

// arrivals is a sink that notes how long panes took.
type arrivals struct {
	from    *watched
	counted int64
	latencies
}

func (s *arrivals) Name() string                                   { return "arrivals" }
func (s *arrivals) Open(context.Context) (connector.Writer, error) { return s, nil }
func (s *arrivals) Flush(context.Context) error                    { return nil }
func (s *arrivals) Close() error                                   { return nil }

func (s *arrivals) Write(_ context.Context, rows connector.Rows) error {
	now := time.Now()
	s.from.mu.Lock()
	defer s.from.mu.Unlock()
	for i, v := range rows.Values().([]strandline.KV[int64, int64]) {
		s.counted += v.Value
		w, _ := rows.Window(i)
		if m, ok := s.from.ends[w.Hi()]; ok {
			s.read = append(s.read, now.Sub(m.read))
			s.due = append(s.due, now.Sub(m.due))
		}
	}
	return nil
}
