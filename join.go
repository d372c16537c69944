package strandline

import (
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
)

// Joined is what a join of two collections gives.
type Joined[K comparable, V, W, R any] struct {
	PCollection[R]
	of *plan.Step // the grouping of both
}

// CoGroup groups two collections by key and window together, and calls f with the values of
// each: one of the two may be empty. The windows of both must be the same (S10).
func (k Keyed[K, V]) CoGroup[W, R any](name string, other Keyed[K, W], f func(key K, left []V, right []W) R) Joined[K, V, W, R] {
	return join(k, other, name, "co-group", f != nil, func(key K, s *run.Sides[V, W], emit func(R)) { emit(f(key, s.L, s.R)) })
}

// InnerJoin gives f of every pair of values with the same key and window. A null key (an
// invalid [combine.Null]) matches nothing (S7.4).
func (k Keyed[K, V]) InnerJoin[W, R any](name string, other Keyed[K, W], f func(key K, left *V, right *W) R) Joined[K, V, W, R] {
	return join(k, other, name, "inner join", f != nil, pairs(false, false, f))
}

// LeftJoin is [Keyed.InnerJoin] that also gives every left value without a match, once, with a
// nil right.
func (k Keyed[K, V]) LeftJoin[W, R any](name string, other Keyed[K, W], f func(key K, left *V, right *W) R) Joined[K, V, W, R] {
	return join(k, other, name, "left join", f != nil, pairs(true, false, f))
}

// RightJoin is [Keyed.InnerJoin] that also gives every right value without a match, once, with
// a nil left.
func (k Keyed[K, V]) RightJoin[W, R any](name string, other Keyed[K, W], f func(key K, left *V, right *W) R) Joined[K, V, W, R] {
	return join(k, other, name, "right join", f != nil, pairs(false, true, f))
}

// FullJoin is [Keyed.InnerJoin] that also gives every value of either side without a match,
// once, with nil for the other.
func (k Keyed[K, V]) FullJoin[W, R any](name string, other Keyed[K, W], f func(key K, left *V, right *W) R) Joined[K, V, W, R] {
	return join(k, other, name, "full join", f != nil, pairs(true, true, f))
}

// pairs calls f for every match within a group, and for what has none on the sides that keep
// it.
func pairs[K comparable, V, W, R any](keepLeft, keepRight bool, f func(K, *V, *W) R) func(K, *run.Sides[V, W], func(R)) {
	return func(key K, s *run.Sides[V, W], emit func(R)) {
		apart := null(key) || len(s.L) == 0 || len(s.R) == 0
		for i := range s.L {
			if apart && keepLeft {
				emit(f(key, &s.L[i], nil))
			}
			for j := range s.R {
				if !apart {
					emit(f(key, &s.L[i], &s.R[j]))
				}
			}
		}
		for j := range s.R {
			if apart && keepRight {
				emit(f(key, nil, &s.R[j]))
			}
		}
	}
}

// null says whether a key says of itself that it is none.
func null[K comparable](key K) bool {
	n, ok := any(key).(interface{ IsNull() bool })
	return ok && n.IsNull()
}

// join groups both sides together and hands each group to f. It works on the plan: collections
// of the wrapped types must not be named in methods (see after).
func join[K comparable, V, W, R any](k Keyed[K, V], other Keyed[K, W], name, kind string, given bool, f func(K, *run.Sides[V, W], func(R))) Joined[K, V, W, R] {
	k.p.given(given, kind, name, "the function")
	type side = run.Side[V, W]
	type sides = run.Sides[V, W]
	p, where := k.p, kind+" "+quoted(name)
	k.w.join(p, other.p, other.w, where, 2)
	k.w.joinable(p, where)
	edge := together(k, other)
	spec := k.w.compile(p, where)
	group := p.add(name, &plan.Step{Kind: kind, Detail: k.w.text(), Note: note(spec), Codec: codecName[KV[K, sides]](),
		Inputs: []plan.Edge{edge},
		Op:     run.WindowedOp[K, side, sides, sides](spec, combine.Combiner[side, sides, sides](run.Both[V, W]{}), k.key)})
	group.Facts = func() plan.Facts { return k.w.facts(spec, k.key, false, true) }
	out := after[R](p, k.w.grouped(), "", kind+" values", plan.Edge{From: group, Wire: run.Values[KV[K, sides]]()},
		run.ParDoOp(func(_ *run.Context, v *KV[K, sides], emit func(R), _ func(struct{})) { f(v.Key, &v.Value, emit) }))
	return Joined[K, V, W, R]{out, group}
}

// joinable reports inputs of a grouping of several collections that give a cell several times.
func (w *windowing) joinable(p *Pipeline, where string) {
	if w.signed {
		p.failf("%s: an input takes back what it replaces, which a join does not follow: make the aggregation before it FinalOnly or Discarding", where)
	}
	if w.repeats {
		p.failf("%s: an input gives a cell several times, each time with all that came so far, and would be joined again and again (S5.9): make the aggregation before it FinalOnly or Discarding", where)
	}
}

// together takes the elements of both sides together, and gives the edge by which those with one
// key come to one worker.
func together[K comparable, V, W any](k Keyed[K, V], other Keyed[K, W]) plan.Edge {
	type side = run.Side[V, W]
	wire := run.KeyedValues[K, side](k.key)
	left := k.p.add("", &plan.Step{Kind: "left", Inputs: []plan.Edge{k.edge(plan.Local)}, Op: run.MapValuesOp[K](func(v *V) side { return side{L: *v} })})
	right := k.p.add("", &plan.Step{Kind: "right", Inputs: []plan.Edge{other.edge(plan.Local)}, Op: run.MapValuesOp[K](func(v *W) side { return side{Right: true, R: *v} })})
	both := k.p.add("", &plan.Step{Kind: "both", Codec: keyName[K, side](), Op: run.FlattenKeyedOp[K, side](),
		Inputs: []plan.Edge{{From: left, Wire: wire}, {From: right, Wire: wire}}})
	return plan.Edge{From: both, Exchange: plan.ByKey, Wire: wire}
}

// OnLate gives what left and right make of the records of either side that came too late.
func (j Joined[K, V, W, R]) OnLate[X any](left func(Late[V]) X, right func(Late[W]) X) PCollection[X] {
	j.p.given(left != nil && right != nil, "OnLate", j.of.ID, "a function")
	return late[X](j.p, j.of, j.w, func(l *run.Late[KV[K, run.Side[V, W]]]) X {
		if l.Value.Value.Right {
			return right(lateOf(l, l.Value.Value.R))
		}
		return left(lateOf(l, l.Value.Value.L))
	})
}
