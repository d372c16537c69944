package codec

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"unsafe"
)

// Interner numbers keys: it maps the bytes of a key to a dense id, so that the engine's tables are
// keyed by 4 bytes whatever the key is. Ids start at 0; freed ones are given out again.
//
// A key of up to 24 bytes lies in its entry, so that comparing it costs no cache miss beyond that
// of the entry; longer ones lie end to end in one arena. Neither entries nor table hold a pointer,
// and the collector never scans them. A key costs 48 to 64 bytes, the short ones included: 32 for
// its entry, the rest for a table that is kept at most half full. Both keep the size of their peak.
//
// Whoever stores an id counts it: [Interner.Retain] when it goes into a table, [Interner.Release]
// when it leaves. Interning counts nothing. Three promises follow, which make it safe to intern a
// batch, fire windows, and only then use the ids:
//
//   - an id that has been retained more often than released names the same key;
//   - so does an id that was released to zero, at least until the next call that interns: it may
//     be retained again until then;
//   - so does an id that was never retained, until [Interner.Sweep].
//
// An Interner belongs to one goroutine. It holds at most 2^32 - 2 keys and panics beyond.
type Interner struct {
	slots    []slot // open addressing, linear probing; a power of two, at most half full
	entries  []entry
	arena    []byte
	free     []uint32 // ids to give out again
	released []uint32 // ids with the mark released; some are retained again
	live     int      // ids given out and not released to zero
	used     int      // slots in use
	dead     int      // bytes of the arena that belong to freed ids
	seed     seed
	touched  uint32 // keeps a loop alive that only fetches

	// Freed, if set, is told of every id that is freed, while it still names its key.
	Freed func(id uint32)
}

// slot is 0 when empty, else the low half of the key's hash above its id + 1. The hash serves as a
// tag and, in its low bits, as the index; it suffices to grow the table and to close a gap.
type slot uint64

func (s slot) id() uint32 { return uint32(s) - 1 }

type entry struct {
	key  [inlined]byte // the key, if it fits; else, in the first 8 bytes, its place in the arena
	n    uint32        // the key's length
	refs uint32        // count below the two marks
}

// inlined is the length up to which a key lies in its entry.
const inlined = 24

func (e *entry) off() uint64       { return binary.LittleEndian.Uint64(e.key[:]) }
func (e *entry) setOff(off uint64) { binary.LittleEndian.PutUint64(e.key[:], off) }

const (
	released = 1 << 31 // waits in Interner.released
	vacant   = 1 << 30 // freed
	counted  = vacant - 1
)

// NewInterner gives an empty interner with room for hint keys; it grows as needed.
func NewInterner(hint int) *Interner {
	size := 64
	if hint > size/2 {
		size = 1 << bits.Len(uint(2*hint-1))
	}
	return &Interner{slots: make([]slot, size), entries: make([]entry, 0, max(hint, 0)), seed: newSeed()}
}

// Len is the number of keys that are in use: given out and not released to zero. At most as many,
// and a few, are still known that were.
func (in *Interner) Len() int { return in.live }

// Size is the memory in bytes that the interner holds.
func (in *Interner) Size() int {
	return 8*cap(in.slots) + int(unsafe.Sizeof(entry{}))*cap(in.entries) + cap(in.arena) + 4*cap(in.free) + 4*cap(in.released)
}

// Intern gives the id of a key, a new one if it has none. It copies b.
func (in *Interner) Intern(b []byte) uint32 {
	in.reclaim()
	return in.find(in.seed.hash(viewString(b)), viewString(b))
}

// Lookup gives the id of a key that has one.
func (in *Interner) Lookup(b []byte) (id uint32, ok bool) {
	h := in.seed.hash(viewString(b))
	mask := uint64(len(in.slots) - 1)
	for i := h & mask; in.slots[i] != 0; i = (i + 1) & mask {
		if s := in.slots[i]; uint32(s>>32) == uint32(h) && in.key(s.id()) == viewString(b) {
			return s.id(), true
		}
	}
	return 0, false
}

// Bytes gives the key of an id that is in use: a view, to be read only, valid until the next call
// that interns or sweeps.
func (in *Interner) Bytes(id uint32) []byte {
	e := &in.entries[id]
	if e.n <= inlined {
		return e.key[:e.n:e.n]
	}
	end := e.off() + uint64(e.n)
	return in.arena[e.off():end:end]
}

// Retain counts one more holder of an id.
func (in *Interner) Retain(id uint32) {
	e := &in.entries[id]
	if e.refs&vacant != 0 || e.refs&counted == counted {
		panic("codec: an id was retained that is free, or retained 2^30 times")
	}
	if e.refs == released {
		in.live++
	}
	e.refs++
}

// Release counts one holder less. At zero the id is free from the next call that interns on, or
// from a later one, unless it is retained again before. See [Interner.Len].
func (in *Interner) Release(id uint32) {
	e := &in.entries[id]
	if e.refs&vacant != 0 || e.refs&counted == 0 {
		panic("codec: an id was released more often than retained")
	}
	if e.refs--; e.refs&counted == 0 {
		in.live--
		if e.refs&released == 0 {
			e.refs |= released
			in.released = append(in.released, id)
		}
	}
}

// Sweep frees all ids that nobody holds, those too that were interned and never retained. It walks
// over all ids.
func (in *Interner) Sweep() {
	in.freeReleased()
	for id := range in.entries {
		if in.entries[id].refs == 0 {
			in.live--
			in.drop(uint32(id))
		}
	}
	in.compact()
}

func (in *Interner) key(id uint32) string { return viewString(in.Bytes(id)) }

// find looks a key up by its hash and adds it if it is new.
func (in *Interner) find(h uint64, k string) uint32 {
	mask := uint64(len(in.slots) - 1)
	i := h & mask
	for ; in.slots[i] != 0; i = (i + 1) & mask {
		if s := in.slots[i]; uint32(s>>32) == uint32(h) && in.key(s.id()) == k {
			return s.id()
		}
	}
	return in.add(i, h, k)
}

// add puts a new key into the empty slot i.
func (in *Interner) add(i, h uint64, k string) uint32 {
	if uint64(len(k)) > 1<<32-1 {
		panic("codec: a key of 4 GiB or more")
	}
	e := entry{n: uint32(len(k))}
	if len(k) <= inlined {
		copy(e.key[:], k)
	} else {
		e.setOff(uint64(len(in.arena)))
		in.arena = append(in.arena, k...)
	}
	var id uint32
	if last := len(in.free) - 1; last >= 0 {
		id, in.free = in.free[last], in.free[:last]
		in.entries[id] = e
	} else {
		if uint64(len(in.entries)) >= 1<<32-2 {
			panic("codec: more than 2^32 - 2 keys in use at once")
		}
		id = uint32(len(in.entries))
		in.entries = append(in.entries, e)
	}
	in.slots[i] = slot(h<<32) | slot(id+1)
	in.live++
	if in.used++; 2*in.used > len(in.slots) {
		in.grow()
	}
	return id
}

func (in *Interner) grow() {
	old := in.slots
	in.slots = make([]slot, 2*len(old))
	mask := uint64(len(in.slots) - 1)
	for _, s := range old {
		if s != 0 {
			i := uint64(s>>32) & mask
			for in.slots[i] != 0 {
				i = (i + 1) & mask
			}
			in.slots[i] = s
		}
	}
}

// spare is how many ids beyond those in use wait to be freed.
const spare = 64

// reclaim frees what was released to zero and not retained since, once it is more than what is in
// use: keys that a window lets go of mostly come again in the next one. (With 100,000 keys in
// windows of 200 elements a key, a third are not yet there when the last window ends; to free and
// add them again took an eighth of the time.)
func (in *Interner) reclaim() {
	if len(in.released) <= in.live+spare {
		return
	}
	in.freeReleased()
}

// freeReleased frees what was released to zero and not retained since.
func (in *Interner) freeReleased() {
	for _, id := range in.released {
		if e := &in.entries[id]; e.refs == released {
			in.drop(id)
		} else {
			e.refs &^= released
		}
	}
	in.released = in.released[:0]
	in.compact()
}

// drop frees an id and closes the gap in the table by moving back what had been pushed beyond it.
func (in *Interner) drop(id uint32) {
	if in.Freed != nil {
		in.Freed(id)
	}
	e := &in.entries[id]
	mask := uint64(len(in.slots) - 1)
	gap := in.seed.hash(in.key(id)) & mask
	for in.slots[gap].id() != id {
		gap = (gap + 1) & mask
	}
	for i := (gap + 1) & mask; in.slots[i] != 0; i = (i + 1) & mask {
		home := uint64(in.slots[i]>>32) & mask
		if (i-home)&mask >= (i-gap)&mask {
			in.slots[gap], gap = in.slots[i], i
		}
	}
	in.slots[gap] = 0
	in.used--
	if e.n > inlined {
		in.dead += int(e.n)
	}
	*e = entry{refs: vacant}
	in.free = append(in.free, id)
}

// compact rebuilds the arena when more than half of it is dead. Ids keep their numbers.
func (in *Interner) compact() {
	const worth = 4096 // bytes; and as many as there are entries to walk
	if in.dead < max(worth, len(in.entries)) || 2*in.dead <= len(in.arena) {
		return
	}
	arena := make([]byte, 0, (len(in.arena)-in.dead)*5/4)
	for id := range in.entries {
		if e := &in.entries[id]; e.refs&vacant == 0 && e.n > inlined {
			b := in.Bytes(uint32(id))
			e.setOff(uint64(len(arena)))
			arena = append(arena, b...)
		}
	}
	in.arena, in.dead = arena, 0
}

// seed makes the interner's hash its own: ids are given in the order of arrival and show nothing
// of it, so that it need not be the hash of [KeyGroup], and can be one that nobody outside can
// provoke collisions of.
type seed struct {
	a, b uint64
	long maphash.Seed
}

func newSeed() seed {
	s := seed{long: maphash.MakeSeed()}
	s.a, s.b = maphash.Comparable(s.long, 1), maphash.Comparable(s.long, 2)
	return s
}

// hash is one multiplication for keys of up to 16 bytes: their two ends, which overlap in the
// shorter ones, and the length. XXH3 takes about twice as long (3 ns against 1.5, 13 bytes).
func (s *seed) hash(k string) uint64 {
	p, n := unsafe.Pointer(unsafe.StringData(k)), len(k)
	var lo, hi uint64
	switch {
	case n > 16:
		return maphash.String(s.long, k)
	case n >= 8:
		lo, hi = load64(p), load64(unsafe.Add(p, n-8))
	case n >= 4:
		lo, hi = uint64(load32(p)), uint64(load32(unsafe.Add(p, n-4)))
	case n > 0:
		lo = uint64(k[0])<<16 | uint64(k[n>>1])<<8 | uint64(k[n-1])
	}
	return s.mix(lo, hi, n)
}

// mix folds the two ends of a key and its length.
func (s *seed) mix(lo, hi uint64, n int) uint64 {
	hi, lo = bits.Mul64(lo^s.a^uint64(n), hi^s.b)
	return hi ^ lo
}

func load64(p unsafe.Pointer) uint64 { return le64((*[8]byte)(p)[:]) }
func load32(p unsafe.Pointer) uint32 { return le32((*[4]byte)(p)[:]) }
