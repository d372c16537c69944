package strandline_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

func TestABatchRunLeavesNothingBehindForTheNext(t *testing.T) {
	late := func(first bool) int64 {
		p := strandline.New("outcome")
		in := strandline.Read(p, memory.Slice("events", keyed("a1 a25 a2")).Batch(1), watermark.EndOfInput(), at).AssignTimestampsAndWatermarks("own", at, watermark.Bounded(0).NoGuard())
		in.KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
		if first {
			mustRun(t, p, strandline.Batch())
		}
		rep, err := p.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return counts(t, rep, "count").Counts.DroppedLate
	}
	if a, b := late(false), late(true); a != b {
		t.Errorf("late %d fresh, %d after a batch run", a, b)
	}
}

func TestAFunctionThatEndsItsGoroutineEndsTheRun(t *testing.T) {
	for _, n := range []int{1, 2} {
		p := strandline.New("outcome")
		in := strandline.Read(p, memory.Slice("events", keyed("a1 a25 a2")).Batch(1), watermark.Bounded(0), at)
		in.Map("m", func(e *event) event { runtime.Goexit(); return *e }).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		rep, err := p.Run(ctx, strandline.Workers(n))
		cancel()
		if err == nil || errors.Is(err, context.DeadlineExceeded) || rep.Complete || !strings.Contains(err.Error(), "Goexit") {
			t.Errorf("%d workers: %v", n, err)
		}
	}
}

func TestADrainedRunDoesNotSayThatItIsComplete(t *testing.T) {
	p := strandline.New("outcome")
	var n atomic.Int64
	first := make(chan struct{})
	on := make(chan struct{})
	in := strandline.Read(p, memory.Slice("events", keyed("a1 a2 a3 a4 a5 a6")).Batch(1), watermark.Bounded(0), at)
	in.Map("m", func(e *event) event {
		if n.Add(1) == 1 {
			close(first)
			<-on
		}
		return *e
	}).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
	run := p.Start(t.Context())
	<-first
	run.Drain()
	close(on)
	rep, err := run.Wait()
	if err != nil || rep.Complete || !rep.Drained || n.Load() == 6 || !strings.HasSuffix(strandline.Ledger(rep), "drained before the input had ended") {
		t.Errorf("%d read, complete %t, drained %t, %v: %s", n.Load(), rep.Complete, rep.Drained, err, strandline.Ledger(rep))
	}
}

// badSink fails at once.
type badSink struct{}

func (badSink) Name() string                                       { return "bad" }
func (badSink) Open(context.Context) (connector.Writer, error)     { return badSink{}, nil }
func (badSink) Write(_ context.Context, rows connector.Rows) error { return errors.New("disk full") }
func (badSink) Flush(context.Context) error                        { return nil }
func (badSink) Close() error                                       { return nil }

func TestTheBooksBalanceWhenASinkFailsInTheMidstOfFiring(t *testing.T) {
	p := strandline.New("outcome")
	var all []event
	for i := range 5000 {
		all = append(all, event{At: 1, Key: string(rune('a' + i)), N: 1})
	}
	all = append(all, event{At: 100, Key: "x", N: 1})
	in := strandline.Read(p, memory.Slice("events", all), watermark.Bounded(0).NoGuard(), at)
	in.KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]()).WriteTo(badSink{})
	rep, err := p.Run(t.Context())
	if err == nil {
		t.Fatal("the sink failed, and the run did not")
	}
	for i := range rep.Steps {
		if err := rep.Steps[i].Balance(); err != nil {
			t.Error(err)
		}
	}
}
