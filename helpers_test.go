package strandline_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/watermark"
)

// event is an element of most tests here: At is its event time in seconds since 1970.
type event struct {
	At  int64
	Key string
	N   int64
}

func (e event) String() string { return fmt.Sprintf("%s@%d", e.Key, e.At) }

func at(e *event) time.Time { return time.Unix(e.At, 0) }
func key(e *event) string   { return e.Key }
func value(e *event) int64  { return e.N }

// keyed makes events "a@5" of text such as "a5 b7": a key of one letter and a time in seconds.
// Their numbers count from 1.
func keyed(text string) (all []event) {
	for i, f := range strings.Fields(text) {
		e := event{Key: f[:1], N: int64(i + 1)}
		if _, err := fmt.Sscan(f[1:], &e.At); err != nil {
			panic(err)
		}
		all = append(all, e)
	}
	return all
}

// input reads events, one at a time, under a bounded watermark without a guard.
func input(p *strandline.Pipeline, events []event, bound time.Duration) strandline.PCollection[event] {
	return strandline.Read(p, memory.Slice("events", events).Batch(1), watermark.Bounded(bound).NoGuard(), at)
}

// parts is a source of several splits, each with records of its own.
type parts[T any] struct {
	sources []connector.Source[T]
}

func (s parts[T]) Name() string { return "parts" }

func (s parts[T]) Bounded() bool {
	for _, p := range s.sources {
		if !p.Bounded() {
			return false
		}
	}
	return true
}

func (s parts[T]) Splits(ctx context.Context) (all []connector.Split[T], err error) {
	for _, p := range s.sources {
		splits, err := p.Splits(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, splits...)
	}
	return all, nil
}

// splits makes a bounded source of a split for each slice, read n elements at a time.
func splits[T any](n int, of ...[]T) parts[T] {
	var s parts[T]
	for i, values := range of {
		s.sources = append(s.sources, memory.Slice(fmt.Sprint("part", i), values).Batch(n))
	}
	return s
}

// channels makes a live source of a split for each channel.
func channels[T any](of ...chan T) parts[T] {
	var s parts[T]
	for i, c := range of {
		s.sources = append(s.sources, memory.Channel(fmt.Sprint("channel", i), c))
	}
	return s
}

// lines gathers text, and gives it sorted.
type lines []string

func (l *lines) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

func (l lines) sorted() string {
	return strings.Join(slices.Sorted(slices.Values(l)), "\n")
}

// expect compares sorted lines.
func expect(t *testing.T, what string, got lines, want ...string) {
	t.Helper()
	if g, w := got.sorted(), lines(want).sorted(); g != w {
		t.Errorf("%s:\ngot\n%s\nwant\n%s", what, g, w)
	}
}

// inOrder compares lines in the order in which they came.
func inOrder(t *testing.T, what string, got lines, want ...string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s:\ngot\n%s\nwant\n%s", what, g, w)
	}
}

// span gives a window in seconds: "[0, 10)", or "global".
func span[T any](x strandline.Pane[T]) string {
	if x.Window.IsGlobal() {
		return "global"
	}
	lo, hi := x.Window.Micros()
	return fmt.Sprintf("[%d, %d)", lo/1e6, hi/1e6)
}

// panes gathers the panes of results: window, key, value, and what the trigger said.
func panes[K comparable, V, O any](r strandline.Results[K, V, O]) *lines {
	l := new(lines)
	strandline.Each(r.PCollection, "", func(x strandline.Pane[strandline.KV[K, O]]) {
		l.add("%s %v %v %v", span(x), x.Value.Key, x.Value.Value, x.Pane)
	})
	return l
}

// values gathers the panes of results without what the trigger said.
func values[K comparable, V, O any](r strandline.Results[K, V, O]) *lines {
	l := new(lines)
	strandline.Each(r.PCollection, "", func(x strandline.Pane[strandline.KV[K, O]]) {
		l.add("%s %v %v", span(x), x.Value.Key, x.Value.Value)
	})
	return l
}

// finals gathers the last value of each window and key.
func finals[K cmp.Ordered, V, O any](r strandline.Results[K, V, O]) *last {
	l := &last{}
	strandline.Each(r.PCollection, "", func(x strandline.Pane[strandline.KV[K, O]]) {
		l.set(fmt.Sprintf("%s %v", span(x), x.Value.Key), fmt.Sprint(x.Value.Value))
	})
	return l
}

type last struct{ m map[string]string }

func (l *last) set(k, v string) {
	if l.m == nil {
		l.m = map[string]string{}
	}
	l.m[k] = v
}

func (l *last) lines() (all lines) {
	for k, v := range l.m {
		all.add("%s %s", k, v)
	}
	return all
}

// mustRun runs p to its end.
func mustRun(t *testing.T, p *strandline.Pipeline, opts ...strandline.Option) *strandline.Report {
	t.Helper()
	r, err := p.Run(context.Background(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	balances(t, r)
	return r
}

// balances checks the books of every step.
func balances(t *testing.T, r *strandline.Report) {
	t.Helper()
	for i := range r.Steps {
		if err := r.Steps[i].Balance(); err != nil {
			t.Error(err)
		}
	}
}

// counts gives the counters of a step, by its id or, if it has no name of its own, its kind.
func counts(t *testing.T, r *strandline.Report, id string) *strandline.StepReport {
	t.Helper()
	for i := range r.Steps {
		if s := r.Steps[i]; s.ID == id || s.Kind == id {
			return &r.Steps[i]
		}
	}
	t.Fatalf("no step %q", id)
	return nil
}

// noneLeft checks, at the end of the test, that no goroutine of this module is running that was
// not at its start.
func noneLeft(t *testing.T) {
	t.Helper()
	before := ours()
	t.Cleanup(func() {
		left := ours()
		for start := time.Now(); len(left) > len(before) && time.Since(start) < 2*time.Second; left = ours() {
			runtime.Gosched() // one that has returned needs a moment to be gone
		}
		if len(left) > len(before) {
			t.Errorf("goroutines are left:\n%s", strings.Join(left, "\n\n"))
		}
	})
}

// ours gives the stacks of goroutines that run the engine's code.
func ours() (stacks []string) {
	b := make([]byte, 1<<20)
	for stack := range bytes.SplitSeq(b[:runtime.Stack(b, true)], []byte("\n\n")) {
		if bytes.Contains(stack, []byte("strandline/internal/run.")) {
			stacks = append(stacks, string(stack))
		}
	}
	return stacks
}

// counters are the counters of a step.
type counters = run.Counts
