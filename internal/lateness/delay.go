package lateness

import (
	"cmp"
	"math"
	"slices"
)

// Delays are how far behind the watermark's front records came: behind the greatest event time that
// was read before them or, where the watermark follows arrivals, behind the latest arrival. In
// microseconds, or in periods.
type Delays struct {
	// Name is that of the source and its split, or the value of a field.
	Name string `json:"name"`
	// Unit is "periods", or empty for time.
	Unit    string `json:"unit,omitempty"`
	Records int    `json:"records"`
	// Behind is how many were behind at all.
	Behind int  `json:"behind"`
	P50    Span `json:"p50"`
	P90    Span `json:"p90"`
	P99    Span `json:"p99"`
	P999   Span `json:"p99.9"`
	Max    Span `json:"max"`
	// Bins are a histogram: how many delays were at most so great and greater than in the bin before.
	// The bins are an eighth of a power of two wide, so that the first of them is that of delays of 0.
	Bins []Bin `json:"bins,omitempty"`
	// Dropped is how many of the records each setting drops, in the order of the settings; only
	// where it is known which they are.
	Dropped []int `json:"dropped,omitempty"`
}

// Bin is a bar of a histogram.
type Bin struct {
	Upto Span `json:"upto"`
	N    int  `json:"n"`
}

// Distribution describes delays. It sorts them.
func Distribution(name string, kind Kind, delays []int64) Delays {
	slices.Sort(delays)
	d := Delays{Name: name, Records: len(delays)}
	if kind == Periods {
		d.Unit = "periods"
	}
	if len(delays) == 0 {
		return d
	}
	first, _ := slices.BinarySearch(delays, 1)
	d.Behind = len(delays) - first
	q := func(p float64) Span { return Span(Quantile(delays, p)) }
	d.P50, d.P90, d.P99, d.P999, d.Max = q(0.5), q(0.9), q(0.99), q(0.999), q(1)
	for i := 0; i < len(delays); {
		upto := upper(delays[i])
		j, _ := slices.BinarySearch(delays, upto+1)
		d.Bins = append(d.Bins, Bin{Span(upto), j - i})
		i = j
	}
	return d
}

// upper gives the greatest delay in the bin of d.
func upper(d int64) int64 {
	width := int64(1)
	for d/width >= 16 {
		width *= 2
	}
	return (d/width+1)*width - 1
}

// Quantile gives the least of some sorted numbers that is no less than a share p of them; 0 if there
// are none.
func Quantile(sorted []int64, p float64) int64 {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	i := int(math.Ceil(p*float64(n)-1e-9)) - 1
	return sorted[min(max(i, 0), n-1)]
}

// Weighted is a delay that many have.
type Weighted struct{ Value, N int64 }

// SpreadOfWeighted is [SpreadOf] of delays of which each is there so often. It sorts them.
func SpreadOfWeighted(delays []Weighted) *Spread {
	slices.SortFunc(delays, func(a, b Weighted) int { return cmp.Compare(a.Value, b.Value) })
	total := int64(0)
	for _, d := range delays {
		total += d.N
	}
	if total == 0 {
		return nil
	}
	at := func(p float64) Span {
		left := int64(math.Ceil(p*float64(total) - 1e-9))
		for _, d := range delays {
			if left -= d.N; left <= 0 {
				return Span(d.Value)
			}
		}
		return Span(delays[len(delays)-1].Value)
	}
	return &Spread{at(0.5), at(0.99), at(1)}
}
