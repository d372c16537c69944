package combine

// SumFloat adds up a float field, compensated, also where partial sums are merged: the order of
// the values shows only in the last bits (S7.3). Infinities and NaN behave as in IEEE 754; a sum
// beyond N is infinite. Sums of float32 are taken in float64. Of nothing it is 0.
func SumFloat[V any, N Float](field func(*V) N) FloatSum[V, N] { return FloatSum[V, N]{field} }

// FloatSum is the combiner that SumFloat gives.
type FloatSum[V any, N Float] struct{ field func(*V) N }

// Create implements Combiner.
func (FloatSum[V, N]) Create() Compensated { return Compensated{} }

// Add implements Combiner.
func (c FloatSum[V, N]) Add(acc *Compensated, v *V) { acc.Add(float64(c.field(v))) }

// AddBatch implements Batcher.
func (c FloatSum[V, N]) AddBatch(accs []Compensated, slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		x := float64(c.field(&vs[i]))
		accs[slots[i]].Add(x)
	}
}

func (c FloatSum[V, N]) addEach(accs []*Compensated, vs []V) {
	accs = accs[:len(vs)]
	for i := range vs {
		accs[i].Add(float64(c.field(&vs[i])))
	}
}

// Merge implements Combiner.
func (FloatSum[V, N]) Merge(acc, other *Compensated) { acc.Merge(*other) }

// Extract implements Combiner. It has no error.
func (FloatSum[V, N]) Extract(acc *Compensated) (N, error) { return N(acc.Value()), nil }

// Subtract implements Subtractor.
func (c FloatSum[V, N]) Subtract(acc *Compensated, v *V) { acc.Subtract(float64(c.field(v))) }

// Neutral implements Neutral: it is true.
func (FloatSum[V, N]) Neutral() bool { return true }

// Validate implements Validator.
func (c FloatSum[V, N]) Validate() error {
	return missing("SumFloat", part{"the field", c.field == nil})
}
