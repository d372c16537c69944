package timestamp

import (
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// parseCustom reads text in a layout of package time.
func (l Layout) parseCustom(text string) (int64, error) {
	t, err := time.ParseInLocation(l.text, text, l.zone)
	if err != nil {
		return 0, fmt.Errorf("%s is not a time as in %q: %s", quote([]byte(text)), l.text, reason(err))
	}
	switch l.writes {
	case numericZone:
	case namedZone:
		// An abbreviation that the zone does not have is given offset zero by package time:
		// that would be a guess.
		if _, offset := t.Zone(); t.Location() != l.zone && t.Location() != time.UTC && offset == 0 && !strings.HasPrefix(t.Location().String(), "GMT") {
			return 0, fmt.Errorf("%s: %s is no abbreviation of %s", quote([]byte(text)), t.Location(), l.zone)
		}
	default:
		wall, err := time.Parse(l.text, text)
		if err != nil {
			return 0, fmt.Errorf("%s is not a time as in %q: %s", quote([]byte(text)), l.text, reason(err))
		}
		first, ok := firstLocal(wall, l.zone)
		if !ok {
			return 0, fmt.Errorf("%s in %s: %w", quote([]byte(text)), l.zone, ErrSkipped)
		}
		t = first
	}
	return etime.Micros(t), nil
}

// reason is the part of an error of package time that says more than the text and layout.
func reason(err error) string {
	if p, ok := err.(*time.ParseError); ok {
		if p.Message != "" {
			return strings.TrimPrefix(p.Message, ": ")
		}
		return fmt.Sprintf("cannot read %q as %q", p.ValueElem, p.LayoutElem)
	}
	return err.Error()
}

type zoneKind uint8

const (
	noZone zoneKind = iota
	namedZone
	numericZone
)

// zoneOf finds out whether a layout writes the zone: it writes the same wall clock in two
// zones and looks for a difference.
func zoneOf(layout string) zoneKind {
	in := func(name string, offset int) string {
		return time.Date(2001, 2, 3, 4, 5, 6, 0, time.FixedZone(name, offset)).Format(layout)
	}
	switch {
	case in("AAA", 3600) != in("AAA", 7200):
		return numericZone
	case in("AAA", 3600) != in("BBB", 3600):
		return namedZone
	}
	return noZone
}

// firstLocal gives the first instant at which clocks in zone show what wall shows in UTC. It
// gives false if they never do.
func firstLocal(wall time.Time, zone *time.Location) (t time.Time, ok bool) {
	t = time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(), zone)
	if !shows(t, wall) {
		return t, false
	}
	// Package time may have given the second of two: then the first is in the stretch before.
	if start, _ := t.ZoneBounds(); !start.IsZero() {
		before := start.Add(-time.Nanosecond)
		_, offset := before.Zone()
		if earlier := wall.Add(-time.Duration(offset) * time.Second).In(zone); earlier.Before(t) && shows(earlier, wall) {
			return earlier, true
		}
	}
	return t, true
}

// shows says whether t's zone shows the wall clock that wall shows in UTC.
func shows(t, wall time.Time) bool {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).Equal(wall)
}
