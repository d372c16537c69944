package lateness

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

// Distribution describes delays.
func Distribution(name string, kind Kind, delays []int64) Delays {
	return describe(name, kind, counted(delays))
}

// Distribution describes delays that were counted.
func (t *Tally) Distribution(name string, kind Kind) Delays { return describe(name, kind, t.Sorted()) }

func describe(name string, kind Kind, sorted []Weighted) Delays {
	d := Delays{Name: name, Records: int(total(sorted))}
	if kind == Periods {
		d.Unit = "periods"
	}
	q := func(p float64) Span { return Span(Quantile(sorted, p)) }
	d.P50, d.P90, d.P99, d.P999, d.Max = q(0.5), q(0.9), q(0.99), q(0.999), q(1)
	for _, w := range sorted {
		if w.Value > 0 {
			d.Behind += int(w.N)
		}
		upto := Span(upper(w.Value))
		if n := len(d.Bins); n > 0 && d.Bins[n-1].Upto == upto {
			d.Bins[n-1].N += int(w.N)
		} else {
			d.Bins = append(d.Bins, Bin{upto, int(w.N)})
		}
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

// SpreadOf gives the quantiles of delays; nil if there are none.
func SpreadOf(delays []int64) *Spread { return spread(counted(delays)) }

// SpreadOfWeighted is [SpreadOf] of delays of which each is there so often. It sorts them.
func SpreadOfWeighted(delays []Weighted) *Spread { return spread(merged(delays)) }

func spread(sorted []Weighted) *Spread {
	if len(sorted) == 0 {
		return nil
	}
	q := func(p float64) Span { return Span(Quantile(sorted, p)) }
	return &Spread{q(0.5), q(0.99), q(1)}
}
