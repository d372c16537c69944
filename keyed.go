package strandline

import (
	"fmt"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
)

// Keyed is a collection of values of type V with keys of type K: what can be grouped. Values
// with one key are handled by one worker, in the order in which they reach it (S6.3).
//
// A null key is a key of its own if K can say null (a struct with a valid flag, such as
// [combine.Null]); NaN equals NaN and -0 equals 0 (S7.4). Pointers, interfaces and channels
// are no keys: two processes would not agree on them.
type Keyed[K comparable, V any] struct {
	p    *Pipeline
	step *plan.Step
	port int
	w    windowing
	key  *codec.Codec[K]
}

func newKeyed[K comparable, V any](p *Pipeline, step *plan.Step, w windowing) Keyed[K, V] {
	key, err := codec.ForKey[K]()
	if err != nil {
		p.failf("%q: the key: %w", step.ID, err)
	}
	return Keyed[K, V]{p: p, step: step, w: w, key: key}
}

func (k Keyed[K, V]) edge(x plan.Exchange) plan.Edge {
	return plan.Edge{From: k.step, Port: k.port, Exchange: x, Wire: run.KeyedValues[K, V](k.key)}
}

// keyName names the encoding of keys and values together.
func keyName[K comparable, V any]() string {
	key, err := codec.ForKey[K]()
	if err != nil {
		return "none (" + err.Error() + ")"
	}
	return key.ID() + " -> " + codecName[V]()
}

// KeyBy gives every value the key that key computes. key must give the same key for the same
// value each time.
func (c PCollection[T]) KeyBy[K comparable](name string, key func(*T) K) Keyed[K, T] {
	c.p.given(key != nil, "key by", name, "the function")
	s := c.p.add(name, &plan.Step{Kind: "key by", Codec: keyName[K, T](), Inputs: []plan.Edge{c.edge(plan.Local)}, Op: run.KeyByOp(key)})
	return newKeyed[K, T](c.p, s, c.w)
}

// KeyByValue is [PCollection.KeyBy] for a function that takes the value itself.
func (c PCollection[T]) KeyByValue[K comparable](name string, key func(T) K) Keyed[K, T] {
	c.p.given(key != nil, "key by", name, "the function")
	return c.KeyBy(name, func(v *T) K { return key(*v) })
}

// KeyByWith is [PCollection.KeyBy] with the value replaced at the same time.
func (c PCollection[T]) KeyByWith[K comparable, V any](name string, split func(*T) (K, V)) Keyed[K, V] {
	c.p.given(split != nil, "key by", name, "the function")
	s := c.p.add(name, &plan.Step{Kind: "key by", Codec: keyName[K, V](), Inputs: []plan.Edge{c.edge(plan.Local)}, Op: run.UnpackOp(split)})
	return newKeyed[K, V](c.p, s, c.w)
}

// MapEntries turns every key with its value into one value. Event time, window and pane stay
// as they are.
func (k Keyed[K, V]) MapEntries[U any](name string, f func(K, *V) U) PCollection[U] {
	k.p.given(f != nil, "map entries", name, "the function")
	s := k.p.add(name, &plan.Step{Kind: "map entries", Codec: codecName[U](), Inputs: []plan.Edge{k.edge(plan.Local)}, Op: run.EntriesOp(f)})
	return PCollection[U]{p: k.p, step: s, w: k.w}
}

// MapValues applies f to every value and keeps the keys.
func (k Keyed[K, V]) MapValues[U any](name string, f func(*V) U) Keyed[K, U] {
	k.p.given(f != nil, "map values", name, "the function")
	s := k.p.add(name, &plan.Step{Kind: "map values", Codec: keyName[K, U](), Inputs: []plan.Edge{k.edge(plan.Local)}, Op: run.MapValuesOp[K](f)})
	return newKeyed[K, U](k.p, s, k.w)
}

// rekey makes pairs keyed again.
func rekey[K comparable, V any](c PCollection[KV[K, V]]) Keyed[K, V] {
	return c.KeyByWith("", func(v *KV[K, V]) (K, V) { return v.Key, v.Value })
}

// FlattenKeyed takes keyed collections together. They must be windowed alike.
func FlattenKeyed[K comparable, V any](name string, first Keyed[K, V], more ...Keyed[K, V]) Keyed[K, V] {
	s := &plan.Step{Kind: "flatten", Codec: keyName[K, V](), Inputs: []plan.Edge{first.edge(plan.Local)}, Op: run.FlattenKeyedOp[K, V]()}
	for i, k := range more {
		first.w.join(first.p, k.p, k.w, "Flatten "+quoted(name), i+2)
		s.Inputs = append(s.Inputs, k.edge(plan.Local))
	}
	first.step, first.port = first.p.add(name, s), 0
	return first
}

// Results are what an aggregation per key gives: a key with its aggregate for every pane. It
// is a collection like any other, and has the aggregation's late records and failed panes
// beside it.
type Results[K comparable, V, O any] struct {
	PCollection[KV[K, O]]
}

// CombinePerKey aggregates the values of each key and window by c (S7). Elements that come too
// late for all or some of their windows go to [Results.OnLate] (S4.4).
func (k Keyed[K, V]) CombinePerKey[A, O any](name string, c combine.Combiner[V, A, O]) Results[K, V, O] {
	return aggregate[K, V, A, O](k, name, "combine per key", c)
}

// GroupByKey gathers the values of each key and window, in the order in which they reached the
// key's worker.
func GroupByKey[K comparable, V any](name string, k Keyed[K, V]) Results[K, V, []V] {
	return aggregate[K, V, []V, []V](k, name, "group by key", combine.List[V]{})
}

func aggregate[K comparable, V, A, O any](k Keyed[K, V], name, kind string, c combine.Combiner[V, A, O]) Results[K, V, O] {
	where := kind + " " + quoted(name)
	k.p.given(c != nil, kind, name, "the combiner")
	if v, ok := c.(combine.Validator); ok {
		if err := v.Validate(); err != nil {
			k.p.failf("%s: %w", where, err)
		}
	}
	_, subtracts := combine.AsSubtractor(c)
	switch {
	case k.w.signed && !subtracts:
		k.p.failf("%s: its input takes back what it replaces, and this combiner has no Subtract to follow it (S5.9): make the aggregation before it FinalOnly or Discarding, or combine by something that has", where)
	case k.w.repeats && !(subtracts && k.p.retract(k.step)):
		k.p.failf("%s: its input gives a cell several times, each time with all that came so far, and would be counted again and again (S5.9): make the aggregation before it FinalOnly or Discarding, or Retracting if the combiner here has a Subtract, or say AllowRepeats if repeats do no harm", where)
	}
	if k.w.fill {
		k.w.filled(k.p, kind, where)
	}
	spec := k.w.compile(k.p, where)
	inputs := []plan.Edge{k.edge(plan.ByKey)}
	_, list := any(c).(combine.List[V])
	if partial, _ := spec.Partial(false, list); partial {
		local := k.p.add("", &plan.Step{Kind: "combine locally", Codec: keyName[K, V](), Inputs: []plan.Edge{k.edge(plan.Local)},
			Op: run.PreOp[K, V, A, O](spec, c, k.key)})
		inputs = []plan.Edge{
			{From: local, Exchange: plan.ByKey, Wire: run.KeyedValues[K, V](k.key)},
			{From: local, Port: 1, Exchange: plan.ByKey, Wire: run.KeyedValues[K, run.Part[A]](k.key)},
		}
	}
	s := k.p.add(name, &plan.Step{Kind: kind, Detail: k.w.text(), Note: note(spec), Codec: codecName[KV[K, O]](), Inputs: inputs,
		Op: run.WindowedOp[K, V, A, O](spec, c, k.key), Changes: changes})
	s.Facts = func() plan.Facts {
		return k.w.facts(spec, k.key, len(k.p.graph.Consumers(s, changes)) > 0, list)
	}
	r := Results[K, V, O]{PCollection[KV[K, O]]{p: k.p, step: s, w: k.w.grouped()}}
	if k.w.retracting {
		r.port = changes
	}
	return r
}

// changes is the output of an aggregation that gives panes with retractions.
const changes = 3

// retract lets the aggregation that s comes from retract (S5.9), if nothing but element-wise
// steps lies between.
func (p *Pipeline) retract(s *plan.Step) bool {
	var between []*plan.Step
	for len(s.Inputs) == 1 {
		between = append(between, s)
		e := &s.Inputs[0]
		if e.From.Changes > 0 && e.Port == 0 {
			e.Port = e.From.Changes
			p.retracting = append(p.retracting, between)
			return true
		}
		s = e.From
	}
	return false
}

// overheard reports steps that read what is retracted for another: they have not asked for it.
func (p *Pipeline) overheard() (errs []error) {
	for _, between := range p.retracting {
		for _, s := range between {
			if all := p.graph.Consumers(s, 0); len(all) > 1 {
				errs = append(errs, &plan.Mistake{Site: s.Site, Err: fmt.Errorf("step %q takes part in an aggregation of results that replace each other, for which they are retracted, and other steps read it too: say Retracting, or FinalOnly or Discarding, where they are made, or put a step of its own before the aggregation", s.ID)})
			}
		}
	}
	return errs
}

func quoted(name string) string {
	if name == "" {
		return "(unnamed)"
	}
	return `"` + name + `"`
}

// Keyed makes the results keyed again, for the next aggregation.
func (r Results[K, V, O]) Keyed() Keyed[K, O] { return rekey(r.PCollection) }

// OnLate gives what f makes of the records that came too late, an ordinary collection.
func (r Results[K, V, O]) OnLate[R any](f func(Late[V]) R) PCollection[R] {
	r.p.given(f != nil, "OnLate", r.step.ID, "the function")
	return late[R](r.p, r.step, r.w, func(l *run.Late[KV[K, V]]) R { return f(lateOf(l, l.Value.Value)) })
}

// late appends a step behind the late output of an aggregation.
func late[R, T any](p *Pipeline, step *plan.Step, w windowing, f func(*run.Late[T]) R) PCollection[R] {
	w.repeats, w.signed = false, false
	from := plan.Edge{From: step, Port: 1, Wire: run.Values[run.Late[T]]()}
	return after[R](p, w, p.graph.Free(step.ID+".late"), "map", from, run.MapOp(f))
}

// OnFailed gives what f makes of the panes whose value could not be computed: a sum that does
// not fit its type, say (S7.3).
func (r Results[K, V, O]) OnFailed[R any](f func(FailedPane[K]) R) PCollection[R] {
	r.p.given(f != nil, "OnFailed", r.step.ID, "the function")
	w := r.w
	w.repeats, w.signed = false, false
	from := plan.Edge{From: r.step, Port: 2, Wire: run.Values[run.Failed[K]]()}
	return after[R](r.p, w, r.p.graph.Free(r.step.ID+".failed"), "map", from, run.MapOp(func(x *run.Failed[K]) R { return f(*x) }))
}

// FailedPane is a pane whose value could not be computed.
type FailedPane[K comparable] = run.Failed[K]

// LateOf gives the late records of an aggregation with their keys.
func LateOf[K comparable, V, O any](r Results[K, V, O]) PCollection[Late[KV[K, V]]] {
	return late[Late[KV[K, V]]](r.p, r.step, r.w, func(l *run.Late[KV[K, V]]) Late[KV[K, V]] { return lateOf(l, l.Value) })
}

// Combined is what an aggregation without keys gives: one value for every pane.
type Combined[T, O any] struct {
	PCollection[O]
	of *plan.Step // the aggregation
}

// Combine aggregates everything in each window by c (S7.5).
func (c PCollection[T]) Combine[A, O any](name string, by combine.Combiner[T, A, O]) Combined[T, O] {
	k := c.KeyBy("", func(*T) struct{} { return struct{}{} })
	r := aggregate[struct{}, T, A, O](k, name, "combine", by)
	return Combined[T, O]{r.Map("", func(v *KV[struct{}, O]) O { return v.Value }), r.step}
}

// OnLate is [Results.OnLate].
func (r Combined[T, O]) OnLate[R any](f func(Late[T]) R) PCollection[R] {
	r.p.given(f != nil, "OnLate", r.of.ID, "the function")
	return late[R](r.p, r.of, r.w, func(l *run.Late[KV[struct{}, T]]) R { return f(lateOf(l, l.Value.Value)) })
}
