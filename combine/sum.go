package combine

import "fmt"

// Sum adds up an integer field. It is exact inside, with 128 bits, and judged when extracted:
// what does not fit N then is ErrOverflow, never a wrap; sums on the way may be as large as they
// like (S7.3). Of nothing it is 0.
//
// The result has the type of the field: convert to a wider one in field where sums may not fit.
// For floats there is SumFloat, for a field that may be null NonNull.
func Sum[V any, N Integer](field func(*V) N) IntSum[V, N] { return IntSum[V, N]{field} }

// IntSum is the combiner that Sum gives.
type IntSum[V any, N Integer] struct{ field func(*V) N }

// Create implements Combiner.
func (IntSum[V, N]) Create() Int128 { return Int128{} }

// Add implements Combiner.
func (c IntSum[V, N]) Add(acc *Int128, v *V) { acc.add(widen(c.field(v))) }

// AddBatch implements Batcher.
func (c IntSum[V, N]) AddBatch(accs []Int128, slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		hi, lo := widen(c.field(&vs[i]))
		accs[slots[i]].add(hi, lo)
	}
}

func (c IntSum[V, N]) addEach(accs []*Int128, vs []V) {
	accs = accs[:len(vs)]
	for i := range vs {
		hi, lo := widen(c.field(&vs[i]))
		accs[i].add(hi, lo)
	}
}

// Merge implements Combiner.
func (IntSum[V, N]) Merge(acc, other *Int128) { acc.add(other.Hi, other.Lo) }

// Extract implements Combiner. The error is ErrOverflow.
func (IntSum[V, N]) Extract(acc *Int128) (N, error) {
	n, ok := narrow[N](*acc)
	if !ok {
		return 0, fmt.Errorf("%w: the sum %v does not fit %T", ErrOverflow, *acc, n)
	}
	return n, nil
}

// Subtract implements Subtractor.
func (c IntSum[V, N]) Subtract(acc *Int128, v *V) { acc.sub(widen(c.field(v))) }

// Neutral implements Neutral: it is true.
func (IntSum[V, N]) Neutral() bool { return true }

// Validate implements Validator.
func (c IntSum[V, N]) Validate() error { return missing("Sum", part{"the field", c.field == nil}) }
