package expr

import (
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/window"
)

func timeFunctions() []Function {
	layouts := " Layouts are written as in Python, '%d.%m.%Y %H:%M', or as in Go, '02.01.2006 15:04'."
	all := []Function{
		{Name: "parseTime", Method: true, params: params(in("text", text), fixed("layout"), optFixed("zone")), result: "timestamp",
			Doc:     "The instant that the text tells, local to the zone (UTC) if it tells none." + layouts,
			Example: "parseTime('29.03.2026 12:00', '%d.%m.%Y %H:%M', 'Europe/Berlin')", Result: `"2026-03-29T10:00:00Z"`, build: parseTime},
		{Name: "formatTime", params: params(in("t", instant), fixed("layout"), optFixed("zone")), result: "string",
			Doc:     "The date and time that clocks in the zone (UTC) show." + layouts,
			Example: "formatTime(timestamp('2026-03-29T10:00:00Z'), '%H:%M', 'Europe/Berlin')", Result: `"12:00"`, build: formatTime},
		{Name: "truncate", params: params(in("t", instant), fixed("unit"), optFixed("zone")), result: "timestamp",
			Doc: "The start of the second, minute, hour, day, week (from Monday), month, quarter or year in the zone (UTC). Days and longer are those of calendar windows; " +
				"a shorter unit in which the clock is changed starts anew there.",
			Example: "truncate(timestamp('2026-03-29T10:00:00Z'), 'day', 'Europe/Berlin')", Result: `"2026-03-28T23:00:00Z"`, build: truncate},
		{Name: "addTime", params: params(in("t", instant), in("n", numeric), fixed("unit")), result: "timestamp",
			Doc:     "The instant so many seconds, minutes, hours, days of 24 hours or weeks of them later, or earlier if n is negative.",
			Example: "addTime(timestamp('2026-03-29T10:00:00Z'), -5, 'minutes')", Result: `"2026-03-29T09:55:00Z"`, build: addTime},
		{Name: "difference", params: params(in("t", instant), in("before", instant), fixed("unit")), result: "number",
			Doc:     "How long t is after before, in microseconds, milliseconds, seconds, minutes, hours, days of 24 hours or weeks of them.",
			Example: "difference(timestamp('2026-03-29T10:00:00Z'), timestamp('2026-03-29T09:30:00Z'), 'hours')", Result: "0.5", build: difference},
		{Name: "seconds", params: params(in("t", instant)), result: "number", Doc: "The seconds since 1970.",
			Example: "seconds(timestamp('1970-01-01T00:01:00.5Z'))", Result: "60.5",
			build: func(_ *checker, k *call) code {
				t := k.args[0].i
				return floatCode(k.n, k.nullable, func(r record.Row) (float64, *fault) {
					v, err := t(r)
					return quotient(v, 1_000_000), err
				})
			}},
		{Name: "millis", params: params(in("t", instant)), result: "integer", Doc: "The whole milliseconds since 1970.",
			Example: "millis(timestamp('1970-01-01T00:01:00.5Z'))", Result: "60500",
			build: func(_ *checker, k *call) code { return since(k, 1000) }},
		{Name: "micros", params: params(in("t", instant)), result: "integer", Doc: "The microseconds since 1970.",
			Example: "micros(timestamp('1970-01-01T00:01:00.5Z'))", Result: "60500000",
			build: func(_ *checker, k *call) code { return since(k, 1) }},
	}
	for _, p := range parts {
		all = append(all, Function{Name: p.name, params: params(in("t", instant), optFixed("zone")), result: "integer", Doc: p.doc,
			Example: p.name + "(timestamp('2026-03-29T10:20:30Z'), 'Europe/Berlin')", Result: p.result,
			build: func(c *checker, k *call) code { return part(c, k, p.of) }})
	}
	return all
}

// parts of the date and time that a clock shows.
var parts = []struct {
	name, doc, result string
	of                func(time.Time) int
}{
	{"year", "The year in the zone (UTC).", "2026", time.Time.Year},
	{"month", "The month in the zone (UTC), from 1.", "3", func(t time.Time) int { return int(t.Month()) }},
	{"day", "The day of the month in the zone (UTC), from 1.", "29", time.Time.Day},
	{"hour", "The hour in the zone (UTC), 0 to 23.", "12", time.Time.Hour},
	{"minute", "The minute in the zone (UTC), 0 to 59.", "20", time.Time.Minute},
	{"second", "The second in the zone (UTC), 0 to 59.", "30", time.Time.Second},
	{"dayOfWeek", "The day of the week in the zone (UTC), from 1 for Monday to 7 for Sunday.", "7", func(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }},
	{"dayOfYear", "The day of the year in the zone (UTC), from 1.", "88", time.Time.YearDay},
}

// zone gives the time zone that is an argument, UTC if there is none.
func (c *checker) zone(args []code) (*time.Location, bool) {
	if len(args) == 0 {
		return time.UTC, true
	}
	zone, err := window.Zone(args[0].value.Str())
	if err != nil {
		message, hint, _ := strings.Cut(strings.TrimPrefix(err.Error(), "window: "), ": ")
		c.wrong(args[0].n, hint, "%s", message)
		return nil, false
	}
	return zone, true
}

// layout gives the layout that is an argument, with the zone behind it.
func (c *checker) layout(x code, zone []code) (timestamp.Layout, bool) {
	text, ok := c.goLayout(x)
	if !ok {
		return timestamp.Layout{}, false
	}
	z, ok := c.zone(zone)
	if !ok {
		return timestamp.Layout{}, false
	}
	l := timestamp.Format(text, z)
	if l.Check() != nil {
		c.wrong(x.n, "write it as in Python, '%d.%m.%Y %H:%M', or as in Go, '02.01.2006 15:04'", "the layout has no year")
		return l, false
	}
	return l, true
}

// goLayout gives a layout as package time writes it.
func (c *checker) goLayout(x code) (string, bool) {
	text := x.value.Str()
	if strings.Contains(text, "%") {
		layout, wrong, hint := fromPercent(text)
		if wrong != "" {
			c.wrong(x.n, hint, "%s", wrong)
			return "", false
		}
		return layout, true
	}
	if one, two := references[0].Format(text), references[1].Format(text); one == two {
		c.wrong(x.n, "write it as in Python, '%d.%m.%Y %H:%M', or as in Go, '02.01.2006 15:04'", "the layout has nothing of a time")
		return "", false
	}
	return text, true
}

func parseTime(c *checker, k *call) code {
	layout, ok := c.layout(k.args[1], k.args[2:])
	if !ok {
		return bad(k.n)
	}
	s, source := k.args[0].s, c.source(k.n)
	return timeCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
		v, err := s(r)
		if err != nil {
			return 0, err
		}
		us, wrong := layout.ParseMicros([]byte(v))
		if wrong != nil {
			return 0, &fault{source, wrong.Error()}
		}
		return us, nil
	})
}

func formatTime(c *checker, k *call) code {
	layout, ok := c.goLayout(k.args[1])
	if !ok {
		return bad(k.n)
	}
	zone, ok := c.zone(k.args[2:])
	if !ok {
		return bad(k.n)
	}
	t := k.args[0].i
	return strCode(k.n, k.nullable, func(r record.Row) (string, *fault) {
		v, err := t(r)
		if err != nil {
			return "", err
		}
		return etime.Time(v).In(zone).Format(layout), nil
	})
}

func part(c *checker, k *call, of func(time.Time) int) code {
	zone, ok := c.zone(k.args[1:])
	if !ok {
		return bad(k.n)
	}
	t, local := k.args[0].i, &clock{zone: zone}
	return intCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
		v, err := t(r)
		if err != nil {
			return 0, err
		}
		return int64(of(local.shows(v))), nil
	})
}

// clock is what clocks in a zone show. It remembers the last stretch of one offset from UTC,
// since rows are near to each other.
type clock struct {
	zone *time.Location
	last atomic.Pointer[stretch]
}

// stretch is from lo to before hi, where offset is added; all in microseconds.
type stretch struct{ lo, hi, offset int64 }

// shows gives a time whose date and clock are those of the zone at an instant; its own zone is
// of no meaning.
func (c *clock) shows(us int64) time.Time {
	if c.zone == time.UTC {
		return etime.Time(us)
	}
	if s := c.last.Load(); s != nil && s.lo <= us && us < s.hi {
		return etime.Time(us + s.offset)
	}
	at := etime.Time(us).In(c.zone)
	_, seconds := at.Zone()
	// Half of all instants are enough: nothing overflows.
	s := stretch{lo: etime.Min / 2, hi: etime.Max / 2, offset: int64(seconds) * 1_000_000}
	begin, end := at.ZoneBounds()
	if !begin.IsZero() {
		s.lo = max(s.lo, etime.Micros(begin))
	}
	if !end.IsZero() {
		s.hi = min(s.hi, etime.Micros(end))
	}
	c.last.Store(&s)
	return at
}

func since(k *call, size int64) code {
	t := k.args[0].i
	return intCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
		v, err := t(r)
		return etime.FloorDiv(v, size), err
	})
}

// units are the units of fixed length, in microseconds.
var units = map[string]int64{
	"microsecond": 1, "millisecond": 1000, "second": 1_000_000, "minute": 60_000_000,
	"hour": 3600_000_000, "day": 24 * 3600_000_000, "week": 7 * 24 * 3600_000_000,
}

// calendars are the units of dates, as windows.
var calendars = map[string]func() window.CalendarWindows{
	"day": window.Days, "week": window.Weeks, "month": window.Months, "quarter": window.Quarters, "year": window.Years,
}

// unitName takes the plural from the name of a unit.
func unitName(x code) string { return strings.TrimSuffix(x.value.Str(), "s") }

// unit gives the length of the unit that is an argument.
func (c *checker) unit(x code) (size int64, ok bool) {
	size, ok = units[unitName(x)]
	if !ok {
		hint := "write microseconds, milliseconds, seconds, minutes, hours, days or weeks"
		if calendars[unitName(x)] != nil {
			hint = "months, quarters and years have no fixed length"
		}
		c.wrong(x.n, hint, "there is no unit %s", quote(x.value))
	}
	return size, ok
}

// epochUnit gives how numbers of a unit since 1970 are read from text, and the length of the
// unit, 0 for nanoseconds.
func epochUnit(name string) (l timestamp.Layout, size int64, ok bool) {
	switch strings.TrimSuffix(name, "s") {
	case "second":
		return timestamp.Seconds, 1_000_000, true
	case "millisecond", "milli":
		return timestamp.Millis, 1000, true
	case "microsecond", "micro":
		return timestamp.Micros, 1, true
	case "nanosecond", "nano":
		return timestamp.Nanos, 0, true
	}
	return l, 0, false
}

func truncate(c *checker, k *call) code {
	zone, ok := c.zone(k.args[2:])
	if !ok {
		return bad(k.n)
	}
	t, name := k.args[0].i, unitName(k.args[1])
	if of := calendars[name]; of != nil {
		dates := of().In(zone)
		var last atomic.Pointer[window.Interval] // rows are near to each other, and a date takes long
		return timeCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
			v, err := t(r)
			if err != nil {
				return 0, err
			}
			if w := last.Load(); w != nil && w.Lo() <= v && v < w.Hi() {
				return w.Lo(), nil
			}
			w := dates.Assign(nil, v)
			last.Store(&w[0])
			return w[0].Lo(), nil
		})
	}
	size, ok := units[name]
	if !ok {
		return c.wrong(k.args[1].n, "write second, minute, hour, day, week, month, quarter or year", "there is no unit %s", quote(k.args[1].value))
	}
	if zone == time.UTC {
		return timeCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
			v, err := t(r)
			return etime.Floor(v, size, 0), err
		})
	}
	return timeCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
		v, err := t(r)
		return floorClock(v, size, zone), err
	})
}

// floorClock gives the instant at which the clock in zone showed a multiple of size last, or was
// changed.
func floorClock(t, size int64, zone *time.Location) int64 {
	at := time.UnixMicro(t).In(zone)
	_, seconds := at.Zone()
	offset := int64(seconds) * 1_000_000
	start := etime.Sub(etime.Floor(etime.Add(t, offset), size, 0), offset)
	if changed, _ := at.ZoneBounds(); !changed.IsZero() && !changed.After(at) {
		start = max(start, etime.Micros(changed))
	}
	return start
}

func addTime(c *checker, k *call) code {
	size, ok := c.unit(k.args[2])
	if !ok {
		return bad(k.n)
	}
	t, over := k.args[0].i, c.fault(k.n, "the time is out of range")
	n := k.args[1].val()
	span := func(r record.Row) (us int64, err *fault) {
		v, err := n(r)
		if err != nil {
			return 0, err
		}
		ok := false
		switch v.Kind() {
		case record.Null:
			return 0, null
		case record.Int:
			us, ok = multiply(v.Int(), size)
		default:
			us, ok = toInt(math.RoundToEven(v.Float() * float64(size)))
		}
		if !ok {
			return 0, over
		}
		return us, nil
	}
	return timeCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
		v, err := t(r)
		if err != nil {
			return 0, err
		}
		d, err := span(r)
		if err != nil {
			return 0, err
		}
		sum := v + d
		if (v^sum)&(d^sum) < 0 {
			return 0, over
		}
		return sum, nil
	})
}

func difference(c *checker, k *call) code {
	size, ok := c.unit(k.args[2])
	if !ok {
		return bad(k.n)
	}
	a, b, over := k.args[0].i, k.args[1].i, c.fault(k.n, "the difference is out of range")
	return floatCode(k.n, k.nullable, func(r record.Row) (float64, *fault) {
		v, err := a(r)
		if err != nil {
			return 0, err
		}
		w, err := b(r)
		if err != nil {
			return 0, err
		}
		d := v - w
		if (v^w)&(v^d) < 0 {
			return 0, over
		}
		return quotient(d, size), nil
	})
}
