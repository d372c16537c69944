package combine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Top is the n greatest values of a field, greatest first, or all if there are fewer. Equal
// values take a place each, and NaN is less than any other. Of nothing it is empty.
//
// Event times have no say, and the order of arrival neither. For whole elements there is TopBy.
func Top[V any, T cmp.Ordered](n int, field func(*V) T) Ranking[V, T] {
	return Ranking[V, T]{"Top", n, field, cmp.Compare[T], true}
}

// TopFunc is Top for values with an order of their own, which must tell apart what differs, or
// which of two comes out depends on arrival. Encoded gives such an order for any type. For the
// least values, reverse it.
func TopFunc[V, T any](n int, field func(*V) T, order func(a, b T) int) Ranking[V, T] {
	return Ranking[V, T]{"TopFunc", n, field, order, true}
}

// Bottom is the n least values of a field, least first; else it is as Top. NaN is less than any
// other value.
func Bottom[V any, T cmp.Ordered](n int, field func(*V) T) Ranking[V, T] {
	return Ranking[V, T]{"Bottom", n, field, cmp.Compare[T], false}
}

// Ranking is the combiner that Top, TopFunc and Bottom give. Its accumulator is the result so
// far: at most n values.
type Ranking[V, T any] struct {
	name       string
	n          int
	field      func(*V) T
	order      func(a, b T) int
	descending bool
}

func (c Ranking[V, T]) ranks() ranks[T] { return ranks[T]{n: c.n, before: c.before} }

func (c Ranking[V, T]) before(a, b T) int {
	if c.descending {
		return c.order(b, a)
	}
	return c.order(a, b)
}

// Create implements Combiner.
func (Ranking[V, T]) Create() []T { return nil }

// Add implements Combiner.
func (c Ranking[V, T]) Add(acc *[]T, v *V) { *acc = c.ranks().insert(*acc, c.field(v)) }

// AddBatch implements Batcher.
func (c Ranking[V, T]) AddBatch(accs [][]T, slots []uint32, vs []V) {
	r := c.ranks()
	slots = slots[:len(vs)]
	for i := range vs {
		a := &accs[slots[i]]
		*a = r.insert(*a, c.field(&vs[i]))
	}
}

// Merge implements Combiner.
func (c Ranking[V, T]) Merge(acc, other *[]T) { *acc = c.ranks().merge(*acc, *other) }

// Extract implements Combiner. It has no error. The slice is the caller's, and never nil.
func (Ranking[V, T]) Extract(acc *[]T) ([]T, error) { return append([]T{}, *acc...), nil }

// Clone implements Cloner. The values are copied as by assignment.
func (Ranking[V, T]) Clone(acc *[]T) []T { return slices.Clone(*acc) }

// Neutral implements Neutral: it is true.
func (Ranking[V, T]) Neutral() bool { return true }

// Validate implements Validator.
func (c Ranking[V, T]) Validate() error {
	return errors.Join(places(c.name, c.n), missing(c.name, part{"the field", c.field == nil}, part{"the order", c.order == nil}))
}

// places reports a number of places that is none.
func places(combiner string, n int) error {
	if n < 1 {
		return fmt.Errorf("combine.%s: n must be at least 1, is %d", combiner, n)
	}
	return nil
}
