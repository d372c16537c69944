package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

var errBoom = errors.New("boom")

// boom panics for the element that a test has marked.
func boom(e *event) {
	if e.Key == "x" {
		panic(errBoom)
	}
}

// Each of these panics in its own user function when it is given the element x@3.
var panics = map[string]func(p *strandline.Pipeline, in strandline.PCollection[event]){
	"map": func(p *strandline.Pipeline, in strandline.PCollection[event]) {
		drop(in.Map("bad", func(e *event) int64 { boom(e); return 1 }))
	},
	"filter": func(p *strandline.Pipeline, in strandline.PCollection[event]) {
		drop(in.Filter("bad", func(e *event) bool { boom(e); return true }))
	},
	"flat map": func(p *strandline.Pipeline, in strandline.PCollection[event]) {
		drop(in.FlatMap("bad", func(e *event, emit func(int)) { boom(e) }))
	},
	"par do": func(p *strandline.Pipeline, in strandline.PCollection[event]) {
		drop(in.ParDo("bad", func(_ *strandline.Context, e *event, emit func(int)) { boom(e) }))
	},
	"key by": func(p *strandline.Pipeline, in strandline.PCollection[event]) {
		in.KeyBy("bad", func(e *event) string { boom(e); return e.Key }).CombinePerKey("count", combine.Count[event]())
	},
	"assign timestamps": func(p *strandline.Pipeline, in strandline.PCollection[event]) {
		drop(in.AssignTimestamps("bad", func(e *event) time.Time { boom(e); return at(e) }))
	},
	"map values": func(p *strandline.Pipeline, in strandline.PCollection[event]) {
		in.KeyBy("key", key).MapValues("bad", func(e *event) int { boom(e); return 1 }).CombinePerKey("count", combine.Count[int]())
	},
	"map entries": func(p *strandline.Pipeline, in strandline.PCollection[event]) {
		drop(in.KeyBy("key", key).MapEntries("bad", func(_ string, e *event) int { boom(e); return 1 }))
	},
	"stateful": func(p *strandline.Pipeline, in strandline.PCollection[event]) {
		in.KeyBy("key", key).Stateful("bad", strandline.PerKey, func(x *strandline.Turn[string, int], s *int, e *event) { boom(e) }, nil)
	},
}

func drop[T any](c strandline.PCollection[T]) {
	strandline.Each(c, "", func(strandline.Pane[T]) {})
}

func TestAPanicOfAUserFunctionIsAnErrorWithStepAndElement(t *testing.T) {
	noneLeft(t)
	for name, build := range panics {
		for _, workers := range []int{1, 4} {
			for _, batch := range []int{1, 100} {
				p := strandline.New("panic")
				build(p, strandline.Read(p, memory.Slice("events", keyed("a1 b2 x3 c4")).Batch(batch), watermark.Bounded(0), at))
				_, err := p.Run(t.Context(), strandline.Workers(workers))
				var pe *strandline.PanicError
				if !errors.As(err, &pe) {
					t.Errorf("%s, %d workers: got %v", name, workers, err)
					continue
				}
				if pe.Step != "bad" || !strings.Contains(pe.Element, "x@3") || !errors.Is(err, errBoom) || !strings.Contains(string(pe.Stack), "failure_test.go") {
					t.Errorf("%s, %d workers, batches of %d: step %q, element %q, value %v, stack with the function %t",
						name, workers, batch, pe.Step, pe.Element, pe.Value, strings.Contains(string(pe.Stack), "failure_test.go"))
				}
			}
		}
	}
}

func TestAPanicWhileEventTimesAreReadNamesTheRecord(t *testing.T) {
	p := strandline.New("panic")
	drop(strandline.Read(p, memory.Slice("events", keyed("a1 b2 x3 c4")), watermark.Bounded(0), func(e *event) time.Time { boom(e); return at(e) }))
	_, err := p.Run(t.Context())
	var pe *strandline.PanicError
	if !errors.As(err, &pe) || !strings.HasPrefix(pe.Step, "read events") || pe.Element != "x@3" {
		t.Errorf("got %v", err)
	}
}

// summing is a combiner of which one method panics.
type summing struct{ in string }

func (c summing) boom(at string) {
	if c.in == at {
		panic(errBoom)
	}
}
func (c summing) Create() int64 { c.boom("create"); return 0 }
func (c summing) Add(acc *int64, e *event) {
	if e.Key == "x" {
		c.boom("add")
	}
	*acc += e.N
}
func (c summing) Merge(acc, other *int64)           { c.boom("merge"); *acc += *other }
func (c summing) Extract(acc *int64) (int64, error) { c.boom("extract"); return *acc, nil }

func TestAPanicOfACombinerIsAnErrorWithTheStep(t *testing.T) {
	noneLeft(t)
	for _, method := range []string{"create", "add", "merge", "extract"} {
		for _, w := range []window.Assigner{window.Fixed(10 * time.Second), window.Sliding(10*time.Second, 5*time.Second), window.Session(5 * time.Second)} {
			if _, session := w.(window.SessionWindows); method == "merge" && !session {
				continue // whether parts are merged is the engine's business there
			}
			for _, workers := range []int{1, 4} {
				p := strandline.New("panic")
				input(p, keyed("x1 b2 x3 c40"), 0).KeyBy("key", key).WindowInto(w).CombinePerKey("bad", combine.Combiner[event, int64, int64](summing{method}))
				_, err := p.Run(t.Context(), strandline.Workers(workers))
				var pe *strandline.PanicError
				if !errors.As(err, &pe) || !errors.Is(err, errBoom) || pe.Step != "bad" && !strings.HasPrefix(pe.Step, "combine locally") {
					t.Errorf("%s, %v, %d workers: got %v", method, w, workers, err)
				}
			}
		}
	}
}

// A pane of a is due when c comes: the error names the pane, and not the element that was at hand.
// On several workers, another one may come to the pane of c before.
func TestAPanicOfExtractNamesThePane(t *testing.T) {
	for _, w := range []window.Assigner{window.Fixed(10 * time.Second), window.Sliding(10*time.Second, 10*time.Second), window.Session(5 * time.Second)} {
		for _, workers := range []int{1, 3} {
			p := strandline.New("panic")
			input(p, keyed("a1 a2 c40"), 0).KeyBy("key", key).WindowInto(w).CombinePerKey("bad", combine.Combiner[event, int64, int64](summing{"extract"}))
			_, err := p.Run(t.Context(), strandline.Workers(workers))
			var pe *strandline.PanicError
			named := errors.As(err, &pe) && (strings.HasPrefix(pe.Element, "the pane of key a in [1970-01-01T00:00:0") ||
				workers > 1 && strings.HasPrefix(pe.Element, "the pane of key c in [1970-01-01T00:00:4"))
			if !named {
				t.Errorf("%v, %d workers: got %v", w, workers, err)
			}
		}
	}
}

// Panes of one window are given many at a time. Those that fail are between others.
func TestPanesThatFailTakeNoOtherWithThem(t *testing.T) {
	const keys = 3000
	type amount struct{ Key, N int64 }
	var amounts []amount
	for k := range int64(keys) {
		n := k
		if k%7 == 3 || k >= 1000 && k < 1010 {
			n = math.MaxInt64
		}
		amounts = append(amounts, amount{k, n}, amount{k, 1})
	}
	for _, workers := range []int{1, 3} {
		p := strandline.New("failing panes")
		sums := strandline.Read(p, memory.Slice("amounts", amounts), watermark.EndOfInput(), nil).
			KeyBy("key", func(a *amount) int64 { return a.Key }).
			CombinePerKey("sum", combine.Sum(func(a *amount) int64 { return a.N }))
		right, failed := map[int64]int64{}, map[int64]bool{}
		strandline.Each(sums.PCollection, "", func(x strandline.Pane[strandline.KV[int64, int64]]) { right[x.Value.Key] += x.Value.Value })
		strandline.Each(sums.OnFailed(func(f strandline.FailedPane[int64]) int64 { return f.Key }), "", func(x strandline.Pane[int64]) { failed[x.Value] = true })
		if _, err := p.Run(t.Context(), strandline.Workers(workers)); err != nil {
			t.Fatal(err)
		}
		for k := range int64(keys) {
			fails := k%7 == 3 || k >= 1000 && k < 1010
			if v, ok := right[k]; ok == fails || ok && v != k+1 || failed[k] != fails {
				t.Errorf("%d workers, key %d: it has the sum %d (%v) and failed: %v", workers, k, v, ok, failed[k])
			}
		}
	}
}

func TestAPanicOfATimerIsAnErrorWithTheStep(t *testing.T) {
	p := strandline.New("panic")
	input(p, keyed("a1 a30"), 0).KeyBy("key", key).Stateful("bad", strandline.PerKey, func(x *strandline.Turn[string, int], s *int, e *event) {
		x.SetTimer("soon", time.Unix(e.At+5, 0))
	}, func(*strandline.Turn[string, int], *int, string) { panic(errBoom) })
	_, err := p.Run(t.Context())
	var pe *strandline.PanicError
	if !errors.As(err, &pe) || pe.Step != "bad" {
		t.Errorf("got %v", err)
	}
}

// faulty is a source and a sink of which one method fails, or panics.
type faulty struct {
	in    string
	panic bool
}

func (f faulty) at(method string) error {
	switch {
	case f.in != method:
		return nil
	case f.panic:
		panic(errBoom)
	}
	return errBoom
}

type faultySource struct {
	faulty
	bounded bool
	n       *int
}

func (f faultySource) Name() string  { return "faulty" }
func (f faultySource) Bounded() bool { return f.bounded }
func (f faultySource) Splits(context.Context) ([]connector.Split[event], error) {
	return []connector.Split[event]{f}, f.at("splits")
}
func (f faultySource) Open(context.Context) (connector.Reader[event], error) { return f, f.at("open") }
func (f faultySource) Read(_ context.Context, b *connector.Batch[event]) error {
	*b = connector.Batch[event]{Values: keyed("a1 b2")}
	if *f.n++; *f.n < 3 {
		return nil
	}
	return f.at("read")
}
func (f faultySource) Close() error { return nil }

type faultySink struct{ faulty }

func (f faultySink) Name() string                                   { return "faulty" }
func (f faultySink) Open(context.Context) (connector.Writer, error) { return f, f.at("open") }
func (f faultySink) Write(context.Context, connector.Rows) error    { return f.at("write") }
func (f faultySink) Flush(context.Context) error                    { return f.at("flush") }
func (f faultySink) Close() error                                   { return f.at("close") }

// failed checks the error of a run in which a connector failed or panicked.
func failed(t *testing.T, what, step string, panicked bool, rep *strandline.Report, err error) {
	t.Helper()
	var pe *strandline.PanicError
	if !errors.Is(err, errBoom) || !strings.Contains(err.Error(), `step "`+step) || errors.As(err, &pe) != panicked || rep.Complete {
		t.Errorf("%s: got %v, complete %t", what, err, rep.Complete)
	}
}

func TestAFailingSourceEndsTheRunWithTheStepNamed(t *testing.T) {
	noneLeft(t)
	for _, method := range []string{"splits", "open", "read"} {
		for _, panicking := range []bool{false, true} {
			for _, bounded := range []bool{false, true} {
				for _, workers := range []int{1, 4} {
					p := strandline.New("faulty")
					src := faultySource{faulty{method, panicking}, bounded, new(int)}
					strandline.Read(p, src, watermark.Bounded(0), at).KeyBy("key", key).CombinePerKey("count", combine.Count[event]())
					rep, err := p.Run(t.Context(), strandline.Workers(workers))
					failed(t, fmt.Sprint(method, " panics ", panicking, " bounded ", bounded, " workers ", workers), "read faulty", panicking, rep, err)
				}
			}
		}
	}
}

func TestAFailingSinkEndsTheRunWithTheStepNamed(t *testing.T) {
	noneLeft(t)
	for _, method := range []string{"open", "write", "flush", "close"} {
		for _, panicking := range []bool{false, true} {
			for _, workers := range []int{1, 4} {
				p := strandline.New("faulty")
				input(p, keyed("a1 b2"), 0).WriteTo(faultySink{faulty{method, panicking}})
				rep, err := p.Run(t.Context(), strandline.Workers(workers))
				failed(t, fmt.Sprint(method, " panics ", panicking, " workers ", workers), "write faulty", panicking, rep, err)
			}
		}
	}
}

func TestAFailingSinkEndsAnEndlessRun(t *testing.T) {
	noneLeft(t)
	for _, workers := range []int{1, 8} {
		p := strandline.New("faulty")
		n := 0
		strandline.Read(p, endless{}, watermark.Bounded(0), at).Reshuffle("spread").WriteTo(sinkFunc(func(context.Context, connector.Rows) error {
			if n++; n > 20 {
				return errBoom
			}
			return nil
		}))
		if _, err := p.Run(t.Context(), strandline.Workers(workers)); !errors.Is(err, errBoom) || !strings.Contains(err.Error(), `step "write func`) {
			t.Errorf("%d workers: got %v", workers, err)
		}
	}
}

func TestARecordWithoutEventTimeIsMalformed(t *testing.T) {
	p := strandline.New("timeless")
	in := strandline.Read(p, memory.Slice("events", keyed("a1 x2 b3")), watermark.Bounded(0), func(e *event) (none time.Time) {
		if e.Key == "x" {
			return none
		}
		return at(e)
	})
	got := panes(in.KeyBy("key", key).CombinePerKey("count", combine.Count[event]()))
	rep, err := p.Run(t.Context())
	if !errors.Is(err, strandline.ErrMalformed) || !strings.Contains(err.Error(), "1 of 3") {
		t.Errorf("got %v", err)
	}
	balances(t, rep)
	expect(t, "the others", *got, "global a 1 on time pane 0 (0), first, last", "global b 1 on time pane 0 (0), first, last")
}

func TestAssigningNoTimestampEndsTheRunWithTheElementNamed(t *testing.T) {
	p := strandline.New("timeless")
	drop(input(p, keyed("a1 x2"), 0).AssignTimestamps("when", func(e *event) (none time.Time) {
		if e.Key == "x" {
			return none
		}
		return at(e)
	}))
	_, err := p.Run(t.Context())
	if !errors.Is(err, strandline.ErrNoEventTime) || !strings.Contains(err.Error(), `step "when"`) || !strings.Contains(err.Error(), "x@2") {
		t.Errorf("got %v", err)
	}
}
