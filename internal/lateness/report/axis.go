package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/prose"
)

// unit is what the numbers of an axis are.
type unit int

const (
	counts  unit = iota
	shares       // from 0 to 1
	spans        // microseconds
	periods      // calendar periods
	sizes
)

// text writes a number of an axis for people.
func (u unit) text(v float64) string {
	switch u {
	case shares:
		return percent(v)
	case spans:
		return short(lateness.Span(math.Round(v)))
	case sizes:
		return lateness.Bytes(int64(math.Round(v)))
	}
	return prose.Grouped(int64(math.Round(v)))
}

// axis maps numbers that are not negative to places between from and to, which may be less than
// from. A logarithmic one has a place for 0 before its least number, if zero says so.
type axis struct {
	unit     unit
	from, to float64
	lo, hi   float64 // of a logarithmic axis, lo is the least number greater than 0
	log      bool
	zero     bool
}

// apart is how many times the least number goes into the greatest where an axis turns logarithmic.
const apart = 40

// newAxis makes an axis for some numbers: a linear one that begins at 0, or a logarithmic one if they
// lie far apart.
func newAxis(u unit, values []float64, from, to float64) axis {
	a := axis{unit: u, from: from, to: to}
	least := math.Inf(1)
	for _, v := range values {
		a.hi = max(a.hi, v)
		if v > 0 {
			least = min(least, v)
		} else {
			a.zero = true
		}
	}
	if u != periods && a.hi > least*apart {
		a.log, a.lo = true, least
		return a
	}
	a.zero = true
	if a.hi == 0 {
		a.hi = map[unit]float64{shares: 0.01, spans: 1e6, sizes: 1000}[u]
	}
	if a.hi == 0 {
		a.hi = 1
	}
	return a
}

// slot is the part of a logarithmic axis that lies between 0 and its least number.
const slot = 0.12

// at is the place of a number.
func (a axis) at(v float64) float64 {
	if !a.log {
		return a.from + (a.to-a.from)*v/a.hi
	}
	room := 0.0
	if a.zero {
		room = slot
	}
	if v <= 0 {
		return a.from
	}
	part := 0.0
	if a.hi > a.lo {
		part = math.Log(max(v, a.lo)/a.lo) / math.Log(a.hi/a.lo)
	}
	return a.from + (a.to-a.from)*(room+(1-room)*part)
}

// tick is a number beside an axis.
type tick struct {
	At   float64
	Text string
}

// ticks are the round numbers of an axis, at most so many and no two closer than gap.
func (a axis) ticks(most int, gap float64) []tick {
	values := []float64{0}
	if !a.log {
		step := a.step(most - 1)
		for v := step; v <= a.hi*1.0001; v += step {
			values = append(values, v)
		}
	} else {
		values = a.rounds()
		// Every second, every third and so on, until they have room, from the greatest down.
		for every := 1; ; every++ {
			var some []float64
			for i := len(values) - 1; i >= 0; i -= every {
				some = append(some, values[i])
			}
			if len(some) < most || every > len(values) {
				slices.Reverse(some)
				values = some
				break
			}
		}
		if a.zero {
			values = append([]float64{0}, values...)
		}
	}
	var all []tick
	for _, v := range values {
		x := a.at(v)
		if n := len(all); n > 0 && math.Abs(all[n-1].At-x) < gap {
			continue
		}
		all = append(all, tick{x, a.label(v)})
	}
	return all
}

func (a axis) label(v float64) string {
	if v == 0 && a.unit == shares {
		return "0\u00a0%"
	}
	return a.unit.text(v)
}

// lengths are round lengths of time in microseconds, one to a tick of a logarithmic axis.
var lengths = []float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 6e7, 6e8, 36e8, 216e8, 864e8, 6048e8, 2592e9, 31536e9, 31536e10}

// rounds are the round numbers that a logarithmic axis spans.
func (a axis) rounds() []float64 {
	var all []float64
	if a.unit == spans {
		for _, v := range lengths {
			if v >= a.lo*0.999 && v <= a.hi*1.001 {
				all = append(all, v)
			}
		}
	} else {
		for p := math.Ceil(math.Log10(a.lo) - 0.001); p <= math.Log10(a.hi)+0.001; p++ {
			all = append(all, math.Pow(10, p))
		}
	}
	if len(all) < 2 {
		all = []float64{a.lo, a.hi}
	}
	return all
}

// step is a round distance of ticks, so that there are at most so many above 0.
func (a axis) step(most int) float64 {
	rough := a.hi / float64(max(most, 1))
	if a.unit == spans && rough >= 1e6 {
		for _, unit := range []float64{1e6, 60e6, 3600e6} {
			for _, n := range []float64{1, 2, 5, 10, 15, 20, 30, 60} {
				if n*unit >= rough {
					return n * unit
				}
			}
		}
		day := 86400e6
		for _, n := range []float64{3, 4, 6, 8, 12, 24} {
			if n*3600e6 >= rough {
				return n * 3600e6
			}
		}
		return day * nice(rough/day)
	}
	step := nice(rough)
	if a.unit == counts || a.unit == periods || a.unit == sizes {
		step = max(step, 1)
	}
	return step
}

// nice is the least of 1, 2, 5, 10, 20, ... and of their tenths that is not less.
func nice(v float64) float64 {
	ten := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{1, 2, 5} {
		if n*ten >= v*0.9999 {
			return n * ten
		}
	}
	return 10 * ten
}

// roundUp extends a linear axis to its next tick.
func (a axis) roundUp(most int) axis {
	if !a.log && a.hi > 0 {
		step := a.step(most - 1)
		a.hi = math.Ceil(a.hi/step-1e-9) * step
		if a.unit == shares {
			a.hi = min(a.hi, 1)
		}
	}
	return a
}

// num writes a place in a drawing.
func num(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "0"
	}
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

// percent writes a share, on one line.
func percent(share float64) string { return unbroken(lateness.Percent(share)) }

// unbroken keeps a number and its sign of per cent on one line.
func unbroken(text string) string { return strings.ReplaceAll(text, " %", "\u00a0%") }

// short writes a length of time for people: to the second from a minute on, to about a thousandth of
// its size below.
func short(s lateness.Span) string {
	const ms, second, minute = 1000, 1000 * 1000, 60 * 1000 * 1000
	to := lateness.Span(1)
	size := max(s, -s)
	switch {
	case size >= minute:
		to = second
	case size >= 10*second:
		to = 10 * ms
	case size >= second:
		to = ms
	case size >= 10*ms:
		to = 10
	}
	size = (size + to/2) / to * to
	if s < 0 {
		return (-size).String()
	}
	return size.String()
}
