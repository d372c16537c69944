package combine

// Count counts elements, nulls included (S7.4). Of nothing it is 0.
func Count[V any]() Counter[V] { return Counter[V]{} }

// Counter is the combiner that Count gives. Its accumulator is the count.
type Counter[V any] struct{}

// Create implements Combiner.
func (Counter[V]) Create() int64 { return 0 }

// Add implements Combiner.
func (Counter[V]) Add(acc *int64, _ *V) { *acc++ }

// AddBatch implements Batcher.
func (Counter[V]) AddBatch(accs []int64, slots []uint32, _ []V) {
	for _, s := range slots {
		accs[s]++
	}
}

func (Counter[V]) addEach(accs []*int64, _ []V) {
	for _, a := range accs {
		*a++
	}
}

// Merge implements Combiner.
func (Counter[V]) Merge(acc, other *int64) { *acc += *other }

// Extract implements Combiner. It has no error.
func (Counter[V]) Extract(acc *int64) (int64, error) { return *acc, nil }

// Subtract implements Subtractor.
func (Counter[V]) Subtract(acc *int64, _ *V) { *acc-- }

// Neutral implements Neutral: it is true.
func (Counter[V]) Neutral() bool { return true }

// CountNonNull counts the elements whose field is not null (S7.4). Where all are null it is 0.
func CountNonNull[V, N any](field func(*V) Null[N]) FieldCounter[V, N] {
	return FieldCounter[V, N]{field}
}

// FieldCounter is the combiner that CountNonNull gives. Its accumulator is the count.
type FieldCounter[V, N any] struct{ field func(*V) Null[N] }

// Create implements Combiner.
func (FieldCounter[V, N]) Create() int64 { return 0 }

// Add implements Combiner.
func (c FieldCounter[V, N]) Add(acc *int64, v *V) { *acc += one(c.field(v).Valid) }

// AddBatch implements Batcher.
func (c FieldCounter[V, N]) AddBatch(accs []int64, slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		accs[slots[i]] += one(c.field(&vs[i]).Valid)
	}
}

func (c FieldCounter[V, N]) addEach(accs []*int64, vs []V) {
	accs = accs[:len(vs)]
	for i := range vs {
		*accs[i] += one(c.field(&vs[i]).Valid)
	}
}

// Merge implements Combiner.
func (FieldCounter[V, N]) Merge(acc, other *int64) { *acc += *other }

// Extract implements Combiner. It has no error.
func (FieldCounter[V, N]) Extract(acc *int64) (int64, error) { return *acc, nil }

// Subtract implements Subtractor.
func (c FieldCounter[V, N]) Subtract(acc *int64, v *V) { *acc -= one(c.field(v).Valid) }

// Neutral implements Neutral: it is true.
func (FieldCounter[V, N]) Neutral() bool { return true }

// Validate implements Validator.
func (c FieldCounter[V, N]) Validate() error {
	return missing("CountNonNull", part{"the field", c.field == nil})
}

func one(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
