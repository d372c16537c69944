package run

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/size"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Turn is what a stateful function is given beside state and value: the element's context, its
// key, and the means to give values and set timers. It is valid during the call only.
type Turn[K comparable, U any] struct {
	Context
	Key K

	now  int64
	emit func(U)
	set  func(c clock, name string, at int64)
	drop func()
}

// clock is what a timer goes by.
type clock uint8

const (
	byWatermark clock = iota
	byClock
	toLive // not a timer of the user's: the state is forgotten
)

// Emit gives a value. It has the element's event time, window and pane; from a timer, the
// timer's time and the window of the element that set it.
func (t *Turn[K, U]) Emit(u U) { t.emit(u) }

// SetTimer asks for a call of the timer function with this key's state when the watermark
// reaches at, or at once if it has (S6.2). A timer that is set again under its name moves.
// With state per window, a timer behind the window's expiry fires at the expiry. At the end of the
// input every timer fires, but for one that a timer set for a time behind the last element of
// its key, or at its window's expiry: else a timer that always sets itself again would never
// end.
func (t *Turn[K, U]) SetTimer(name string, at time.Time) { t.set(byWatermark, name, etime.Micros(at)) }

// ClearTimer forgets a timer.
func (t *Turn[K, U]) ClearTimer(name string) { t.set(byWatermark, name, etime.Max) }

// SetProcessingTimer asks for a call of the timer function when the machine's clock reaches
// at, or as soon as it can be told that it has. What it gives has the event time of the
// element that set it. No event-time result should depend on it (S1.6). It fires while a run
// lasts, and nobody waits for it: not at the end of the input, and not in a run over bounded
// sources alone.
func (t *Turn[K, U]) SetProcessingTimer(name string, at time.Time) {
	t.set(byClock, name, etime.Micros(at))
}

// ClearProcessingTimer forgets a timer that goes by the clock.
func (t *Turn[K, U]) ClearProcessingTimer(name string) { t.set(byClock, name, etime.Max) }

// ProcessingTime is what the machine's clock said when the batch at hand was taken up.
func (t *Turn[K, U]) ProcessingTime() time.Time { return etime.Time(t.now) }

// KeepUntil is the state's time to live: it is forgotten, with its timers, when the watermark
// reaches at. A later call moves that instant. The default is for ever, or with state per
// window, the window's expiry.
func (t *Turn[K, U]) KeepUntil(at time.Time) { t.set(toLive, "", etime.Micros(at)) }

// ClearState forgets the state of this key (and window): the next element finds the zero value.
// Its timers stay.
func (t *Turn[K, U]) ClearState() { t.drop() }

// StatefulFn is a stateful step: Process is called for every element, Timer for every timer.
type StatefulFn[K comparable, V, S, U any] struct {
	Process func(x *Turn[K, U], s *S, v *V)
	Timer   func(x *Turn[K, U], s *S, name string)
}

// stateful is the state of a stateful step: a value of S for each key, or each key and window.
type stateful[K comparable, V, S, U any] struct {
	o         *statefulOp[K, V, U]
	fn        StatefulFn[K, V, S, U]
	spec      *Windowing
	perWindow bool
	keys      *keys[K]
	assign    window.Assigner

	at    map[place]*entry[S]
	refs  []*entry[S]
	free  []uint32
	gen   uint32 // of timers: each setting has its own
	plan  core.Schedule
	real  core.Schedule // timers that go by the clock
	holds core.Schedule // the event times of what those will give
	done  int64         // elements
	fired int           // timers, since the context was last looked at
	ctx   context.Context
	w     int64

	timing bool // a timer function is being called
	ending bool // the input has ended

	bits   []uint64
	wins   []window.Interval
	missed []window.Interval
	turn   Turn[K, U]
	cur    *entry[S]
}

type place struct {
	key uint64
	win window.Interval // the zero interval with state across windows
}

// entry is the state of one place.
type entry[S any] struct {
	place
	s      S
	seen   int64 // the greatest event time of its elements
	ref    uint32
	born   uint32 // guards against a ref that was used again
	timers map[timerName]timer
	names  map[uint32]timerName // by generation
}

type timerName struct {
	clock clock
	name  string
}

type timer struct {
	due    int64 // when it fires, by its clock
	at     int64 // event time of what it gives
	queued int64 // the instant of its event: at most due, so that a timer that moves on costs nothing
	held   int64 // the instant of its hold, in the same way
	gen    uint32
	win    window.Interval
	in     bool
	own    bool // set by a timer
	off    bool // cleared; its event is still queued
}

type statefulOp[K comparable, V, U any] struct {
	front[K, V]
	main emitter[U]
}

// StatefulOp makes the operators of a stateful step: output 0 is what it gives, 1 the late
// records of one with state per window.
func StatefulOp[K comparable, V, S, U any](spec *Windowing, perWindow bool, fn StatefulFn[K, V, S, U], key *codec.Codec[K]) Maker {
	of := MakerFunc(func(p *Place) Ports {
		o := &statefulOp[K, V, U]{front: front[K, V]{op: newOp(p), in: newInlet(p.Origins[0])}}
		o.main.plain = !perWindow && !spec.Inherited
		origins := o.open(p, &o.main)
		s := &stateful[K, V, S, U]{o: o, fn: fn, spec: spec, perWindow: perWindow, keys: newKeys(key),
			assign: window.ForWorker(spec.Assigner), at: map[place]*entry[S]{}, w: etime.Min, ctx: p.build.ctx}
		s.turn.emit, s.turn.set, s.turn.drop = s.emit, s.setTimer, s.clear
		o.windows = s
		o.sizes.fixed, o.sizes.least = size.Flat[entry[S]]()-size.Flat[S](), size.Flat[S]()
		p.build.ops = append(p.build.ops, &o.front)
		p.task.watch(o)
		if perWindow {
			o.history.by(spec)
			o.lacking = newPollution[K]()
		}
		return Ports{In: []any{Input[KBatch[K, V]](o)}, Out: []any{&o.main.out, &o.late.out}, Origins: origins}
	})
	if perWindow {
		return windowedMaker(of)
	}
	return of
}

func (s *stateful[K, V, S, U]) rows(ks []K, vs []V, at, w []int64, win []window.Interval) {
	if cap(s.bits) < len(ks) {
		s.bits = make([]uint64, len(ks))
	}
	bits := s.bits[:len(ks)]
	s.keys.resolve(ks, bits)
	for i := range vs {
		if w[i] > s.w {
			s.o.emitted(s.w)
			s.advance(w[i])
		}
		s.o.emitted(w[i])
		s.o.at = i
		x := &s.turn
		x.Key, x.at, x.w, x.in, x.pane = ks[i], at[i], w[i], win != nil, trigger.NoFiring
		if win != nil {
			x.win = win[i]
		}
		if !s.perWindow {
			s.process(place{key: bits[i]}, &vs[i])
			continue
		}
		s.wins = append(s.wins[:0], x.win)
		if !s.spec.Inherited {
			s.wins = s.assign.Assign(s.wins[:0], at[i])
		}
		s.element(bits[i], &vs[i])
	}
}

// element handles an element in each of its windows.
func (s *stateful[K, V, S, U]) element(bits uint64, v *V) {
	n, x := s.o.n, &s.turn
	if len(s.wins) == 0 {
		n.Assigned++
		n.Gap++
		return
	}
	s.missed = s.missed[:0]
	for _, w := range s.wins {
		n.Assigned++
		switch core.Judge(s.w, s.spec.due(w), s.spec.lateness()) {
		case core.Dropped:
			n.DroppedLate++
			s.missed = append(s.missed, w)
			continue
		case core.Kept:
			n.LateKept++
		}
		n.InWindow++
		n.Emitted++
		x.win, x.in = w, true
		s.process(place{bits, w}, v)
	}
	if len(s.missed) > 0 {
		s.o.miss(x.Key, *v, x.at, s.w, s.missed)
	}
}

// process calls the user's function for one element.
func (s *stateful[K, V, S, U]) process(p place, v *V) {
	s.cur = s.enter(p)
	if s.done++; doubled(s.done-1, s.done) && s.done > 1 {
		s.o.sizes.see(&s.cur.s)
	}
	s.cur.seen = max(s.cur.seen, s.turn.at)
	s.fn.Process(&s.turn, &s.cur.s, v)
	s.fireSet()
}

// enter finds or makes the state of a place.
func (s *stateful[K, V, S, U]) enter(p place) *entry[S] {
	if e := s.at[p]; e != nil {
		return e
	}
	s.gen++
	e := &entry[S]{place: p, born: s.gen, seen: etime.Min}
	if last := len(s.free) - 1; last >= 0 {
		e.ref, s.free = s.free[last], s.free[:last]
		s.refs[e.ref] = e
	} else {
		e.ref = uint32(len(s.refs))
		s.refs = append(s.refs, e)
	}
	s.keys.retain(p.key)
	s.at[p] = e
	s.o.held(1)
	if s.perWindow {
		s.plan.Add(core.Event{At: core.Expiry(s.spec.due(p.win), s.spec.lateness()), Kind: core.Expire, Ref: e.ref, Gen: e.born})
	}
	return e
}

// setTimer plans a timer of the state at hand.
func (s *stateful[K, V, S, U]) setTimer(c clock, text string, due int64) {
	e, name := s.cur, timerName{c, text}
	t, queued := e.timers[name]
	if due == etime.Max {
		if queued {
			t.off = true
			e.timers[name] = t
		}
		return
	}
	if s.fn.Timer == nil && c != toLive {
		panic(fmt.Sprintf("timer %q is set, and Stateful was given no function for timers", text))
	}
	if s.perWindow && c != byClock {
		due = min(due, core.Expiry(s.spec.due(e.win), s.spec.lateness()))
	}
	if e.timers == nil {
		e.timers, e.names = map[timerName]timer{}, map[uint32]timerName{}
	}
	t.due, t.at, t.win, t.in, t.own, t.off = due, due, s.turn.win, s.turn.in, s.timing, false
	if c == byClock {
		t.at = s.turn.at
	}
	if !queued || due < t.queued {
		delete(e.names, t.gen)
		s.gen++
		t.gen, t.queued, t.held = s.gen, due, etime.Max
		e.names[t.gen] = name
		s.queue(c).Add(core.Event{At: due, Kind: core.Timer, Ref: e.ref, Gen: t.gen})
	}
	if c == byClock && t.at < t.held {
		t.held = t.at
		s.holds.Add(core.Event{At: t.at, Ref: e.ref, Gen: t.gen})
	}
	e.timers[name] = t
}

// queue is where the events of timers of a clock are.
func (s *stateful[K, V, S, U]) queue(c clock) *core.Schedule {
	if c == byClock {
		return &s.real
	}
	return &s.plan
}

// fireSet fires timers that were set for a time that the watermark has passed.
func (s *stateful[K, V, S, U]) fireSet() {
	if at, ok := s.plan.Next(); ok && at <= s.w {
		s.advance(s.w)
	}
}

func (s *stateful[K, V, S, U]) clear() {
	var none S
	s.cur.s = none
}

// emit gives a value as the turn at hand says.
func (s *stateful[K, V, S, U]) emit(u U) {
	x := &s.turn
	carried := etime.Min
	if x.at < x.w {
		carried = x.w
	}
	s.o.main.give(u, x.at, x.win, x.pane, carried)
}

func (s *stateful[K, V, S, U]) advance(w int64) {
	s.ending = s.ending || w == etime.Max
	for {
		e, ok := s.plan.Pop(w)
		if !ok {
			break
		}
		s.w = max(s.w, e.At)
		s.fire(e)
	}
	s.w = max(s.w, w)
}

// fire handles an event that has come due.
func (s *stateful[K, V, S, U]) fire(e core.Event) {
	entry := s.refs[e.Ref]
	if entry == nil {
		return
	}
	if e.Kind == core.Expire {
		if entry.born == e.Gen {
			s.forget(entry)
		}
		return
	}
	name, set := entry.names[e.Gen]
	if !set {
		return
	}
	t := entry.timers[name]
	if !t.off && t.due > e.At { // it has moved on since
		t.queued = t.due
		entry.timers[name] = t
		s.queue(name.clock).Add(core.Event{At: t.due, Kind: core.Timer, Ref: e.Ref, Gen: e.Gen})
		return
	}
	delete(entry.names, e.Gen)
	delete(entry.timers, name)
	if t.off {
		return
	}
	if name.clock == toLive {
		s.forget(entry)
		return
	}
	if s.fn.Timer == nil || s.ending && t.own && s.endless(entry, t, e.At) {
		return
	}
	s.cur = entry
	x := &s.turn
	saved := *x
	x.Key, x.at, x.w, x.win, x.in, x.pane = s.keys.key(entry.key), t.at, etime.Min, t.win, t.in, trigger.NoFiring
	if s.fired++; s.fired%4096 == 0 && s.ctx.Err() != nil {
		panic(stopped{context.Cause(s.ctx)}) // timers that always set themselves again
	}
	s.timing = true
	s.fn.Timer(x, &entry.s, name.name)
	s.timing = false
	*x = saved
}

// endless says whether a timer that a timer set is not to fire now that the input has ended: a
// timer that always sets itself again would never let the run end. With state per window it
// may do so until the window's expiry, with state per key until the key's last event time.
func (s *stateful[K, V, S, U]) endless(e *entry[S], t timer, at int64) bool {
	if s.perWindow {
		return at >= core.Expiry(s.spec.due(e.win), s.spec.lateness())
	}
	return t.due > e.seen
}

// forget drops the state of a window that has expired.
func (s *stateful[K, V, S, U]) forget(e *entry[S]) {
	s.o.held(-1)
	delete(s.at, e.place)
	s.keys.release(e.key)
	s.refs[e.ref] = nil
	s.free = append(s.free, e.ref)
}

// hold keeps the output watermark back to what timers by the clock will give (S3.6). One that goes
// by the watermark gives at its own time, when the watermark reaches it and before it moves on.
func (s *stateful[K, V, S, U]) hold() int64 {
	for {
		at, ok := s.holds.Next()
		if !ok {
			return etime.Max
		}
		e := s.holds.Peek()
		var t timer
		if entry := s.refs[e.Ref]; entry != nil {
			if name, set := entry.names[e.Gen]; set {
				t = entry.timers[name]
				if !t.off && t.at > at { // it has moved on since
					s.holds.Pop(etime.Max)
					t.held = t.at
					entry.timers[name] = t
					s.holds.Add(core.Event{At: t.at, Ref: e.Ref, Gen: e.Gen})
					continue
				}
				if !t.off {
					return at
				}
				t.held = etime.Max
				entry.timers[name] = t
			}
		}
		s.holds.Pop(etime.Max)
	}
}

// clock fires the timers that go by it.
func (s *stateful[K, V, S, U]) clock(now int64) int64 {
	s.turn.now = now
	for {
		e, ok := s.real.Pop(now)
		if !ok {
			break
		}
		s.o.emitted(s.w)
		s.fire(e)
	}
	if at, ok := s.real.Next(); ok {
		return at
	}
	return etime.Max
}

func (s *stateful[K, V, S, U]) open() int64 { return 0 }
func (s *stateful[K, V, S, U]) sign(bool)   {} // a stateful step refuses retractions when it is built
