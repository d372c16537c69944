package window

import "github.com/strandline-stream/strandline/internal/etime"

// Assigner says which windows an instant belongs to (S2). The built-in ones are values; users
// write theirs with [Custom]. An Assigner is immutable and safe for concurrent use, except one
// that [ForWorker] gave.
type Assigner interface {
	// Assign appends to dst the windows that instant t (microseconds since
	// 1970-01-01T00:00:00Z) is in, in order of their end, and returns the extended slice. It
	// appends none for an instant in a gap, and never an empty interval. It keeps no
	// reference to dst.
	Assign(dst []Interval, t int64) []Interval

	// Validate reports everything that is wrong with the parameters, joined into one error,
	// or nil.
	Validate() error

	// String is canonical text: two assigners with equal text assign equally, so it stands
	// for the windowing in a plan's fingerprint. Examples: "fixed(10s)", "sliding(10s, 5s)",
	// "session(30m)", "days(Europe/Berlin)".
	String() string
}

// Merger is an Assigner whose windows merge, per key, as elements come (S2.4).
type Merger interface {
	Assigner

	// Merge is given the windows of one key, in any order, each once, and gives the groups
	// that become one window. A window is in at most one group; one in no group stays as it
	// is. The windows that remain are distinct. It does not change or keep ws; the caller
	// owns the result.
	Merge(ws []Interval) []Merged
}

// Merged is a group of windows that become one.
type Merged struct {
	// Into is the window that they become. It may be equal to one of them.
	Into Interval
	// From has the indices of the group in the slice given to Merge: two or more, or one
	// whose window becomes another.
	From []int
}

// Due gives the instant that the watermark must reach for w to fire on time, in microseconds:
// the window's end (S4.1), or what the assigner's own method Due(Interval) int64 says. Only
// sessions that merge on touch have one: an element at the end may still join, so theirs is a
// microsecond later (S2.4).
func Due(a Assigner, w Interval) int64 {
	if d, ok := a.(interface{ Due(Interval) int64 }); ok {
		return d.Due(w)
	}
	return w.hi
}

// OutputTime gives the event time of an output of window w for which the output-time rule
// (S5.8) chose instant t, both in microseconds: t, or what the assigner's own method
// OutputTime(Interval, int64) int64 makes of it.
func OutputTime(a Assigner, w Interval, t int64) int64 {
	if o, ok := a.(interface {
		OutputTime(Interval, int64) int64
	}); ok {
		return o.OutputTime(w, t)
	}
	return t
}

// ForWorker gives an assigner for the use of one goroutine that assigns as a does, faster if a
// can remember what it computed last: it has then a method Cursor() Assigner. Otherwise it is
// a itself. A runner calls it once per worker.
func ForWorker(a Assigner) Assigner {
	if c, ok := a.(interface{ Cursor() Assigner }); ok {
		return c.Cursor()
	}
	return a
}

// finite pulls t off "before everything" and "after everything", which absorb all arithmetic,
// to the nearest instant with which one can reckon, so that there, too, a window has a start
// before its end.
func finite(t int64) int64 { return min(max(t, etime.Min+1), etime.Max-1) }

// phase gives how far t is past the last instant of the form offset + n*size, by floor
// division (S1.2), for 0 <= offset < size.
func phase(t, size, offset int64) int64 {
	p := floorMod(t, size) - offset
	if p < 0 {
		p += size
	}
	return p
}

// floorMod gives the remainder of floor division, in [0, b), for b > 0.
func floorMod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += b
	}
	return r
}
