package combine

import "cmp"

// Min is the least value of a field. As with Go's own min, it is NaN if any value is NaN, and -0
// is less than 0: both hold in any order of arrival. Of nothing there is none: ErrEmpty. For a
// field that may be null there is NonNull (S7.4).
func Min[V any, N cmp.Ordered](field func(*V) N) Minimum[V, N] { return Minimum[V, N]{field} }

// Minimum is the combiner that Min gives. Its accumulator is the least value so far, if any.
type Minimum[V any, N cmp.Ordered] struct{ field func(*V) N }

func lower[N cmp.Ordered](acc *Null[N], x N) {
	if acc.Valid {
		x = min(acc.V, x)
	}
	acc.set(x)
}

// Create implements Combiner.
func (Minimum[V, N]) Create() Null[N] { return Null[N]{} }

// Add implements Combiner.
func (c Minimum[V, N]) Add(acc *Null[N], v *V) { lower(acc, c.field(v)) }

// AddBatch implements Batcher.
func (c Minimum[V, N]) AddBatch(accs []Null[N], slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		x := c.field(&vs[i])
		lower(&accs[slots[i]], x)
	}
}

func (c Minimum[V, N]) addEach(accs []*Null[N], vs []V) {
	accs = accs[:len(vs)]
	for i := range vs {
		lower(accs[i], c.field(&vs[i]))
	}
}

// Merge implements Combiner.
func (Minimum[V, N]) Merge(acc, other *Null[N]) {
	if other.Valid {
		lower(acc, other.V)
	}
}

// Extract implements Combiner. The error is ErrEmpty.
func (Minimum[V, N]) Extract(acc *Null[N]) (N, error) { return acc.orEmpty() }

// Validate implements Validator.
func (c Minimum[V, N]) Validate() error { return missing("Min", part{"the field", c.field == nil}) }
