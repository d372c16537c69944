package combine

// Mean is the mean of an integer field: the exact sum divided by the count, rounded once to the
// nearest float64 (S7.3). Of nothing there is none: ErrEmpty.
func Mean[V any, N Integer](field func(*V) N) IntMean[V, N] { return IntMean[V, N]{field} }

// IntMean is the combiner that Mean gives.
type IntMean[V any, N Integer] struct{ field func(*V) N }

// IntMeanAcc is the accumulator of Mean.
type IntMeanAcc struct {
	Sum Int128
	N   int64
}

// Create implements Combiner.
func (IntMean[V, N]) Create() IntMeanAcc { return IntMeanAcc{} }

// Add implements Combiner.
func (c IntMean[V, N]) Add(acc *IntMeanAcc, v *V) {
	acc.Sum.add(widen(c.field(v)))
	acc.N++
}

// AddBatch implements Batcher.
func (c IntMean[V, N]) AddBatch(accs []IntMeanAcc, slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		hi, lo := widen(c.field(&vs[i]))
		a := &accs[slots[i]]
		a.Sum.add(hi, lo)
		a.N++
	}
}

func (c IntMean[V, N]) addEach(accs []*IntMeanAcc, vs []V) {
	accs = accs[:len(vs)]
	for i := range vs {
		hi, lo := widen(c.field(&vs[i]))
		accs[i].Sum.add(hi, lo)
		accs[i].N++
	}
}

// Merge implements Combiner.
func (IntMean[V, N]) Merge(acc, other *IntMeanAcc) {
	acc.Sum.add(other.Sum.Hi, other.Sum.Lo)
	acc.N += other.N
}

// Extract implements Combiner. The error is ErrEmpty.
func (IntMean[V, N]) Extract(acc *IntMeanAcc) (float64, error) {
	if acc.N <= 0 {
		return 0, ErrEmpty
	}
	return acc.Sum.over(acc.N), nil
}

// Subtract implements Subtractor.
func (c IntMean[V, N]) Subtract(acc *IntMeanAcc, v *V) {
	acc.Sum.sub(widen(c.field(v)))
	acc.N--
}

// Validate implements Validator.
func (c IntMean[V, N]) Validate() error { return missing("Mean", part{"the field", c.field == nil}) }
