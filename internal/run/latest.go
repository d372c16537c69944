package run

import (
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// LatestSpec says how the elements of a main input see the latest value of a side that changes
// slowly (S10.7).
type LatestSpec[T, S, C, R any] struct {
	// Windowed says that elements come with windows, and keep them.
	Windowed bool
	// Take takes a value of the side, with its event time, into what is held of it, which starts
	// as C's zero value.
	Take func(c *C, at int64, v *S)
	// Call is called for each element with what is held; nil if the side has given nothing that
	// the element would wait for.
	Call func(x *Context, v *T, c *C, emit func(R))
}

// LatestValue is the value with the greatest event time; of several with that time the last to
// arrive.
type LatestValue[S any] struct {
	V  S
	at int64
	is bool
}

// TakeLatest takes a value.
func TakeLatest[S any](c *LatestValue[S], at int64, v *S) {
	if !c.is || at >= c.at {
		*c = LatestValue[S]{*v, at, true}
	}
}

// LatestMap has a [LatestValue] for each key.
type LatestMap[K comparable, S any] struct {
	M  map[K]S
	at map[K]int64
}

// TakeLatestOfKey takes a value of a key.
func TakeLatestOfKey[K comparable, S any](c *LatestMap[K, S], at int64, v *KV[K, S]) {
	if c.M == nil {
		c.M, c.at = map[K]S{}, map[K]int64{}
	}
	if then, ok := c.at[v.Key]; !ok || at >= then {
		c.M[v.Key], c.at[v.Key] = v.Value, at
	}
}

// latest is the state of a step that looks at the latest value of a side: that value, and the
// elements that wait for the first one. An element waits until there is a value, or the side's
// watermark says that there is none up to the element's time.
type latest[T, S, C, R any] struct {
	o       *sideOp[T, S]
	spec    *LatestSpec[T, S, C, R]
	main    emitter[R]
	carries bool // every element carries its watermark (S4.7)

	c     C
	any   bool // the side has given a value
	sideW int64
	w     int64
	wait  []sideWaiter[T]
	low   int64 // where those hold the output watermark

	x    Context
	emit func(R)
}

// LatestOp makes the operators of a step that looks at the latest value of input 1, which comes
// to every worker.
func LatestOp[T, S, C, R any](spec *LatestSpec[T, S, C, R]) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &sideOp[T, S]{
			front: front[trigger.Pane, T]{op: newOp(p), in: newInlet(p.Origins[0])},
			side:  front[trigger.Pane, S]{op: newOp(p), in: newInlet(p.Origins[1])},
		}
		if p.Worker > 0 {
			o.side.n = &Counts{} // every worker has the same values: they are counted once
		}
		l := &latest[T, S, C, R]{o: o, spec: spec, carries: p.build.opts.CarryAll, sideW: etime.Min, w: etime.Min, low: etime.Max}
		l.main.plain = !spec.Windowed
		l.emit = l.give
		o.windows, o.side.windows = l, latestRows[T, S, C, R]{l}
		origins := o.open(p, latestOutlet[T, S, C, R]{&l.main, l})
		p.build.ops = append(p.build.ops, &o.front)
		return Ports{
			In: []any{
				Input[Batch[T]](&paned[T]{take: o.Take}),
				Input[Batch[S]](&paned[S]{take: func(b *KBatch[trigger.Pane, S]) {
					o.side.Take(b)
					o.emitted(l.w)
					o.close(o.idle)
				}}),
			},
			Out:     []any{&l.main.out},
			Origins: origins[:1],
		}
	})
}

// latestOutlet is the main output: it is not idle while elements wait.
type latestOutlet[T, S, C, R any] struct {
	*emitter[R]
	l *latest[T, S, C, R]
}

func (x latestOutlet[T, S, C, R]) close(idle, drained bool) {
	x.emitter.close(idle && len(x.l.wait) == 0, drained)
}

func (l *latest[T, S, C, R]) rows(panes []trigger.Pane, vs []T, at, w []int64, win []window.Interval) {
	for i := range vs {
		l.advance(w[i])
		l.o.emitted(w[i])
		l.o.n.Assigned++
		l.o.n.InWindow++
		e := sideWaiter[T]{v: vs[i], at: at[i], w: w[i], pane: panes[i]}
		if win != nil {
			e.win = win[i]
		}
		if l.any || l.sideW > e.at {
			l.call(&e)
			continue
		}
		l.wait = append(l.wait, e)
		l.low = min(l.low, l.held(&e))
	}
}

// held is where an element that waits holds the output watermark: where it is not late behind
// it, or no later than it was when it came (S3.6).
func (l *latest[T, S, C, R]) held(e *sideWaiter[T]) int64 {
	if l.carries {
		return e.w
	}
	return max(e.at, e.w)
}

// call calls the user's function.
func (l *latest[T, S, C, R]) call(e *sideWaiter[T]) {
	defer l.o.caught(func(int) any { return e.v })
	l.o.n.Emitted++
	l.x = Context{at: e.at, w: e.w, win: e.win, in: l.spec.Windowed, pane: e.pane}
	var c *C
	if l.any {
		c = &l.c
	}
	l.spec.Call(&l.x, &e.v, c, l.emit)
}

// give gives a value as the element at hand says.
func (l *latest[T, S, C, R]) give(r R) {
	x, carried := &l.x, etime.Min
	if x.at < x.w || l.carries {
		carried = x.w
	}
	l.main.give(r, x.at, x.win, x.pane, carried)
}

// release lets go of the elements that have nothing more to wait for, in the order in which they
// came.
func (l *latest[T, S, C, R]) release() {
	if len(l.wait) == 0 {
		return
	}
	stay := l.wait[:0]
	l.low = etime.Max
	for i := range l.wait {
		e := &l.wait[i]
		if l.any || l.sideW > e.at {
			l.call(e)
			continue
		}
		stay = append(stay, *e)
		l.low = min(l.low, l.held(e))
	}
	clear(l.wait[len(stay):])
	l.wait = stay
}

func (l *latest[T, S, C, R]) advance(w int64)   { l.w = max(l.w, w) }
func (l *latest[T, S, C, R]) hold() int64       { return l.low }
func (l *latest[T, S, C, R]) clock(int64) int64 { return etime.Max }
func (l *latest[T, S, C, R]) open() int64       { return int64(len(l.wait)) }
func (l *latest[T, S, C, R]) sign(bool)         {} // no input has retractions

// latestRows is the state as the front of the side sees it.
type latestRows[T, S, C, R any] struct{ l *latest[T, S, C, R] }

func (r latestRows[T, S, C, R]) rows(_ []trigger.Pane, vs []S, at, w []int64, _ []window.Interval) {
	l := r.l
	for i := range vs {
		r.advance(w[i])
		l.spec.Take(&l.c, at[i], &vs[i])
		l.any = true
	}
	l.release()
}

func (r latestRows[T, S, C, R]) advance(w int64) {
	if w > r.l.sideW {
		r.l.sideW = w
		if !r.l.any {
			r.l.release()
		}
	}
}

func (r latestRows[T, S, C, R]) hold() int64       { return etime.Max }
func (r latestRows[T, S, C, R]) clock(int64) int64 { return etime.Max }
func (r latestRows[T, S, C, R]) open() int64       { return r.l.open() }
func (r latestRows[T, S, C, R]) sign(bool)         {}
