package run

import (
	"context"
	"errors"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Sink writes a collection to a connector's sink. One writer serves all workers, one at a time.
type Sink[T any] struct {
	To connector.Sink

	turn  chan struct{}   // holds a token while a worker uses the writer
	ctx   context.Context // the run's: a writer that waits gives up when the run is stopped
	w     connector.Writer
	dirty bool
}

func (s *Sink[T]) prepare(ctx context.Context) (err error) {
	s.turn, s.ctx, s.w, s.dirty = make(chan struct{}, 1), ctx, nil, false
	s.w, err = s.To.Open(ctx)
	return err
}

func (s *Sink[T]) close(ctx context.Context, failed error) (err error) {
	if s.w == nil {
		return nil
	}
	if failed == nil {
		err = s.w.Flush(ctx)
	}
	return errors.Join(err, s.w.Close())
}

// take waits for the worker's turn with the writer, unless the run is stopped, and returns what
// gives it back.
func (s *Sink[T]) take() (release func()) {
	select {
	case s.turn <- struct{}{}:
		return func() { <-s.turn }
	case <-s.ctx.Done():
		panic(stopped{context.Cause(s.ctx)})
	}
}

// Make gives each worker an operator over the one writer.
func (s *Sink[T]) Make(p *Place) Ports {
	o := &sinkOp[T]{op: newOp(p), sink: s}
	p.task.flushers = append(p.task.flushers, o.flush)
	return Ports{In: []any{Input[Batch[T]](o)}}
}

type sinkOp[T any] struct {
	op
	sink *Sink[T]
}

func (o *sinkOp[T]) Take(b *Batch[T]) {
	if len(b.V) == 0 {
		return
	}
	o.n.In += int64(len(b.V))
	o.n.Kept += int64(len(b.V))
	defer o.sink.take()()
	if err := o.calling(func() error { return o.sink.w.Write(o.sink.ctx, rows[T]{b}) }); err != nil {
		panic(stopped{err})
	}
	o.sink.dirty = true
	o.n.Written += int64(len(b.V))
}

func (o *sinkOp[T]) flush() {
	defer o.sink.take()()
	if !o.sink.dirty {
		return
	}
	o.sink.dirty = false
	if err := o.calling(func() error { return o.sink.w.Flush(o.sink.ctx) }); err != nil {
		panic(stopped{err})
	}
}

// rows is a batch as sinks see it.
type rows[T any] struct{ b *Batch[T] }

func (r rows[T]) Len() int         { return len(r.b.V) }
func (r rows[T]) Values() any      { return r.b.V }
func (r rows[T]) Value(i int) any  { return r.b.V[i] }
func (r rows[T]) Time(i int) int64 { return r.b.At[i] }

func (r rows[T]) Window(i int) (window.Interval, bool) {
	if r.b.Win == nil {
		return window.Interval{}, false
	}
	return r.b.Win[i], true
}

func (r rows[T]) Pane(i int) trigger.Pane {
	if r.b.Pane == nil {
		return trigger.NoFiring
	}
	return r.b.Pane[i]
}
