package window

import "github.com/strandline-stream/strandline/internal/etime"

// SessionGapWindows are sessions whose gap each element brings along (S2.4): an element at t with
// gap g opens [t, t+g). See [SessionGaps].
type SessionGapWindows struct{}

var _ Merger = SessionGapWindows{}

// SessionGaps are sessions with a gap for each element. It is what collections are windowed by
// behind a step that gives elements their windows, and cannot assign any itself: the gap is not
// to be had from an instant.
func SessionGaps() SessionGapWindows { return SessionGapWindows{} }

// Open gives the window of an element at instant t (microseconds since 1970-01-01T00:00:00Z) with
// a gap of so many microseconds, for runners. The gap must be positive.
func (SessionGapWindows) Open(t, gap int64) Interval {
	t = finite(t)
	return Interval{t, etime.Add(t, gap)}
}

// Assign panics: elements bring their windows.
func (s SessionGapWindows) Assign([]Interval, int64) []Interval {
	panic("window: " + s.String() + " assigns nothing: its elements bring their windows")
}

// Merge is [SessionWindows.Merge]: windows that overlap merge, whatever their gaps.
func (SessionGapWindows) Merge(ws []Interval) []Merged { return SessionWindows{}.Merge(ws) }

// Validate finds nothing wrong: there are no parameters.
func (SessionGapWindows) Validate() error { return nil }

// String gives "session(gap of each element)".
func (SessionGapWindows) String() string { return call("session", "gap of each element") }
