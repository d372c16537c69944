package timestamp

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// ErrUnlikely says that the first event times of a source look like another unit than the
// one declared (S1.5).
var ErrUnlikely = errors.New("unlikely event times")

// probed is how many times are looked at.
const probed = 100

// smallest is the least raw number that is suspected: a laboratory's 2, 5, 8 are whatever
// they are.
const smallest = 1e8

// Probe looks at the first event times of a source for the mistake of a wrong unit (S1.5):
// seconds read as milliseconds all fall into January 1970. It suspects only numbers, only
// if the median lies outside of 1990 to next year, only if another unit puts it inside, and
// only from a raw number of 10^8 on.
type Probe struct {
	layout Layout
	raw    []float64
}

// NewProbe gives a probe for times in the layout.
func NewProbe(l Layout) *Probe { return &Probe{layout: l} }

// Full says that the probe needs no more times: it has a hundred, or the layout has no unit
// to mistake.
func (p *Probe) Full() bool { return len(p.raw) == probed || !p.layout.IsNumber() }

// Add looks at the next timestamp, also one that is out of range. What is no number is not
// looked at.
func (p *Probe) Add(text []byte) {
	if p.Full() {
		return
	}
	if _, ok := splitDecimal(text); !ok {
		return
	}
	raw, _ := strconv.ParseFloat(string(text), 64) // beyond a float it is infinite, which is out of every range
	p.raw = append(p.raw, raw)
}

// Judge gives an error that wraps [ErrUnlikely] if the times looked at so far are unlikely,
// with the unit that would be likely.
func (p *Probe) Judge(now time.Time) error {
	if len(p.raw) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(p.raw))
	median := sorted[len(sorted)/2]
	if median < smallest || p.layout.likely(median, now) {
		return nil
	}
	for _, other := range []Layout{Seconds, Millis, Micros, Nanos} {
		if other.likely(median, now) {
			return fmt.Errorf("%w: the median of the first %d is %.0f, as %s %s: these look like %s read as %s",
				ErrUnlikely, len(sorted), median, p.layout, p.layout.describe(median), other, p.layout)
		}
	}
	return nil
}

// micros gives a raw number in microseconds, roughly.
func (l Layout) micros(raw float64) float64 {
	return raw * math.Pow10(numeric[l.form].shift)
}

// likely says whether a raw number lies in the years 1990 to next year.
func (l Layout) likely(raw float64, now time.Time) bool {
	from := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)
	to := time.Date(now.UTC().Year()+2, 1, 1, 0, 0, 0, 0, time.UTC)
	us := l.micros(raw)
	return float64(etime.Micros(from)) <= us && us < float64(etime.Micros(to))
}

func (l Layout) describe(raw float64) string {
	us := l.micros(raw)
	if us > float64(etime.Micros(time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC))) {
		return "a time after the year 9999"
	}
	return etime.Format(int64(us))
}
