package watermark

import (
	"errors"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// RecordedArrival is a strategy that finds arrivals in the records. See [ArrivalFrom].
type RecordedArrival[T any] struct {
	Strategy
	read func(*T) time.Time
}

var _ Arriver[int] = RecordedArrival[int]{}

// ArrivalFrom says where a record of type T has its arrival, for a strategy that is based on
// it: [Arrival] or [Periods]. It is for replay and batch; a live run takes the clock. Read is
// called once per record, must not keep the pointer, and is called for several splits at once.
//
// Options of the strategy are set before: ArrivalFrom(Arrival(d).Idle(timeout), read).
func ArrivalFrom[T any](s Strategy, read func(*T) time.Time) RecordedArrival[T] {
	return RecordedArrival[T]{s, read}
}

// ArrivalOf gives the recorded arrival of *v in microseconds, cut towards the past.
func (r RecordedArrival[T]) ArrivalOf(v *T) int64 { return etime.Micros(r.read(v)) }

// String is the strategy's text with ".recorded" after it. The function does not show.
func (r RecordedArrival[T]) String() string {
	if r.Strategy == nil {
		return "nil.recorded"
	}
	return r.Strategy.String() + ".recorded"
}

// Validate reports a function that is nil, a strategy that is nil or not based on arrival, and
// all that is wrong with the strategy.
func (r RecordedArrival[T]) Validate() error {
	const of = "watermark.ArrivalFrom"
	var errs []error
	if r.read == nil {
		errs = append(errs, errors.New(of+": the function that reads the arrival is nil"))
	}
	switch {
	case r.Strategy == nil:
		errs = append(errs, errors.New(of+": the strategy is nil"))
	case !r.Needs().Arrival:
		errs = append(errs, errors.New(of+": "+r.Strategy.String()+" is not based on arrival; use watermark.Arrival or watermark.Periods"), r.Strategy.Validate())
	default:
		errs = append(errs, r.Strategy.Validate())
	}
	return errors.Join(errs...)
}

func (r RecordedArrival[T]) whenIdle() idle {
	if i, ok := r.Strategy.(idling); ok {
		return i.whenIdle()
	}
	return idle{}
}
