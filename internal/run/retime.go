package run

import (
	"fmt"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/watermark"
)

// retime gives every value another event time.
type retime[T any] struct {
	op
	at  func(vs []T, at []int64)
	out Out[Batch[T]]
	b   Batch[T]
	ts  []int64
}

// RetimeOp makes operators that give every value the event time that at computes, and keep the
// watermark (S4.7).
func RetimeOp[T any](at func(vs []T, at []int64)) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &retime[T]{op: newOp(p), at: at}
		return Ports{In: []any{Input[Batch[T]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

func (o *retime[T]) Take(b *Batch[T]) {
	defer o.caught(func(i int) any { return b.V[i] })
	n := len(b.V)
	o.n.In += int64(n)
	o.n.Kept += int64(n)
	if cap(o.ts) < n {
		o.ts = make([]int64, n)
	}
	ts := o.ts[:n]
	stamp(&o.op, o.at, b.V, ts)
	o.b = *b
	o.b.At = ts
	o.out.Give(&o.b)
}

// stamp computes event times. A value without one ends the run.
func stamp[T any](o *op, f func([]T, []int64), vs []T, at []int64) {
	times(o, f, vs, at)
	for i, t := range at {
		if t == NoEventTime {
			panic(stopped{fmt.Errorf("step %q: %w: the function gave none for %+v", o.step, ErrNoEventTime, vs[i])})
		}
	}
}

// remark gives every value another event time and starts watermarks of its own, one for each
// origin that comes in (S4.7).
type remark[T any] struct {
	op
	at      func(vs []T, at []int64)
	markOf  func(*T) int64
	arrival func(*T) int64
	needs   watermark.Needs
	origins map[int]*marking
	out     Out[Batch[T]]
	b       Batch[T]
	cols    watermark.Columns
	w       []int64
}

type marking struct {
	origin int
	gen    watermark.Generator
}

// RemarkOp makes operators that give every value the event time that at computes, and derive
// the watermark from it by s.
func RemarkOp[T any](at func(vs []T, at []int64), s watermark.Strategy) Maker {
	return MakerFunc(func(p *Place) Ports {
		s := s // of this run
		if p.build.opts.Batch {
			s = watermark.EndOfInput()
		}
		o := &remark[T]{op: newOp(p), at: at, markOf: markOf[T](s), arrival: arrivalOf[T](s), needs: s.Needs(), origins: map[int]*marking{}}
		var out []int
		for _, from := range p.Origins[0] {
			m := &marking{p.newOrigin(from), s.Start()}
			o.origins[from] = m
			out = append(out, m.origin)
		}
		return Ports{In: []any{Input[Batch[T]](o)}, Out: []any{&o.out}, Origins: [][]int{out}}
	})
}

func (o *remark[T]) Take(b *Batch[T]) {
	defer o.caught(func(i int) any { return b.V[i] })
	n := len(b.V)
	o.n.In += int64(n)
	o.n.Kept += int64(n)
	if cap(o.w) < n {
		o.w = make([]int64, n)
		o.cols = watermark.Columns{At: make([]int64, n), Arrival: make([]int64, n), Mark: make([]int64, n), Now: etime.Min}
	}
	c := watermark.Columns{At: o.cols.At[:n], Now: etime.Min}
	stamp(&o.op, o.at, b.V, c.At)
	if o.needs.Arrival {
		c.Arrival = o.cols.Arrival[:n]
		for i := range b.V {
			o.op.at = i
			c.Arrival[i] = o.arrival(&b.V[i])
		}
	}
	if o.needs.Mark {
		c.Mark = o.cols.Mark[:n]
		for i := range b.V {
			o.op.at = i
			c.Mark[i] = o.markOf(&b.V[i])
		}
	}
	m := o.origins[b.Origin]
	after, err := m.gen.Observe(c, o.w[:n])
	if err != nil {
		panic(stopped{err})
	}
	if b.Close == etime.Max {
		after = etime.Max
	}
	o.b = Batch[T]{V: b.V, Cols: Cols{At: c.At, W: o.w[:n], Win: b.Win, Pane: b.Pane, Places: b.Places, Place: b.Place, Origin: m.origin, Close: after, Idle: b.Idle, Drained: b.Drained, Ended: b.Ended}}
	o.out.Give(&o.b)
}
