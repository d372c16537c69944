package combine

import "slices"

// List collects the elements in order of arrival. Where several workers or panes are merged, an
// order between them is not promised: compare lists as multisets (S7.4). Of nothing it is empty.
// The combiner is the literal:
//
//	combine.List[Reading]{}
type List[V any] struct{}

// Create implements Combiner.
func (List[V]) Create() []V { return nil }

// Add implements Combiner.
func (List[V]) Add(acc *[]V, v *V) { *acc = append(*acc, *v) }

// AddBatch implements Batcher.
func (List[V]) AddBatch(accs [][]V, slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		a := &accs[slots[i]]
		*a = append(*a, vs[i])
	}
}

// Merge implements Combiner.
func (List[V]) Merge(acc, other *[]V) { *acc = append(*acc, *other...) }

// Extract implements Combiner. It has no error. The slice is the caller's, and never nil.
func (List[V]) Extract(acc *[]V) ([]V, error) { return append([]V{}, *acc...), nil }

// Clone implements Cloner. The elements are copied as by assignment.
func (List[V]) Clone(acc *[]V) []V { return slices.Clone(*acc) }

// Neutral implements Neutral: it is true.
func (List[V]) Neutral() bool { return true }
