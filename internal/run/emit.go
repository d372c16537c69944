package run

import (
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// emitter gathers what a windowed step gives into batches. Its watermark is the step's output
// watermark: it moves on only after everything that it lets go of has been given (S3.6).
type emitter[T any] struct {
	out   Out[Batch[T]]
	batch Batch[T]
	w     int64
	data  int64 // how much of w the records have said: the rest is the clock's (S3.3)
	idle  bool  // as last told
	plain bool  // values are in no window yet
	ended bool  // the input has ended
}

const emitSize = 1024

func (e *emitter[T]) start(origin int) {
	e.w, e.data = etime.Min, etime.Max
	e.batch.Origin, e.batch.Close = origin, etime.Min
	if !e.plain {
		e.batch.Win, e.batch.Pane = []window.Interval{}, []trigger.Pane{}
	}
}

// give adds one value. carried is the watermark that it takes along, [etime.Min] for none.
func (e *emitter[T]) give(v T, at int64, win window.Interval, p trigger.Pane, carried int64) {
	b := &e.batch
	if len(b.V) >= emitSize {
		e.flush()
	}
	b.V = append(b.V, v)
	b.At = append(b.At, at)
	b.W = append(b.W, e.w)
	if !e.plain {
		b.Win = append(b.Win, win)
		b.Pane = append(b.Pane, p)
	}
	if carried > e.w || b.Carried != nil {
		e.carry(at, carried)
	}
}

// giveAll adds values that have all but themselves in common, and take no watermark along.
func (e *emitter[T]) giveAll(vs []T, at int64, win window.Interval, p trigger.Pane) {
	b := &e.batch
	for len(vs) > 0 {
		if len(b.V) >= emitSize {
			e.flush()
		}
		n := min(len(vs), emitSize-len(b.V))
		b.V = append(b.V, vs[:n]...)
		b.At, b.W = appendSame(b.At, at, n), appendSame(b.W, e.w, n)
		if !e.plain {
			b.Win, b.Pane = appendSame(b.Win, win, n), appendSame(b.Pane, p, n)
		}
		vs = vs[n:]
		if b.Carried != nil {
			carried := etime.Min
			if at < e.w {
				carried = e.w
			}
			b.Carried = appendSame(b.Carried, carried, n)
		}
	}
}

// carry adds to the column of carried watermarks, and makes it if this is the first value of
// the batch that carries more than the output watermark says.
func (e *emitter[T]) carry(at, carried int64) {
	b := &e.batch
	for i := len(b.Carried); i < len(b.At)-1; i++ {
		c := etime.Min
		if b.At[i] < b.W[i] {
			c = b.W[i]
		}
		b.Carried = append(b.Carried, c)
	}
	if carried == etime.Min && at < e.w {
		carried = e.w
	}
	b.Carried = append(b.Carried, carried)
}

func (e *emitter[T]) flush() {
	b := &e.batch
	b.Close, b.Clock, b.Ended = e.w, e.w > e.data, e.ended
	e.out.Give(b)
	clear(b.V)
	b.V, b.At, b.W, b.Win, b.Pane, b.Carried = b.V[:0], b.At[:0], b.W[:0], b.Win[:0], b.Pane[:0], nil
}

// end notes whether what is given from here on is given because the input has ended.
func (e *emitter[T]) end(ended bool) { e.ended = ended }

// pending says whether something waits to be handed on.
func (e *emitter[T]) pending() bool { return len(e.batch.V) > 0 }

// advance moves the output watermark to w. Of the step's own, the records have said no more than
// data, if there is a difference.
func (e *emitter[T]) advance(w, data int64) { e.w, e.data = max(e.w, w), data }

// close gives what has gathered, and tells the consumers where the watermark stands, and that
// what they fire by it is partial if the run is being drained.
func (e *emitter[T]) close(idle, drained bool) {
	b := &e.batch
	if len(b.V) == 0 && b.Close == e.w && e.idle == idle {
		return
	}
	b.Idle, b.Drained = idle, drained
	e.flush()
	b.Idle = false
	e.idle = idle
}
