package combine

// NonNull applies a combiner to a field that may be null: nulls are skipped, and where all are
// null, or there is nothing, the result is null (S7.4):
//
//	combine.NonNull(func(r *Reading) combine.Null[int64] { return r.Index },
//		combine.Sum(combine.Self[int64]))
//
// To count what is not null there is CountNonNull.
func NonNull[V, N, A, O any](field func(*V) Null[N], c Combiner[N, A, O]) NullSkipper[V, N, A, O] {
	return NullSkipper[V, N, A, O]{field, newInner(c)}
}

// Self gives the value itself: the field for combiners inside Of and NonNull.
func Self[T any](v *T) T { return *v }

// NullAcc is the accumulator of NonNull: that of the combiner inside, and how many values that
// are not null have reached it.
type NullAcc[A any] struct {
	Acc A
	N   int64
}

// NullSkipper is the combiner that NonNull gives.
type NullSkipper[V, N, A, O any] struct {
	field func(*V) Null[N]
	*inner[N, A, O]
}

// Create implements Combiner.
func (c NullSkipper[V, N, A, O]) Create() NullAcc[A] { return NullAcc[A]{Acc: c.c.Create()} }

// Add implements Combiner.
func (c NullSkipper[V, N, A, O]) Add(acc *NullAcc[A], v *V) {
	if n := c.field(v); n.Valid {
		acc.N++
		s := c.scratch.get(1)
		defer c.scratch.put(s)
		(*s)[0] = n.V
		c.c.Add(&acc.Acc, &(*s)[0])
	}
}

// AddAt implements Timed.
func (c NullSkipper[V, N, A, O]) AddAt(acc *NullAcc[A], v *V, at int64) {
	if n := c.field(v); n.Valid {
		acc.N++
		s := c.scratch.get(1)
		defer c.scratch.put(s)
		(*s)[0] = n.V
		c.addAt(&acc.Acc, &(*s)[0], at)
	}
}

// AddBatch implements Batcher.
func (c NullSkipper[V, N, A, O]) AddBatch(accs []NullAcc[A], slots []uint32, vs []V) {
	into, values := c.accs.get(len(vs)), c.scratch.get(len(vs))
	defer c.accs.put(into)
	defer c.scratch.put(values)
	slots = slots[:len(vs)]
	n := 0
	for i := range vs {
		if x := c.field(&vs[i]); x.Valid {
			a := &accs[slots[i]]
			a.N++
			(*into)[n], (*values)[n] = &a.Acc, x.V
			n++
		}
	}
	c.inner.addEach((*into)[:n], (*values)[:n])
}

func (c NullSkipper[V, N, A, O]) addEach(accs []*NullAcc[A], vs []V) {
	into, values := c.accs.get(len(vs)), c.scratch.get(len(vs))
	defer c.accs.put(into)
	defer c.scratch.put(values)
	accs = accs[:len(vs)]
	n := 0
	for i := range vs {
		if x := c.field(&vs[i]); x.Valid {
			accs[i].N++
			(*into)[n], (*values)[n] = &accs[i].Acc, x.V
			n++
		}
	}
	c.inner.addEach((*into)[:n], (*values)[:n])
}

// Merge implements Combiner.
func (c NullSkipper[V, N, A, O]) Merge(acc, other *NullAcc[A]) {
	if other.N != 0 {
		acc.N += other.N
		c.c.Merge(&acc.Acc, &other.Acc)
	}
}

// Extract implements Combiner. The error is that of the combiner inside.
func (c NullSkipper[V, N, A, O]) Extract(acc *NullAcc[A]) (Null[O], error) {
	if acc.N == 0 {
		return Null[O]{}, nil
	}
	o, err := c.c.Extract(&acc.Acc)
	if err != nil {
		return Null[O]{}, err
	}
	return Some(o), nil
}

// Clone implements Cloner.
func (c NullSkipper[V, N, A, O]) Clone(acc *NullAcc[A]) NullAcc[A] {
	return NullAcc[A]{c.clone(&acc.Acc), acc.N}
}

// Subtract implements Subtractor, where the combiner inside does: see AsSubtractor.
func (c NullSkipper[V, N, A, O]) Subtract(acc *NullAcc[A], v *V) {
	if n := c.field(v); n.Valid {
		acc.N--
		c.sub.Subtract(&acc.Acc, &n.V)
	}
}

// Neutral implements Neutral: it is true, the value of nothing being null.
func (NullSkipper[V, N, A, O]) Neutral() bool { return true }

// Validate implements Validator.
func (c NullSkipper[V, N, A, O]) Validate() error {
	return c.validate("NonNull", part{"the field", c.field == nil})
}
