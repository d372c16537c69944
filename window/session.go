package window

import (
	"cmp"
	"slices"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// SessionWindows are the stretches of activity of a key, parted by pauses (S2.4). See
// [Session].
type SessionWindows struct {
	gap      time.Duration
	touching bool
}

var _ Merger = SessionWindows{}

// Session opens [t, t+gap) for an element at t; windows of one key that overlap merge. Two
// elements exactly gap apart are two sessions. Gap must be positive and of whole microseconds.
func Session(gap time.Duration) SessionWindows { return SessionWindows{gap: gap} }

// MergeTouching makes windows merge that only touch: two elements exactly gap apart are one
// session. Such a session fires when the watermark has passed its end, not when it reaches it.
func (s SessionWindows) MergeTouching() SessionWindows {
	s.touching = true
	return s
}

// GapMicros gives the gap in microseconds, for runners.
func (s SessionWindows) GapMicros() int64 { return etime.Span(s.gap) }

// Touching says whether windows merge that only touch.
func (s SessionWindows) Touching() bool { return s.touching }

// Assign appends the session that an element at t would be if it were alone.
func (s SessionWindows) Assign(dst []Interval, t int64) []Interval {
	t = finite(t)
	return append(dst, Interval{t, etime.Add(t, s.GapMicros())})
}

// Merge gives a group for each run of two or more windows that hang together. Groups, and the
// indices in each, are in order of window start.
func (s SessionWindows) Merge(ws []Interval) []Merged {
	if len(ws) < 2 {
		return nil
	}
	var few [16]int
	order := few[:0]
	for i := range ws {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ws[a].lo, ws[b].lo) })

	var groups []Merged
	for first := 0; first < len(order); {
		into, next := ws[order[first]], first+1
		for next < len(order) && s.joins(into, ws[order[next]]) {
			into.hi = max(into.hi, ws[order[next]].hi)
			next++
		}
		if next-first > 1 {
			groups = append(groups, Merged{Into: into, From: slices.Clone(order[first:next])})
		}
		first = next
	}
	return groups
}

// joins says whether a window that starts no earlier than w belongs to w's session.
func (s SessionWindows) joins(w, later Interval) bool {
	return later.lo < w.hi || s.touching && later.lo == w.hi
}

// Due gives the instant that the watermark must reach for w to fire: its end or, if touching
// windows merge, a microsecond later, since an element at the end may still join.
func (s SessionWindows) Due(w Interval) int64 {
	if s.touching {
		return etime.Add(w.hi, 1)
	}
	return w.hi
}

// Validate reports a gap that is not positive or not of whole microseconds.
func (s SessionWindows) Validate() error { return positive("window.Session", "gap", s.gap) }

// String gives text such as "session(30m)" or "session(30m, touching)".
func (s SessionWindows) String() string {
	if s.touching {
		return call("session", text(s.gap), "touching")
	}
	return call("session", text(s.gap))
}
