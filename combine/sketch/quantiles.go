package sketch

import (
	"errors"
	"fmt"

	"github.com/strandline-stream/strandline/combine"
)

// Number is what Quantiles takes.
type Number interface {
	combine.Integer | combine.Float
}

// Quantiles finds the values of a field at the given ranks, each from 0, the least, to 1, the
// greatest: 0.5 is the median. The result has one value for each of them, in their order. Of
// nothing there is none: combine.ErrEmpty.
//
//	sketch.Quantiles(func(r *Request) float64 { return r.Seconds }, 0.5, 0.99)
//
// Up to 1,024 values it is exact: at rank q of n values it is the one that ⌊q·n⌋ others precede.
// Beyond that it lies between two neighbours of which one is that near to rank q: within 1 % of
// all values at the median, 0.3 % at 0.05 and 0.95, 0.05 % at 0.01 and 0.99; as a rule within a
// tenth of that. The least and the greatest are exact. Infinities take their places; if any value
// is NaN, all results are, as with combine.Min. Integers are taken as floats.
//
// It is a merging t-digest (Dunning and Ertl, 2019) with a compression of 200: an accumulator
// takes 8 bytes a value up to 1,024 values, and about 28 KiB beyond.
func Quantiles[V any, N Number](field func(*V) N, ranks ...float64) QuantileValues[V, N] {
	return QuantileValues[V, N]{field, ranks}
}

// QuantileValues is the combiner that Quantiles gives.
type QuantileValues[V any, N Number] struct {
	field func(*V) N
	ranks []float64
}

var _ combine.Combiner[int, Digest, []float64] = QuantileValues[int, int]{}

// Create implements combine.Combiner.
func (QuantileValues[V, N]) Create() Digest { return Digest{} }

// Add implements combine.Combiner.
func (c QuantileValues[V, N]) Add(acc *Digest, v *V) { acc.add(float64(c.field(v))) }

// AddBatch implements combine.Batcher.
func (c QuantileValues[V, N]) AddBatch(accs []Digest, slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		accs[slots[i]].add(float64(c.field(&vs[i])))
	}
}

// Merge implements combine.Combiner.
func (QuantileValues[V, N]) Merge(acc, other *Digest) { acc.merge(other) }

// Extract implements combine.Combiner. The error is combine.ErrEmpty. The slice is the caller's.
func (c QuantileValues[V, N]) Extract(acc *Digest) ([]float64, error) { return acc.values(c.ranks) }

// Clone implements combine.Cloner.
func (QuantileValues[V, N]) Clone(acc *Digest) Digest { return acc.clone() }

// Validate implements combine.Validator. It reports a field that is nil, no rank at all, and
// ranks that are not from 0 to 1.
func (c QuantileValues[V, N]) Validate() error {
	var errs []error
	if c.field == nil {
		errs = append(errs, errors.New("sketch.Quantiles: the field is nil; it needs a function"))
	}
	if len(c.ranks) == 0 {
		errs = append(errs, errors.New("sketch.Quantiles: it needs a rank at least, such as 0.5 for the median"))
	}
	for _, q := range c.ranks {
		if !(q >= 0 && q <= 1) {
			errs = append(errs, fmt.Errorf("sketch.Quantiles: a rank must be from 0 to 1, is %v", q))
		}
	}
	return errors.Join(errs...)
}
