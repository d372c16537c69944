package timestamp

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

var (
	// ErrRange says that a time is well-formed and beyond what 64 bits of microseconds hold
	// (the years -290308 to 294247).
	ErrRange = errors.New("time out of range")
	// ErrSkipped says that a local time does not exist: its zone put the clock forward over it.
	ErrSkipped = errors.New("local time skipped by its zone")
)

// Layout declares how a timestamp is written. The zero Layout is [RFC3339]. Layouts are
// comparable values.
type Layout struct {
	form form

	// Of Format:
	text   string
	zone   *time.Location
	writes zoneKind // what the text says about the zone
}

type form uint8

const (
	rfc3339 form = iota
	seconds
	millis
	micros
	nanos
	custom
)

var (
	// RFC3339 is text such as 2026-03-29T01:30:00.5+01:00. The T and the Z may be small, and a
	// blank may stand for the T (S1.4).
	RFC3339 = Layout{form: rfc3339}
	// Seconds is a number of seconds since 1970-01-01T00:00:00Z, with exact decimals.
	Seconds = Layout{form: seconds}
	// Millis is a number of milliseconds since 1970-01-01T00:00:00Z.
	Millis = Layout{form: millis}
	// Micros is a number of microseconds since 1970-01-01T00:00:00Z.
	Micros = Layout{form: micros}
	// Nanos is a number of nanoseconds since 1970-01-01T00:00:00Z.
	Nanos = Layout{form: nanos}
)

// numeric tells how the numeric forms count: a number times 10 to the power shift is
// microseconds.
var numeric = map[form]struct {
	name  string
	shift int
}{
	seconds: {"seconds", 6},
	millis:  {"milliseconds", 3},
	micros:  {"microseconds", 0},
	nanos:   {"nanoseconds", -3},
}

// Format is text in a layout of package time, such as "02.01.2006 15:04:05". Where the
// layout has no zone, the text is local time in the given zone (nil means UTC): a time that
// the zone skipped is malformed, one that came twice is the first (S1.4). The layout must
// have a year; [Layout.Check] says so before anything is read.
func Format(layout string, zone *time.Location) Layout {
	if zone == nil {
		zone = time.UTC
	}
	return Layout{form: custom, text: layout, zone: zone, writes: zoneOf(layout)}
}

// IsNumber says whether the timestamp is a number; otherwise it is text. A number in quotes
// is text.
func (l Layout) IsNumber() bool { return seconds <= l.form && l.form <= nanos }

// Check says whether the layout itself can be used.
func (l Layout) Check() error {
	if l.form != custom {
		return nil
	}
	a, b := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC), time.Date(2012, 2, 3, 4, 5, 6, 0, time.UTC)
	if a.Format(l.text) == b.Format(l.text) {
		return fmt.Errorf("timestamp: layout %q has no year: write it as package time does, with 2006 for the year", l.text)
	}
	return nil
}

// Parse reads a timestamp, cut towards the past to whole microseconds, in UTC.
func (l Layout) Parse(text string) (time.Time, error) {
	us, err := l.ParseMicros([]byte(text))
	if err != nil {
		return time.Time{}, err
	}
	return etime.Time(us), nil
}

// ParseMicros is [Layout.Parse] in microseconds since 1970-01-01T00:00:00Z, for sources. It
// keeps nothing of text.
func (l Layout) ParseMicros(text []byte) (int64, error) {
	switch l.form {
	case rfc3339:
		return parseRFC3339(text)
	case custom:
		return l.parseCustom(string(text))
	case seconds:
		return parseDecimal(text, 6)
	case millis:
		return parseDecimal(text, 3)
	case micros:
		return parseDecimal(text, 0)
	default:
		return parseDecimal(text, -3)
	}
}

// String names the layout for messages.
func (l Layout) String() string {
	switch {
	case l.IsNumber():
		return numeric[l.form].name
	case l.form == custom:
		return fmt.Sprintf("%q in %s", l.text, l.zone)
	}
	return "RFC 3339"
}

// quote shows a piece of input in a message, shortened if it is long.
func quote(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q...", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
