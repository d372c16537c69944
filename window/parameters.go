package window

import (
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// positive reports a duration that cannot be a length: one of zero or less, or not of whole
// microseconds.
func positive(of, name string, d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%s: %s must be more than 0, is %v", of, name, d)
	}
	return whole(of, name, d)
}

// whole reports a duration that is not of whole microseconds, the unit of event time (S1.1).
func whole(of, name string, d time.Duration) error {
	if d%time.Microsecond != 0 {
		return fmt.Errorf("%s: %s must be of whole microseconds, is %v", of, name, d)
	}
	return nil
}

// shift gives offset in microseconds, reduced to [0, every): offsets that differ by a multiple
// of it make the same windows. An invalid every leaves the offset as it is.
func shift(offset, every time.Duration) int64 {
	if every < time.Microsecond {
		return etime.Span(offset)
	}
	return floorMod(etime.Span(offset), etime.Span(every))
}

// call writes an assigner's canonical text, such as "fixed(10s, offset 2s)".
func call(name string, args ...string) string {
	return name + "(" + strings.Join(args, ", ") + ")"
}

// text writes a duration without its zero tail: "1h", not "1h0m0s".
func text(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// offsetText is the argument for an offset in microseconds, none if it is zero.
func offsetText(offset int64) []string {
	if offset == 0 {
		return nil
	}
	return []string{"offset " + text(etime.Duration(offset))}
}
