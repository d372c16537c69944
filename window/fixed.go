package window

import (
	"errors"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// FixedWindows are windows of one size, end to end, also called tumbling (S2.2). See [Fixed].
type FixedWindows struct{ size, offset time.Duration }

var _ Assigner = FixedWindows{}

// Fixed cuts event time into windows [n*size, (n+1)*size), counted from
// 1970-01-01T00:00:00Z. An element is in exactly one: with a size of 10 s the one at 9 s is in
// [0 s, 10 s), the one at 10 s in [10 s, 20 s), and the one a microsecond before 0 in
// [-10 s, 0 s) (S1.2). Size must be positive and of whole microseconds.
func Fixed(size time.Duration) FixedWindows { return FixedWindows{size: size} }

// Offset moves the windows by d, of any sign: [n*size + d, (n+1)*size + d). Defaults to 0.
func (f FixedWindows) Offset(d time.Duration) FixedWindows {
	f.offset = d
	return f
}

// Micros gives size and offset in microseconds, the offset reduced to [0, size), for runners.
func (f FixedWindows) Micros() (size, offset int64) {
	return etime.Span(f.size), shift(f.offset, f.size)
}

// Assign appends the one window that t is in.
func (f FixedWindows) Assign(dst []Interval, t int64) []Interval {
	t = finite(t)
	size, offset := f.Micros()
	p := phase(t, size, offset)
	return append(dst, Interval{etime.Sub(t, p), etime.Add(t, size-p)})
}

// Validate reports a size that is not positive, and a size or offset that is not of whole
// microseconds.
func (f FixedWindows) Validate() error {
	const of = "window.Fixed"
	return errors.Join(positive(of, "size", f.size), whole(of, "offset", f.offset))
}

// String gives text such as "fixed(10s)" or "fixed(24h, offset 6h)".
func (f FixedWindows) String() string {
	_, offset := f.Micros()
	return call("fixed", append([]string{text(f.size)}, offsetText(offset)...)...)
}
