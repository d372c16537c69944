package run

import (
	"slices"

	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// cells is the state of a windowed step for any windows and any trigger: a cell for each open
// (key, window), with its accumulator, trigger state and pane numbers.
type cells[K comparable, V, A, O any] struct {
	o      *Windowed[K, V, A, O]
	agg    *aggregator[V, A, O]
	keys   *keys[K]
	assign window.Assigner
	merger window.Merger // nil if windows do not merge
	prog   *trigger.Program

	cell  []cell[A]
	gen   []uint32
	free  []uint32
	of    map[uint64][]uint32 // a key's open cells
	plan  core.Schedule
	holds core.Schedule // of output times; entries whose cell has moved on are skipped
	procs core.Schedule // of processing times
	w     int64
	to    int64 // where it goes while what is due on the way is handled
	now   int64

	fill  filling
	given []given[O] // by cell: its last pane, for what is to be retracted

	bits   []uint64
	wins   []window.Interval
	missed []window.Interval
	open1  []window.Interval
	unseen int64
}

// given is the last pane of a cell.
type given[O any] struct {
	v    O
	at   int64
	pane trigger.Pane
	ok   bool
}

// cell is one (key, window).
type cell[A any] struct {
	key     uint64
	win     window.Interval
	due     int64
	acc     A
	state   trigger.State
	numbers core.Numbers
	rows    int64 // elements since the last pane
	kept    int64 // entries of state
	out     int64 // the time of the next pane, of elements that were not behind W; etime.Max: none
	hold    int64 // where it holds the output watermark; etime.Max: nowhere
	alarm   int64 // the processing time for which it is in procs; etime.Min: not at all
	firedW  int64 // the watermark of its last pane, etime.Min: none yet
	firedAt int64 // and when that was, by the clock
	closed  bool  // the trigger has finished: a tombstone until expiry (S4.2)
	ended   bool  // its last pane has been given
	alive   bool
}

func newCells[K comparable, V, A, O any](o *Windowed[K, V, A, O], agg *aggregator[V, A, O], ks *keys[K]) *cells[K, V, A, O] {
	c := &cells[K, V, A, O]{
		o: o, agg: agg, keys: ks, assign: window.ForWorker(o.spec.Assigner), prog: o.spec.Trigger,
		of: map[uint64][]uint32{}, w: etime.Min, to: etime.Min, now: etime.Min, fill: filling{from: etime.Max, to: etime.Min},
	}
	if !o.spec.Inherited {
		c.merger, _ = o.spec.Assigner.(window.Merger)
	}
	return c
}

func (c *cells[K, V, A, O]) rows(ks []K, vs []V, at, w []int64, win []window.Interval) {
	if cap(c.bits) < len(ks) {
		c.bits = make([]uint64, len(ks))
	}
	bits := c.bits[:len(ks)]
	c.keys.resolve(ks, bits)
	for i := range vs {
		c.o.at = i
		if w[i] > c.w {
			c.o.emitted(c.w)
			c.advance(w[i])
			c.o.emitted(w[i])
		}
		if win != nil {
			c.wins = append(c.wins[:0], win[i])
		} else {
			c.wins = c.assign.Assign(c.wins[:0], at[i])
		}
		c.element(ks[i], bits[i], &vs[i], at[i])
	}
}

// element puts one element into each of its windows, as the watermark stands.
func (c *cells[K, V, A, O]) element(k K, bits uint64, v *V, t int64) {
	n, spec := c.o.n, c.o.spec
	if len(c.wins) == 0 {
		n.Assigned++
		n.Gap++
		return
	}
	c.missed = c.missed[:0]
	for _, win := range c.wins {
		n.Assigned++
		due := spec.due(win)
		way := core.Judge(c.w, due, spec.lateness())
		if way == core.Dropped {
			n.DroppedLate++
			c.missed = append(c.missed, win)
			continue
		}
		ref := c.enter(bits, win)
		ce := &c.cell[ref]
		if ce.closed {
			n.Closed++
			if c.o.history != nil {
				c.o.history.turned(Refused, c.o.task, k, t, c.w, []window.Interval{win})
			}
			continue
		}
		n.InWindow++
		if c.w >= window.Due(spec.Assigner, win) {
			n.LateKept++
		}
		if spec.Fill {
			c.fill.reach(bits, win, t)
		}
		c.agg.addOne(&ce.acc, v, t)
		if ce.rows++; c.o.values {
			c.book(ce, 1)
		}
		c.unseen++
		c.stamp(ref, t)
		m := c.moment(ce)
		c.prog.OnElement(ce.state, m)
		if !spec.FinalOnly && c.prog.ShouldFire(ce.state, m) {
			c.o.emitted(c.w)
			c.fire(ref, m, false)
		}
		c.wake(ref)
	}
	if len(c.missed) > 0 {
		c.o.emitted(c.w)
		c.o.miss(k, *v, t, c.w, c.missed)
	}
}

func (c *cells[K, V, A, O]) moment(ce *cell[A]) trigger.Moment {
	return trigger.Moment{W: c.w, Due: ce.due, Now: c.now}
}

// stamp takes an element's time into the time of the next pane (S5.8), and holds the output
// watermark back to it (S3.6).
func (c *cells[K, V, A, O]) stamp(ref uint32, t int64) {
	ce := &c.cell[ref]
	if c.o.spec.Output != AtEnd && t >= c.w { // behind W on arrival it has no say
		if c.o.spec.Output == AtEarliestTransformed {
			t = window.OutputTime(c.o.spec.Assigner, ce.win, t)
		}
		ce.out = c.sooner(ce.out, t)
	}
	c.keep(ref, ce.hold)
}

// sooner gives the time of a pane that has elements of times a and b; etime.Max is none.
func (c *cells[K, V, A, O]) sooner(a, b int64) int64 {
	if c.o.spec.Output == AtLatest && a != etime.Max && b != etime.Max {
		return max(a, b)
	}
	return min(a, b)
}

// next is the time of a cell's next pane.
func (c *cells[K, V, A, O]) next(ce *cell[A]) int64 {
	if ce.out != etime.Max {
		return ce.out
	}
	return last(ce.win)
}

// keep holds the output watermark back to the next pane of a cell that has something to give. It
// has been held at held so far; if it has gone by, the pane is late by no doing of ours.
func (c *cells[K, V, A, O]) keep(ref uint32, held int64) {
	ce := &c.cell[ref]
	at := c.next(ce)
	if ce.rows == 0 || at < c.w && at < held {
		at = etime.Max
	}
	if at == ce.hold {
		return
	}
	if ce.hold = at; at != etime.Max {
		c.holds.Add(core.Event{At: at, Ref: ref, Gen: c.gen[ref]})
	}
}

// last is a window's last microsecond.
func last(w window.Interval) int64 {
	if w.IsGlobal() {
		return etime.Max - 1
	}
	return etime.Sub(w.Hi(), 1)
}

// enter gives the cell of a key's window, opening and merging as needed.
func (c *cells[K, V, A, O]) enter(bits uint64, win window.Interval) uint32 {
	refs := c.of[bits]
	if c.merger == nil {
		// From the latest on, where most elements belong: with allowed lateness there may be many.
		for _, r := range slices.Backward(refs) {
			if c.cell[r].win == win {
				return r
			}
		}
		return c.create(bits, win)
	}
	c.open1 = c.open1[:0]
	for _, r := range refs {
		c.open1 = append(c.open1, c.cell[r].win)
	}
	j := core.Merge(c.merger, c.open1, win)
	switch {
	case len(j.From) == 0:
		return c.create(bits, j.Into)
	case len(j.From) == 1 && j.Same >= 0:
		return refs[j.Same]
	}
	return c.merge(bits, j, append([]uint32(nil), refs...))
}

// create opens a cell.
func (c *cells[K, V, A, O]) create(bits uint64, win window.Interval) uint32 {
	var ref uint32
	if last := len(c.free) - 1; last >= 0 {
		ref, c.free = c.free[last], c.free[:last]
	} else {
		ref = uint32(len(c.cell))
		c.cell, c.gen = append(c.cell, cell[A]{}), append(c.gen, 0)
		if c.o.retracts {
			c.given = append(c.given, given[O]{})
		}
	}
	if len(c.of[bits]) == 0 {
		c.keys.retain(bits)
	}
	ce := &c.cell[ref]
	state := ce.state
	if cap(state) < c.prog.Words() {
		state = make(trigger.State, c.prog.Words())
	}
	clear(state)
	*ce = cell[A]{key: bits, win: win, due: c.o.spec.due(win), acc: c.agg.c.Create(), state: state, out: etime.Max, hold: etime.Max, alarm: etime.Min, firedW: etime.Min, firedAt: etime.Min, alive: true}
	if !c.o.values {
		c.book(ce, 1)
	}
	c.of[bits] = append(c.of[bits], ref)
	at, kind := ce.due, core.Due
	if c.w >= ce.due {
		at, kind = core.Expiry(ce.due, c.o.spec.lateness()), core.Expire
	}
	c.plan.Add(core.Event{At: at, Kind: kind, Ref: ref, Gen: c.gen[ref]})
	return ref
}

// merge makes one cell of those that j merges. Its pane numbers go on only if the interval was
// there before (S5.3).
func (c *cells[K, V, A, O]) merge(bits uint64, j core.Join, refs []uint32) uint32 {
	moved := int64(0)
	for _, i := range j.From {
		old := &c.cell[refs[i]]
		moved += old.kept
		c.o.n.State -= old.kept
		old.kept = 0
	}
	into := c.create(bits, j.Into)
	if c.o.values {
		c.book(&c.cell[into], moved)
	}
	ce := &c.cell[into]
	from := make([]trigger.State, 0, len(j.From))
	held := etime.Max
	for _, i := range j.From {
		old := &c.cell[refs[i]]
		from = append(from, old.state)
		if !old.closed || old.rows > 0 { // what a tombstone held has been given, but for what came by a merge
			c.agg.c.Merge(&ce.acc, &old.acc)
		}
		ce.rows += old.rows
		ce.out = c.sooner(ce.out, old.out)
		held = min(held, old.hold)
		if i == j.Same {
			ce.numbers = old.numbers
		}
	}
	c.keep(into, held)
	c.prog.Merge(ce.state, from, c.moment(ce))
	ce.closed = c.prog.Finished(ce.state)
	for _, i := range j.From {
		if c.o.retracts && i == j.Same {
			c.given[into], c.given[refs[i]] = c.given[refs[i]], given[O]{}
		}
		c.o.emitted(c.w)
		c.retract(refs[i], c.w)
		c.remove(refs[i])
	}
	c.wake(into)
	return into
}

// book books n entries of state for a cell.
func (c *cells[K, V, A, O]) book(ce *cell[A], n int64) {
	ce.kept += n
	c.o.held(n)
}

// remove frees a cell.
func (c *cells[K, V, A, O]) remove(ref uint32) {
	ce := &c.cell[ref]
	refs := c.of[ce.key]
	for i, r := range refs {
		if r == ref {
			refs = append(refs[:i], refs[i+1:]...)
			break
		}
	}
	if len(refs) == 0 {
		delete(c.of, ce.key)
		c.keys.release(ce.key)
	} else {
		c.of[ce.key] = refs
	}
	c.o.held(-ce.kept)
	state := ce.state
	*ce = cell[A]{state: state}
	if c.o.retracts {
		c.given[ref] = given[O]{}
	}
	c.gen[ref]++
	c.free = append(c.free, ref)
}

// wake plans the next look by the clock.
func (c *cells[K, V, A, O]) wake(ref uint32) {
	if !c.prog.UsesProcessingTime() {
		return
	}
	ce := &c.cell[ref]
	if at := c.prog.NextProcessing(ce.state); at > c.now && at != etime.Max && at != ce.alarm {
		ce.alarm = at
		c.procs.Add(core.Event{At: at, Ref: ref, Gen: c.gen[ref]})
	}
}

// fire gives the pane of a cell whose trigger said so.
func (c *cells[K, V, A, O]) fire(ref uint32, m trigger.Moment, byWatermark bool) {
	ce := &c.cell[ref]
	finished := c.prog.OnFire(ce.state, m)
	atExpiry := m.W >= core.Expiry(ce.due, c.o.spec.lateness())
	if byWatermark && ce.rows == 0 && c.o.spec.NonEmpty {
		c.finish(ref, finished)
		return
	}
	c.pane(ref, core.Timing(m.W, ce.due, byWatermark), finished || atExpiry)
	c.finish(ref, finished)
}

// pane gives a pane of a cell.
func (c *cells[K, V, A, O]) pane(ref uint32, t trigger.Timing, isLast bool) {
	ce := &c.cell[ref]
	at := c.next(ce)
	carried := etime.Min
	if t == trigger.Late {
		carried = c.w
	}
	c.retract(ref, carried)
	p := ce.numbers.Next(t, isLast)
	v, ok := c.o.pane(c.agg, &ce.acc, c.keys.key(ce.key), ce.win, at, p, carried)
	if c.o.retracts {
		c.given[ref] = given[O]{v, at, p, ok}
	}
	c.o.n.Emitted += ce.rows
	c.unseen -= ce.rows
	ce.firedW, ce.firedAt = max(c.w, c.to), c.o.now()
	ce.rows, ce.out, ce.hold, ce.ended = 0, etime.Max, etime.Max, isLast
	if c.o.spec.Discarding {
		ce.acc = c.agg.c.Create()
		if c.o.values {
			c.book(ce, -ce.kept)
		}
	}
}

// retract takes back the last pane of a cell (S5.4).
func (c *cells[K, V, A, O]) retract(ref uint32, carried int64) {
	if !c.o.retracts {
		return
	}
	if g := &c.given[ref]; g.ok {
		ce := &c.cell[ref]
		g.pane.Retraction = true
		c.o.changes.give(KV[K, O]{c.keys.key(ce.key), g.v}, g.at, ce.win, g.pane, carried)
		*g = given[O]{}
	}
}

// finish makes a tombstone of a cell whose trigger has finished.
func (c *cells[K, V, A, O]) finish(ref uint32, finished bool) {
	if !finished {
		return
	}
	ce := &c.cell[ref]
	var none A
	ce.closed, ce.acc = true, none
	if c.o.values {
		c.book(ce, -ce.kept)
	}
}

func (c *cells[K, V, A, O]) advance(w int64) {
	ended := w == etime.Max
	if c.fill.from != etime.Max {
		c.fillTo(w, ended)
	}
	c.settle(w, ended)
	c.w = max(c.w, w)
}

// settle handles what is due and what expires up to w. ended says that the input has ended.
func (c *cells[K, V, A, O]) settle(w int64, ended bool) {
	c.to = w
	for {
		e, ok := c.plan.Pop(w)
		if !ok {
			break
		}
		if !c.live(e) {
			continue
		}
		c.w = max(c.w, e.At)
		ce := &c.cell[e.Ref]
		if e.Kind == core.Due {
			c.onTime(e.Ref, ended)
			if expiry := core.Expiry(ce.due, c.o.spec.lateness()); expiry > e.At && !ended {
				c.plan.Add(core.Event{At: expiry, Kind: core.Expire, Ref: e.Ref, Gen: e.Gen})
				continue
			}
		}
		c.expire(e.Ref, e.At)
	}
}

func (c *cells[K, V, A, O]) live(e core.Event) bool {
	return c.gen[e.Ref] == e.Gen && c.cell[e.Ref].alive
}

// onTime is what happens when the watermark reaches a cell's due instant.
func (c *cells[K, V, A, O]) onTime(ref uint32, ended bool) {
	ce := &c.cell[ref]
	if ce.closed {
		return
	}
	m := c.moment(ce)
	m.W = ce.due
	if c.o.spec.FinalOnly {
		c.pane(ref, trigger.OnTime, true)
		return
	}
	if !c.prog.ShouldFire(ce.state, m) {
		return
	}
	finished := c.prog.OnFire(ce.state, m)
	isLast := finished || ended || c.o.spec.lateness() == 0
	if ce.rows > 0 || !c.o.spec.NonEmpty || isLast && c.o.spec.EmptyLast {
		c.pane(ref, trigger.OnTime, isLast)
	}
	c.finish(ref, finished)
}

// expire forgets a cell, after a last pane with what was never given (S4.2). At the end of the
// input windows do not wait for allowed lateness: what they hold comes out on time (S8.1).
func (c *cells[K, V, A, O]) expire(ref uint32, at int64) {
	ce := &c.cell[ref]
	if ce.rows > 0 || c.o.spec.EmptyLast && !ce.ended && !ce.closed {
		c.pane(ref, core.Timing(at, ce.due, true), true)
	}
	c.remove(ref)
}

// hold is the earliest time of what is open and has not been given.
func (c *cells[K, V, A, O]) hold() int64 {
	for {
		at, ok := c.holds.Next()
		if !ok {
			return etime.Max
		}
		e := c.holds.Peek()
		if c.gen[e.Ref] == e.Gen && c.cell[e.Ref].hold == at {
			return at
		}
		c.holds.Pop(etime.Max)
	}
}

// clock fires what is due by processing time.
func (c *cells[K, V, A, O]) clock(now int64) int64 {
	c.now = max(c.now, now)
	for {
		e, ok := c.procs.Pop(c.now)
		if !ok {
			break
		}
		if !c.live(e) || c.cell[e.Ref].closed || c.o.spec.FinalOnly {
			continue
		}
		c.cell[e.Ref].alarm = etime.Min
		m := c.moment(&c.cell[e.Ref])
		if c.prog.ShouldFire(c.cell[e.Ref].state, m) {
			c.fire(e.Ref, m, false)
		}
		c.wake(e.Ref)
	}
	if at, ok := c.procs.Next(); ok {
		return at
	}
	return etime.Max
}

func (c *cells[K, V, A, O]) open() int64 { return c.unseen }

// sign implements windows.
func (c *cells[K, V, A, O]) sign(minus bool) { c.agg.minus = minus }
