package watermark

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// AdaptiveStrategy is bounded out-of-orderness whose bound follows the data. See [Adaptive].
type AdaptiveStrategy struct {
	quantile       float64
	floor, ceiling time.Duration
	guard          Guard
	unguarded      bool
	idle
}

var _ Strategy = AdaptiveStrategy{}

// Adaptive keeps the watermark behind the greatest event time read, as [Bounded] does, by a
// bound that it learns (S3.2): the given quantile of the delays that it has observed, but at
// least floor and at most ceiling. With a quantile of 0.99 about one record in a hundred is
// behind the watermark, as long as the data stays as it was.
//
// The delay of a record is the greatest event time read so far less its own: what decides
// whether it is late. When it arrived has no say, so that a network that stood still for an hour
// makes nothing late, and a replay needs no recorded arrivals and repeats what the live run did
// (the poison guard aside, which is as with [Bounded]). Records that the guard withholds, and
// those without event time, have no delay.
//
// The bound is the ceiling at first and is set anew after every 256 records. What was observed
// counts half as much after every 16,384 records, so that both a storm and its end are followed.
// Delays are told apart to a sixteenth, rounded up. A bound that grows lets the watermark stand
// until the records have caught up; it never moves backwards.
//
// Quantile must be more than 0 and less than 1; floor must not be negative, ceiling not less
// than floor, and both of whole microseconds. With floor and ceiling equal it is Bounded.
func Adaptive(quantile float64, floor, ceiling time.Duration) AdaptiveStrategy {
	return AdaptiveStrategy{quantile: quantile, floor: floor, ceiling: ceiling}
}

// Guard sets the limits of the poison guard, and switches it on. Defaults to Guard{}.
func (s AdaptiveStrategy) Guard(g Guard) AdaptiveStrategy {
	s.guard, s.unguarded = g, false
	return s
}

// NoGuard switches the poison guard off: any record moves the watermark as far as it says.
func (s AdaptiveStrategy) NoGuard() AdaptiveStrategy {
	s.guard, s.unguarded = Guard{}, true
	return s
}

// Idle makes a split idle after timeout without data, as [BoundedStrategy.Idle] does. Defaults
// to 0: only the source can say so.
func (s AdaptiveStrategy) Idle(timeout time.Duration) AdaptiveStrategy {
	s.timeout = timeout
	return s
}

// IdleAdvance lets the watermark follow the clock, at the distance of the bound, while every
// split is idle, as [BoundedStrategy.IdleAdvance] does. Defaults to off.
func (s AdaptiveStrategy) IdleAdvance() AdaptiveStrategy {
	s.advance = true
	return s
}

// String gives text such as "adaptive(0.99, floor 1s, ceiling 1m)".
func (s AdaptiveStrategy) String() string {
	guard := s.guard.text()
	if s.unguarded {
		guard = ".noGuard"
	}
	return fmt.Sprintf("adaptive(%v, floor %s, ceiling %s)%s%s", s.quantile, text(s.floor), text(s.ceiling), guard, s.idle.text())
}

// Validate reports a quantile that is not between 0 and 1, a floor, ceiling, guard or timeout
// that is negative or not of whole microseconds, and a ceiling below the floor.
func (s AdaptiveStrategy) Validate() error {
	const of = "watermark.Adaptive"
	var errs []error
	if !(s.quantile > 0 && s.quantile < 1) {
		errs = append(errs, fmt.Errorf("%s: quantile must be more than 0 and less than 1, is %v", of, s.quantile))
	}
	errs = append(errs, behind(of, "floor", s.floor), behind(of, "ceiling", s.ceiling))
	if s.ceiling < s.floor {
		errs = append(errs, fmt.Errorf("%s: ceiling must not be less than floor, but %v is less than %v", of, s.ceiling, s.floor))
	}
	return errors.Join(append(errs, s.guard.validate(of), s.idle.validate(of))...)
}

// Needs asks for the clock if the guard is on.
func (s AdaptiveStrategy) Needs() Needs { return Needs{Now: !s.unguarded} }

// Start gives the generator of one split.
func (s AdaptiveStrategy) Start() Generator {
	// The frontier keeps room for the greatest bound and gives the greatest event time.
	f := Bounded(s.ceiling).Guard(s.guard)
	if s.unguarded {
		f = f.NoGuard()
	}
	a := &adaptive{
		of:       s,
		quantile: s.quantile,
		least:    etime.Span(s.floor),
		most:     etime.Span(s.ceiling),
		high:     *f.Start().(*frontier),
		w:        never,
	}
	a.high.of, a.bound = s, a.most
	return a
}
