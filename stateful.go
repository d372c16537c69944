package strandline

import (
	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/window"
)

// Scope says what state belongs to.
type Scope uint8

const (
	// PerWindow: state for each key and window, forgotten when the window expires. An element
	// that comes after that is late (S4.3).
	PerWindow Scope = iota
	// PerKey: state for each key, across windows and for ever. Nothing is late.
	PerKey
)

// Turn is what a stateful function is given beside state and value: the element's context, its
// key, [run.Turn.Emit] and the timers. It is valid during the call only.
type Turn[K comparable, U any] = run.Turn[K, U]

// Stepped is what a stateful step gives.
type Stepped[K comparable, V, U any] struct {
	PCollection[U]
}

// Stateful calls process for every element, with the state of its key (and window, see
// [Scope]), in the order in which elements reach the key's worker (S6.3). The state is any
// type that can be encoded: a number or a struct of them is a value, a slice a list, a map a
// map; it starts as S's zero value, and what process leaves in *s is what the next element
// finds. timer is called when a timer that was set comes due; it may be nil if none is set.
//
//	type meter struct {
//		Known bool
//		Last  int64
//	}
//	usage := readings.Stateful("usage", strandline.PerKey,
//		func(x *strandline.Turn[string, Usage], m *meter, r *Reading) {
//			if m.Known {
//				x.Emit(Usage{x.Key, r.Index - m.Last})
//			}
//			*m = meter{true, r.Index}
//		}, nil)
func (k Keyed[K, V]) Stateful[S, U any](name string, scope Scope, process func(x *Turn[K, U], s *S, v *V), timer func(x *Turn[K, U], s *S, name string)) Stepped[K, V, U] {
	where := "stateful " + quoted(name)
	kind := "stateful per key"
	w := k.w
	if scope == PerWindow {
		kind = "stateful per window"
	} else if w.opened {
		w.inherited = true // it gives elements the windows that they came with
	} else if !w.inherited {
		w = newWindowing(w.timed) // windows do not matter to it, and are assigned behind it
	}
	k.p.given(process != nil, "stateful", name, "the function")
	if k.w.signed {
		k.p.failf("%s: its input takes back what it replaces, which a stateful step does not follow: make the aggregation before it FinalOnly or Discarding", where)
	}
	if _, merges := w.assigner.(window.Merger); merges && scope == PerWindow && !w.inherited {
		k.p.failf("%s: windows of %s merge, and its state cannot: use PerKey, or group by key first", where, w.assigner)
	}
	if _, err := codec.For[S](); err != nil {
		k.p.failf("%s: the state: %w: state must be encodable, so that it can be part of a checkpoint", where, err)
	}
	spec := w.compile(k.p, where)
	fn := run.StatefulFn[K, V, S, U]{Process: process, Timer: timer}
	s := k.p.add(name, &plan.Step{Kind: kind, Detail: w.text() + ", state " + codecName[S](), Codec: codecName[U](), Inputs: []plan.Edge{k.edge(plan.ByKey)},
		Op: run.StatefulOp[K, V, S, U](spec, scope == PerWindow, fn, k.key)})
	asked := w.asked()
	s.Facts = func() plan.Facts {
		f := plan.Facts{Key: k.key.ID(), State: "for each key, until the function forgets it: " + codecName[S](),
			Arrival: "the function sees elements in the order in which they reach the worker of their key"}
		if scope == PerWindow {
			f.Windows, f.Lateness, f.State = asked.Windows, asked.Lateness, "for each key and window, until that expires: "+codecName[S]()
		}
		return f
	}
	w = k.w
	if scope == PerWindow {
		w.inherited, w.unused = true, nil
	}
	return Stepped[K, V, U]{PCollection[U]{p: k.p, step: s, w: w}}
}

// OnLate is [Results.OnLate], for state per window.
func (r Stepped[K, V, U]) OnLate[R any](f func(Late[V]) R) PCollection[R] {
	r.p.given(f != nil, "OnLate", r.step.ID, "the function")
	return late[R](r.p, r.step, r.w, func(l *run.Late[KV[K, V]]) R { return f(lateOf(l, l.Value.Value)) })
}
