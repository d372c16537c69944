package combine

import "cmp"

// Max is the greatest value of a field. As with Go's own max, it is NaN if any value is NaN, and
// 0 is greater than -0: both hold in any order of arrival. Of nothing there is none: ErrEmpty.
// For a field that may be null there is NonNull (S7.4).
func Max[V any, N cmp.Ordered](field func(*V) N) Maximum[V, N] { return Maximum[V, N]{field} }

// Maximum is the combiner that Max gives. Its accumulator is the greatest value so far, if any.
type Maximum[V any, N cmp.Ordered] struct{ field func(*V) N }

func raise[N cmp.Ordered](acc *Null[N], x N) {
	if acc.Valid {
		x = max(acc.V, x)
	}
	acc.set(x)
}

// Create implements Combiner.
func (Maximum[V, N]) Create() Null[N] { return Null[N]{} }

// Add implements Combiner.
func (c Maximum[V, N]) Add(acc *Null[N], v *V) { raise(acc, c.field(v)) }

// AddBatch implements Batcher.
func (c Maximum[V, N]) AddBatch(accs []Null[N], slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		x := c.field(&vs[i])
		raise(&accs[slots[i]], x)
	}
}

func (c Maximum[V, N]) addEach(accs []*Null[N], vs []V) {
	accs = accs[:len(vs)]
	for i := range vs {
		raise(accs[i], c.field(&vs[i]))
	}
}

// Merge implements Combiner.
func (Maximum[V, N]) Merge(acc, other *Null[N]) {
	if other.Valid {
		raise(acc, other.V)
	}
}

// Extract implements Combiner. The error is ErrEmpty.
func (Maximum[V, N]) Extract(acc *Null[N]) (N, error) { return acc.orEmpty() }

// Validate implements Validator.
func (c Maximum[V, N]) Validate() error { return missing("Max", part{"the field", c.field == nil}) }
