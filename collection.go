package strandline

import (
	"time"

	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/watermark"
)

// PCollection is a collection of values of type T, each with an event time, and with a window
// and a pane once it has been grouped. It may be bounded or endless. The value is a handle: it
// names a place in the graph and holds no data.
//
// The functions given to its methods are called by several goroutines at once when the run has
// several workers, each with its own elements. They must not keep or change what the pointer
// they are given points to. A function that panics ends the run with a [PanicError] that names
// step and element.
type PCollection[T any] struct {
	p    *Pipeline
	step *plan.Step
	port int
	w    windowing
}

// KV is a key with a value.
type KV[K comparable, V any] = run.KV[K, V]

// PanicError is the error of a run in which a user function panicked: it names the step, the
// element and the stack.
type PanicError = run.PanicError

// Step is the id of the step that gives the collection, as in [Report] and [Plan].
func (c PCollection[T]) Step() string { return c.step.ID }

// edge is c as the input of a step.
func (c PCollection[T]) edge(x plan.Exchange) plan.Edge {
	return plan.Edge{From: c.step, Port: c.port, Exchange: x, Wire: run.Values[T]()}
}

// derive appends a step that reads c and gives a collection of U.
func derive[T, U any](c PCollection[T], name, kind string, x plan.Exchange, op run.Maker) PCollection[U] {
	return after[U](c.p, c.w, name, kind, c.edge(x), op)
}

// after appends a step that reads one edge and gives a collection of U. Methods whose result
// wraps a type of their receiver are built on it: a collection of the wrapped type must not be
// named in them, or the compiler would have to instantiate without end.
func after[U any](p *Pipeline, w windowing, name, kind string, from plan.Edge, op run.Maker) PCollection[U] {
	s := p.add(name, &plan.Step{Kind: kind, Codec: codecName[U](), Inputs: []plan.Edge{from}, Op: op})
	return PCollection[U]{p: p, step: s, w: w}
}

// codecName names the encoding of values of type T, for the fingerprint and for runners that
// move them between processes; on this one they are not encoded.
func codecName[T any]() string {
	c, err := codec.For[T]()
	if err != nil {
		return "none (" + err.Error() + ")"
	}
	return c.ID()
}

// Map applies f to every value. Event time, window and pane stay as they are. f is given a
// pointer, which costs nothing however large T is; [PCollection.MapValue] takes a function of
// the value itself.
func (c PCollection[T]) Map[U any](name string, f func(*T) U) PCollection[U] {
	c.p.given(f != nil, "map", name, "the function")
	return derive[T, U](c, name, "map", plan.Local, run.MapOp(f))
}

// MapValue is [PCollection.Map] for a function that takes the value itself.
func (c PCollection[T]) MapValue[U any](name string, f func(T) U) PCollection[U] {
	c.p.given(f != nil, "map", name, "the function")
	return c.Map(name, func(v *T) U { return f(*v) })
}

// Filter keeps the values for which keep says so. Those that it drops do not let later ones
// off: the watermark has seen them (S3.7).
func (c PCollection[T]) Filter(name string, keep func(*T) bool) PCollection[T] {
	c.p.given(keep != nil, "filter", name, "the function")
	return derive[T, T](c, name, "filter", plan.Local, run.FilterOp(keep))
}

// FilterValue is [PCollection.Filter] for a function that takes the value itself.
func (c PCollection[T]) FilterValue(name string, keep func(T) bool) PCollection[T] {
	c.p.given(keep != nil, "filter", name, "the function")
	return c.Filter(name, func(v *T) bool { return keep(*v) })
}

// FlatMap applies f to every value; f gives any number of values by calling emit, during the
// call only. Each has the event time, window and pane of the value that it comes from.
func (c PCollection[T]) FlatMap[U any](name string, f func(v *T, emit func(U))) PCollection[U] {
	c.p.given(f != nil, "flat map", name, "the function")
	return derive[T, U](c, name, "flat map", plan.Local,
		run.ParDoOp(func(_ *run.Context, v *T, main func(U), _ func(struct{})) { f(v, main) }))
}

// Context is what a ParDo function may know of its element beside the value: event time,
// watermark, window and pane. It is valid during the call only.
type Context = run.Context

// ParDo is [PCollection.FlatMap] with the element's [Context].
func (c PCollection[T]) ParDo[U any](name string, f func(x *Context, v *T, emit func(U))) PCollection[U] {
	c.p.given(f != nil, "par do", name, "the function")
	return derive[T, U](c, name, "par do", plan.Local,
		run.ParDoOp(func(x *run.Context, v *T, main func(U), _ func(struct{})) { f(x, v, main) }))
}

// ParDo2 is [PCollection.ParDo] with a side output: a second collection, of another type if
// need be. Values that a function cannot handle are usually sent there.
func (c PCollection[T]) ParDo2[U, S any](name string, f func(x *Context, v *T, main func(U), side func(S))) (PCollection[U], PCollection[S]) {
	c.p.given(f != nil, "par do", name, "the function")
	main := derive[T, U](c, name, "par do", plan.Local, run.ParDoOp(f))
	return main, PCollection[S]{p: c.p, step: main.step, port: 1, w: c.w}
}

// AssignTimestamps gives every value another event time. The watermark stays what it was, so
// every value upstream of this step is judged by the watermark that it was read at (S4.7):
// a time moved back may make it late. A zero time is no event time and ends the run with
// [ErrNoEventTime].
func (c PCollection[T]) AssignTimestamps(name string, at func(*T) time.Time) PCollection[T] {
	c.p.given(at != nil, "assign timestamps", name, "the function")
	c.p.carryAll = true
	d := derive[T, T](c, name, "assign timestamps", plan.Local, run.RetimeOp(times(at)))
	d.w.timed = true
	return d
}

// AssignTimestampsAndWatermarks is [PCollection.AssignTimestamps] with a watermark of its own,
// derived by s from the new times, for each split that comes in. It can stand only before
// anything is grouped or reshuffled: behind that, elements of one split come by several ways,
// and no order between them is left to judge them by (S4.7).
func (c PCollection[T]) AssignTimestampsAndWatermarks(name string, at func(*T) time.Time, s watermark.Strategy) PCollection[T] {
	where := "AssignTimestampsAndWatermarks " + quoted(name)
	checkStrategy[T](c.p, where, s)
	if s.Needs().Arrival {
		if _, recorded := s.(watermark.Arriver[T]); !recorded {
			c.p.failf("%s: the watermark %s goes by the arrival of records, which is known only where they are read: use watermark.ArrivalFrom, or give it to Read", where, s)
		}
	}
	d := derive[T, T](c, name, "assign timestamps and watermarks", plan.Local, run.RemarkOp(times(at), s))
	d.step.Detail = "watermark " + s.String()
	if watermark.IdleTimeout(s) > 0 || watermark.IdleAdvances(s) {
		c.p.failf("%s: idleness is judged where records are read: give Idle and IdleAdvance to Read", where)
	}
	if rejoins(c.step) {
		c.p.failf("%s: it stands behind a Flatten of branches of one source, whose records come branch by branch: put it before they part", where)
	}
	if c.step.Level() > 0 || c.w.inherited {
		c.p.failf("%s: it stands behind an exchange: put it before anything is grouped or reshuffled", where)
	}
	d.w.timed = true
	return d
}

// rejoins says whether branches of one source come together in s or before it.
func rejoins(s *plan.Step) bool {
	seen := map[*plan.Step]bool{}
	for _, e := range s.Inputs {
		if rejoins(e.From) {
			return true
		}
		mine := map[*plan.Step]bool{}
		ancestry(e.From, mine)
		for a := range mine {
			if seen[a] {
				return true
			}
			seen[a] = true
		}
	}
	return false
}

// ancestry adds s and all that it comes from.
func ancestry(s *plan.Step, all map[*plan.Step]bool) {
	all[s] = true
	for _, e := range s.Inputs {
		ancestry(e.From, all)
	}
}

// times makes a batch-wise function in microseconds of at.
func times[T any](at func(*T) time.Time) func([]T, []int64) {
	return func(vs []T, us []int64) {
		for i := range vs {
			t := at(&vs[i])
			if t.IsZero() {
				us[i] = run.NoEventTime
				continue
			}
			us[i] = etime.Micros(t)
		}
	}
}

// Reshuffle spreads the values evenly over the workers.
func (c PCollection[T]) Reshuffle(name string) PCollection[T] {
	return derive[T, T](c, name, "reshuffle", plan.Spread, run.PassOp[T]())
}

// Flatten takes collections together. They must be windowed alike.
func Flatten[T any](name string, first PCollection[T], more ...PCollection[T]) PCollection[T] {
	s := &plan.Step{Kind: "flatten", Codec: codecName[T](), Inputs: []plan.Edge{first.edge(plan.Local)}, Op: run.FlattenOp[T]()}
	for i, c := range more {
		first.w.join(first.p, c.p, c.w, "Flatten "+quoted(name), i+2)
		s.Inputs = append(s.Inputs, c.edge(plan.Local))
	}
	first.step, first.port = first.p.add(name, s), 0
	return first
}

// join takes the windowing of a further collection into account, the n-th of a step that takes
// several.
func (w *windowing) join(p, other *Pipeline, o windowing, where string, n int) {
	if other != p {
		p.failf("%s: collection %d belongs to another pipeline: build both in one", where, n)
	}
	if a, b := w.text(), o.text(); a != b {
		p.failf("%s: collection %d is windowed otherwise than the first (%s, not %s): put WindowInto behind it, or the same one before it on both", where, n, b, a)
	}
	w.timed = w.timed && o.timed
	w.repeats = w.repeats || o.repeats
	w.signed = w.signed || o.signed
}
