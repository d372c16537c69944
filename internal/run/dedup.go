package run

import (
	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/size"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// dedup is the state of a deduplication: for each key the event time up to which its elements
// repeat one that was kept (S10.5). It is forgotten when the watermark, less allowed lateness,
// has passed it.
type dedup[K comparable, V any] struct {
	o        *dedupOp[K, V]
	horizon  int64
	lateness int64
	state    *perKey[K, int64]
	w        int64
}

type dedupOp[K comparable, V any] struct {
	front[K, V]
	main emitter[KV[K, V]]
}

// DeduplicateOp makes operators that keep the first element of each key to arrive, and drop
// those with an event time before its time + horizon. Elements keep their windows if they have
// some.
func DeduplicateOp[K comparable, V any](horizon, lateness int64, windowed bool, key *codec.Codec[K]) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &dedupOp[K, V]{front: front[K, V]{op: newOp(p), in: newInlet(p.Origins[0])}}
		o.main.plain, o.late.plain = !windowed, true // nothing is late
		origins := o.open(p, &o.main)
		o.sizes.fixed = 8 + size.Flat[K]() + size.Flat[keyState[int64]]()
		o.windows = newDedup(o, horizon, lateness, key)
		p.build.ops = append(p.build.ops, &sized{o.op, &o.sizes})
		return Ports{In: []any{Input[KBatch[K, V]](o)}, Out: []any{&o.main.out}, Origins: origins[:1]}
	})
}

func newDedup[K comparable, V any](o *dedupOp[K, V], horizon, lateness int64, key *codec.Codec[K]) *dedup[K, V] {
	return &dedup[K, V]{o: o, horizon: horizon, lateness: lateness, state: newPerKey[K, int64](key), w: etime.Min}
}

func (s *dedup[K, V]) rows(ks []K, vs []V, at, w []int64, win []window.Interval) {
	bits := s.state.resolve(ks)
	for i, t := range at {
		if w[i] > s.w {
			s.advance(w[i])
		}
		s.o.emitted(s.w)
		e := s.state.find(bits[i])
		if e != nil && t < e.s {
			s.o.n.Kept--
			s.o.n.Filtered++
			continue
		}
		until := etime.Add(t, s.horizon)
		if over := etime.Add(until, s.lateness); over > s.w {
			if e == nil {
				e = s.state.enter(bits[i])
				s.o.held(1)
			}
			e.s = until
			s.state.look(e, over)
		}
		var in window.Interval
		if win != nil {
			in = win[i]
		}
		carried := etime.Min
		if t < s.w {
			carried = s.w
		}
		s.o.main.give(KV[K, V]{ks[i], vs[i]}, t, in, trigger.NoFiring, carried)
	}
}

func (s *dedup[K, V]) advance(w int64) {
	for e := s.state.due(w); e != nil; e = s.state.due(w) {
		if over := etime.Add(e.s, s.lateness); over > w {
			s.state.look(e, over) // a later element has taken the place of the first
		} else {
			s.state.forget(e)
			s.o.held(-1)
		}
	}
	s.w = max(s.w, w)
}

// hold keeps nothing back.
func (s *dedup[K, V]) hold() int64 { return etime.Max }

func (s *dedup[K, V]) clock(int64) int64 { return etime.Max }

func (s *dedup[K, V]) sign(bool) {} // a deduplication refuses retractions when it is built

func (s *dedup[K, V]) open() int64 { return 0 }
