package window

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// CumulativeWindows grow by steps from a common start and then begin anew (S2.1). See
// [Cumulative].
type CumulativeWindows struct{ size, step, offset time.Duration }

var _ Assigner = CumulativeWindows{}

// Cumulative has, for every t0 = n*size counted from 1970-01-01T00:00:00Z, the windows
// [t0, t0+step), [t0, t0+2*step), ... up to [t0, t0+size): the day so far, hour by hour. An
// element is in all of those that end after it. Both must be positive and of whole
// microseconds, and size a multiple of step.
func Cumulative(size, step time.Duration) CumulativeWindows {
	return CumulativeWindows{size: size, step: step}
}

// Offset moves the windows by d, of any sign. Defaults to 0.
func (c CumulativeWindows) Offset(d time.Duration) CumulativeWindows {
	c.offset = d
	return c
}

// Micros gives size, step and offset in microseconds, the offset reduced to [0, size), for
// runners.
func (c CumulativeWindows) Micros() (size, step, offset int64) {
	return etime.Span(c.size), etime.Span(c.step), shift(c.offset, c.size)
}

// Assign appends the windows that t is in: size/step of them at most, one at least.
func (c CumulativeWindows) Assign(dst []Interval, t int64) []Interval {
	t = finite(t)
	size, step, offset := c.Micros()
	p := phase(t, size, offset)
	lo := etime.Sub(t, p)
	for length := p - p%step + step; length <= size; length += step {
		hi := etime.Add(t, length-p)
		dst = append(dst, Interval{lo, hi})
		if hi == etime.Max {
			break // the longer ones are this one
		}
	}
	return dst
}

// Validate reports a size or step that is not positive, any of the three that is not of whole
// microseconds, and a size that is not a multiple of step.
func (c CumulativeWindows) Validate() error {
	const of = "window.Cumulative"
	var uneven error
	if c.step > 0 && c.size%c.step != 0 {
		uneven = fmt.Errorf("%s: size must be a multiple of step, but %v is not one of %v", of, c.size, c.step)
	}
	return errors.Join(positive(of, "size", c.size), positive(of, "step", c.step), whole(of, "offset", c.offset), uneven)
}

// String gives text such as "cumulative(24h, 1h)" or "cumulative(24h, 1h, offset 6h)".
func (c CumulativeWindows) String() string {
	_, _, offset := c.Micros()
	return call("cumulative", append([]string{text(c.size), text(c.step)}, offsetText(offset)...)...)
}
