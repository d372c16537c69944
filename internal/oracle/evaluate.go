package oracle

import (
	"cmp"
	"fmt"
	"slices"
)

// run is an evaluation under way.
type run struct {
	Spec
	Result
	w     int64 // the watermark
	cells []*cell
}

// cell is one (key, window) from its first element to its expiry; a finished one is a tombstone.
type cell struct {
	key      string
	win      Interval
	due      int64
	expiry   int64
	timing   Timing // of a pane at expiry
	trig     *node
	items    []item // what a pane fired now would hold
	passed   bool   // W has reached due, or had when the cell came into being
	last     bool   // the last pane is out
	panes    int
	nonEarly int
	held     bool  // an element not behind W has come since the hold was cleared
	hold     int64 // the earliest or latest of them
	stands   *Pane // what its last pane said, for a Retracting Spec
}

type item struct {
	event   int
	value   int64
	emitted bool
}

func (c *cell) fresh() bool {
	return slices.ContainsFunc(c.items, func(i item) bool { return !i.emitted })
}

// Evaluate runs the events through the aggregation. The events are only read. It panics on a
// watermark that moves back, and has no answer for a spec without proper sizes.
func Evaluate(spec Spec, events []Event) Result {
	if spec.FinalOnly {
		spec.Trigger = Trigger{Kind: Never}
	}
	r := &run{Spec: spec, w: Before}
	for i, e := range events {
		r.advance(e.W)
		if !e.Mark {
			r.element(i, e)
		}
	}
	if spec.Ended {
		r.finish()
	}
	r.Ledger.Open = r.Ledger.InWindow - r.Ledger.Emitted
	return r.Result
}

// element judges an element in each of its windows, and adds it where it is not too late (S4.3).
func (r *run) element(i int, e Event) {
	var missed []Interval
	wins := r.Window.assign(e.At)
	if r.Window.Each {
		wins = []Interval{{e.At, add(e.At, e.Gap)}}
	}
	r.Ledger.Assigned += max(len(wins), 1)
	if len(wins) == 0 {
		r.Ledger.Gap++
	}
	for _, v := range wins {
		if r.w >= add(r.Window.due(v), r.Lateness) {
			r.Ledger.DroppedLate++
			missed = append(missed, v)
			continue
		}
		c := r.cell(e.Key, v)
		if c.trig.done {
			r.Ledger.Closed++
			continue
		}
		r.Ledger.InWindow++
		if r.w >= r.Window.due(v) {
			r.Ledger.LateButKept++
		}
		c.items = append(c.items, item{event: i, value: e.Value})
		if at := e.At; at >= r.w {
			if r.Transform != nil {
				at = r.Transform(at)
			}
			r.holdAt(c, at)
		}
		c.trig.element()
		r.ask(c, false)
	}
	if missed != nil {
		r.Late = append(r.Late, LateRecord{i, missed, r.w})
	}
}

// holdAt lets a later pane of the cell come out at an instant (S5.8).
func (r *run) holdAt(c *cell, at int64) {
	if !c.held || r.Output == AtEarliest && at < c.hold || r.Output == AtLatest && at > c.hold {
		c.held, c.hold = true, at
	}
}

// cell finds or makes the cell of a window. A session's is the union of all that it meets: if
// that is an interval of its own, a new cell whose panes are numbered from 0 (S2.4, S5.3).
func (r *run) cell(key string, v Interval) *cell {
	c := &cell{key: key, win: v}
	var met, apart []*cell
	for _, o := range r.cells {
		if o.key == key && r.Window.same(o.win, v) {
			met = append(met, o)
			c.win = Interval{min(c.win.Start, o.win.Start), max(c.win.End, o.win.End)}
		} else {
			apart = append(apart, o)
		}
	}
	if len(met) == 1 && met[0].win == c.win {
		return met[0]
	}
	r.cells = append(apart, c)
	c.due = r.Window.due(c.win)
	c.expiry = add(c.due, r.Lateness)
	c.passed = r.w >= c.due
	if c.timing = Late; r.FinalOnly || c.expiry == c.due {
		c.timing = OnTime
	}
	var trigs []*node
	for _, o := range met {
		trigs = append(trigs, o.trig)
		c.items = append(c.items, o.items...)
		if o.held {
			r.holdAt(c, o.hold)
		}
		if o.win == c.win {
			c.stands = o.stands
		} else {
			r.takeBack(o)
		}
	}
	slices.SortFunc(c.items, func(a, b item) int { return cmp.Compare(a.event, b.event) })
	c.trig = merge(&r.Trigger, trigs, c.passed)
	return c
}

// advance moves W and handles what falls due and what expires on the way, instant by instant:
// dues before expiries, then earlier ends before later ones (S4.1, S4.2, S5.7).
func (r *run) advance(w int64) {
	if w < r.w {
		panic(fmt.Sprintf("oracle: the watermark moves back from %d to %d", r.w, w))
	}
	r.w = w
	next := func(c *cell) (at int64, expires int) {
		if c.passed {
			return c.expiry, 1
		}
		return c.due, 0
	}
	for len(r.cells) > 0 {
		c := slices.MinFunc(r.cells, func(a, b *cell) int {
			atA, expiresA := next(a)
			atB, expiresB := next(b)
			return cmp.Or(cmp.Compare(atA, atB), expiresA-expiresB, cmp.Compare(a.win.End, b.win.End))
		})
		switch at, _ := next(c); {
		case at > w:
			return
		case c.passed:
			r.expire(c)
		default:
			c.passed = true
			if c.trig.onTime() {
				r.ask(c, true)
			}
		}
	}
}

// finish is for the end of the input: W goes to After, and nothing waits for lateness (S8.1).
func (r *run) finish() {
	for _, c := range r.cells {
		if c.expiry = c.due; !c.passed {
			c.timing = OnTime
		}
	}
	r.advance(After)
}

// expire lets out what was never in a pane, and forgets the cell (S4.2).
func (r *run) expire(c *cell) {
	if !c.last && (!c.trig.done || c.fresh()) {
		r.emit(c, c.timing, true, false)
	}
	r.cells = slices.DeleteFunc(r.cells, func(o *cell) bool { return o == c })
}

// ask fires the trigger if it is ready: because W is reaching due, else because of an element.
func (r *run) ask(c *cell, reaching bool) {
	if c.trig.done || !c.trig.ready(c.passed) {
		return
	}
	c.trig.fire(c.passed)
	switch {
	case reaching:
		r.emit(c, OnTime, c.trig.done || c.expiry == c.due, true)
	case c.passed:
		r.emit(c, Late, c.trig.done, false)
	default:
		r.emit(c, Early, c.trig.done, false)
	}
}

// takeBack writes a cell's last pane once more, as a retraction (S5.4).
func (r *run) takeBack(c *cell) {
	if c.stands == nil {
		return
	}
	p := *c.stands
	p.Retraction = true
	r.Panes, c.stands = append(r.Panes, p), nil
}

// emit writes a pane, unless it may stay away because nothing in it is new (S5.6).
func (r *run) emit(c *cell, timing Timing, last, reaching bool) {
	if c.fresh() || reaching && !r.OnlyIfNonEmpty || last && r.EmptyLast {
		p := Pane{c.key, c.win, nil, add(c.win.End, -1), timing, c.panes, c.nonEarly, c.panes == 0, last, false, r.w}
		if c.held && r.Output != AtEnd {
			p.At = c.hold
		}
		for i := range c.items {
			p.Values = append(p.Values, c.items[i].value)
			if !c.items[i].emitted {
				c.items[i].emitted = true
				r.Ledger.Emitted++
			}
		}
		if timing == Early {
			p.NonEarly = -1
		} else {
			c.nonEarly++
		}
		c.panes++
		r.takeBack(c)
		r.Panes = append(r.Panes, p)
		if r.Retracting {
			c.stands = &p
		}
	}
	c.last = last
	if !r.Accumulating || c.trig.done {
		c.items = nil
	}
	c.held = false
}
