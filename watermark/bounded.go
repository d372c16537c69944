package watermark

import (
	"errors"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// BoundedStrategy is bounded out-of-orderness. See [Bounded].
type BoundedStrategy struct {
	bound     time.Duration
	guard     Guard
	unguarded bool
	idle
}

var _ Strategy = BoundedStrategy{}

// Bounded keeps the watermark bound behind the greatest event time read (S3.2): with a bound of
// 5 s it stands at 11 s once an element at 16 s was read. Bound must not be negative and must be
// of whole microseconds.
//
// The poison guard is on, so that one record from the far future does not make all others late
// (S3.4); see [Guard].
func Bounded(bound time.Duration) BoundedStrategy { return BoundedStrategy{bound: bound} }

// Ascending is for event times that never fall: the watermark is the greatest one read. Of two
// elements with the same time neither is late. It is Bounded(0).
func Ascending() BoundedStrategy { return Bounded(0) }

// Guard sets the limits of the poison guard, and switches it on. Defaults to Guard{}.
func (s BoundedStrategy) Guard(g Guard) BoundedStrategy {
	s.guard, s.unguarded = g, false
	return s
}

// NoGuard switches the poison guard off: any record moves the watermark as far as it says, and
// the first one does so at once.
func (s BoundedStrategy) NoGuard() BoundedStrategy {
	s.guard, s.unguarded = Guard{}, true
	return s
}

// Idle makes a split idle after timeout without data, while nothing downstream is blocked, so
// that it no longer holds back the others (S3.3). Defaults to 0: only the source can say so.
func (s BoundedStrategy) Idle(timeout time.Duration) BoundedStrategy {
	s.timeout = timeout
	return s
}

// IdleAdvance lets the watermark follow the clock, at the bound's distance, while every split
// is idle (S3.3). What that closes, it closes by the clock: it is marked and counted. Defaults
// to off: the watermark stays.
func (s BoundedStrategy) IdleAdvance() BoundedStrategy {
	s.advance = true
	return s
}

// String gives text such as "bounded(5s)" or "bounded(5s).noGuard.idle(1m)".
func (s BoundedStrategy) String() string {
	guard := s.guard.text()
	if s.unguarded {
		guard = ".noGuard"
	}
	return "bounded(" + text(s.bound) + ")" + guard + s.idle.text()
}

// Validate reports a bound, guard or timeout that is negative or not of whole microseconds.
func (s BoundedStrategy) Validate() error {
	const of = "watermark.Bounded"
	return errors.Join(behind(of, "bound", s.bound), s.guard.validate(of), s.idle.validate(of))
}

// Needs asks for the clock if the guard is on.
func (s BoundedStrategy) Needs() Needs { return Needs{Now: !s.unguarded} }

// Start gives the generator of one split.
func (s BoundedStrategy) Start() Generator {
	g := s.guard.withDefaults()
	bound := etime.Span(s.bound)
	return &frontier{
		of:      s,
		bound:   bound,
		floor:   etime.Min + bound,
		guarded: !s.unguarded,
		support: etime.Span(g.Support),
		skew:    etime.Span(g.MaxFutureSkew),
		high:    etime.Min + bound,
		ahead:   never,
	}
}
