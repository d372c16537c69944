package combine

import (
	"cmp"
	"errors"
	"slices"
)

// Sample is n of the elements, or all if there are fewer, drawn so that each has the same
// chance. It is the n with the least hashes of seed and identity (Cohen and Kaplan's bottom-k
// sketch), so that one seed draws the same elements in whatever order they come, on however many
// workers, in every process and after every restart. In another window the same identity is as
// likely to be drawn again: that makes samples comparable. Of nothing it is empty.
//
// Identity appends bytes that stand for an element to dst: its id, or all of it. Elements of
// equal identity are one element and take one place, since by value alone a repeat cannot be told
// from the original: to sample occurrences, give them what tells them apart, such as an offset.
// Elements that differ must differ in identity, or which of two comes out depends on arrival.
//
// The order of the result means nothing, and is always the same.
func Sample[V any](n int, seed uint64, identity func(dst []byte, v *V) []byte) Sampler[V] {
	return Sampler[V]{n, seed, identity, new(scratch[byte])}
}

// Drawn is an element of a sample and the hash by which it was drawn.
type Drawn[V any] struct {
	V    V
	Hash uint64
}

// Sampler is the combiner that Sample gives. Its accumulator is the sample so far: at most n
// elements, by hash.
type Sampler[V any] struct {
	n        int
	seed     uint64
	identity func(dst []byte, v *V) []byte
	buffers  *scratch[byte]
}

func (c Sampler[V]) ranks() ranks[Drawn[V]] {
	return ranks[Drawn[V]]{n: c.n, before: func(a, b Drawn[V]) int { return cmp.Compare(a.Hash, b.Hash) }, once: true}
}

func (c Sampler[V]) add(r ranks[Drawn[V]], acc *[]Drawn[V], v *V, buffer []byte) []byte {
	buffer = c.identity(buffer[:0], v)
	h := stableHash(c.seed, buffer)
	// Most elements of a long stream are refused here, without being copied.
	if entries := *acc; r.full(entries) && (c.n <= 0 || h >= entries[c.n-1].Hash) {
		return buffer
	}
	*acc = r.insert(*acc, Drawn[V]{*v, h})
	return buffer
}

// Create implements Combiner.
func (Sampler[V]) Create() []Drawn[V] { return nil }

// Add implements Combiner.
func (c Sampler[V]) Add(acc *[]Drawn[V], v *V) {
	b := c.buffers.get(0)
	*b = c.add(c.ranks(), acc, v, *b)
	c.buffers.put(b)
}

// AddBatch implements Batcher.
func (c Sampler[V]) AddBatch(accs [][]Drawn[V], slots []uint32, vs []V) {
	r, b := c.ranks(), c.buffers.get(0)
	slots = slots[:len(vs)]
	for i := range vs {
		*b = c.add(r, &accs[slots[i]], &vs[i], *b)
	}
	c.buffers.put(b)
}

// Merge implements Combiner.
func (c Sampler[V]) Merge(acc, other *[]Drawn[V]) { *acc = c.ranks().merge(*acc, *other) }

// Extract implements Combiner. It has no error. The slice is the caller's, and never nil.
func (Sampler[V]) Extract(acc *[]Drawn[V]) ([]V, error) {
	sample := make([]V, len(*acc))
	for i := range *acc {
		sample[i] = (*acc)[i].V
	}
	return sample, nil
}

// Clone implements Cloner. The elements are copied as by assignment.
func (Sampler[V]) Clone(acc *[]Drawn[V]) []Drawn[V] { return slices.Clone(*acc) }

// Neutral implements Neutral: it is true.
func (Sampler[V]) Neutral() bool { return true }

// Validate implements Validator.
func (c Sampler[V]) Validate() error {
	return errors.Join(places("Sample", c.n), missing("Sample", part{"the identity", c.identity == nil}))
}
