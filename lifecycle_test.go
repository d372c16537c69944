package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

func TestEmptyInputGivesNoPanesAndALedgerOfZeros(t *testing.T) {
	noneLeft(t)
	for _, workers := range []int{1, 4} {
		for _, src := range []connector.Source[event]{memory.Slice[event]("none", nil), splits[event](1, nil, nil, nil), splits[event](1)} {
			p := strandline.New("empty")
			r := strandline.Read(p, src, watermark.Bounded(0), at).KeyBy("key", key).WindowInto(window.Fixed(time.Second)).CombinePerKey("count", combine.Count[event]())
			got := panes(r)
			rep, err := p.Run(t.Context(), strandline.Workers(workers))
			if err != nil || len(*got) > 0 || !rep.Complete {
				t.Errorf("got %v, %v, complete %t", *got, err, rep.Complete)
			}
			for _, s := range rep.Steps {
				if s.Counts != (counters{}) {
					t.Errorf("step %q counts %+v", s.ID, s.Counts)
				}
			}
		}
	}
}

// At the end of the input everything comes out that was not given, under any trigger.
func TestTheEndOfInputGivesWhatNoTriggerHasGiven(t *testing.T) {
	for _, tr := range []trigger.Trigger{trigger.Never(), trigger.AfterCount(10), trigger.Repeat(trigger.AfterCount(10)), trigger.AfterProcessingTime(time.Hour), trigger.AfterWatermark()} {
		p := strandline.New("end")
		got := panes(input(p, keyed("a1 a2"), 0).KeyBy("key", key).WindowInto(window.Fixed(time.Hour)).Trigger(tr).CombinePerKey("count", combine.Count[event]()))
		mustRun(t, p)
		expect(t, tr.String(), *got, "[0, 3600) a 2 on time pane 0 (0), first, last")
	}
}

// live is a pipeline over a channel that counts per hour.
func live(c chan event) (*strandline.Pipeline, *lines) {
	p := strandline.New("live")
	r := strandline.Read(p, memory.Channel("live", c), watermark.Bounded(0), at).KeyBy("key", key).WindowInto(window.Fixed(time.Hour)).CombinePerKey("count", combine.Count[event]())
	return p, panes(r)
}

func TestStoppingFiresNothingAndLeavesNothing(t *testing.T) {
	for _, workers := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) { // no goroutine may be left in the bubble when it ends
			c := make(chan event)
			p, got := live(c)
			ctx, cancel := context.WithCancel(t.Context())
			run := p.Start(ctx, strandline.Workers(workers))
			for _, e := range keyed("a1 b2 a3") {
				c <- e
			}
			synctest.Wait()
			start := time.Now()
			cancel()
			rep, err := run.Wait()
			if !errors.Is(err, context.Canceled) || len(*got) > 0 || rep.Complete || time.Since(start) > 0 {
				t.Errorf("%d workers: %v, panes %v, complete %t, after %v", workers, err, *got, rep.Complete, time.Since(start))
			}
			balances(t, rep)
			if n := counts(t, rep, "read live").Counts.In; n != 3 {
				t.Errorf("%d workers: %d read, want 3", workers, n)
			}
			if n := counts(t, rep, "count").Counts; workers == 1 && (n.InWindow != 3 || n.Open != 3) {
				t.Errorf("%d in a window, %d open, want 3 and 3", n.InWindow, n.Open)
			}
		})
	}
}

func TestADeadlineIsTheErrorOfTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := live(make(chan event))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := p.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

// A source that never runs dry must see the stop too, and so must a sink that hangs.
func TestStoppingReachesABusySourceAndAHangingSink(t *testing.T) {
	noneLeft(t)
	for _, workers := range []int{1, 4} {
		p := strandline.New("endless")
		ctx, cancel := context.WithCancel(t.Context())
		r := strandline.Read(p, endless{}, watermark.Bounded(0), at)
		r.KeyBy("key", key).WindowInto(window.Fixed(time.Second)).CombinePerKey("count", combine.Count[event]()).WriteTo(sinkFunc(func(ctx context.Context, _ connector.Rows) error {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}))
		if _, err := p.Run(ctx, strandline.Workers(workers)); !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: got %v", workers, err)
		}
	}
}

func TestARunThatIsStoppedBeforeItStartsReadsNothing(t *testing.T) {
	noneLeft(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := strandline.New("stopped")
	got := panes(input(p, keyed("a1"), 0).KeyBy("key", key).CombinePerKey("count", combine.Count[event]()))
	if _, err := p.Run(ctx); !errors.Is(err, context.Canceled) || len(*got) > 0 {
		t.Errorf("got %v, panes %v", err, *got)
	}
}

func TestDrainingFiresWhatIsOpenAndMarksIt(t *testing.T) {
	for _, workers := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			c := make(chan event)
			p, got := live(c)
			run := p.Start(t.Context(), strandline.Workers(workers))
			for _, e := range keyed("a1 b2 a3602") { // the last brings the watermark past the first hour
				c <- e
			}
			synctest.Wait()
			run.Drain()
			run.Drain() // again: nothing more happens
			rep, err := run.Wait()
			if err != nil {
				t.Fatal(err)
			}
			balances(t, rep)
			expect(t, fmt.Sprint(workers, " workers"), *got, "[0, 3600) a 1 on time pane 0 (0), first, last", "[0, 3600) b 1 on time pane 0 (0), first, last",
				"[3600, 7200) a 1 on time pane 0 (0), first, last, drained")
		})
	}
}

func TestDrainingMarksThePanesOfChainedAggregationsToo(t *testing.T) {
	for _, workers := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			c := make(chan event)
			p := strandline.New("chain")
			per := strandline.Read(p, memory.Channel("live", c), watermark.Bounded(0), at).KeyBy("key", key).WindowInto(window.Fixed(time.Hour)).CombinePerKey("count", combine.Count[event]())
			total := per.Combine("total", combine.Sum(func(x *strandline.KV[string, int64]) int64 { return x.Value }))
			var got lines
			strandline.Each(total.PCollection, "got", func(x strandline.Pane[int64]) { got.add("%s %d %v", span(x), x.Value, x.Pane) })
			run := p.Start(t.Context(), strandline.Workers(workers))
			for _, e := range keyed("a1 b2 a3") {
				c <- e
			}
			synctest.Wait()
			run.Drain()
			if _, err := run.Wait(); err != nil {
				t.Fatal(err)
			}
			expect(t, fmt.Sprint(workers, " workers"), got, "[0, 3600) 3 on time pane 0 (0), first, last, drained")
		})
	}
}

func TestABoundedRunCanBeDrained(t *testing.T) {
	noneLeft(t)
	p := strandline.New("endless")
	var run *strandline.Running
	started := make(chan struct{})
	var seen atomic.Int64
	in := strandline.Read(p, endless{}, watermark.Bounded(0), at).Map("drain", func(e *event) event {
		if seen.Add(1) == 5000 {
			<-started
			run.Drain()
		}
		return *e
	})
	got := panes(in.KeyBy("key", key).WindowInto(window.Global()).CombinePerKey("count", combine.Count[event]()))
	run = p.Start(t.Context())
	close(started)
	rep, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	balances(t, rep)
	if len(*got) != 1 || !strings.HasSuffix((*got)[0], "last, drained") {
		t.Errorf("got %q", *got)
	}
}

func TestAPipelineCanBeRunAgain(t *testing.T) {
	p := strandline.New("again")
	var got lines
	r := input(p, keyed("a1 a2 b11 a5 a31"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
	strandline.Each(r.PCollection, "", func(x strandline.Pane[strandline.KV[string, int64]]) {
		got.add("%s %v %v %v", span(x), x.Value.Key, x.Value.Value, x.Pane)
	})
	var answers []string
	for range 3 {
		got = nil
		rep := mustRun(t, p, strandline.Workers(2))
		answers = append(answers, fmt.Sprint(got.sorted(), counts(t, rep, "count").Counts))
	}
	if answers[0] != answers[1] || answers[0] != answers[2] {
		t.Errorf("three runs: %s", strings.Join(answers, "\n"))
	}
}

// endless reads ascending seconds for ever, without waiting, and says that it is bounded.
type endless struct{}

func (endless) Name() string  { return "endless" }
func (endless) Bounded() bool { return true }

func (endless) Splits(context.Context) ([]connector.Split[event], error) {
	return []connector.Split[event]{endless{}}, nil
}
func (endless) Open(context.Context) (connector.Reader[event], error) { return new(counting), nil }

type counting struct {
	next int64
	vs   []event
}

func (r *counting) Read(ctx context.Context, b *connector.Batch[event]) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.vs = r.vs[:0]
	for range 100 {
		r.vs = append(r.vs, event{At: r.next, Key: "a"})
		r.next++
	}
	*b = connector.Batch[event]{Values: slices.Clip(r.vs)}
	return nil
}
func (r *counting) Close() error { return nil }

// sinkFunc is a sink whose writer is a function.
type sinkFunc func(ctx context.Context, rows connector.Rows) error

func (f sinkFunc) Name() string                                         { return "func" }
func (f sinkFunc) Open(context.Context) (connector.Writer, error)       { return f, nil }
func (f sinkFunc) Write(ctx context.Context, rows connector.Rows) error { return f(ctx, rows) }
func (f sinkFunc) Flush(context.Context) error                          { return nil }
func (f sinkFunc) Close() error                                         { return nil }
