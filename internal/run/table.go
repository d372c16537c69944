package run

import (
	"math/bits"
	"unsafe"
)

// table maps keys, as 64-bit numbers, to slots of accumulators. It has two layouts:
//
//   - dense: the number is the slot, and a bit says whether it is in use. It is taken where the
//     numbers lie close to 0 (interned keys, running numbers) and costs hardly more memory than
//     the other one. Measured with 100,000 keys: 2 ns a look-up.
//   - hashed: open addressing with linear probing. 4 ns with 1,000 keys, 9 ns with 100,000.
//
// Either is a few flat arrays. If A has no pointers the collector never looks inside, and a
// window's table is dropped or used again whole.
type table[A any] struct {
	accs []A
	n    int
	seen []uint64 // dense: the slots in use; nil while hashed

	keys  []uint64 // hashed: the number in each slot; 0: free. The number 0 is in a slot behind the others
	zero  bool     // hashed: the number 0 is present
	shift uint8    // 64 - log2(len(keys))
	limit int      // n at which it grows: room(len(keys))
	top   uint64   // the greatest number

	expect int // n when it was reset: how many keys it is likely to get
}

// minTable is the least number of slots: of most windows in which a key has one or two elements.
const minTable = 16

// newTable gives a table for about n keys.
func newTable[A any](n int) *table[A] {
	t := &table[A]{}
	t.hashed(hashSize(n))
	return t
}

// hashSize is the number of slots that the hashed layout needs for n keys: a power of two, of which
// at most 4/5 are used. With 8 bytes and an accumulator for each, a count of an integer key takes 20
// to 40 bytes; 27 for 10 million of them.
func hashSize(n int) int {
	size := minTable
	for room(size) < n {
		size *= 2
	}
	return size
}

// room is the number of keys that size slots have room for.
func room(size int) int { return size / 5 * 4 }

// denseSize is the number of slots that the dense layout may have for n keys: those that cost at most
// a quarter more than the hashed layout, which itself costs twice as much just after it has grown. So
// two workers that share running numbers have dense tables too.
func (t *table[A]) denseSize(n int) uint64 {
	var a A
	size := 8 * uint64(unsafe.Sizeof(a)) // bits
	return min(uint64(hashSize(n))*(size+64)/(size+1)*5/4, 1<<31)
}

func (t *table[A]) hashed(size int) {
	t.seen, t.keys, t.accs = nil, make([]uint64, size), make([]A, size+1)
	t.shift = uint8(64 - bits.TrailingZeros(uint(size)))
	t.limit = room(size)
}

// lookup finds the slot of each key. A key that is new gets one, with what fresh makes for it.
// Slots hold until the next call.
func (t *table[A]) lookup(keys []uint64, slots []uint32, fresh func(k uint64) A) {
	slots = slots[:len(keys)]
	for !t.tryLookup(keys, slots, fresh) {
		// The layout has changed, and with it the slots found so far.
	}
}

// tryLookup is lookup until the layout changes, which it reports.
func (t *table[A]) tryLookup(keys []uint64, slots []uint32, fresh func(k uint64) A) (done bool) {
	if t.seen != nil {
		return t.lookupDense(keys, slots, fresh)
	}
	return t.lookupHashed(keys, slots, fresh)
}

func (t *table[A]) lookupDense(keys []uint64, slots []uint32, fresh func(k uint64) A) bool {
	seen := t.seen
	slots = slots[:len(keys)]
	for i, k := range keys {
		if k>>6 >= uint64(len(seen)) {
			t.widen(k)
			return false
		}
		if seen[k>>6]>>(k&63)&1 == 0 {
			t.accs[k] = fresh(k)
			seen[k>>6] |= 1 << (k & 63)
			t.n++
			t.top = max(t.top, k)
		}
		slots[i] = uint32(k)
	}
	return true
}

// spread is a mixing function whose upper bits depend on all of x: the two halves of a product.
func spread(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x2545f4914f6cdd1d, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// ahead is the number of keys that are looked up together: all first slots are fetched before the
// first is judged, so that their cache misses overlap.
const ahead = 64

func (t *table[A]) lookupHashed(keys []uint64, slots []uint32, fresh func(k uint64) A) bool {
	slots = slots[:len(keys)]
	table, mask, shift := t.keys, uint64(len(t.keys)-1), t.shift&63
	for base := 0; base < len(keys); base += ahead {
		ks := keys[base:min(base+ahead, len(keys))]
		at := slots[base : base+len(ks)]
		for i, k := range ks {
			// The first three slots, without a branch that could be mispredicted: at 3/4 full,
			// three of four keys are there.
			s := spread(k) >> shift
			s1, s2 := s+1, s+2
			found := s
			if table[s2&mask] == k {
				found = s2
			}
			if table[s1&mask] == k {
				found = s1
			}
			if table[s&mask] == k {
				found = s
			}
			at[i] = uint32(found & mask)
		}
		for i, k := range ks {
			if table[uint64(at[i])&mask] == k && k != 0 {
				continue
			}
			s, ok := t.probe(k, fresh)
			if !ok {
				return false
			}
			at[i] = s
		}
	}
	return true
}

// probe finds or makes the slot of one key; not ok if the layout has changed for it.
func (t *table[A]) probe(k uint64, fresh func(k uint64) A) (slot uint32, ok bool) {
	if k == 0 {
		if !t.zero {
			t.zero = true
			t.n++
			t.accs[len(t.keys)] = fresh(0)
		}
		return uint32(len(t.keys)), true
	}
	mask := uint64(len(t.keys) - 1)
	for s := spread(k) >> (t.shift & 63); ; s++ {
		switch t.keys[s&mask] {
		case k:
			return uint32(s & mask), true
		case 0:
			if t.n >= t.limit {
				t.grow(k)
				return 0, false
			}
			t.keys[s&mask] = k
			t.n++
			t.top = max(t.top, k)
			t.accs[s&mask] = fresh(k)
			return uint32(s & mask), true
		}
	}
}

// find gives the slot of a key that may not be there.
func (t *table[A]) find(k uint64) (slot uint32, ok bool) {
	if t.seen != nil {
		return uint32(k), k>>6 < uint64(len(t.seen)) && t.seen[k>>6]>>(k&63)&1 != 0
	}
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

// grow makes room in a hashed table in which k is to be put: by doubling it, or by going over to
// the dense layout.
func (t *table[A]) grow(k uint64) {
	old := *t
	if top, most := max(t.top, k), t.denseSize(max(t.n+1, t.expect)); top < most {
		t.dense(min(2*(top+1), most))
	} else {
		t.hashed(2 * len(t.keys))
	}
	t.move(&old)
}

// widen makes room in a dense table for k, which lies beyond its end: there, or by going over to
// the hashed layout.
func (t *table[A]) widen(k uint64) {
	old := *t
	if most := t.denseSize(max(t.n+1, t.expect)); k < most {
		t.dense(min(2*(k+1), most))
	} else {
		t.hashed(hashSize(t.n + 1))
	}
	t.move(&old)
}

func (t *table[A]) dense(size uint64) {
	words := (size + 63) / 64
	t.keys, t.zero = nil, false
	t.seen, t.accs = make([]uint64, words), make([]A, 64*words)
}

// move takes over the accumulators of old into the new layout, which has room for them.
func (t *table[A]) move(old *table[A]) {
	mask := uint64(len(t.keys) - 1)
	for k, slot := range old.all {
		acc := old.accs[slot]
		switch {
		case t.seen != nil:
			t.seen[k>>6] |= 1 << (k & 63)
			t.accs[k] = acc
		case k == 0:
			t.zero = true
			t.accs[len(t.keys)] = acc
		default:
			s := spread(k) >> (t.shift & 63)
			for t.keys[s&mask] != 0 {
				s++
			}
			t.keys[s&mask], t.accs[s&mask] = k, acc
		}
	}
}

// reset empties the table for another use with about as many keys. It is not worth it, and not
// ok, if most of the table is empty.
func (t *table[A]) reset() (ok bool) {
	if t.n < len(t.accs)/8 {
		return false
	}
	clear(t.seen)
	clear(t.keys)
	clear(t.accs)
	t.expect, t.n, t.zero, t.top = t.n, 0, false, 0
	return true
}

// all yields every key with its slot, in the order of next.
func (t *table[A]) all(yield func(k uint64, slot uint32) bool) {
	var at cursor
	var keys [walk]uint64
	var slots [walk]uint32
	for n := t.next(&at, keys[:], slots[:]); n > 0; n = t.next(&at, keys[:], slots[:]) {
		for i := range n {
			if !yield(keys[i], slots[i]) {
				return
			}
		}
	}
}

// walk is how many keys are a good many to ask next for at a time.
const walk = 128

// cursor is how far next has come.
type cursor struct {
	at   int    // the next word of seen, or the next slot
	word uint64 // what is left of the word before
}

// next gives the next keys with their slots, and their number, which is 0 behind the last: those of
// a dense table in order, of a hashed one in an order that depends on the keys and on how the table
// grew.
func (t *table[A]) next(c *cursor, keys []uint64, slots []uint32) (n int) {
	slots = slots[:len(keys)]
	if t.seen != nil {
		for n < len(keys) {
			for ; c.word == 0; c.at++ {
				if c.at == len(t.seen) {
					return n
				}
				c.word = t.seen[c.at]
			}
			k := uint64((c.at-1)<<6 + bits.TrailingZeros64(c.word))
			c.word &= c.word - 1
			keys[n], slots[n] = k, uint32(k)
			n++
		}
		return n
	}
	for ; c.at < len(t.keys) && n < len(keys); c.at++ {
		if k := t.keys[c.at]; k != 0 {
			keys[n], slots[n] = k, uint32(c.at)
			n++
		}
	}
	if c.at == len(t.keys) && n < len(keys) {
		if c.at++; t.zero {
			keys[n], slots[n] = 0, uint32(len(t.keys))
			n++
		}
	}
	return n
}
