package window

import (
	"cmp"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// Interval is a half-open interval of event time, [start, end) (S1.3): its last instant is
// one microsecond before its end. It is the identity of a window within a step and key, is
// comparable, and can be the key of a map. The zero Interval is empty.
//
// An end "after everything" bounds nothing: such an interval holds every instant from its
// start on.
type Interval struct{ lo, hi int64 }

// everything is the window of the global windowing.
var everything = Interval{etime.Min, etime.Max}

// Between gives [start, end), both cut towards the past to whole microseconds. If end is not
// after start the interval is empty, which no windowing may assign.
func Between(start, end time.Time) Interval {
	return Interval{etime.Micros(start), etime.Micros(end)}
}

// FromMicros gives [lo, hi) from microseconds since 1970-01-01T00:00:00Z. It is for runners;
// pipelines use [Between].
func FromMicros(lo, hi int64) Interval { return Interval{lo, hi} }

// Micros gives start and end in microseconds since 1970-01-01T00:00:00Z, for runners.
func (w Interval) Micros() (lo, hi int64) { return w.lo, w.hi }

// Lo gives the start in microseconds since 1970-01-01T00:00:00Z, for runners.
func (w Interval) Lo() int64 { return w.lo }

// Hi gives the end, the first instant after the window, in microseconds since
// 1970-01-01T00:00:00Z, for runners.
func (w Interval) Hi() int64 { return w.hi }

// Start gives the first instant of the window, in UTC.
func (w Interval) Start() time.Time { return etime.Time(w.lo) }

// End gives the first instant after the window, in UTC.
func (w Interval) End() time.Time { return etime.Time(w.hi) }

// Last gives the last instant of the window, a microsecond before its end, in UTC. It is the
// event time of the window's outputs unless another is asked for (S5.8).
func (w Interval) Last() time.Time { return etime.Time(w.last()) }

// last is Last in microseconds. Before an end "after everything", too, it is a microsecond.
func (w Interval) last() int64 { return max(w.hi, etime.Min+1) - 1 }

// Contains says whether t is in the window.
func (w Interval) Contains(t time.Time) bool {
	us := etime.Micros(t)
	return w.lo <= us && (us < w.hi || w.hi == etime.Max)
}

// Overlaps says whether the two windows have an instant in common. Windows that only touch
// have none.
func (w Interval) Overlaps(o Interval) bool {
	return max(w.lo, o.lo) < min(w.hi, o.hi)
}

// Span gives the length of the window, or the greatest duration (292 years) if that cannot
// hold it.
func (w Interval) Span() time.Duration {
	if w.hi < w.lo {
		return -Interval{w.hi, w.lo}.Span()
	}
	length := w.hi - w.lo
	if length < 0 { // more than 63 bits
		length = etime.Max
	}
	return etime.Duration(length)
}

// IsGlobal says whether this is the one window of the global windowing.
func (w Interval) IsGlobal() bool { return w == everything }

// String gives the bounds in RFC 3339, "[2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z)", or
// "global".
func (w Interval) String() string {
	if w.IsGlobal() {
		return "global"
	}
	return fmt.Sprintf("[%s, %s)", etime.Format(w.lo), etime.Format(w.hi))
}

// byEnd orders windows by end, those that end together by start.
func byEnd(a, b Interval) int {
	return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo))
}
