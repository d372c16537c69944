package combine

// MeanFloat is the mean of a float field, of a compensated sum (S7.3; see SumFloat). It is
// finite for finite values, also where their sum is not. Of nothing there is none: ErrEmpty.
func MeanFloat[V any, N Float](field func(*V) N) FloatMean[V, N] { return FloatMean[V, N]{field} }

// FloatMean is the combiner that MeanFloat gives.
type FloatMean[V any, N Float] struct{ field func(*V) N }

// FloatMeanAcc is the accumulator of MeanFloat.
type FloatMeanAcc struct {
	Sum Compensated
	N   int64
}

// Create implements Combiner.
func (FloatMean[V, N]) Create() FloatMeanAcc { return FloatMeanAcc{} }

// Add implements Combiner.
func (c FloatMean[V, N]) Add(acc *FloatMeanAcc, v *V) {
	acc.Sum.Add(float64(c.field(v)))
	acc.N++
}

// AddBatch implements Batcher.
func (c FloatMean[V, N]) AddBatch(accs []FloatMeanAcc, slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		x := float64(c.field(&vs[i]))
		a := &accs[slots[i]]
		a.Sum.Add(x)
		a.N++
	}
}

func (c FloatMean[V, N]) addEach(accs []*FloatMeanAcc, vs []V) {
	accs = accs[:len(vs)]
	for i := range vs {
		accs[i].Sum.Add(float64(c.field(&vs[i])))
		accs[i].N++
	}
}

// Merge implements Combiner.
func (FloatMean[V, N]) Merge(acc, other *FloatMeanAcc) {
	acc.Sum.Merge(other.Sum)
	acc.N += other.N
}

// Extract implements Combiner. The error is ErrEmpty.
func (FloatMean[V, N]) Extract(acc *FloatMeanAcc) (float64, error) {
	if acc.N <= 0 {
		return 0, ErrEmpty
	}
	return acc.Sum.over(float64(acc.N)), nil
}

// Subtract implements Subtractor.
func (c FloatMean[V, N]) Subtract(acc *FloatMeanAcc, v *V) {
	acc.Sum.Subtract(float64(c.field(v)))
	acc.N--
}

// Validate implements Validator.
func (c FloatMean[V, N]) Validate() error {
	return missing("MeanFloat", part{"the field", c.field == nil})
}
