package strandline

import (
	"fmt"

	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Sided is what a step with a side input gives.
type Sided[T, R any] struct {
	PCollection[R]
	of *plan.Step
}

// WithSide calls f for every element in each of its windows, together with the value of a side
// collection there (S10.6). What f gives has the element's event time, window and pane.
//
// The side has windows of its own, or none (the global one). An element looks into the window
// that has the last instant of the element's own window in it; of several, the one that ends
// first. It waits, in memory, until the side's watermark has passed that window, so that the
// answer does not depend on which of the two came first; one that looks into the global window
// waits for the end of the side. It holds the output watermark meanwhile. Then s is the side's
// value, or nil if there is none. A later pane of the side replaces the value for the elements
// that come after it; two values of one pane end the run with an error.
//
// Every worker has all of the side. A window of it is forgotten when the watermark has passed its
// end and the allowed lateness of c. Elements for which a window has expired are late, as in a
// grouping ([Sided.OnLate]). f must not keep or change what s points to.
func (c PCollection[T]) WithSide[S, R any](name string, side PCollection[S], f func(x *Context, v *T, s *S, emit func(R))) Sided[T, R] {
	c.p.given(f != nil, "with side", name, "the function")
	from := plan.Edge{From: side.step, Port: side.port, Wire: run.Values[S]()}
	return withSide(c, name, "with side", side.p, side.w, from, run.GatherValue[S], func(x *Context, v *T, s *run.SideValue[S], emit func(R)) {
		if s == nil {
			f(x, v, nil, emit)
			return
		}
		f(x, v, &s.V, emit)
	})
}

// WithSideList is [PCollection.WithSide] with all values that the side has in the window, in no
// order that could be relied on.
func (c PCollection[T]) WithSideList[S, R any](name string, side PCollection[S], f func(x *Context, v *T, s []S, emit func(R))) Sided[T, R] {
	c.p.given(f != nil, "with side list", name, "the function")
	if side.w.repeats {
		c.p.failf("with side list %s: the side gives a cell several times, each time with all that came so far, and the list would have it as often: make the aggregation before it FinalOnly or Discarding, or take it as a map", quoted(name))
	}
	from := plan.Edge{From: side.step, Port: side.port, Wire: run.Values[S]()}
	return withSide(c, name, "with side list", side.p, side.w, from, run.GatherList[S], func(x *Context, v *T, s *[]S, emit func(R)) {
		if s == nil {
			f(x, v, nil, emit)
			return
		}
		f(x, v, *s, emit)
	})
}

// WithSideMap is [PCollection.WithSide] with the side's value for each key in the window. A later
// pane of a key replaces its value.
func (c PCollection[T]) WithSideMap[K comparable, S, R any](name string, side Keyed[K, S], f func(x *Context, v *T, s map[K]S, emit func(R))) Sided[T, R] {
	c.p.given(f != nil, "with side map", name, "the function")
	pairs := side.p.add("", &plan.Step{Kind: "side entries", Inputs: []plan.Edge{side.edge(plan.Local)},
		Op: run.EntriesOp(func(k K, v *S) KV[K, S] { return KV[K, S]{Key: k, Value: *v} })})
	from := plan.Edge{From: pairs, Wire: run.Values[KV[K, S]]()}
	return withSide(c, name, "with side map", side.p, side.w, from, run.GatherMap[K, S], func(x *Context, v *T, s *run.SideMap[K, S], emit func(R)) {
		if s == nil {
			f(x, v, nil, emit)
			return
		}
		f(x, v, s.M, emit)
	})
}

// OnLate is [Results.OnLate], for the elements of the main collection.
func (s Sided[T, R]) OnLate[X any](f func(Late[T]) X) PCollection[X] {
	s.p.given(f != nil, "OnLate", s.of.ID, "the function")
	return late[X](s.p, s.of, s.w, func(l *run.Late[run.KV[trigger.Pane, T]]) X { return f(lateOf(l, l.Value.Value)) })
}

// withSide appends a step with a side input, which comes by an edge of any type. It works on the
// plan: see after.
func withSide[T, S, C, R any](c PCollection[T], name, kind string, p *Pipeline, side windowing, from plan.Edge, gather func(*C, trigger.Pane, *S) error, call func(*Context, *T, *C, func(R))) Sided[T, R] {
	where := kind + " " + quoted(name)
	if p != c.p {
		c.p.failf("%s: the side belongs to another pipeline: build both in one", where)
	}
	_, mainGlobal := c.w.assigner.(window.GlobalWindow)
	_, sideGlobal := side.assigner.(window.GlobalWindow)
	if mainGlobal && !sideGlobal {
		c.p.failf("%s: the elements are in the global window, and the side is windowed by %s: put WindowInto before it, so that an element has a window to look into", where, side.assigner)
	}
	if _, merges := side.assigner.(window.Merger); merges {
		c.p.failf("%s: windows of the side (%s) merge, each key's on their own: no element could tell which to look into. Window the side otherwise", where, side.assigner)
	}
	if c.w.signed || side.signed {
		c.p.failf("%s: an input takes back what it gave, and what was made of it could not be taken back (S5.4): make the aggregation before it FinalOnly or Accumulating", where)
	}
	main := c.w.compile(c.p, where)
	side.compile(c.p, where+": the side")
	spec := &run.SideSpec[T, S, C, R]{Main: main, Side: side.assigner, Gather: gather, Call: call}
	from.Exchange = plan.Broadcast
	note := fmt.Sprintf("every worker has all of the side; a window of it is kept until the watermark has passed its end by %v, and elements until the side's watermark has passed it", c.w.lateness)
	s := c.p.add(name, &plan.Step{Kind: kind, Detail: c.w.text() + ", the side in " + side.assigner.String(), Note: note, Codec: codecName[R](),
		Inputs: []plan.Edge{c.edge(plan.Local), from}, Op: run.SideOp(spec)})
	s.Facts = func() plan.Facts {
		f := c.w.asked()
		f.Trigger, f.Panes, f.OutputTime = "", "", ""
		f.State, f.Windows = note, f.Windows+", the side in "+side.assigner.String()
		return f
	}
	w := c.w
	if _, merges := w.assigner.(window.Merger); merges && !w.inherited {
		w.opened = true
	} else {
		w.inherited = true
	}
	return Sided[T, R]{PCollection[R]{p: c.p, step: s, w: w}, s}
}
