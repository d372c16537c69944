package combine

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
)

// Distinct counts the different values of a field, exactly: all of them are kept. NaN is one
// value, and -0 is 0 (S7.4), also inside structs and arrays. Of nothing it is 0. Package sketch
// has an estimate that takes little memory however many there are.
func Distinct[V any, T comparable](field func(*V) T) DistinctCount[V, T] {
	return DistinctCount[V, T]{uniquely[V, T]{field}}
}

// Set gives the different values of a field in ascending order, NaN first. Values are told apart
// as by Distinct. Of nothing it is empty.
func Set[V any, T cmp.Ordered](field func(*V) T) DistinctSet[V, T] {
	return SetFunc(field, cmp.Compare[T])
}

// SetFunc is Set for values with an order of their own, which must tell apart what differs.
func SetFunc[V any, T comparable](field func(*V) T, order func(a, b T) int) DistinctSet[V, T] {
	return DistinctSet[V, T]{uniquely[V, T]{field}, order}
}

// Uniques is the accumulator of Distinct and Set: the different values so far. Those that are
// not equal to themselves, by a NaN somewhere in them, are apart, by what they look like.
type Uniques[T comparable] struct {
	Values map[T]struct{}
	NaNs   map[string]T
}

// DistinctCount is the combiner that Distinct gives.
type DistinctCount[V any, T comparable] struct{ uniquely[V, T] }

// Extract implements Combiner. It has no error.
func (DistinctCount[V, T]) Extract(acc *Uniques[T]) (int64, error) {
	return int64(len(acc.Values) + len(acc.NaNs)), nil
}

// Validate implements Validator.
func (c DistinctCount[V, T]) Validate() error {
	return missing("Distinct", part{"the field", c.field == nil})
}

// DistinctSet is the combiner that Set and SetFunc give.
type DistinctSet[V any, T comparable] struct {
	uniquely[V, T]
	order func(a, b T) int
}

// Extract implements Combiner. It has no error. The slice is the caller's.
func (c DistinctSet[V, T]) Extract(acc *Uniques[T]) ([]T, error) {
	set := make([]T, 0, len(acc.Values)+len(acc.NaNs))
	set = slices.AppendSeq(set, maps.Keys(acc.Values))
	set = slices.AppendSeq(set, maps.Values(acc.NaNs))
	slices.SortFunc(set, c.order)
	return set, nil
}

// Validate implements Validator.
func (c DistinctSet[V, T]) Validate() error {
	return missing("Set", part{"the field", c.field == nil}, part{"the order", c.order == nil})
}

// uniquely is what the combiners over Uniques have in common.
type uniquely[V any, T comparable] struct{ field func(*V) T }

// Create implements Combiner.
func (uniquely[V, T]) Create() Uniques[T] { return Uniques[T]{} }

// Add implements Combiner.
func (c uniquely[V, T]) Add(acc *Uniques[T], v *V) {
	x := c.field(v)
	var zero T
	switch {
	case x == zero:
		x = zero // not -0
	case x != x:
		if acc.NaNs == nil {
			acc.NaNs = make(map[string]T)
		}
		look := string(appearance(nil, reflect.ValueOf(&x).Elem()))
		acc.NaNs[look] = x
		return
	}
	if acc.Values == nil {
		acc.Values = make(map[T]struct{})
	}
	acc.Values[x] = struct{}{}
}

// Merge implements Combiner. The larger set takes in the smaller.
func (uniquely[V, T]) Merge(acc, other *Uniques[T]) {
	acc.Values = union(acc.Values, other.Values)
	acc.NaNs = union(acc.NaNs, other.NaNs)
}

func union[K comparable, E any](a, b map[K]E) map[K]E {
	if len(a) < len(b) {
		a, b = b, a
	}
	maps.Copy(a, b)
	return a
}

// Clone implements Cloner.
func (uniquely[V, T]) Clone(acc *Uniques[T]) Uniques[T] {
	return Uniques[T]{maps.Clone(acc.Values), maps.Clone(acc.NaNs)}
}

// Neutral implements Neutral: it is true.
func (uniquely[V, T]) Neutral() bool { return true }
