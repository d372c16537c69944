package combine

// Func is a combiner written as functions, in a literal. For what else a combiner may have
// (AddAt, AddBatch, Subtract), embed it in a type with those methods, or write a type of your
// own. Give either to combinetest.Exercise.
type Func[V, A, O any] struct {
	CreateFn  func() A
	AddFn     func(acc *A, v *V)
	MergeFn   func(acc, other *A)
	ExtractFn func(acc *A) (O, error)
	// CloneFn copies an accumulator that holds slices or maps: see Cloner. Defaults to a copy
	// by assignment.
	CloneFn func(acc *A) A
	// HasNeutral says that ExtractFn of a fresh accumulator gives a value: see Neutral. Without
	// it ExtractFn gives ErrEmpty there. Defaults to false.
	HasNeutral bool
}

// Create implements Combiner.
func (f Func[V, A, O]) Create() A { return f.CreateFn() }

// Add implements Combiner.
func (f Func[V, A, O]) Add(acc *A, v *V) { f.AddFn(acc, v) }

// AddBatch implements Batcher.
func (f Func[V, A, O]) AddBatch(accs []A, slots []uint32, vs []V) {
	slots = slots[:len(vs)]
	for i := range vs {
		f.AddFn(&accs[slots[i]], &vs[i])
	}
}

// Merge implements Combiner.
func (f Func[V, A, O]) Merge(acc, other *A) { f.MergeFn(acc, other) }

// Extract implements Combiner.
func (f Func[V, A, O]) Extract(acc *A) (O, error) { return f.ExtractFn(acc) }

// Clone implements Cloner.
func (f Func[V, A, O]) Clone(acc *A) A {
	if f.CloneFn == nil {
		return *acc
	}
	return f.CloneFn(acc)
}

// Neutral implements Neutral.
func (f Func[V, A, O]) Neutral() bool { return f.HasNeutral }

// Validate implements Validator.
func (f Func[V, A, O]) Validate() error {
	return missing("Func",
		part{"CreateFn", f.CreateFn == nil},
		part{"AddFn", f.AddFn == nil},
		part{"MergeFn", f.MergeFn == nil},
		part{"ExtractFn", f.ExtractFn == nil})
}
