package watermark

import (
	"errors"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// ArrivalStrategy follows the arrival of records. See [Arrival].
type ArrivalStrategy struct {
	delay time.Duration
	idle
}

var _ Strategy = ArrivalStrategy{}

// Arrival keeps the watermark delay behind the latest arrival (S3.2): an element is on time if
// it arrives within delay of its event time. A record's own arrival moves the watermark before
// the record is judged (S3.7). Delay must not be negative and must be of whole microseconds.
//
// On live runs a record arrives when it is read. A replay uses the arrival that is recorded in
// it, so that it gives what the live run gave (S1.6): see [ArrivalFrom].
func Arrival(delay time.Duration) ArrivalStrategy { return ArrivalStrategy{delay: delay} }

// Idle makes a split idle after timeout without data, as [BoundedStrategy.Idle] does. Defaults
// to 0: only the source can say so.
func (s ArrivalStrategy) Idle(timeout time.Duration) ArrivalStrategy {
	s.timeout = timeout
	return s
}

// IdleAdvance lets the watermark follow the clock while every split is idle, as if a record
// arrived all the time; see [BoundedStrategy.IdleAdvance]. Defaults to off.
func (s ArrivalStrategy) IdleAdvance() ArrivalStrategy {
	s.advance = true
	return s
}

// String gives text such as "arrival(5s)".
func (s ArrivalStrategy) String() string { return "arrival(" + text(s.delay) + ")" + s.idle.text() }

// Validate reports a delay that is negative or not of whole microseconds, and a negative
// timeout.
func (s ArrivalStrategy) Validate() error {
	const of = "watermark.Arrival"
	return errors.Join(behind(of, "delay", s.delay), s.idle.validate(of))
}

// Needs asks for the arrivals.
func (s ArrivalStrategy) Needs() Needs { return Needs{Arrival: true} }

// Start gives the generator of one split.
func (s ArrivalStrategy) Start() Generator {
	delay := etime.Span(s.delay)
	return &arrivals{of: s, delay: delay, last: etime.Min + delay}
}

// arrivals is the generator of [Arrival].
type arrivals struct {
	of    Strategy // for messages
	delay int64
	last  int64 // the latest arrival, at least Min + delay, so that nothing overflows
}

func (a *arrivals) Observe(c Columns, w []int64) (int64, error) {
	w = w[:len(c.At)]
	arrived, last, delay := c.Arrival[:len(w)], a.last, a.delay
	for i, t := range arrived {
		last = max(last, min(t, latest))
		w[i] = last - delay
	}
	a.last = last
	return a.W(), nil
}

func (a *arrivals) W() int64 { return a.last - a.delay }

func (a *arrivals) Tick(now int64) int64 {
	if IdleAdvances(a.of) {
		a.last = max(a.last, min(now, latest))
	}
	return a.W()
}

func (a *arrivals) Future() int64 { return 0 }

func (a *arrivals) AppendState(dst []int64) []int64 { return append(dst, a.last) }

func (a *arrivals) RestoreState(s []int64) error {
	if len(s) != 1 || s[0] < etime.Min+a.delay || s[0] > latest {
		return wrongState(a.of.String(), s)
	}
	a.last = s[0]
	return nil
}
