package run

import (
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/window"
)

// interval is the state of an interval join: for each key the elements of both sides that may
// still be matched. A left element at l matches right ones from l+lo to l+hi, so it is kept
// until W - lateness is behind l+hi, and a right one at r until W - lateness is behind r-lo:
// whatever is admitted later matches none of those that are gone (S10.3).
type interval[K comparable, L, R, O any] struct {
	o      *timeJoinOp[K, L, R, O]
	lo, hi int64
	keepL  int64 // how long behind its time an element is kept, in the watermark
	keepR  int64
	state  *perKey[K, sidesInTime[L, R]]
	w      int64
}

type sidesInTime[L, R any] struct {
	l timeline[L]
	r timeline[R]
}

// IntervalOp makes the operators of an interval join: each pair of a left element at l and a
// right one from l+lo to l+hi with its key, once, when the later to arrive arrives.
func IntervalOp[K comparable, L, R, O any](j TimeJoin[K, L, R, O], lo, hi int64) Maker {
	return j.operator(func(o *timeJoinOp[K, L, R, O]) windows[K, Side[L, R]] { return newInterval(o, lo, hi) })
}

func newInterval[K comparable, L, R, O any](o *timeJoinOp[K, L, R, O], lo, hi int64) *interval[K, L, R, O] {
	return &interval[K, L, R, O]{
		o: o, lo: lo, hi: hi, keepL: etime.Add(hi, o.join.Lateness), keepR: etime.Add(-lo, o.join.Lateness),
		state: newPerKey[K, sidesInTime[L, R]](o.join.Key), w: etime.Min,
	}
}

func (s *interval[K, L, R, O]) rows(ks []K, vs []Side[L, R], at, w []int64, _ []window.Interval) {
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

// left matches a left element with the right ones that are here, and keeps it for those to come.
func (s *interval[K, L, R, O]) left(k K, bits uint64, v *Side[L, R], t int64) {
	from, to := etime.Add(t, s.lo), etime.Add(t, s.hi)
	if !s.o.admit(k, v, t, s.w, from, to) {
		return
	}
	s.o.n.Emitted++
	if s.o.null(k) {
		return
	}
	e := s.state.find(bits)
	if e != nil {
		r := &e.s.r
		for i := r.from(from); i < len(r.at) && r.at[i] <= to; i++ {
			s.o.give(k, &v.L, &r.v[i], max(t, r.at[i]), s.w)
		}
	}
	if over := after(t, s.keepL); over > s.w {
		if e == nil {
			e = s.state.enter(bits)
		}
		e.s.l.add(t, v.L)
		s.o.held(1)
		s.state.look(e, over)
	}
}

// right is left for the other side.
func (s *interval[K, L, R, O]) right(k K, bits uint64, v *Side[L, R], t int64) {
	from, to := etime.Sub(t, s.hi), etime.Sub(t, s.lo)
	if !s.o.admit(k, v, t, s.w, from, to) {
		return
	}
	s.o.n.Emitted++
	if s.o.null(k) {
		return
	}
	e := s.state.find(bits)
	if e != nil {
		l := &e.s.l
		for i := l.from(from); i < len(l.at) && l.at[i] <= to; i++ {
			s.o.give(k, &l.v[i], &v.R, max(t, l.at[i]), s.w)
		}
	}
	if over := after(t, s.keepR); over > s.w {
		if e == nil {
			e = s.state.enter(bits)
		}
		e.s.r.add(t, v.R)
		s.o.held(1)
		s.state.look(e, over)
	}
}

// after is the watermark at which an element at t that is kept for so long is forgotten.
func after(t, keep int64) int64 { return etime.Add(etime.Add(t, keep), 1) }

func (s *interval[K, L, R, O]) advance(w int64) {
	for e := s.state.due(w); e != nil; e = s.state.due(w) {
		l, r := &e.s.l, &e.s.r
		before := l.len() + r.len()
		l.forget(l.from(etime.Sub(w, s.keepL)))
		r.forget(r.from(etime.Sub(w, s.keepR)))
		s.o.held(int64(l.len() + r.len() - before))
		if l.len()+r.len() == 0 {
			s.state.forget(e)
			continue
		}
		if l.len() > 0 {
			s.state.look(e, after(l.at[l.head], s.keepL))
		}
		if r.len() > 0 {
			s.state.look(e, after(r.at[r.head], s.keepR))
		}
	}
	s.w = max(s.w, w)
}

// hold keeps nothing back: a pair comes out as soon as both are here.
func (s *interval[K, L, R, O]) hold() int64 { return etime.Max }

func (s *interval[K, L, R, O]) clock(int64) int64 { return etime.Max }

func (s *interval[K, L, R, O]) sign(bool) {} // a join by time refuses retractions when it is built

func (s *interval[K, L, R, O]) open() int64 { return 0 }

// kept is the number of elements in state.
func (s *interval[K, L, R, O]) kept() (n int) {
	for _, e := range s.state.at {
		n += e.s.l.len() + e.s.r.len()
	}
	return n
}
