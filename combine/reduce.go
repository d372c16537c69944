package combine

// Reduce combines elements two by two with f, which must be associative and commutative:
// f(a, f(b, c)) is f(f(a, b), c), and f(a, b) is f(b, a). The result of a single element is that
// element; of nothing there is none: ErrEmpty, since f has no neutral value. f leaves what its
// arguments point to as it is.
func Reduce[V any](f func(a, b V) V) Reducer[V] { return Reducer[V]{f} }

// Reducer is the combiner that Reduce gives. Its accumulator is the value so far, if any.
type Reducer[V any] struct{ f func(a, b V) V }

// Create implements Combiner.
func (Reducer[V]) Create() Null[V] { return Null[V]{} }

// Add implements Combiner.
func (c Reducer[V]) Add(acc *Null[V], v *V) {
	if acc.Valid {
		acc.V = c.f(acc.V, *v)
		return
	}
	acc.set(*v)
}

// AddBatch implements Batcher.
func (c Reducer[V]) AddBatch(accs []Null[V], slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		c.Add(&accs[slots[i]], &vs[i])
	}
}

// Merge implements Combiner.
func (c Reducer[V]) Merge(acc, other *Null[V]) {
	if other.Valid {
		c.Add(acc, &other.V)
	}
}

// Extract implements Combiner. The error is ErrEmpty.
func (Reducer[V]) Extract(acc *Null[V]) (V, error) { return acc.orEmpty() }

// Validate implements Validator.
func (c Reducer[V]) Validate() error { return missing("Reduce", part{"the function", c.f == nil}) }
