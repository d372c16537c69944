package run

import (
	"errors"

	"github.com/strandline-stream/strandline/combine"
)

// aggregator is a combiner with the ways of calling it chosen once.
type aggregator[V, A, O any] struct {
	c     combine.Combiner[V, A, O]
	batch combine.Batcher[V, A]
	timed combine.Timed[V, A]
	clone func(*A) A
	sub   combine.Subtractor[V, A] // nil if there is none
	minus bool                     // values are taken back rather than added, for now (S5.4)
	deep  bool                     // accumulators hold slices or maps: a copy by assignment is none

	acc, other A // what is being merged: variables would escape through the interface, each time
}

func newAggregator[V, A, O any](c combine.Combiner[V, A, O]) *aggregator[V, A, O] {
	g := &aggregator[V, A, O]{c: c, clone: func(a *A) A { return *a }}
	g.batch, _ = c.(combine.Batcher[V, A])
	g.timed, _ = combine.AsTimed(c)
	g.sub, _ = combine.AsSubtractor(c)
	if cl, ok := c.(combine.Cloner[A]); ok {
		g.clone, g.deep = cl.Clone, true
	}
	return g
}

// add adds vs[i], whose event time is at[i], to accs[slots[i]]. row is told how far it is,
// for the message if the combiner panics.
func (g *aggregator[V, A, O]) add(accs []A, slots []uint32, vs []V, at []int64, row *int) {
	switch {
	case g.minus:
		for i := range vs {
			g.sub.Subtract(&accs[slots[i]], &vs[i])
		}
	case g.timed != nil:
		first := *row
		for i := range vs {
			*row = first + i
			g.timed.AddAt(&accs[slots[i]], &vs[i], at[i])
		}
	case g.batch != nil:
		g.batch.AddBatch(accs, slots, vs)
	default:
		first := *row
		for i := range vs {
			*row = first + i
			g.c.Add(&accs[slots[i]], &vs[i])
		}
	}
}

// addOne adds one value.
func (g *aggregator[V, A, O]) addOne(acc *A, v *V, at int64) {
	switch {
	case g.minus:
		g.sub.Subtract(acc, v)
	case g.timed != nil:
		g.timed.AddAt(acc, v, at)
	default:
		g.c.Add(acc, v)
	}
}

// borrows says whether values that are added may be lent.
func (g *aggregator[V, A, O]) borrows() bool {
	b, ok := g.c.(Borrower)
	return ok && b.Borrows() && owner[V]() != nil
}

// merge takes other into acc.
func (g *aggregator[V, A, O]) merge(acc *A, other A) {
	g.other = other
	g.c.Merge(acc, &g.other)
}

// empty says whether err only means that nothing was added: the pane's value is then the zero
// O, which stands for null (S5.6).
func (g *aggregator[V, A, O]) empty(err error) bool { return errors.Is(err, combine.ErrEmpty) }
