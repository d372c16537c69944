package run

import "slices"

// Side3 is an element of one of the three inputs of a co-group.
type Side3[A, B, C any] struct {
	Of int // 0, 1 or 2: which of the three below it is
	A  A
	B  B
	C  C
}

// Sides3 are the elements of three inputs with one key and window, in order of arrival.
type Sides3[A, B, C any] struct {
	A []A
	B []B
	C []C
}

// All3 is the combiner of a co-group of three.
type All3[A, B, C any] struct{}

// Create implements combine.Combiner.
func (All3[A, B, C]) Create() Sides3[A, B, C] { return Sides3[A, B, C]{} }

// Add implements combine.Combiner.
func (All3[A, B, C]) Add(acc *Sides3[A, B, C], v *Side3[A, B, C]) {
	switch v.Of {
	case 0:
		acc.A = append(acc.A, v.A)
	case 1:
		acc.B = append(acc.B, v.B)
	default:
		acc.C = append(acc.C, v.C)
	}
}

// Merge implements combine.Combiner.
func (All3[A, B, C]) Merge(acc, other *Sides3[A, B, C]) {
	acc.A = append(acc.A, other.A...)
	acc.B = append(acc.B, other.B...)
	acc.C = append(acc.C, other.C...)
}

// Extract implements combine.Combiner.
func (x All3[A, B, C]) Extract(acc *Sides3[A, B, C]) (Sides3[A, B, C], error) {
	return x.Clone(acc), nil
}

// Clone implements combine.Cloner.
func (All3[A, B, C]) Clone(acc *Sides3[A, B, C]) Sides3[A, B, C] {
	return Sides3[A, B, C]{slices.Clone(acc.A), slices.Clone(acc.B), slices.Clone(acc.C)}
}

// Neutral implements combine.Neutral: nothing is an empty group.
func (All3[A, B, C]) Neutral() bool { return true }
