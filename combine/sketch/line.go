package sketch

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"github.com/apache/datasketches-go/tdigest"
)

// line is a distribution as points that ascend: how many values lie before one, and that value.
// Between two points values are spread evenly.
type line []point

type point struct{ place, value float64 }

// line looks into a digest. It does so in a copy, since looking compresses, and what comes later
// would then show that somebody had looked.
func (d *Digest) line() line {
	if d.older == nil {
		sorted := slices.Clone(d.recent)
		slices.Sort(sorted)
		l := make(line, 0, 2*len(sorted))
		for i, x := range sorted {
			l = l.single(float64(i), x)
		}
		return l
	}
	copied := d.clone()
	copied.flush()
	compressed, err := tdigest.EncodeDouble(copied.older, false)
	must(err)
	return lineOf(compressed)
}

// lineOf draws the line through the centroids in the library's encoding of a digest that is
// compressed. They are read from there since the library has no other way to them, and in v0.2.0
// its own interpolation leans to the wrong one of two centroids (apache/datasketches-go#171).
func lineOf(compressed []byte) line {
	centroids := int(binary.LittleEndian.Uint32(compressed[atCentroids:]))
	b := compressed[atFirst:]
	l := make(line, 0, centroids+16)
	place := 0.0
	for range centroids {
		mean := math.Float64frombits(binary.LittleEndian.Uint64(b))
		weight := float64(binary.LittleEndian.Uint64(b[8:]))
		if weight == 1 {
			l = l.single(place, mean)
		} else {
			l = append(l, point{place + weight/2, mean})
		}
		place += weight
		b = b[16:]
	}
	return l
}

// single appends one value, which takes up all of its place.
func (l line) single(place, value float64) line {
	return append(l, point{place, value}, point{place + 1, value})
}

// at gives the value that place others precede.
func (l line) at(place float64) float64 {
	after := sort.Search(len(l), func(i int) bool { return l[i].place > place })
	switch after {
	case 0:
		return l[0].value
	case len(l):
		return l[after-1].value
	}
	a, b := l[after-1], l[after]
	x := a.value + (b.value-a.value)*((place-a.place)/(b.place-a.place))
	if math.IsInf(b.value-a.value, 0) { // the two are farther apart than float64 reaches
		x = a.value/2 + b.value/2
	}
	return max(a.value, min(x, b.value))
}
