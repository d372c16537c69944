package sketch

import (
	"math"
	"slices"

	"github.com/apache/datasketches-go/tdigest"
	"github.com/strandline-stream/strandline/combine"
)

// Digest is the accumulator of [Quantiles]. Its zero value has seen nothing. It must not be
// copied by assignment; its combiner's Clone does it.
type Digest struct {
	recent []float64       // finite values in order of arrival: all of them, or those since the last flush
	older  *tdigest.Double // the others, nil until there are some

	negInf, posInf, nan uint64
}

const (
	// exact is how many values are kept as they are.
	exact = 1024
	// compression is the parameter of t-digest: a digest has up to twice as many centroids.
	compression = 200
)

func (d *Digest) add(x float64) {
	if x-x != 0 {
		d.count(x)
		return
	}
	if len(d.recent) == exact {
		d.flush()
	}
	d.recent = append(d.recent, x)
}

func (d *Digest) count(x float64) {
	switch {
	case x < 0:
		d.negInf++
	case x > 0:
		d.posInf++
	default:
		d.nan++
	}
}

// flush moves the recent values to the older ones: sorted, since the library merges faster what is
// in order.
func (d *Digest) flush() {
	if d.older == nil {
		older, err := tdigest.NewDouble(compression)
		must(err)
		d.older = older
	}
	slices.Sort(d.recent)
	for _, x := range d.recent {
		must(d.older.Update(x))
	}
	d.recent = d.recent[:0]
}

// must is for errors of the library about values that never reach it.
func must(err error) {
	if err != nil {
		panic("sketch: a digest takes finite values only: " + err.Error())
	}
}

// merge takes in other, and may consume it.
func (d *Digest) merge(other *Digest) {
	d.negInf += other.negInf
	d.posInf += other.posInf
	d.nan += other.nan
	switch {
	case other.older == nil:
	case d.older == nil:
		d.older = other.older
	default:
		must(d.older.Merge(other.older))
	}
	for _, x := range other.recent {
		d.add(x)
	}
}

func (d *Digest) clone() Digest {
	c := *d
	c.recent = slices.Clone(d.recent)
	if d.older != nil {
		// The library has no copy, but its encoding is exact.
		b, err := tdigest.EncodeDouble(d.older, true)
		must(err)
		c.older, err = tdigest.DecodeDouble(b)
		must(err)
	}
	return c
}

// finite counts the values that are neither infinite nor NaN.
func (d *Digest) finite() uint64 {
	n := uint64(len(d.recent))
	if d.older != nil {
		n += d.older.TotalWeight()
	}
	return n
}

// values gives the values at ranks.
func (d *Digest) values(ranks []float64) ([]float64, error) {
	finite := d.finite()
	n := d.negInf + finite + d.posInf
	if n+d.nan == 0 {
		return nil, combine.ErrEmpty
	}
	line := d.line()
	out := make([]float64, len(ranks))
	for i, q := range ranks {
		place := min(preceding(q, n), float64(n-1))
		switch finitePlace := place - float64(d.negInf); {
		case d.nan > 0:
			out[i] = math.NaN()
		case finitePlace < 0:
			out[i] = math.Inf(-1)
		case finitePlace >= float64(finite):
			out[i] = math.Inf(1)
		default:
			out[i] = line.at(finitePlace)
		}
	}
	return out, nil
}

// preceding gives how many of n values precede the one at rank q. It mends what the product lost:
// 0.29 of 100 is 29.
func preceding(q float64, n uint64) float64 {
	place := q * float64(n)
	if whole := math.Round(place); math.Abs(place-whole) < 1e-14*float64(n) {
		return whole
	}
	return place
}
