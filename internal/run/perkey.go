package run

import (
	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
)

// perKey is state of type S for each key that has some, and the times at which the state of a
// key is to be looked at because something in it may be forgotten.
type perKey[K comparable, S any] struct {
	keys *keys[K]
	at   map[uint64]*keyState[S]
	refs []*keyState[S]
	free []uint32
	plan core.Schedule
	gen  uint32 // of plans: each has its own
	bits []uint64
}

// keyState is the state of one key.
type keyState[S any] struct {
	s    S
	key  uint64
	ref  uint32
	gen  uint32 // of the plan that holds; others are void
	next int64  // when it is to be looked at
}

func newPerKey[K comparable, S any](key *codec.Codec[K]) *perKey[K, S] {
	return &perKey[K, S]{keys: newKeys(key), at: map[uint64]*keyState[S]{}}
}

// resolve gives the numbers of a batch of keys, valid until the next call.
func (p *perKey[K, S]) resolve(ks []K) []uint64 {
	if cap(p.bits) < len(ks) {
		p.bits = make([]uint64, len(ks))
	}
	bits := p.bits[:len(ks)]
	p.keys.resolve(ks, bits)
	return bits
}

// find gives the state of a key, nil if it has none.
func (p *perKey[K, S]) find(key uint64) *keyState[S] { return p.at[key] }

// enter gives the state of a key, and makes it if there is none.
func (p *perKey[K, S]) enter(key uint64) *keyState[S] {
	if e := p.at[key]; e != nil {
		return e
	}
	e := &keyState[S]{key: key, next: etime.Max}
	if last := len(p.free) - 1; last >= 0 {
		e.ref, p.free = p.free[last], p.free[:last]
		p.refs[e.ref] = e
	} else {
		e.ref = uint32(len(p.refs))
		p.refs = append(p.refs, e)
	}
	p.keys.retain(key)
	p.at[key] = e
	return e
}

// forget drops the state of a key.
func (p *perKey[K, S]) forget(e *keyState[S]) {
	delete(p.at, e.key)
	p.keys.release(e.key)
	p.refs[e.ref] = nil
	p.free = append(p.free, e.ref)
}

// look asks for e when the watermark reaches at, unless it was asked for earlier. A key has one
// plan that holds, however many elements it has.
func (p *perKey[K, S]) look(e *keyState[S], at int64) {
	if at >= e.next {
		return
	}
	p.gen++
	e.next, e.gen = at, p.gen
	p.plan.Add(core.Event{At: at, Kind: core.Expire, Ref: e.ref, Gen: e.gen})
}

// due gives the next key to be looked at when the watermark is w, nil if there is none.
func (p *perKey[K, S]) due(w int64) *keyState[S] {
	for {
		event, ok := p.plan.Pop(w)
		if !ok {
			return nil
		}
		if e := p.refs[event.Ref]; e != nil && e.gen == event.Gen {
			e.next = etime.Max
			return e
		}
	}
}
