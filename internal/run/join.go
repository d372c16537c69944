package run

import "slices"

// Side is an element of one of the two inputs of a join.
type Side[L, R any] struct {
	Right bool
	L     L
	R     R
}

// Sides are the elements of both inputs with one key and window, in order of arrival.
type Sides[L, R any] struct {
	L []L
	R []R
}

// Both is the combiner of a join.
type Both[L, R any] struct{}

// Create implements combine.Combiner.
func (Both[L, R]) Create() Sides[L, R] { return Sides[L, R]{} }

// Add implements combine.Combiner.
func (Both[L, R]) Add(acc *Sides[L, R], v *Side[L, R]) {
	if v.Right {
		acc.R = append(acc.R, v.R)
	} else {
		acc.L = append(acc.L, v.L)
	}
}

// AddBatch implements combine.Batcher.
func (Both[L, R]) AddBatch(accs []Sides[L, R], slots []uint32, vs []Side[L, R]) {
	slots = slots[:len(vs)]
	for i := range vs {
		if acc, v := &accs[slots[i]], &vs[i]; v.Right {
			acc.R = append(acc.R, v.R)
		} else {
			acc.L = append(acc.L, v.L)
		}
	}
}

// Merge implements combine.Combiner.
func (Both[L, R]) Merge(acc, other *Sides[L, R]) {
	acc.L = append(acc.L, other.L...)
	acc.R = append(acc.R, other.R...)
}

// Extract implements combine.Combiner.
func (Both[L, R]) Extract(acc *Sides[L, R]) (Sides[L, R], error) {
	return Sides[L, R]{slices.Clone(acc.L), slices.Clone(acc.R)}, nil
}

// Clone implements combine.Cloner.
func (Both[L, R]) Clone(acc *Sides[L, R]) Sides[L, R] {
	return Sides[L, R]{slices.Clone(acc.L), slices.Clone(acc.R)}
}

// Neutral implements combine.Neutral: nothing is an empty group.
func (Both[L, R]) Neutral() bool { return true }
