package run

import "math/bits"

// table maps keys, as 64-bit numbers, to slots of accumulators: open addressing with linear
// probing, two flat arrays. If A has no pointers the collector never looks inside, and a
// window's table is dropped or used again whole. Number 0 marks a free slot; the key 0 has a
// slot of its own behind the others.
type table[A any] struct {
	keys  []uint64
	accs  []A
	shift uint8 // 64 - log2(len(keys))
	zero  bool  // key 0 is present
	n     int
	limit int // n at which it grows
}

const minTable = 16

func newTable[A any](size int) *table[A] {
	t := &table[A]{}
	t.alloc(max(minTable, 1<<bits.Len(uint(size*5/4))))
	return t
}

func (t *table[A]) alloc(size int) {
	t.keys, t.accs = make([]uint64, size), make([]A, size+1)
	t.shift = uint8(64 - bits.TrailingZeros(uint(size)))
	t.limit = size / 5 * 4
}

// spread is a mixing function whose upper bits depend on all of x.
func spread(x uint64) uint64 {
	x ^= x >> 32
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 29
	return x * 0xbf58476d1ce4e5b9
}

// lookup finds the slot of each key. A key that is new gets one, with what fresh makes for it.
func (t *table[A]) lookup(keys []uint64, slots []uint32, fresh func(k uint64) A) {
again:
	slots = slots[:len(keys)]
	table, mask, shift := t.keys, uint64(len(t.keys)-1), t.shift&63
	for i, k := range keys {
		if k == 0 {
			if !t.zero {
				t.zero = true
				t.n++
				t.accs[len(t.keys)] = fresh(0)
			}
			slots[i] = uint32(len(t.keys))
			continue
		}
		s := spread(k) >> shift
		for {
			have := table[s&mask]
			if have == k {
				break
			}
			if have == 0 {
				if t.n >= t.limit {
					t.grow()
					goto again
				}
				table[s&mask] = k
				t.n++
				t.accs[s&mask] = fresh(k)
				break
			}
			s++
		}
		slots[i] = uint32(s & mask)
	}
}

// find gives the slot of a key that may not be there.
func (t *table[A]) find(k uint64) (slot uint32, ok bool) {
	if k == 0 {
		return uint32(len(t.keys)), t.zero
	}
	mask := uint64(len(t.keys) - 1)
	for s := spread(k) >> (t.shift & 63); ; s++ {
		switch t.keys[s&mask] {
		case k:
			return uint32(s & mask), true
		case 0:
			return 0, false
		}
	}
}

func (t *table[A]) grow() {
	keys, accs := t.keys, t.accs
	t.alloc(2 * len(keys))
	mask := uint64(len(t.keys) - 1)
	for i, k := range keys {
		if k == 0 {
			continue
		}
		s := spread(k) >> (t.shift & 63)
		for t.keys[s&mask] != 0 {
			s++
		}
		t.keys[s&mask], t.accs[s&mask] = k, accs[i]
	}
	if t.zero {
		t.accs[len(t.keys)] = accs[len(keys)]
	}
}

// reset empties the table for another use.
func (t *table[A]) reset() {
	clear(t.keys)
	clear(t.accs)
	t.n, t.zero = 0, false
}

// all yields every key with its slot.
func (t *table[A]) all(yield func(k uint64, slot uint32) bool) {
	for i, k := range t.keys {
		if k != 0 && !yield(k, uint32(i)) {
			return
		}
	}
	if t.zero {
		yield(0, uint32(len(t.keys)))
	}
}
