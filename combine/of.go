package combine

// Of applies a combiner to a field, or to anything else that is worked out from an element:
//
//	combine.Of(func(r *Reading) string { return r.Sensor }, combine.List[string]{})
//
// It has what c has: event times, an inverse, a neutral value.
func Of[V, N, A, O any](field func(*V) N, c Combiner[N, A, O]) Mapped[V, N, A, O] {
	return Mapped[V, N, A, O]{field, newInner(c)}
}

// Mapped is the combiner that Of gives. Its accumulator is that of the combiner inside.
type Mapped[V, N, A, O any] struct {
	field func(*V) N
	*inner[N, A, O]
}

// Create implements Combiner.
func (c Mapped[V, N, A, O]) Create() A { return c.c.Create() }

// Add implements Combiner.
func (c Mapped[V, N, A, O]) Add(acc *A, v *V) {
	n := c.scratch.get(1)
	defer c.scratch.put(n)
	(*n)[0] = c.field(v)
	c.c.Add(acc, &(*n)[0])
}

// AddAt implements Timed.
func (c Mapped[V, N, A, O]) AddAt(acc *A, v *V, at int64) {
	n := c.scratch.get(1)
	defer c.scratch.put(n)
	(*n)[0] = c.field(v)
	c.addAt(acc, &(*n)[0], at)
}

// AddBatch implements Batcher.
func (c Mapped[V, N, A, O]) AddBatch(accs []A, slots []uint32, vs []V) {
	ns := c.mapped(vs)
	defer c.scratch.put(ns)
	if c.batch != nil {
		c.batch.AddBatch(accs, slots, *ns)
		return
	}
	slots = slots[:len(*ns)]
	for i := range *ns {
		c.c.Add(&accs[slots[i]], &(*ns)[i])
	}
}

func (c Mapped[V, N, A, O]) addEach(accs []*A, vs []V) {
	ns := c.mapped(vs)
	defer c.scratch.put(ns)
	c.inner.addEach(accs, *ns)
}

func (c Mapped[V, N, A, O]) mapped(vs []V) *[]N {
	ns := c.scratch.get(len(vs))
	for i := range *ns {
		(*ns)[i] = c.field(&vs[i])
	}
	return ns
}

// Merge implements Combiner.
func (c Mapped[V, N, A, O]) Merge(acc, other *A) { c.c.Merge(acc, other) }

// Extract implements Combiner.
func (c Mapped[V, N, A, O]) Extract(acc *A) (O, error) { return c.c.Extract(acc) }

// Clone implements Cloner.
func (c Mapped[V, N, A, O]) Clone(acc *A) A { return c.clone(acc) }

// Subtract implements Subtractor, where the combiner inside does: see AsSubtractor.
func (c Mapped[V, N, A, O]) Subtract(acc *A, v *V) {
	n := c.field(v)
	c.sub.Subtract(acc, &n)
}

// Neutral implements Neutral.
func (c Mapped[V, N, A, O]) Neutral() bool { return HasNeutral(c.c) }

// Validate implements Validator.
func (c Mapped[V, N, A, O]) Validate() error {
	return c.validate("Of", part{"the field", c.field == nil})
}
