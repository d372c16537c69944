package combine

import "errors"

// Both runs two combiners over the same elements in one pass. Three are Both of Both. It has an
// inverse or a neutral value where both have; where either has no value of an accumulator
// (ErrEmpty), nor has Both.
func Both[V, A1, O1, A2, O2 any](first Combiner[V, A1, O1], second Combiner[V, A2, O2]) Paired[V, A1, O1, A2, O2] {
	return Paired[V, A1, O1, A2, O2]{newInner(first), newInner(second)}
}

// Pair is the result of Both.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Paired is the combiner that Both gives. Its accumulator is the pair of theirs.
type Paired[V, A1, O1, A2, O2 any] struct {
	first  *inner[V, A1, O1]
	second *inner[V, A2, O2]
}

// Create implements Combiner.
func (c Paired[V, A1, O1, A2, O2]) Create() Pair[A1, A2] {
	return Pair[A1, A2]{c.first.c.Create(), c.second.c.Create()}
}

// Add implements Combiner.
func (c Paired[V, A1, O1, A2, O2]) Add(acc *Pair[A1, A2], v *V) {
	c.first.c.Add(&acc.First, v)
	c.second.c.Add(&acc.Second, v)
}

// AddAt implements Timed.
func (c Paired[V, A1, O1, A2, O2]) AddAt(acc *Pair[A1, A2], v *V, at int64) {
	c.first.addAt(&acc.First, v, at)
	c.second.addAt(&acc.Second, v, at)
}

// AddBatch implements Batcher.
func (c Paired[V, A1, O1, A2, O2]) AddBatch(accs []Pair[A1, A2], slots []uint32, vs []V) {
	into1, into2 := c.first.accs.get(len(vs)), c.second.accs.get(len(vs))
	defer c.first.accs.put(into1)
	defer c.second.accs.put(into2)
	p1, p2 := *into1, (*into2)[:len(*into1)]
	slots = slots[:len(p1)]
	for i := range p1 {
		a := &accs[slots[i]]
		p1[i], p2[i] = &a.First, &a.Second
	}
	c.first.addEach(p1, vs)
	c.second.addEach(p2, vs)
}

func (c Paired[V, A1, O1, A2, O2]) addEach(accs []*Pair[A1, A2], vs []V) {
	into1, into2 := c.first.accs.get(len(vs)), c.second.accs.get(len(vs))
	defer c.first.accs.put(into1)
	defer c.second.accs.put(into2)
	p1, p2 := *into1, (*into2)[:len(*into1)]
	accs = accs[:len(p1)]
	for i := range p1 {
		p1[i], p2[i] = &accs[i].First, &accs[i].Second
	}
	c.first.addEach(p1, vs)
	c.second.addEach(p2, vs)
}

// Merge implements Combiner.
func (c Paired[V, A1, O1, A2, O2]) Merge(acc, other *Pair[A1, A2]) {
	c.first.c.Merge(&acc.First, &other.First)
	c.second.c.Merge(&acc.Second, &other.Second)
}

// Extract implements Combiner. The error is that of the first, or else of the second.
func (c Paired[V, A1, O1, A2, O2]) Extract(acc *Pair[A1, A2]) (Pair[O1, O2], error) {
	first, err := c.first.c.Extract(&acc.First)
	if err != nil {
		return Pair[O1, O2]{}, err
	}
	second, err := c.second.c.Extract(&acc.Second)
	if err != nil {
		return Pair[O1, O2]{}, err
	}
	return Pair[O1, O2]{first, second}, nil
}

// Clone implements Cloner.
func (c Paired[V, A1, O1, A2, O2]) Clone(acc *Pair[A1, A2]) Pair[A1, A2] {
	return Pair[A1, A2]{c.first.clone(&acc.First), c.second.clone(&acc.Second)}
}

// Subtract implements Subtractor, where both combiners do: see AsSubtractor.
func (c Paired[V, A1, O1, A2, O2]) Subtract(acc *Pair[A1, A2], v *V) {
	c.first.sub.Subtract(&acc.First, v)
	c.second.sub.Subtract(&acc.Second, v)
}

// Neutral implements Neutral.
func (c Paired[V, A1, O1, A2, O2]) Neutral() bool {
	return HasNeutral(c.first.c) && HasNeutral(c.second.c)
}

// Validate implements Validator.
func (c Paired[V, A1, O1, A2, O2]) Validate() error {
	return errors.Join(c.first.validate("Both"), c.second.validate("Both"))
}

func (c Paired[V, A1, O1, A2, O2]) timed() bool {
	return c.first.timed() || c.second.timed()
}

func (c Paired[V, A1, O1, A2, O2]) subtracts() bool {
	return c.first.subtracts() && c.second.subtracts()
}
