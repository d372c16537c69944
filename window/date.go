package window

import (
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// A date is a number of days since 1970-01-01 in the Gregorian calendar, without a zone.
type date int64

const daySeconds = 24 * 60 * 60

// dates gives the first date of the window that d is in, and of the one after it.
func (c CalendarWindows) dates(d date) (first, next date) {
	n := int64(c.every)
	switch c.unit {
	case months:
		return c.monthsOf(d, n)
	case quarters:
		return c.monthsOf(d, 3*n)
	case years:
		return c.monthsOf(d, 12*n)
	}
	anchor := date(0)
	if c.unit == weeks {
		n *= 7
		anchor = -(date(time.Thursday-c.start+7) % 7) // 1970-01-01 was a Thursday
	}
	first = anchor + date(etime.FloorDiv(int64(d-anchor), n)*n)
	return first, first + date(n)
}

// monthsOf is dates for windows of n months.
func (c CalendarWindows) monthsOf(d date, n int64) (first, next date) {
	year, month, _ := time.Unix(int64(d)*daySeconds, 0).UTC().Date()
	anchor := int64(c.month - time.January)
	if anchor > 0 {
		anchor -= 12 // the start of the year that 1970-01-01 is in
	}
	m := anchor + etime.FloorDiv(int64(year-1970)*12+int64(month-time.January)-anchor, n)*n
	return monthStart(m), monthStart(m + n)
}

// monthStart gives the first date of the month that is m months after January 1970.
func monthStart(m int64) date {
	start := time.Date(1970, time.January+time.Month(m), 1, 0, 0, 0, 0, time.UTC)
	return date(etime.FloorDiv(start.Unix(), daySeconds))
}

// localDate gives the date that clocks in zone show at an instant, in seconds.
func localDate(zone *time.Location, seconds int64) date {
	_, offset := time.Unix(seconds, 0).In(zone).Zone()
	return date(etime.FloorDiv(seconds+int64(offset), daySeconds))
}

// firstInstant gives the first instant, in microseconds, at which clocks in zone show date d
// or a later one.
func firstInstant(zone *time.Location, d date) int64 {
	const farthest = 26 * 60 * 60 // no zone was ever as far from UTC
	midnight := int64(d) * daySeconds
	// Go through the spans of constant offset, from one in which d cannot have begun.
	for t := midnight - farthest; ; {
		at := time.Unix(t, 0).In(zone)
		_, offset := at.Zone()
		begins, end := max(t, midnight-int64(offset)), spanEnd(at)
		if begins < end {
			return instant(begins)
		}
		t = end
	}
}

// spanEnd gives the instant, in seconds, up to which the offset of t is known to hold. It is
// after t, but the offset may hold beyond it.
func spanEnd(t time.Time) int64 {
	_, end := t.ZoneBounds()
	switch {
	case end.IsZero():
		return etime.Max // for ever
	case end.After(t):
		return end.Unix()
	}
	// By a zone's rule for years to come, package time ends a year's last span with its 365th
	// day, and so, on the 366th, in the past. The offset holds for that day.
	return (etime.FloorDiv(t.Unix(), daySeconds) + 1) * daySeconds
}

// instant gives seconds in microseconds, saturating.
func instant(seconds int64) int64 {
	switch {
	case seconds > etime.Max/1_000_000:
		return etime.Max
	case seconds < etime.Min/1_000_000:
		return etime.Min
	}
	return seconds * 1_000_000
}
