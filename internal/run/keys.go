package run

import (
	"unsafe"

	"github.com/strandline-stream/strandline/internal/codec"
)

// keys turns keys of type K into 64-bit numbers and back, so that one kind of table serves all
// keys: an integer is its own number, anything else gets a dense id for its encoding. It is
// chosen once, when the plan is built; no key is looked at by reflection.
type keys[K comparable] struct {
	kind   keyKind
	toBits func([]K, []uint64)
	bits   func(uint64) K
	ids    *codec.Interner
	bytes  func([]byte) K
	codec  *codec.Codec[K]
	buf    []byte // a batch of encodings, end to end
	ends   []int
	ids32  []uint32
	refs   []uint32 // by id: what refers to it
	names  []K      // by id: the key, until the id is freed
	named  []bool   // by id: names has it
	held   int      // ids that something refers to
}

type keyKind uint8

const (
	intKeys keyKind = iota
	stringKeys
	encodedKeys
)

func newKeys[K comparable](c *codec.Codec[K]) *keys[K] {
	if to, from, ok := codec.IntKey[K](); ok {
		return &keys[K]{kind: intKeys, toBits: to, bits: from}
	}
	k := &keys[K]{kind: encodedKeys, ids: codec.NewInterner(0), codec: c}
	k.ids.Freed = func(id uint32) {
		if int(id) < len(k.names) {
			var none K
			k.names[id], k.named[id] = none, false
		}
	}
	if _, from, ok := codec.StringKey[K](); ok {
		k.kind, k.bytes = stringKeys, from
	}
	return k
}

// resolve sets dst[i] to the number of ks[i].
func (k *keys[K]) resolve(ks []K, dst []uint64) {
	if k.kind == intKeys {
		k.toBits(ks, dst)
		return
	}
	if k.ids.Len() > 2*k.held+4096 {
		k.ids.Sweep() // keys that were only ever late, or in no window: nothing refers to them
	}
	if cap(k.ids32) < len(ks) {
		k.ids32 = make([]uint32, len(ks))
	}
	ids := k.ids32[:len(ks)]
	if k.kind == stringKeys {
		// K's underlying type is string: the slices have the same layout.
		k.ids.InternStrings(unsafe.Slice((*string)(unsafe.Pointer(unsafe.SliceData(ks))), len(ks)), ids)
	} else {
		k.buf, k.ends = k.buf[:0], k.ends[:0]
		for i := range ks {
			k.buf = k.codec.Append(k.buf, &ks[i])
			k.ends = append(k.ends, len(k.buf))
		}
		k.ids.InternEncoded(k.buf, k.ends, ids)
	}
	dst = dst[:len(ids)]
	for i, id := range ids {
		dst[i] = uint64(id)
	}
}

// key gives the key of a number that resolve gave and that is retained.
func (k *keys[K]) key(n uint64) K {
	if k.kind == intKeys {
		return k.bits(n)
	}
	return k.names[n]
}

// retain says that state refers to the number from now on, release that it no longer does.
// An id that nothing refers to may be given to another key.
func (k *keys[K]) retain(n uint64) {
	if k.kind == intKeys {
		return
	}
	for uint64(len(k.refs)) <= n {
		var none K
		k.refs, k.names, k.named = append(k.refs, 0), append(k.names, none), append(k.named, false)
	}
	if k.refs[n]++; k.refs[n] > 1 {
		return
	}
	k.held++
	id := uint32(n)
	k.ids.Retain(id)
	if k.named[n] {
		return
	}
	k.named[n] = true
	if k.kind == stringKeys {
		k.names[n] = k.bytes(k.ids.Bytes(id))
		return
	}
	if _, err := k.codec.Decode(k.ids.Bytes(id), &k.names[n]); err != nil {
		panic("strandline: invariant broken: a key does not decode from its own encoding: " + err.Error())
	}
}

func (k *keys[K]) release(n uint64) {
	if k.kind == intKeys {
		return
	}
	if k.refs[n]--; k.refs[n] == 0 {
		k.held--
		k.ids.Release(uint32(n))
	}
}

// router finds the worker that a key belongs to (S6.3), through its key group.
type router[K comparable] struct {
	workers int
	toBits  func([]K, []uint64)
	bytes   func(*K) []byte
	codec   *codec.Codec[K]
	scratch []uint64
	buf     []byte
}

func newRouter[K comparable](c *codec.Codec[K], workers int) *router[K] {
	r := &router[K]{workers: workers, codec: c}
	if to, _, ok := codec.IntKey[K](); ok {
		r.toBits = to
	} else if b, _, ok := codec.StringKey[K](); ok {
		r.bytes = b
	}
	return r
}

// route sets dst[i] to the worker of ks[i].
func (r *router[K]) route(ks []K, dst []int32) {
	if r.toBits != nil {
		if cap(r.scratch) < len(ks) {
			r.scratch = make([]uint64, len(ks))
		}
		n := r.scratch[:len(ks)]
		r.toBits(ks, n)
		for i, x := range n {
			dst[i] = r.worker(codec.KeyGroupOfBits(x))
		}
		return
	}
	for i := range ks {
		b := r.buf
		if r.bytes != nil {
			b = r.bytes(&ks[i])
		} else {
			b = r.codec.Append(b[:0], &ks[i])
			r.buf = b
		}
		dst[i] = r.worker(codec.KeyGroup(b))
	}
}

func (r *router[K]) worker(group int) int32 { return int32(group * r.workers / codec.KeyGroups) }
