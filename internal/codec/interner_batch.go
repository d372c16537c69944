package codec

import "unsafe"

// lane is the number of keys that are looked up together. All are hashed, then all slots are
// fetched, then all keys compared: within each step no key waits for the one before, so that their
// cache misses overlap.
const lane = 128

// few is the number of entries that are in the nearer caches anyway.
const few = 8192

// InternStrings gives the id of every key, ids[i] for keys[i]. Keys of a named string type are seen
// as plain strings by [Strings].
func (in *Interner) InternStrings(keys []string, ids []uint32) {
	in.reclaim()
	ids = ids[:len(keys)]
	for len(keys) > lane {
		in.internLane(keys[:lane], ids[:lane])
		keys, ids = keys[lane:], ids[lane:]
	}
	in.internLane(keys, ids)
}

// InternBatch gives the id of every key, ids[i] for keys[i]. It copies the bytes of new keys.
func (in *Interner) InternBatch(keys [][]byte, ids []uint32) {
	in.reclaim()
	ids = ids[:len(keys)]
	var view [lane]string
	for len(keys) > 0 {
		n := min(lane, len(keys))
		for i, k := range keys[:n] {
			view[i] = viewString(k)
		}
		in.internLane(view[:n], ids[:n])
		keys, ids = keys[n:], ids[n:]
	}
}

// InternEncoded gives the id of every key of those that lie end to end in buf: key i ends at
// ends[i], where the next one starts. It suits keys that a codec has appended to one buffer.
func (in *Interner) InternEncoded(buf []byte, ends []int, ids []uint32) {
	in.reclaim()
	ids = ids[:len(ends)]
	var view [lane]string
	start := 0
	for len(ends) > 0 {
		n := min(lane, len(ends))
		for i, end := range ends[:n] {
			view[i] = viewString(buf[start:end])
			start = end
		}
		in.internLane(view[:n], ids[:n])
		ends, ids = ends[n:], ids[n:]
	}
}

// internLane looks up at most lane keys.
func (in *Interner) internLane(keys []string, ids []uint32) {
	var hashes [lane]uint64
	var found [lane]slot
	ids = ids[:len(keys)]
	seed := &in.seed
	for i, k := range keys {
		if n := len(k); uint(n-8) <= 8 { // the common lengths, without a call
			p := unsafe.Pointer(unsafe.StringData(k))
			hashes[i&(lane-1)] = seed.mix(load64(p), load64(unsafe.Add(p, n-8)), n)
		} else {
			hashes[i&(lane-1)] = seed.hash(k)
		}
	}
	slots := in.slots
	mask := uint64(len(slots) - 1)
	for i := range keys {
		h := hashes[i&(lane-1)]
		s, next := slots[h&mask], slots[(h+1)&mask]
		if uint32(s>>32) != uint32(h) {
			s = next // compiles to a conditional move: no misprediction when the first is taken
		}
		found[i&(lane-1)] = s
	}
	// Touch the entries before any is compared: a quarter less with 100,000 keys, when they are
	// not in the nearer caches.
	entries := in.entries
	if len(entries) > few {
		touched := uint32(0)
		for i := range keys {
			if id := found[i&(lane-1)].id(); uint64(id) < uint64(len(entries)) {
				touched += entries[id].n
			}
		}
		in.touched = touched
	}
	for i, k := range keys {
		h, s := hashes[i&(lane-1)], found[i&(lane-1)]
		if uint32(s>>32) == uint32(h) && s != 0 {
			id := s.id()
			if e := &in.entries[id]; int(e.n) == len(k) && in.same(e, k) {
				ids[i] = id
				continue
			}
		}
		ids[i] = in.find(h, k)
	}
}

// same says whether k, of the right length, is the key of e. Most keys take three loads: the two
// ends and what is between, which overlap.
func (in *Interner) same(e *entry, k string) bool {
	n := len(k)
	if uint(n-8) <= inlined-8 {
		p, q := unsafe.Pointer(&e.key), unsafe.Pointer(unsafe.StringData(k))
		end := n - 8
		mid := end >> 1
		return load64(p) == load64(q) && load64(unsafe.Add(p, mid)) == load64(unsafe.Add(q, mid)) &&
			load64(unsafe.Add(p, end)) == load64(unsafe.Add(q, end))
	}
	if n < 8 {
		return viewString(e.key[:n]) == k
	}
	return viewString(in.arena[e.off():e.off()+uint64(n)]) == k
}

// viewString sees bytes as a string without copying; it must not outlive them or see them change.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
