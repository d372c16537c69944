package lateness

import (
	"cmp"
	"encoding/json/v2"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is what the watermark stays behind of, and so what a setting varies.
type Kind string

const (
	// Bound: behind the greatest event time read.
	Bound Kind = "bound"
	// Delay: behind the latest arrival.
	Delay Kind = "delay"
	// Periods: whole calendar periods behind the period of the latest arrival.
	Periods Kind = "periods"
)

// Span is a length of time in microseconds. Its text is that of [time.Duration], also where that could
// not hold it: records may be thousands of years apart.
type Span int64

// String writes a span without its zero tail: "1h", not "1h0m0s".
func (s Span) String() string {
	const hour = int64(time.Hour / time.Microsecond)
	if hours := int64(s) / hour; s > math.MaxInt64/1000 || s < math.MinInt64/1000 {
		rest := Span(int64(s) % hour)
		if rest == 0 {
			return fmt.Sprintf("%dh", hours)
		}
		t := max(rest, -rest).String()
		if rest > -60_000_000 && rest < 60_000_000 {
			t = "0m" + t
		}
		return fmt.Sprintf("%dh%s", hours, t)
	}
	t := (time.Duration(s) * time.Microsecond).String()
	if strings.HasSuffix(t, "m0s") {
		t = strings.TrimSuffix(t, "0s")
	}
	if strings.HasSuffix(t, "h0m") {
		t = strings.TrimSuffix(t, "0m")
	}
	return t
}

// MarshalText implements encoding.TextMarshaler.
func (s Span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Setting is one choice: how far behind the watermark stays, and for how long windows stay open
// behind their ends.
type Setting struct {
	Kind Kind
	// Behind are microseconds, or a number of periods.
	Behind int64
	// Allowed is the allowed lateness of every window.
	Allowed Span
	// AsWritten says that it is what the pipeline itself says.
	AsWritten bool
}

// BehindText is Behind with its unit: "5s", or "2".
func (s Setting) BehindText() string {
	if s.Kind == Periods {
		return strconv.FormatInt(s.Behind, 10)
	}
	return Span(s.Behind).String()
}

// String gives text such as "bound 5s, allowed lateness 0s", or "2 periods".
func (s Setting) String() string {
	text := fmt.Sprintf("%s %s", s.Kind, s.BehindText())
	if s.Kind == Periods {
		if text = s.BehindText() + " periods"; s.Behind == 1 {
			text = "1 period"
		}
	}
	if s.Kind != Periods || s.Allowed != 0 {
		text += fmt.Sprintf(", allowed lateness %s", s.Allowed)
	}
	return text
}

// MarshalJSON implements json.Marshaler: {"bound": "5s", "allowed_lateness": "0s"}, say.
func (s Setting) MarshalJSON() ([]byte, error) {
	var v struct {
		Bound     *Span `json:"bound,omitempty"`
		Delay     *Span `json:"delay,omitempty"`
		Periods   *int  `json:"periods,omitempty"`
		Allowed   Span  `json:"allowed_lateness"`
		AsWritten bool  `json:"as_written,omitzero"`
	}
	span, n := Span(s.Behind), int(s.Behind)
	switch s.Kind {
	case Periods:
		v.Periods = &n
	case Delay:
		v.Delay = &span
	default:
		v.Bound = &span
	}
	v.Allowed, v.AsWritten = s.Allowed, s.AsWritten
	return json.Marshal(v)
}

// less orders settings by what they cost: first by how long windows are kept from being final, then
// by how long their first results take.
func less(a, b Setting) int {
	if a.Kind == Periods {
		return cmp.Or(cmp.Compare(a.Behind, b.Behind), cmp.Compare(a.Allowed, b.Allowed))
	}
	return cmp.Or(cmp.Compare(a.Behind+int64(a.Allowed), b.Behind+int64(b.Allowed)), cmp.Compare(a.Behind, b.Behind))
}

// Grid combines all distances of the watermark with all allowed latenesses, in ascending order and
// each once.
func Grid(kind Kind, behind []int64, allowed []Span) []Setting {
	behind, allowed = slices.Clone(behind), slices.Clone(allowed)
	slices.Sort(behind)
	slices.Sort(allowed)
	behind, allowed = slices.Compact(behind), slices.Compact(allowed)
	if len(allowed) == 0 {
		allowed = []Span{0}
	}
	var all []Setting
	for _, b := range behind {
		for _, a := range allowed {
			all = append(all, Setting{Kind: kind, Behind: b, Allowed: a})
		}
	}
	return all
}

// shares are the quantiles of the observed delays at which settings are worth trying.
var shares = []float64{0.5, 0.9, 0.99, 0.999, 1}

// Distances chooses how far behind the watermark may be worth keeping: not at all, and by the
// quantiles of the delays that were observed, rounded up; of periods every number up to the
// greatest, or the quantiles where there are many. delays are ascending.
func Distances(kind Kind, delays []Weighted, quantiles []float64) []int64 {
	all := []int64{0}
	if len(delays) == 0 {
		return all
	}
	most := delays[len(delays)-1].Value
	if kind == Periods && most <= 12 && quantiles == nil {
		for n := int64(1); n <= most; n++ {
			all = append(all, n)
		}
		return all
	}
	exact := quantiles != nil
	if exact {
		all = nil
	} else {
		quantiles = shares
	}
	for _, q := range quantiles {
		d := Quantile(delays, q)
		if kind != Periods && !exact {
			d = roundUp(d)
		}
		all = append(all, d)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// steps are lengths of time that people choose, in microseconds.
var steps = func() (all []int64) {
	const ms, s, m, h = 1000, 1000 * 1000, 60 * 1000 * 1000, 3600 * 1000 * 1000
	for _, unit := range []int64{1, 10, 100, ms, 10 * ms, 100 * ms} {
		all = append(all, unit, 2*unit, 5*unit)
	}
	for _, n := range []int64{1, 2, 5, 10, 15, 20, 30, 45} {
		all = append(all, n*s)
	}
	for _, n := range []int64{1, 2, 5, 10, 15, 20, 30, 45} {
		all = append(all, n*m)
	}
	for _, n := range []int64{1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 72, 96, 120, 168, 240, 336, 720, 1440, 2160, 4320, 8760} {
		all = append(all, n*h)
	}
	return all
}()

// roundUp gives the least of the lengths that people choose that is not less than d: a record that is
// d behind the front is not behind a watermark that keeps such a distance.
func roundUp(d int64) int64 {
	if d == 0 {
		return 0
	}
	for _, s := range steps {
		if s >= d {
			return s
		}
	}
	year := steps[len(steps)-1]
	return (d + year - 1) / year * year
}
