package run

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// SideSpec says how the elements of a main input find the values of a side input (S10.6).
type SideSpec[T, S, C, R any] struct {
	Main *Windowing      // the main input's: its windows and what is too late for them
	Side window.Assigner // the side input's windows; they do not merge
	// Gather takes a value of the side input into the contents of its window, which start as
	// C's zero value.
	Gather func(c *C, p trigger.Pane, v *S) error
	// Call is called for each element in each of its windows, with the contents of the side
	// window, nil if nothing is in it.
	Call func(x *Context, v *T, c *C, emit func(R))
}

// sides is the state of a step with a side input: what each open window of the side holds, and
// the elements that wait for theirs. The front of the main input hands it the elements, that of
// the side (see sideRows) the values.
//
// An element looks into the side window that has the last instant of its own in it, once the
// side's watermark has passed that window. While it waits it holds the output watermark. A side
// window is forgotten when no element that looks into it can come any more.
type sides[T, S, C, R any] struct {
	o       *sideOp[T, S]
	spec    *SideSpec[T, S, C, R]
	assign  window.Assigner
	side    window.Assigner
	main    emitter[R]
	carries bool // every element carries its watermark (S4.7)

	at      map[window.Interval]*sideWindow[T, C]
	byEnd   []*sideWindow[T, C] // those that hold something, in order of when they are forgotten
	awaited []*sideWindow[T, C] // those that elements wait for, in order of when they are due
	w       int64               // the main input's watermark
	sideW   int64
	low     int64 // where the elements that wait hold the output watermark
	held    int64 // how many they are

	x      Context
	emit   func(R)
	wins   []window.Interval
	missed []window.Interval
	near   []window.Interval
}

// sideWindow is a window of the side input.
type sideWindow[T, C any] struct {
	win   window.Interval
	due   int64 // the side's watermark at which it is ready
	until int64 // the main watermark, less allowed lateness, at which nobody looks into it any more
	c     C
	any   bool // something is in it
	low   int64
	wait  []sideWaiter[T]
}

// sideWaiter is an element, in one of its windows, that waits for its side.
type sideWaiter[T any] struct {
	v     T
	at, w int64
	win   window.Interval
	pane  trigger.Pane
}

// sideOp is the operator: a front for each input. The pane of a value travels as its key.
type sideOp[T, S any] struct {
	front[trigger.Pane, T]
	side front[trigger.Pane, S]
}

// SideOp makes the operators of a step with a side input, which is input 1 and comes to every
// worker: output 0 is what it gives, 1 the late records of the main input.
func SideOp[T, S, C, R any](spec *SideSpec[T, S, C, R]) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &sideOp[T, S]{
			front: front[trigger.Pane, T]{op: newOp(p), in: newInlet(p.Origins[0])},
			side:  front[trigger.Pane, S]{op: newOp(p), in: newInlet(p.Origins[1])},
		}
		if p.Worker > 0 {
			o.side.n = &Counts{} // every worker has the same values: they are counted once
		}
		s := &sides[T, S, C, R]{o: o, spec: spec, assign: window.ForWorker(spec.Main.Assigner), side: window.ForWorker(spec.Side),
			carries: p.build.opts.CarryAll, at: map[window.Interval]*sideWindow[T, C]{}, w: etime.Min, sideW: etime.Min, low: etime.Max}
		s.emit = s.give
		o.windows, o.side.windows = s, sideRows[T, S, C, R]{s}
		origins := o.open(p, sideOutlet[T, S, C, R]{&s.main, s})
		p.build.ops = append(p.build.ops, &o.front)
		return Ports{
			In: []any{
				Input[Batch[T]](&paned[T]{take: o.Take}),
				Input[Batch[S]](&paned[S]{take: func(b *KBatch[trigger.Pane, S]) {
					o.side.Take(b)
					o.emitted(s.w)
					o.close(o.idle)
				}}),
			},
			Out:     []any{&s.main.out, &o.late.out},
			Origins: origins,
		}
	})
}

// paned puts the pane beside every value.
type paned[T any] struct {
	take func(*KBatch[trigger.Pane, T])
	none []trigger.Pane
	b    KBatch[trigger.Pane, T]
}

func (p *paned[T]) Take(b *Batch[T]) {
	panes := b.Pane
	for len(p.none) < len(b.V) {
		p.none = append(p.none, trigger.NoFiring)
	}
	if panes == nil {
		panes = p.none[:len(b.V)]
	}
	p.b = KBatch[trigger.Pane, T]{panes, b.V, b.Cols}
	p.take(&p.b)
}

// sideOutlet is the main output: it is not idle while elements wait.
type sideOutlet[T, S, C, R any] struct {
	*emitter[R]
	s *sides[T, S, C, R]
}

func (x sideOutlet[T, S, C, R]) close(idle, drained bool) {
	x.emitter.close(idle && x.s.held == 0, drained)
}

func (s *sides[T, S, C, R]) rows(panes []trigger.Pane, vs []T, at, w []int64, win []window.Interval) {
	n := s.o.n
	for i := range vs {
		s.o.at = i
		s.advance(w[i])
		s.o.emitted(w[i])
		if win != nil {
			s.wins = append(s.wins[:0], win[i])
		} else {
			s.wins = s.assign.Assign(s.wins[:0], at[i])
		}
		if len(s.wins) == 0 {
			n.Assigned++
			n.Gap++
		}
		s.missed = s.missed[:0]
		for _, own := range s.wins {
			n.Assigned++
			switch core.Judge(s.w, s.spec.Main.due(own), s.spec.Main.lateness()) {
			case core.Dropped:
				n.DroppedLate++
				s.missed = append(s.missed, own)
				continue
			case core.Kept:
				n.LateKept++
			}
			n.InWindow++
			s.element(&sideWaiter[T]{vs[i], at[i], w[i], own, panes[i]})
		}
		if len(s.missed) > 0 {
			s.o.miss(panes[i], vs[i], at[i], s.w, s.missed)
		}
	}
}

// element looks into its side window, or waits for it.
func (s *sides[T, S, C, R]) element(e *sideWaiter[T]) {
	s.near = s.side.Assign(s.near[:0], last(e.win))
	if len(s.near) == 0 {
		s.call(e, nil)
		return
	}
	win := s.near[0] // of several, the one that ends first
	if window.Due(s.spec.Side, win) > s.sideW {
		s.await(s.enter(win), e)
		return
	}
	var c *C
	if sw := s.at[win]; sw != nil && sw.any {
		c = &sw.c
	}
	s.call(e, c)
}

// call calls the user's function.
func (s *sides[T, S, C, R]) call(e *sideWaiter[T], c *C) {
	defer s.o.caught(func(int) any { return e.v })
	s.o.n.Emitted++
	s.x = Context{at: e.at, w: e.w, win: e.win, in: true, pane: e.pane}
	s.spec.Call(&s.x, &e.v, c, s.emit)
}

// give gives a value as the element at hand says.
func (s *sides[T, S, C, R]) give(r R) {
	x, carried := &s.x, etime.Min
	if x.at < x.w || s.carries {
		carried = x.w
	}
	s.main.give(r, x.at, x.win, x.pane, carried)
}

// await lets an element wait. It holds the output watermark where it is not late behind it, or
// no later than it was when it came (S3.6).
func (s *sides[T, S, C, R]) await(sw *sideWindow[T, C], e *sideWaiter[T]) {
	at := max(e.at, e.w)
	if s.carries {
		at = e.w
	}
	if len(sw.wait) == 0 {
		i, _ := slices.BinarySearchFunc(s.awaited, sw, func(a, b *sideWindow[T, C]) int { return cmp.Or(cmp.Compare(a.due, b.due), -1) })
		s.awaited = slices.Insert(s.awaited, i, sw)
		sw.low = etime.Max
	}
	sw.wait = append(sw.wait, *e)
	sw.low = min(sw.low, at)
	s.low = min(s.low, at)
	s.held++
}

// enter finds or makes a window of the side.
func (s *sides[T, S, C, R]) enter(win window.Interval) *sideWindow[T, C] {
	sw := s.at[win]
	if sw == nil {
		due := window.Due(s.spec.Side, win)
		sw = &sideWindow[T, C]{win: win, due: due, until: etime.Add(max(due, win.Hi()), 1)}
		s.at[win] = sw
		i, _ := slices.BinarySearchFunc(s.byEnd, sw, func(a, b *sideWindow[T, C]) int { return cmp.Or(cmp.Compare(a.until, b.until), -1) })
		s.byEnd = slices.Insert(s.byEnd, i, sw)
	}
	return sw
}

// past is the instant up to which side windows are forgotten: no element that is not too late
// looks into them, and none waits for them.
func (s *sides[T, S, C, R]) past() int64 {
	return min(etime.Sub(s.w, s.spec.Main.Lateness), s.sideW)
}

func (s *sides[T, S, C, R]) forget() {
	past, n := s.past(), 0
	for n < len(s.byEnd) && s.byEnd[n].until <= past {
		delete(s.at, s.byEnd[n].win)
		n++
	}
	if n > 0 {
		s.byEnd = slices.Delete(s.byEnd, 0, n)
	}
}

func (s *sides[T, S, C, R]) advance(w int64) {
	if w > s.w {
		s.w = w
		s.forget()
	}
}

func (s *sides[T, S, C, R]) hold() int64       { return s.low }
func (s *sides[T, S, C, R]) clock(int64) int64 { return etime.Max }
func (s *sides[T, S, C, R]) open() int64       { return s.held }
func (s *sides[T, S, C, R]) sign(bool)         {} // no input has retractions

// sideRows are the sides as the front of the side input sees them.
type sideRows[T, S, C, R any] struct{ s *sides[T, S, C, R] }

func (r sideRows[T, S, C, R]) rows(panes []trigger.Pane, vs []S, at, w []int64, win []window.Interval) {
	s := r.s
	for i := range vs {
		r.advance(w[i])
		if win != nil {
			s.wins = append(s.wins[:0], win[i])
		} else {
			s.wins = s.side.Assign(s.wins[:0], at[i])
		}
		for _, own := range s.wins {
			if etime.Add(max(window.Due(s.spec.Side, own), own.Hi()), 1) <= s.past() {
				continue // nobody will look into it
			}
			sw := s.enter(own)
			sw.any = true
			if err := s.spec.Gather(&sw.c, panes[i], &vs[i]); err != nil {
				panic(stopped{fmt.Errorf("step %q: the side input in %v: %w", s.o.step, own, err)})
			}
		}
	}
}

// advance lets go of the elements whose side is ready.
func (r sideRows[T, S, C, R]) advance(w int64) {
	s := r.s
	if w <= s.sideW {
		return
	}
	s.sideW = w
	n := 0
	for ; n < len(s.awaited) && s.awaited[n].due <= w; n++ {
		sw := s.awaited[n]
		var c *C
		if sw.any {
			c = &sw.c
		}
		for i := range sw.wait {
			s.call(&sw.wait[i], c)
		}
		s.held -= int64(len(sw.wait))
		sw.wait = nil
	}
	if n > 0 {
		s.awaited = slices.Delete(s.awaited, 0, n)
		s.low = etime.Max
		for _, sw := range s.awaited {
			s.low = min(s.low, sw.low)
		}
	}
	s.forget()
}

func (r sideRows[T, S, C, R]) hold() int64       { return etime.Max }
func (r sideRows[T, S, C, R]) clock(int64) int64 { return etime.Max }
func (r sideRows[T, S, C, R]) open() int64       { return r.s.held }
func (r sideRows[T, S, C, R]) sign(bool)         {}
