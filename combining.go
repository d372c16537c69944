package strandline

import (
	"sync"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/etime"
)

// CombiningState is a cell of state that is an aggregate: the values that were added to it, of
// which the accumulator alone is kept. It is valid during the call only.
type CombiningState[I, O any] interface {
	// Add adds a value, at the event time of the element at hand, or of the timer. It does not
	// keep v.
	Add(v *I)
	// Get gives the aggregate of what was added so far, and leaves the cell as it is. The error
	// is that of the combiner: [combine.ErrEmpty] if it has no value for nothing,
	// [combine.ErrOverflow] if the result does not fit.
	Get() (O, error)
	// Clear forgets what was added.
	Clear()
}

// StatefulCombining is [Keyed.Stateful] with a cell of state that is an aggregate by the combiner
// of what process adds to it (S6.1), beside a state of any type that can be encoded. For several
// aggregates, pair combiners by [combine.Both]; for no other state, let S be struct{}. The
// accumulator must be encodable; those of the built-in combiners are if their values are.
// [run.Turn.ClearState] and [run.Turn.KeepUntil] hold for the cell, too.
//
//	alarms := readings.StatefulCombining("alarms", strandline.PerWindow, combine.Mean(celsius),
//		func(x *strandline.Turn[string, Alarm], sent *bool, mean strandline.CombiningState[Reading, float64], r *Reading) {
//			mean.Add(r)
//			if m, err := mean.Get(); err == nil && m > 60 && !*sent {
//				x.Emit(Alarm{x.Key, m})
//				*sent = true
//			}
//		}, nil)
func (k Keyed[K, V]) StatefulCombining[I, A, O, S, U any](name string, scope Scope, by combine.Combiner[I, A, O],
	process func(x *Turn[K, U], s *S, sum CombiningState[I, O], v *V), timer func(x *Turn[K, U], s *S, sum CombiningState[I, O], name string)) Stepped[K, V, U] {
	k.p.given(by != nil, "stateful", name, "the combiner")
	k.p.given(process != nil, "stateful", name, "the function")
	if v, ok := by.(combine.Validator); ok {
		if err := v.Validate(); err != nil {
			k.p.failf("stateful %s: %w", quoted(name), err)
		}
	}
	cells := newCellPool[I, A, O, S](by)
	var onTimer func(x *Turn[K, U], s *combined[S, A], name string)
	if timer != nil {
		onTimer = func(x *Turn[K, U], s *combined[S, A], name string) {
			c := cells.open(s, etime.Micros(x.Time()))
			timer(x, &s.State, c, name)
			cells.close(c)
		}
	}
	return k.Stateful(name, scope, func(x *Turn[K, U], s *combined[S, A], v *V) {
		c := cells.open(s, etime.Micros(x.Time()))
		process(x, &s.State, c, v)
		cells.close(c)
	}, onTimer)
}

// combined is a state with an aggregate beside it.
type combined[S, A any] struct {
	State S
	Acc   A
	Made  bool // Acc is an accumulator, not merely zero
}

// combiningCell is the cell of the element at hand.
type combiningCell[I, A, O, S any] struct {
	by    combine.Combiner[I, A, O]
	timed combine.Timed[I, A] // nil if event times have no say
	s     *combined[S, A]
	at    int64
}

func (c *combiningCell[I, A, O, S]) acc() *A {
	if !c.s.Made {
		c.s.Acc, c.s.Made = c.by.Create(), true
	}
	return &c.s.Acc
}

func (c *combiningCell[I, A, O, S]) Add(v *I) {
	if c.timed != nil {
		c.timed.AddAt(c.acc(), v, c.at)
		return
	}
	c.by.Add(c.acc(), v)
}

func (c *combiningCell[I, A, O, S]) Get() (O, error) { return c.by.Extract(c.acc()) }

func (c *combiningCell[I, A, O, S]) Clear() {
	var none A
	c.s.Acc, c.s.Made = none, false
}

// cellPool spares an allocation for each element: cells are handed out for the time of a call.
type cellPool[I, A, O, S any] struct{ sync.Pool }

func newCellPool[I, A, O, S any](by combine.Combiner[I, A, O]) *cellPool[I, A, O, S] {
	p := &cellPool[I, A, O, S]{}
	if by == nil {
		return p // a mistake that was reported
	}
	timed, _ := combine.AsTimed(by)
	p.New = func() any { return &combiningCell[I, A, O, S]{by: by, timed: timed} }
	return p
}

func (p *cellPool[I, A, O, S]) open(s *combined[S, A], at int64) *combiningCell[I, A, O, S] {
	c := p.Get().(*combiningCell[I, A, O, S])
	c.s, c.at = s, at
	return c
}

func (p *cellPool[I, A, O, S]) close(c *combiningCell[I, A, O, S]) {
	c.s = nil
	p.Put(c)
}
