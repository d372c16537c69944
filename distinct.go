package strandline

import (
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
)

// Once is what [Distinct] gives: each different value of a window once.
type Once[T comparable] struct {
	PCollection[T]
	of *plan.Step // the aggregation
}

// Distinct gives each different value once in each of its windows, in the first pane that it is
// in: with the default trigger at the window's end, with [trigger.AfterCount](1) at once, and
// a value that comes late for the first time in a late pane. Later panes give nothing more,
// whatever the accumulation. Values are told apart as keys are: NaN is one value, and -0 is 0
// (S7.4). T must be encodable as a key. Values that come too late go to [Once.OnLate].
//
// To count different values, use [combine.Distinct]; to keep the first of those that have a key
// in common, without a window, [Keyed.Deduplicate].
func Distinct[T comparable](name string, c PCollection[T]) Once[T] {
	k := c.KeyBy("", func(v *T) T { return *v })
	k.w.retracting, k.w.discarding = false, true // which values there are never changes
	r := aggregate[T, T, struct{}, struct{}](k, name, "distinct", present[T]{})
	r.w.repeats, r.w.signed = false, false
	first := derive[KV[T, struct{}], T](r.PCollection, "", "first panes", plan.Local,
		run.ParDoOp(func(x *run.Context, v *KV[T, struct{}], emit func(T), _ func(struct{})) {
			if x.Pane().First {
				emit(v.Key)
			}
		}))
	return Once[T]{first, r.step}
}

// OnLate is [Results.OnLate].
func (o Once[T]) OnLate[R any](f func(Late[T]) R) PCollection[R] {
	o.p.given(f != nil, "OnLate", o.of.ID, "the function")
	return late[R](o.p, o.of, o.w, func(l *run.Late[KV[T, T]]) R { return f(lateOf(l, l.Value.Value)) })
}

// present is a combiner that says no more than that its key and window have had an element.
type present[T any] struct{}

var _ combine.Combiner[int, struct{}, struct{}] = present[int]{}

func (present[T]) Create() struct{}                    { return struct{}{} }
func (present[T]) Add(*struct{}, *T)                   {}
func (present[T]) Merge(_, _ *struct{})                {}
func (present[T]) Extract(*struct{}) (struct{}, error) { return struct{}{}, nil }
func (present[T]) AddBatch([]struct{}, []uint32, []T)  {}
func (present[T]) Neutral() bool                       { return true }
