package sketch

import (
	"sync"

	"github.com/strandline-stream/strandline/internal/codec"
)

// hasher gives 64 evenly spread bits for each value: the same in every process for values that
// are equal when NaN equals NaN and -0 is 0 (S7.4). It is safe for concurrent use.
type hasher[T comparable] struct {
	hash func(vs []T, hs []uint64)
	pool sync.Pool // of *column[T]
}

// column is values on their way to their hashes.
type column[T comparable] struct {
	vs []T
	hs []uint64
}

// increment is that of SplitMix64. It keeps 0 from hashing to 0, which codec.HashBits does.
const increment = 0x9e3779b97f4a7c15

// newHasher fails for types without an encoding: see codec.ForKey.
func newHasher[T comparable]() (*hasher[T], error) {
	if toBits, _, ok := codec.IntKey[T](); ok {
		return &hasher[T]{hash: func(vs []T, hs []uint64) {
			toBits(vs, hs)
			for i, x := range hs {
				hs[i] = codec.HashBits(x + increment)
			}
		}}, nil
	}
	if bytesOf, _, ok := codec.StringKey[T](); ok {
		return &hasher[T]{hash: func(vs []T, hs []uint64) {
			for i := range vs {
				hs[i] = codec.HashBytes(bytesOf(&vs[i]))
			}
		}}, nil
	}
	c, err := codec.ForKey[T]()
	if err != nil {
		return nil, err
	}
	buffers := sync.Pool{New: func() any { return new([]byte) }}
	return &hasher[T]{hash: func(vs []T, hs []uint64) {
		b := buffers.Get().(*[]byte)
		for i := range vs {
			*b = c.Append((*b)[:0], &vs[i])
			hs[i] = codec.HashBytes(*b)
		}
		buffers.Put(b)
	}}, nil
}

// get gives a column of n values.
func (h *hasher[T]) get(n int) *column[T] {
	c, ok := h.pool.Get().(*column[T])
	if !ok || cap(c.vs) < n {
		c = &column[T]{make([]T, n), make([]uint64, n)}
	}
	c.vs, c.hs = c.vs[:n], c.hs[:n]
	return c
}

// put takes a column back, and forgets what is in it.
func (h *hasher[T]) put(c *column[T]) {
	clear(c.vs)
	h.pool.Put(c)
}
