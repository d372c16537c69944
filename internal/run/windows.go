package run

import (
	"github.com/strandline-stream/strandline/window"
)

// rewindow drops windows and panes, of plain or keyed values alike.
type rewindow[B any] struct {
	op
	cols func(*B) *Cols
	out  Out[B]
}

// RewindowOp makes operators that drop the windows of their elements, which get new ones at
// the next grouping.
func RewindowOp[T any]() Maker {
	return rewindowOp(func(b *Batch[T]) *Cols { return &b.Cols })
}

// RewindowKeyedOp is [RewindowOp] for keyed collections.
func RewindowKeyedOp[K comparable, V any]() Maker {
	return rewindowOp(func(b *KBatch[K, V]) *Cols { return &b.Cols })
}

func rewindowOp[B any](cols func(*B) *Cols) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &rewindow[B]{op: newOp(p), cols: cols}
		return Ports{In: []any{Input[B](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

func (o *rewindow[B]) Take(b *B) {
	bare := *b
	c := o.cols(&bare)
	o.n.In += int64(c.len())
	o.n.Kept += int64(c.len())
	c.Win = nil
	o.out.Give(&bare)
}

// AssignOp makes operators that put every value into its windows now, once for each (S2): for
// steps that look at windows before anything is grouped.
func AssignOp[T any](a window.Assigner, inherited bool) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &assign[T]{op: newOp(p), assigner: window.ForWorker(a), inherited: inherited}
		return Ports{In: []any{Input[Batch[T]](o)}, Out: []any{&o.out}, Origins: [][]int{p.Origins[0]}}
	})
}

type assign[T any] struct {
	op
	assigner  window.Assigner
	inherited bool
	out       Out[Batch[T]]
	b         Batch[T]
	wins      []window.Interval
}

func (o *assign[T]) Take(b *Batch[T]) {
	defer o.caught(func(i int) any { return b.V[i] })
	o.n.In += int64(len(b.V))
	o.n.Kept += int64(len(b.V))
	if o.inherited || b.Win != nil {
		o.out.Give(b)
		return
	}
	o.b.V = o.b.V[:0]
	o.b.Cols.reset(&b.Cols)
	win := []window.Interval{}
	for i := range b.V {
		o.at = i
		o.wins = o.assigner.Assign(o.wins[:0], b.At[i])
		for _, w := range o.wins {
			o.b.V = append(o.b.V, b.V[i])
			o.b.Cols.take(&b.Cols, i)
			win = append(win, w)
		}
	}
	o.b.Win = win
	o.out.Give(&o.b)
}
