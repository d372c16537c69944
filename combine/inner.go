package combine

import (
	"errors"
	"sync"
)

// inner is a combiner inside another one (Of, NonNull, Both), with its optional methods, nil
// where it lacks them. It is asked for them once, when it is built.
type inner[V, A, O any] struct {
	c     Combiner[V, A, O]
	at    Timed[V, A]
	batch Batcher[V, A]
	each  eacher[V, A]
	copy  Cloner[A]
	sub   Subtractor[V, A]
	// scratch is for values that are worked out for c. Their address goes through an interface,
	// so that each would be an allocation of its own.
	scratch *scratch[V]
	// accs is for the addresses that addEach takes.
	accs *scratch[*A]
}

// eacher is Batcher for accumulators that lie inside larger ones: vs[i] is added to *accs[i],
// and an accumulator may occur many times. accs and vs are of one length.
type eacher[V, A any] interface {
	addEach(accs []*A, vs []V)
}

func newInner[V, A, O any](c Combiner[V, A, O]) *inner[V, A, O] {
	in := &inner[V, A, O]{c: c, scratch: new(scratch[V]), accs: new(scratch[*A])}
	in.at, _ = AsTimed(c)
	in.sub, _ = AsSubtractor(c)
	in.batch, _ = c.(Batcher[V, A])
	in.each, _ = c.(eacher[V, A])
	in.copy, _ = c.(Cloner[A])
	return in
}

func (in *inner[V, A, O]) addAt(acc *A, v *V, at int64) {
	if in.at != nil {
		in.at.AddAt(acc, v, at)
		return
	}
	in.c.Add(acc, v)
}

func (in *inner[V, A, O]) addEach(accs []*A, vs []V) {
	if in.each != nil {
		in.each.addEach(accs, vs)
		return
	}
	accs = accs[:len(vs)]
	for i := range vs {
		in.c.Add(accs[i], &vs[i])
	}
}

func (in *inner[V, A, O]) clone(acc *A) A {
	if in.copy != nil {
		return in.copy.Clone(acc)
	}
	return *acc
}

func (in *inner[V, A, O]) timed() bool     { return in.at != nil }
func (in *inner[V, A, O]) subtracts() bool { return in.sub != nil }

func (in *inner[V, A, O]) validate(combiner string, parts ...part) error {
	if in == nil || in.c == nil {
		return missing(combiner, append(parts, part{"the combiner", true})...)
	}
	return errors.Join(missing(combiner, parts...), validate(in.c))
}

// scratch is a pool of slices, so that a combiner stays stateless and safe for concurrent use.
type scratch[T any] struct{ pool sync.Pool }

// get gives a slice of length n, whose elements are zero.
func (s *scratch[T]) get(n int) *[]T {
	b, ok := s.pool.Get().(*[]T)
	if !ok || cap(*b) < n {
		fresh := make([]T, n)
		return &fresh
	}
	*b = (*b)[:n]
	return b
}

// put takes a slice back, and forgets what is in it.
func (s *scratch[T]) put(b *[]T) {
	clear(*b)
	s.pool.Put(b)
}
