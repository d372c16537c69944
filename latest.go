package strandline

import (
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
)

// WithLatest calls f for every element together with the latest value of a side that changes
// slowly: settings, prices, a model (S10.7). Of the values that have arrived it is the one with
// the greatest event time; of several with that time the last to arrive, so that of an
// aggregation in the global window it is the newest pane. Windows do not matter to the look; what
// f gives has the element's event time, window and pane.
//
// An element waits, in memory, until the side has given its first value, or its watermark says
// that none up to the element's time is to come; then latest is nil. It does not wait for values
// after that: which of two values it sees depends on which has arrived. Where the answer must not
// depend on it, use [Keyed.AsOfJoin], which gives the version that was valid at the element's
// time, or [PCollection.WithSide], which waits for a window of the side. Behind such a value two
// runs may differ.
//
// Every worker has the latest value, and nothing else of the side. Nothing is late here. f must
// not keep or change what latest points to.
func (c PCollection[T]) WithLatest[S, R any](name string, side PCollection[S], f func(x *Context, v *T, latest *S, emit func(R))) PCollection[R] {
	c.p.given(f != nil, "with latest", name, "the function")
	from := plan.Edge{From: side.step, Port: side.port, Wire: run.Values[S]()}
	return withLatest(c, name, "with latest", side.p, side.w, from, run.TakeLatest[S], func(x *Context, v *T, s *run.LatestValue[S], emit func(R)) {
		if s == nil {
			f(x, v, nil, emit)
			return
		}
		f(x, v, &s.V, emit)
	})
}

// WithLatestMap is [PCollection.WithLatest] with the latest value of each key of the side. An
// element waits for the first value of any key. Keys are kept for ever.
func (c PCollection[T]) WithLatestMap[K comparable, S, R any](name string, side Keyed[K, S], f func(x *Context, v *T, latest map[K]S, emit func(R))) PCollection[R] {
	c.p.given(f != nil, "with latest map", name, "the function")
	pairs := side.p.add("", &plan.Step{Kind: "side entries", Inputs: []plan.Edge{side.edge(plan.Local)},
		Op: run.EntriesOp(func(k K, v *S) KV[K, S] { return KV[K, S]{Key: k, Value: *v} })})
	from := plan.Edge{From: pairs, Wire: run.Values[KV[K, S]]()}
	return withLatest(c, name, "with latest map", side.p, side.w, from, run.TakeLatestOfKey[K, S], func(x *Context, v *T, s *run.LatestMap[K, S], emit func(R)) {
		if s == nil {
			f(x, v, nil, emit)
			return
		}
		f(x, v, s.M, emit)
	})
}

// withLatest appends a step that looks at the latest value of a side, which comes by an edge of
// any type. It works on the plan: see after.
func withLatest[T, S, C, R any](c PCollection[T], name, kind string, p *Pipeline, side windowing, from plan.Edge, take func(*C, int64, *S), call func(*Context, *T, *C, func(R))) PCollection[R] {
	where := kind + " " + quoted(name)
	if p != c.p {
		c.p.failf("%s: the side belongs to another pipeline: build both in one", where)
	}
	if c.w.signed || side.signed {
		c.p.failf("%s: an input takes back what it gave, and what was made of it could not be taken back (S5.4): make the aggregation before it FinalOnly or Accumulating", where)
	}
	spec := &run.LatestSpec[T, S, C, R]{Windowed: c.w.inherited || c.w.opened, Take: take, Call: call}
	from.Exchange = plan.Broadcast
	const state = "every worker has the latest value of the side, and elements until the first one"
	s := c.p.add(name, &plan.Step{Kind: kind, Codec: codecName[R](),
		Note:   "depends on the order of arrival; " + state,
		Inputs: []plan.Edge{c.edge(plan.Local), from}, Op: run.LatestOp(spec)})
	s.Facts = func() plan.Facts {
		return plan.Facts{State: state, Arrival: "an element sees the latest value that has arrived"}
	}
	return PCollection[R]{p: c.p, step: s, w: c.w}
}
