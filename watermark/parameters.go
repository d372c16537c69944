package watermark

import (
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

const (
	// never is the instant of what has not been seen, and the watermark before everything.
	never = etime.Min
	// latest is the last instant that a record can move a watermark to: "after everything" is
	// for the end of the input alone, whatever a record claims.
	latest = etime.Max - 1
)

// behind reports a distance that a watermark cannot keep: a negative one, or one that is not of
// whole microseconds, the unit of event time (S1.1).
func behind(of, name string, d time.Duration) error {
	switch {
	case d < 0:
		return fmt.Errorf("%s: %s must not be negative, is %v", of, name, d)
	case d%time.Microsecond != 0:
		return fmt.Errorf("%s: %s must be of whole microseconds, is %v", of, name, d)
	}
	return nil
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

// wrongState reports a state that a strategy cannot have given.
func wrongState(of string, s []int64) error {
	return fmt.Errorf("watermark: %v is no state of %s", s, of)
}
