package watermark

import "math/bits"

// delays is a histogram of delays in microseconds, of fixed size, in which what is old counts
// less: all weights are halved now and then. Its buckets are a sixteenth of a power of two wide,
// so that a quantile is at most a sixteenth too great, and never too small.
type delays struct {
	weight [buckets]int64
	total  int64
}

const (
	perOctave = 16
	// buckets holds every delay up to the greatest int64.
	buckets = (63-4)*perOctave + perOctave

	// one is the weight of a delay just observed. It halves 30 times before it is nothing.
	one = 1 << 30
)

// bucket gives the bucket of a delay of 0 or more: below 16 µs each has its own.
func bucket(delay int64) int {
	octave := max(bits.Len64(uint64(delay))-5, 0)
	return octave*perOctave + int(delay>>octave)
}

// upper gives the greatest delay of a bucket.
func upper(b int) int64 {
	if b < 2*perOctave {
		return int64(b)
	}
	octave := b/perOctave - 1
	return (int64(b%perOctave+perOctave)+1)<<octave - 1
}

func (d *delays) observe(delay int64) {
	d.weight[bucket(delay)] += one
	d.total += one
}

// halve makes everything observed so far count half as much.
func (d *delays) halve() {
	d.total = 0
	for i := range d.weight {
		d.weight[i] /= 2
		d.total += d.weight[i]
	}
}

// quantile gives the least delay known to be no less than a share q of those observed, of which
// there must be some.
func (d *delays) quantile(q float64) int64 {
	left := int64(q * float64(d.total))
	for i, w := range d.weight {
		if left -= w; left < 0 {
			return upper(i)
		}
	}
	return upper(buckets - 1)
}

// appendState appends bucket and weight of each bucket that is not empty.
func (d *delays) appendState(dst []int64) []int64 {
	for i, w := range d.weight {
		if w != 0 {
			dst = append(dst, int64(i), w)
		}
	}
	return dst
}

// restoreDelays reads what appendState gave. It says false for what it cannot have given.
func restoreDelays(s []int64) (d delays, ok bool) {
	last := int64(-1)
	for ; len(s) >= 2; s = s[2:] {
		i, w := s[0], s[1]
		if i <= last || i >= buckets || w <= 0 || w > mostWeight-d.total {
			return d, false
		}
		d.weight[i] = w
		d.total += w
		last = i
	}
	return d, len(s) == 0
}
