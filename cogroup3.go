package strandline

import (
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
)

// Joined3 is what a co-group of three collections gives.
type Joined3[K comparable, V, W, X, R any] struct {
	PCollection[R]
	of *plan.Step // the grouping of all
}

// CoGroup3 is [Keyed.CoGroup] of three collections: f is called for every key and window that
// has an element in any of them, with the values of each. Two of the three may be empty. The
// windows of all must be the same (S10.1).
func (k Keyed[K, V]) CoGroup3[W, X, R any](name string, second Keyed[K, W], third Keyed[K, X], f func(key K, first []V, second []W, third []X) R) Joined3[K, V, W, X, R] {
	return join3(k, second, third, name, f)
}

// join3 groups three collections together. It works on the plan: see after.
func join3[K comparable, V, W, X, R any](k Keyed[K, V], second Keyed[K, W], third Keyed[K, X], name string, f func(K, []V, []W, []X) R) Joined3[K, V, W, X, R] {
	type side = run.Side3[V, W, X]
	type sides = run.Sides3[V, W, X]
	const kind = "co-group"
	p, where := k.p, kind+" "+quoted(name)
	p.given(f != nil, kind, name, "the function")
	k.w.join(p, second.p, second.w, where, 2)
	k.w.join(p, third.p, third.w, where, 3)
	k.w.joinable(p, where)

	wire := run.KeyedValues[K, side](k.key)
	a := p.add("", &plan.Step{Kind: "first", Inputs: []plan.Edge{k.edge(plan.Local)}, Op: run.MapValuesOp[K](func(v *V) side { return side{A: *v} })})
	b := p.add("", &plan.Step{Kind: "second", Inputs: []plan.Edge{second.edge(plan.Local)}, Op: run.MapValuesOp[K](func(v *W) side { return side{Of: 1, B: *v} })})
	c := p.add("", &plan.Step{Kind: "third", Inputs: []plan.Edge{third.edge(plan.Local)}, Op: run.MapValuesOp[K](func(v *X) side { return side{Of: 2, C: *v} })})
	all := p.add("", &plan.Step{Kind: "all three", Codec: keyName[K, side](), Op: run.FlattenKeyedOp[K, side](),
		Inputs: []plan.Edge{{From: a, Wire: wire}, {From: b, Wire: wire}, {From: c, Wire: wire}}})

	spec := k.w.compile(p, where)
	group := p.add(name, &plan.Step{Kind: kind, Detail: k.w.text(), Note: note(spec), Codec: codecName[KV[K, sides]](),
		Inputs: []plan.Edge{{From: all, Exchange: plan.ByKey, Wire: wire}},
		Op:     run.WindowedOp[K, side, sides, sides](spec, combine.Combiner[side, sides, sides](run.All3[V, W, X]{}), k.key)})
	group.Facts = func() plan.Facts { return k.w.facts(spec, k.key, false, true) }
	out := after[R](p, k.w.grouped(), "", kind+" values", plan.Edge{From: group, Wire: run.Values[KV[K, sides]]()},
		run.MapOp(func(v *KV[K, sides]) R { return f(v.Key, v.Value.A, v.Value.B, v.Value.C) }))
	return Joined3[K, V, W, X, R]{out, group}
}

// OnLate gives what first, second and third make of the records of their collection that came
// too late.
func (j Joined3[K, V, W, X, R]) OnLate[Y any](first func(Late[V]) Y, second func(Late[W]) Y, third func(Late[X]) Y) PCollection[Y] {
	j.p.given(first != nil && second != nil && third != nil, "OnLate", j.of.ID, "a function")
	return late[Y](j.p, j.of, j.w, func(l *run.Late[KV[K, run.Side3[V, W, X]]]) Y {
		switch v := &l.Value.Value; v.Of {
		case 0:
			return first(lateOf(l, v.A))
		case 1:
			return second(lateOf(l, v.B))
		default:
			return third(lateOf(l, v.C))
		}
	})
}
