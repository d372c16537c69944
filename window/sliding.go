package window

import (
	"errors"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// SlidingWindows are windows of one size that start at regular intervals, also called hopping
// (S2.2). See [Sliding].
type SlidingWindows struct{ size, period, offset time.Duration }

var _ Assigner = SlidingWindows{}

// Sliding has windows [n*period, n*period + size), counted from 1970-01-01T00:00:00Z. With a
// size of 10 s and a period of 5 s the element at 7 s is in [0 s, 10 s) and in [5 s, 15 s).
// Size need not be a multiple of period. If period is the greater there are gaps, and an
// element in a gap is in no window. Both must be positive and of whole microseconds.
func Sliding(size, period time.Duration) SlidingWindows {
	return SlidingWindows{size: size, period: period}
}

// Offset moves the windows by d, of any sign. Defaults to 0.
func (s SlidingWindows) Offset(d time.Duration) SlidingWindows {
	s.offset = d
	return s
}

// Micros gives size, period and offset in microseconds, the offset reduced to [0, period), for
// runners.
func (s SlidingWindows) Micros() (size, period, offset int64) {
	return etime.Span(s.size), etime.Span(s.period), shift(s.offset, s.period)
}

// Assign appends the windows that t is in: about size/period of them, none in a gap.
func (s SlidingWindows) Assign(dst []Interval, t int64) []Interval {
	t = finite(t)
	size, period, offset := s.Micros()
	p := phase(t, period, offset)
	if p >= size {
		return dst // a gap
	}
	// The windows that hold t started p, p+period, ... ago, less than size. The one that
	// started first ends first.
	for age := p + (size-1-p)/period*period; age >= p; age -= period {
		dst = append(dst, Interval{etime.Sub(t, age), etime.Add(t, size-age)})
	}
	return dst
}

// Validate reports a size or period that is not positive, and any of the three that is not of
// whole microseconds.
func (s SlidingWindows) Validate() error {
	const of = "window.Sliding"
	return errors.Join(positive(of, "size", s.size), positive(of, "period", s.period), whole(of, "offset", s.offset))
}

// String gives text such as "sliding(10s, 5s)" or "sliding(1h, 1m, offset 30s)".
func (s SlidingWindows) String() string {
	_, _, offset := s.Micros()
	return call("sliding", append([]string{text(s.size), text(s.period)}, offsetText(offset)...)...)
}
