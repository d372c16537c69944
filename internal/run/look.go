package run

import (
	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/window"

	"context"
	"slices"
)

// looker is a state that can be asked for the windows of a key.
type looker interface {
	look(q *KeyQuestion, s *KeySight)
}

// key implements fronted.
func (o *front[K, V]) key(q *KeyQuestion) KeySight {
	s := KeySight{StepSight: o.stand()}
	if l, ok := any(o.windows).(looker); ok {
		s.Windowed = true
		l.look(q, &s)
	}
	if k, ok := asked[K](q); ok {
		for i := range s.Cells {
			c := &s.Cells[i]
			c.Missed, c.MissedAt, c.MissedW = o.lacking.of(k, c.Window)
		}
	}
	return s
}

// Key asks a step for the windows of a key: the workers that have anything of the step answer.
func (r *Running) Key(ctx context.Context, q *KeyQuestion) (all []KeySight, complete bool) {
	answers := ask(ctx, r, func(t *task) (s []KeySight) {
		for _, f := range t.fronts {
			if f.about(q.Step) {
				s = append(s, f.key(q))
			}
		}
		return s
	})
	return slices.Concat(answers...), len(answers) == r.size()
}

func (o *front[K, V]) about(step string) bool { return o.step == step }

func (f *flat[K, V, A, O]) look(q *KeyQuestion, s *KeySight) {
	spec := f.o.spec
	bits, known := f.keys.find(q)
	if s.Known = known; !known {
		s.Others = f.keys.others(q)
	}
	wins, exact := spec.at(q)
	for iv := range f.at { // windows that came with their elements
		if spec.Inherited && (iv.Lo() == q.At || q.Within && iv.Lo() <= q.At && q.At < iv.Hi()) {
			wins, exact = []window.Interval{iv}, true
		}
	}
	s.Exact = exact
	for _, iv := range wins {
		c := spec.sight(iv)
		c.Waits = "the watermark to reach its end"
		if fw := f.at[iv]; fw != nil && known {
			_, c.There = fw.t.find(bits)
			if c.There && fw.firedW != etime.Min {
				c.Panes, c.FiredW, c.FiredAt = 1, fw.firedW, fw.firedAt
			}
			if n, again := fw.lateCount[bits]; again {
				c.Panes = n
			}
		}
		s.Cells = append(s.Cells, c)
	}
}

func (f *sliced[K, V, A, O]) look(q *KeyQuestion, s *KeySight) {
	bits, known := f.keys.find(q)
	if s.Known = known; !known {
		s.Others = f.keys.others(q)
	}
	var wins []window.Interval
	wins, s.Exact = f.o.spec.at(q)
	for _, iv := range wins {
		c := f.o.spec.sight(iv)
		c.Waits = "the watermark to reach its end"
		lo, hi := iv.Micros()
		if known && f.w < c.Expiry { // else what is in its slices belongs to other windows
			d := f.of[bits]
			c.There = d != nil && d.holds(lo, hi)
			if c.There && f.w >= c.Due {
				c.Panes = f.panes(bits, lo)
			}
			for _, sl := range f.slices {
				if sl.t != nil && lo <= sl.lo && sl.lo < hi {
					if _, is := sl.t.find(bits); is {
						c.There = true
					}
				}
			}
		}
		s.Cells = append(s.Cells, c)
	}
}

func (c *cells[K, V, A, O]) look(q *KeyQuestion, s *KeySight) {
	spec := c.o.spec
	bits, known := c.keys.find(q)
	if s.Known = known; !known {
		s.Others = c.keys.others(q)
	}
	var wins []window.Interval
	wins, s.Exact = spec.at(q)
	_, s.Merges = spec.Assigner.(window.Merger)
	if known && (c.merger != nil || spec.Inherited) { // what there is counts, not what a lone element would get
		var there []window.Interval
		for _, r := range c.of[bits] {
			if win := c.cell[r].win; win.Lo() == q.At || win.Lo() <= q.At && q.At < win.Hi() {
				there = append(there, win)
				s.Exact = s.Exact || win.Lo() == q.At
			}
		}
		if len(there) > 0 {
			wins = there
		}
	}
	for _, iv := range wins {
		cs := spec.sight(iv)
		for _, r := range c.of[bits] {
			ce := &c.cell[r]
			if !known || ce.win != iv {
				continue
			}
			cs.There, cs.Rows, cs.Panes, cs.Closed = true, ce.rows, ce.numbers.Panes, ce.closed
			cs.FiredW, cs.FiredAt = ce.firedW, ce.firedAt
			if spec.FinalOnly {
				cs.Waits = "the watermark to reach its end"
			} else {
				cs.Waits = c.prog.Waits(ce.state, c.moment(ce))
			}
		}
		s.Cells = append(s.Cells, cs)
	}
}

func (s *stateful[K, V, S, U]) look(q *KeyQuestion, to *KeySight) {
	if !s.perWindow {
		to.Windowed = false
		return
	}
	bits, known := s.keys.find(q)
	if to.Known = known; !known {
		to.Others = s.keys.others(q)
	}
	var wins []window.Interval
	wins, to.Exact = s.spec.at(q)
	for _, iv := range wins {
		c := s.spec.sight(iv)
		c.There = s.at[place{bits, iv}] != nil && known
		c.Due = core.Expiry(c.Due, s.spec.lateness())
		to.Cells = append(to.Cells, c)
	}
}

// A step that accumulates before the exchange answers for the step behind it.

func (o *pre[K, V, A, O]) about(step string) bool { return o.behindIt == step }

func (o *pre[K, V, A, O]) stand() StepSight {
	return StepSight{Step: o.step, Worker: o.task.worker, W: o.in.lanes.W(), Hold: etime.Max, Open: o.local.open()}
}

func (o *pre[K, V, A, O]) key(q *KeyQuestion) KeySight {
	s := KeySight{StepSight: o.stand(), Windowed: true}
	o.local.look(q, &s)
	for i := range s.Cells {
		if c := &s.Cells[i]; c.There {
			c.There, c.Partial = false, 1
		}
	}
	return s
}
