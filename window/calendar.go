package window

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// CalendarWindows are days, weeks, months, quarters or years of a time zone, or several of
// them (S2.3). See [Days], [Weeks], [Months], [Quarters] and [Years].
//
// A day runs from the first instant of its date to the first instant of the next, as the
// zone's rules have them: 24 hours, or 23 or 25 when clocks change, or 23.5. If the zone
// skipped midnight the day starts at the first instant that its date has; if midnight came
// twice, at the first; a date that the zone skipped has no window. Every instant is in exactly
// one window.
type CalendarWindows struct {
	unit   calendarUnit
	every  int
	start  time.Weekday   // of weeks
	month  time.Month     // that years start in, and with them quarters and months are counted
	zone   *time.Location // from the built-in database; nil if fault says why
	fault  error          // of the zone
	given  *time.Location // what In was given, which Validate compares with zone
	moved  bool           // StartingOn was called
	fiscal bool           // StartingIn was called
}

var _ Assigner = CalendarWindows{}

type calendarUnit uint8

const (
	days calendarUnit = iota
	weeks
	months
	quarters
	years
)

var unitText = [...]struct{ constructor, text string }{
	days: {"window.Days", "days"}, weeks: {"window.Weeks", "weeks"}, months: {"window.Months", "months"},
	quarters: {"window.Quarters", "quarters"}, years: {"window.Years", "years"},
}

// maxEvery keeps n units within what can be reckoned; it is more than there is history.
const maxEvery = 1_000_000

// Days has a window per local date. Zone and number of days default to UTC and 1.
func Days() CalendarWindows { return calendar(days) }

// Weeks has a window per seven local dates from Monday on, or another weekday. Zone and number
// of weeks default to UTC and 1.
func Weeks() CalendarWindows { return calendar(weeks) }

// Months has a window per calendar month, of 28 to 31 days. Zone and number of months default
// to UTC and 1.
func Months() CalendarWindows { return calendar(months) }

// Quarters has a window per three months from January, April, July and October on, or from
// another month. Zone and number of quarters default to UTC and 1.
func Quarters() CalendarWindows { return calendar(quarters) }

// Years has a window per calendar year, or per twelve months from another month than January
// on. Zone and number of years default to UTC and 1.
func Years() CalendarWindows { return calendar(years) }

func calendar(u calendarUnit) CalendarWindows {
	return CalendarWindows{unit: u, every: 1, start: time.Monday, month: time.January, zone: time.UTC}
}

// In makes dates those of the zone loc, which must be an IANA one, from [Zone] or
// [time.LoadLocation]. Its rules are taken by its name from the database that is built in;
// Validate refuses [time.Local] and any loc whose rules are other ones, as the windows would
// depend on the machine. Defaults to UTC.
func (c CalendarWindows) In(loc *time.Location) CalendarWindows {
	switch loc {
	case nil:
		c.zone, c.given, c.fault = nil, nil, errors.New("the time zone is nil")
	case time.Local:
		c.zone, c.given, c.fault = nil, nil, errors.New("time.Local depends on the machine: name an IANA zone, such as \"Europe/Berlin\"")
	default:
		c = c.InZone(loc.String())
		c.given = loc
	}
	return c
}

// InZone makes dates those of the zone with an IANA name, as [Zone] gives it. Validate reports
// a name that is none. Defaults to UTC.
func (c CalendarWindows) InZone(name string) CalendarWindows {
	c.zone, c.fault = Zone(name)
	c.given = c.zone
	return c
}

// Every makes a window of n units, from 1 to a million. They are counted from the local date
// 1970-01-01, or from the start day or month at or before it: with Every(2) a window of months
// starts in January, March, and so on. Defaults to 1.
func (c CalendarWindows) Every(n int) CalendarWindows {
	c.every = n
	return c
}

// StartingOn makes weeks start on day; other units refuse it. Defaults to Monday.
func (c CalendarWindows) StartingOn(day time.Weekday) CalendarWindows {
	c.start, c.moved = day, true
	return c
}

// StartingIn makes years start in month, such as fiscal years from April on. Quarters are then
// those of that year, and units that [CalendarWindows.Every] takes together are counted from its
// start: Months().Every(6).StartingIn(time.April) are halves of the fiscal year. Days and weeks
// refuse it. Defaults to January.
func (c CalendarWindows) StartingIn(month time.Month) CalendarWindows {
	c.month, c.fiscal = month, true
	return c
}

// Validate reports a number of units out of range, a time zone that is nil, unknown or would
// depend on the machine, a start day that is none or not of weeks, and a start month that is none
// or of days or weeks.
func (c CalendarWindows) Validate() error {
	of := unitText[c.unit].constructor
	var faults []error
	if c.every < 1 || c.every > maxEvery {
		faults = append(faults, fmt.Errorf("%s: the number of %s must be from 1 to %d, is %d", of, unitText[c.unit].text, maxEvery, c.every))
	}
	switch {
	case c.fault != nil:
		faults = append(faults, fmt.Errorf("%s: %w", of, c.fault))
	case c.zone == nil:
		faults = append(faults, fmt.Errorf("%s: there is no time zone: CalendarWindows are made by window.Days and its like", of))
	default:
		if at, differ := differs(c.given, c.zone); differ {
			faults = append(faults, fmt.Errorf("%s: the time zone given as %q is not the IANA zone of that name (release %s), on %s for one: use window.Zone",
				of, c.zone, ZoneRelease, at.Format(time.DateOnly)))
		}
	}
	switch {
	case c.start < time.Sunday || c.start > time.Saturday:
		faults = append(faults, fmt.Errorf("%s: the start day %d is no weekday", of, c.start))
	case c.moved && c.unit != weeks:
		faults = append(faults, fmt.Errorf("%s: only weeks have a start day", of))
	}
	switch {
	case !c.fiscal:
	case c.unit == days || c.unit == weeks:
		faults = append(faults, fmt.Errorf("%s: only months, quarters and years have a start month", of))
	case c.month < time.January || c.month > time.December:
		faults = append(faults, fmt.Errorf("%s: the start month %d is no month", of, c.month))
	}
	return errors.Join(faults...)
}

// differs says whether two zones have different offsets from UTC at some time of the years
// 1970 to 2037, the span of rules that zone files agree to tell, and when.
func differs(given, zone *time.Location) (time.Time, bool) {
	if given == nil || given == zone {
		return time.Time{}, false
	}
	for month := range 68 * 12 {
		at := time.Date(1970, time.Month(1+month), 15, 0, 0, 0, 0, time.UTC)
		_, g := at.In(given).Zone()
		_, z := at.In(zone).Zone()
		if g != z {
			return at, true
		}
	}
	return time.Time{}, false
}

// String gives text such as "days(Europe/Berlin)", "months(UTC, every 2)",
// "weeks(UTC, starting Sunday)" or "years(UTC, starting April)".
func (c CalendarWindows) String() string {
	zone := "no zone"
	if c.zone != nil {
		zone = c.zone.String()
	}
	args := []string{zone}
	if c.every != 1 {
		args = append(args, fmt.Sprintf("every %d", c.every))
	}
	if c.unit == weeks && c.start != time.Monday {
		args = append(args, "starting "+c.start.String())
	}
	if c.fiscal && c.month != time.January {
		args = append(args, "starting "+c.month.String())
	}
	return call(unitText[c.unit].text, args...)
}

// Assign appends the one window that t is in.
func (c CalendarWindows) Assign(dst []Interval, t int64) []Interval {
	return append(dst, c.at(finite(t)))
}

// at gives the window that t is in.
func (c CalendarWindows) at(t int64) Interval {
	first, next := c.dates(localDate(c.zone, etime.FloorDiv(t, 1_000_000)))
	lo, hi := firstInstant(c.zone, first), firstInstant(c.zone, next)
	// Where a zone set its clocks back over midnight, the old date comes again after the new
	// one has begun.
	for t >= hi {
		_, next = c.dates(next)
		lo, hi = hi, firstInstant(c.zone, next)
	}
	return Interval{lo, hi}
}
