package core

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTheEstimateIsWithinFourStandardErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 10, 1000, 5000, 20_000, 100_000, 1_000_000} {
		var a, b Cardinality
		for i := range n {
			h := r.Uint64()
			for range 1 + i%3 { // how often a value comes does not matter
				if i%2 == 0 {
					a.Add(h)
				} else {
					b.Add(h)
				}
			}
		}
		a.Merge(&b)
		if got := a.Estimate(); math.Abs(float64(got-int64(n))) > 4*CardinalityError*float64(n)+0.5 {
			t.Errorf("%d of %d values", got, n)
		}
	}
}
