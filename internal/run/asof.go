package run

import (
	"bytes"

	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/window"
)

// asOf is the state of an as-of join: the versions of each key that may still be asked for, and
// the left elements that wait until all versions up to their time are in (S10.4).
//
// A left element at t is answered once W has passed both t and the watermark by which it was
// judged. For one that is not late that is W > t. A late one could be answered at once; but then
// which of the versions with the same verdict it sees would depend on the path by which they
// came, and so on the size of batches (S1.6).
type asOf[K comparable, L, R, O any] struct {
	o     *timeJoinOp[K, L, R, O]
	codec *codec.Codec[R]
	state *perKey[K, versions[R]]
	wait  core.Schedule // of lefts, by the watermark at which they are answered
	lefts []asking[L, R]
	free  []uint32
	w     int64
	a, b  []byte
}

// versions are those of one key. The first is the newest that is not ahead of W - lateness.
type versions[R any] struct {
	timeline[R]
	asked int // left elements that wait
}

// asking is a left element that waits.
type asking[L, R any] struct {
	l  L
	at int64
	w  int64 // by which it was judged
	of *keyState[versions[R]]
}

// AsOfOp makes the operators of an as-of join: each left element with the right one of its key
// that has the greatest event time not behind its own; of several with that time the one whose
// encoding by version is greatest. It is given none if there is none.
func AsOfOp[K comparable, L, R, O any](j TimeJoin[K, L, R, O], version *codec.Codec[R]) Maker {
	return j.operator(func(o *timeJoinOp[K, L, R, O]) windows[K, Side[L, R]] { return newAsOf(o, version) })
}

func newAsOf[K comparable, L, R, O any](o *timeJoinOp[K, L, R, O], version *codec.Codec[R]) *asOf[K, L, R, O] {
	return &asOf[K, L, R, O]{o: o, codec: version, state: newPerKey[K, versions[R]](o.join.Key), w: etime.Min}
}

func (s *asOf[K, L, R, O]) rows(ks []K, vs []Side[L, R], at, w []int64, _ []window.Interval) {
	bits := s.state.resolve(ks)
	for i := range vs {
		s.o.at = i
		if w[i] > s.w {
			s.o.emitted(s.w)
			s.advance(w[i])
		}
		s.o.emitted(w[i])
		if v := &vs[i]; v.Right {
			s.right(ks[i], bits[i], v, at[i])
		} else {
			s.left(ks[i], bits[i], v, at[i])
		}
	}
}

// left lets an element wait for its answer.
func (s *asOf[K, L, R, O]) left(k K, bits uint64, v *Side[L, R], t int64) {
	if !s.o.admit(k, v, t, s.w, etime.Min, t) {
		return
	}
	e := s.state.enter(bits)
	e.s.asked++
	s.o.held(1)
	ref := uint32(len(s.lefts))
	if last := len(s.free) - 1; last >= 0 {
		ref, s.free = s.free[last], s.free[:last]
	} else {
		s.lefts = append(s.lefts, asking[L, R]{})
	}
	s.lefts[ref] = asking[L, R]{v.L, t, s.w, e}
	s.wait.Add(core.Event{At: etime.Add(max(t, s.w), 1), Ref: ref})
}

// right puts a version in its place.
func (s *asOf[K, L, R, O]) right(k K, bits uint64, v *Side[L, R], t int64) {
	if !s.o.admit(k, v, t, s.w, t, etime.Max-1) {
		return
	}
	s.o.n.Emitted++
	if s.o.null(k) {
		return
	}
	e := s.state.enter(bits)
	line := &e.s.timeline
	i := line.from(t)
	switch {
	case i == len(line.at) || line.at[i] > t:
		line.insert(i, t, v.R)
		s.o.held(1)
	case s.greater(&v.R, &line.v[i]):
		line.v[i] = v.R
	}
	s.prune(e, s.w)
}

// greater orders versions of one time.
func (s *asOf[K, L, R, O]) greater(v, than *R) bool {
	s.a, s.b = s.codec.Append(s.a[:0], v), s.codec.Append(s.b[:0], than)
	return bytes.Compare(s.a, s.b) > 0
}

func (s *asOf[K, L, R, O]) advance(w int64) {
	for {
		event, ok := s.wait.Pop(w)
		if !ok {
			break
		}
		s.answer(event.Ref)
	}
	for e := s.state.due(w); e != nil; e = s.state.due(w) {
		s.prune(e, w)
	}
	s.w = max(s.w, w)
}

// answer gives what a left element has waited for.
func (s *asOf[K, L, R, O]) answer(ref uint32) {
	x := s.lefts[ref]
	s.lefts[ref], s.free = asking[L, R]{}, append(s.free, ref)
	s.o.n.Emitted++
	s.o.held(-1)
	k, line := s.state.keys.key(x.of.key), &x.of.s.timeline
	var r *R
	if i := line.behind(x.at) - 1; i >= line.head {
		r = &line.v[i]
	}
	s.o.give(k, &x.l, r, x.at, x.w)
	if x.of.s.asked--; x.of.s.asked == 0 && line.len() == 0 {
		s.state.forget(x.of)
	}
}

// prune drops the versions that are before the newest one at W - lateness: no element that is
// still admitted asks for them.
func (s *asOf[K, L, R, O]) prune(e *keyState[versions[R]], w int64) {
	line := &e.s.timeline
	if i := line.behind(etime.Sub(w, s.o.join.Lateness)) - 1; i > line.head {
		s.o.held(int64(line.head - i))
		line.forget(i)
	}
	if line.len() > 1 {
		s.state.look(e, etime.Add(line.at[line.head+1], s.o.join.Lateness))
	}
}

// hold keeps the output watermark at the first element that waits.
func (s *asOf[K, L, R, O]) hold() int64 {
	if at, ok := s.wait.Next(); ok {
		return etime.Sub(at, 1)
	}
	return etime.Max
}

func (s *asOf[K, L, R, O]) clock(int64) int64 { return etime.Max }

func (s *asOf[K, L, R, O]) sign(bool) {} // a join by time refuses retractions when it is built

func (s *asOf[K, L, R, O]) open() int64 { return int64(s.wait.Len()) }

// kept is the number of versions and of waiting elements in state.
func (s *asOf[K, L, R, O]) kept() (versions, waiting int) {
	for _, e := range s.state.at {
		versions += e.s.len()
	}
	return versions, s.wait.Len()
}
