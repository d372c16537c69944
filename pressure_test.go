package strandline_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// A sink that takes nothing stops the sources: what is read and not written is bounded, however
// much there is to read.
func TestASlowSinkSlowsTheSource(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			p := strandline.New("slow")
			var read, written atomic.Int64
			gate := make(chan struct{})
			in := strandline.Read(p, endless{}, watermark.Bounded(0), at).Map("count", func(e *event) event { read.Add(1); return *e })
			in.Reshuffle("spread").Map("same", func(e *event) event { return *e }).Reshuffle("again").WriteTo(sinkFunc(func(ctx context.Context, rows connector.Rows) error {
				select {
				case <-gate:
				case <-ctx.Done():
					return ctx.Err()
				}
				written.Add(int64(rows.Len()))
				return nil
			}))
			ctx, cancel := context.WithCancel(t.Context())
			run := p.Start(ctx, strandline.Workers(workers))
			synctest.Wait() // everything is blocked, if it ever is
			// Two exchanges of n*n queues with a handful of batches of 512 values each.
			bound := int64(2*workers*workers*8*512 + 4096)
			if n := read.Load(); n == 0 || n > bound {
				t.Errorf("%d workers: %d read while nothing was written, want at most %d", workers, n, bound)
			}
			for range 10 {
				gate <- struct{}{}
			}
			synctest.Wait()
			if n := read.Load() - written.Load(); n > bound {
				t.Errorf("%d workers: %d in flight, want at most %d", workers, n, bound)
			}
			cancel()
			if _, err := run.Wait(); err == nil {
				t.Error("no error of a stopped run")
			}
		})
	}
}

func TestTwoExchangesInARowDoNotDeadlock(t *testing.T) {
	var in [][]event
	for s := range 8 {
		var es []event
		for i := range int64(3000) {
			es = append(es, event{At: i, Key: string(rune('a' + (i+int64(s))%26)), N: 1})
		}
		in = append(in, es)
	}
	p := strandline.New("exchanges")
	per := strandline.Read(p, splits(64, in...), watermark.Bounded(0), at).Reshuffle("spread").KeyBy("key", key).
		WindowInto(window.Fixed(time.Second)).CombinePerKey("count", combine.Count[event]())
	total := per.KeyBy("again", func(x *strandline.KV[string, int64]) string { return x.Key }).WindowInto(window.Global()).
		CombinePerKey("total", combine.Sum(func(x *strandline.KV[string, int64]) int64 { return x.Value }))
	var sum int64
	strandline.Each(total.PCollection, "", func(x strandline.Pane[strandline.KV[string, int64]]) { sum += x.Value.Value })
	mustRun(t, p, strandline.Workers(8))
	if sum != 24000 {
		t.Errorf("counted %d, want 24000", sum)
	}
}
