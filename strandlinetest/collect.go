package strandlinetest

import (
	"context"
	"slices"
	"sync"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
)

// Collected is what a run gave for one collection: every value with its event time, window and
// pane. It starts empty at every run. Safe for concurrent use.
type Collected[T any] struct {
	mu     sync.Mutex
	panes  []strandline.Pane[T]
	judged int // how many of them a script has judged
}

// Collect gathers all that comes out of c. It is a sink: call it before the run. A value that
// has been windowed but not grouped is there once for each of its windows.
//
// Results of an aggregation are its PCollection: Collect(counts.PCollection). What came too
// late is a collection too: Collect(counts.OnLate(f)).
func Collect[T any](c strandline.PCollection[T]) *Collected[T] {
	out := &Collected[T]{}
	strandline.PanesOf(c).WriteTo(gather[T]{out})
	return out
}

// Panes gives what has come out so far, in the order in which it came. The slice is the
// caller's.
func (c *Collected[T]) Panes() []strandline.Pane[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.panes)
}

// Values gives the values of [Collected.Panes].
func (c *Collected[T]) Values() []T {
	c.mu.Lock()
	defer c.mu.Unlock()
	vs := make([]T, len(c.panes))
	for i, p := range c.panes {
		vs[i] = p.Value
	}
	return vs
}

// judge compares what has come out since the last call with what is wanted.
func (c *Collected[T]) judge(when string, want []Want[T]) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := c.panes[c.judged:]
	c.judged = len(c.panes)
	return compare(when, want, fresh)
}

// nothing reports what has come out since the last call of judge.
func (c *Collected[T]) nothing(when string) error { return c.judge(when, nil) }

// gather is Collected as a sink.
type gather[T any] struct{ to *Collected[T] }

func (g gather[T]) Name() string { return "collected" }

func (g gather[T]) Open(context.Context) (connector.Writer, error) {
	g.to.mu.Lock()
	defer g.to.mu.Unlock()
	g.to.panes, g.to.judged = nil, 0
	return g, nil
}

func (g gather[T]) Write(_ context.Context, rows connector.Rows) error {
	g.to.mu.Lock()
	defer g.to.mu.Unlock()
	g.to.panes = append(g.to.panes, rows.Values().([]strandline.Pane[T])...)
	return nil
}

func (g gather[T]) Flush(context.Context) error { return nil }
func (g gather[T]) Close() error                { return nil }
