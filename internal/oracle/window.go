package oracle

import (
	"slices"
	"time"
)

// Interval is the half-open [Start, End) in µs (S1.3).
type Interval struct{ Start, End int64 }

// due gives the instant at which W fires the window (S4.1): 1 µs after the end of sessions that
// touch, since an element at the end may still join (S2.4).
func (w *Window) due(v Interval) int64 {
	if w.Kind == Session && w.Touching {
		return add(v.End, 1)
	}
	return v.End
}

// same says whether two windows of a key are one: sessions that meet are.
func (w *Window) same(a, b Interval) bool {
	return a == b || w.Kind == Session && a.Start < w.due(b) && b.Start < w.due(a)
}

// assign gives the windows of an element, in order of end; none in a gap. For a session it is
// the element's own, before any merging.
func (w *Window) assign(t int64) []Interval {
	switch w.Kind {
	case Fixed:
		start := floor(t, w.Size, w.Offset)
		return []Interval{{start, add(start, w.Size)}}
	case Sliding:
		var all []Interval
		for start := floor(t, w.Period, w.Offset); start > add(t, -w.Size); start -= w.Period {
			all = append(all, Interval{start, add(start, w.Size)})
		}
		slices.Reverse(all)
		return all
	case Cumulative:
		var all []Interval
		start := floor(t, w.Size, w.Offset)
		for end := add(start, w.Step); end <= add(start, w.Size); end += w.Step {
			if t < end {
				all = append(all, Interval{start, end})
			}
		}
		return all
	case Session:
		return []Interval{{t, add(t, w.Gap)}}
	case Calendar:
		return []Interval{w.calendar(t)}
	}
	return []Interval{{Before, After}}
}

// floor gives the greatest offset + n*size that is not beyond t (S1.2).
func floor(t, size, offset int64) int64 {
	past := (t%size - offset%size) % size
	if past < 0 {
		past += size
	}
	return add(t, -past)
}

const daySeconds = 24 * 60 * 60

// calendar gives the days or months around t (S2.3). A day lasts from the first instant at
// which the zone's clocks show its date, or a later one, to that of the next day; so a date
// that was skipped lasts no time, and what clocks show a second time is still the later day.
func (w *Window) calendar(t int64) Interval {
	zone := w.Zone
	if zone == nil {
		zone = time.UTC
	}
	y, m, d := time.UnixMicro(t).In(zone).Date()
	day := date(y, m, d)
	for dayStart(day+1, zone) <= t {
		day++
	}
	if w.Months > 0 {
		shown := time.Unix(day*daySeconds, 0).UTC()
		months := int64(shown.Year()-1970)*12 + int64(shown.Month()-time.January)
		first := time.January + time.Month(floor(months, int64(w.Months), 0))
		return Interval{
			dayStart(date(1970, first, 1), zone),
			dayStart(date(1970, first+time.Month(w.Months), 1), zone),
		}
	}
	first := floor(day, int64(w.Days), int64(w.Anchor))
	return Interval{dayStart(first, zone), dayStart(first+int64(w.Days), zone)}
}

// date numbers the days of the calendar from 1970-01-01.
func date(y int, m time.Month, d int) int64 {
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / daySeconds
}

// dayStart gives the first instant at which clocks in the zone show the day or a later one. It
// walks through the periods between changes of the clocks, beginning two days before.
func dayStart(day int64, zone *time.Location) int64 {
	midnight := day * daySeconds
	for at := time.Unix(midnight-2*daySeconds, 0).In(zone); ; {
		from, to := at.ZoneBounds()
		_, east := at.Zone()
		start := midnight - int64(east)
		if !from.IsZero() {
			start = max(start, from.Unix()) // the change itself jumped over midnight
		}
		if to.IsZero() || start < to.Unix() {
			return start * 1_000_000
		}
		at = to
	}
}
