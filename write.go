package strandline

import (
	"context"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// WriteTo writes the collection to a sink. With several workers rows of different keys come in
// any order; rows of one key come in the order in which they were given.
func (c PCollection[T]) WriteTo(sink connector.Sink) {
	if sink == nil {
		c.p.given(false, "WriteTo", "", "the sink")
		return
	}
	c.p.add("", &plan.Step{Kind: "write " + sink.Name(), Inputs: []plan.Edge{c.edge(plan.Local)}, Op: &run.Sink[T]{To: sink}})
}

// Pane is a value with everything that is known of it: event time, window, and what the
// trigger said. It is what a windowed result looks like from outside.
type Pane[T any] struct {
	Value T
	Time  time.Time
	// Window is the window that the value is in; the global one if it has not been grouped.
	Window window.Interval
	trigger.Pane
}

// PanesOf gives every value of c together with its event time, window and pane. Values that
// have not been grouped since they were windowed are given once for each window that they are
// in.
func PanesOf[T any](c PCollection[T]) PCollection[Pane[T]] {
	c = derive[T, T](c, "", "assign windows", plan.Local, run.AssignOp[T](c.w.assigner, c.w.inherited))
	return c.ParDo("", func(x *Context, v *T, emit func(Pane[T])) {
		w, _ := x.Window()
		emit(Pane[T]{Value: *v, Time: x.Time(), Window: w, Pane: x.Pane()})
	})
}

// Each calls f with every pane of c, by one goroutine at a time: for tests, and for programs
// that want results in memory.
func Each[T any](c PCollection[T], name string, f func(Pane[T])) {
	c.p.given(f != nil, "Each", name, "the function")
	c.WriteTo(each[T]{name, f})
}

type each[T any] struct {
	name string
	f    func(Pane[T])
}

func (e each[T]) Name() string { return e.name }

func (e each[T]) Open(context.Context) (connector.Writer, error) { return e, nil }

func (e each[T]) Write(_ context.Context, rows connector.Rows) error {
	for i, v := range rows.Values().([]T) {
		w, ok := rows.Window(i)
		if !ok {
			w = window.FromMicros(etime.Min, etime.Max)
		}
		e.f(Pane[T]{Value: v, Time: etime.Time(rows.Time(i)), Window: w, Pane: rows.Pane(i)})
	}
	return nil
}

func (e each[T]) Flush(context.Context) error { return nil }
func (e each[T]) Close() error                { return nil }
