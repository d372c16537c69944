package core

import (
	"math"

	"github.com/strandline-stream/strandline/internal/etime"
)

// Delays is a histogram of how far records were behind: of the time by which the greatest event time
// before a record was beyond its own, 0 for a record in order. Its memory is fixed, and what it says
// of a delay is exact to 1 %: its buckets are a 64th of a power of two wide, and a delay stands for
// the middle of its bucket. The zero value is empty.
//
// Every record is looked at as long as few are behind: no more than 131,072 and one in 64. After that
// one record of each 128 stands for all of them, chosen by its number alone, so that no size of
// batches shows. To look at every one would cost a fast pipeline a fifth of its speed.
type Delays struct {
	seen    int64 // records
	inOrder int64 // of those looked at, each with its weight
	behind  int64
	most    int64
	sampled bool
	n       *[delayBuckets]int64 // nil until a record is behind
}

const (
	delayBits    = 6 // of a delay below its greatest one that tell buckets apart
	delayBuckets = 64 << delayBits
	delayFirst   = 1023 << delayBits // of the delay 1: the bits of 1.0 are those, shifted

	// It is decided at multiples of delayBlock records whether the rest is sampled: if more are
	// behind than delayFree, and one in delayRare.
	delayBlock = 1024
	delayFree  = 1 << 17
	delayRare  = 64
	delayRun   = 128 // records of which one is looked at
)

// bucketOf gives the bucket of a delay above 0: its power of two and six bits, as they stand in a
// floating-point number.
func bucketOf(delay int64) int {
	return int(math.Float64bits(float64(delay))>>(52-delayBits)) - delayFirst
}

// middle gives what stands for the delays of a bucket.
func middle(b int) int64 {
	lo := math.Float64frombits(uint64(b+delayFirst) << (52 - delayBits))
	hi := math.Float64frombits(uint64(b+1+delayFirst) << (52 - delayBits))
	if hi-lo <= 1 { // whole microseconds
		return int64(math.Ceil(lo))
	}
	if mid := (lo + hi) / 2; mid < math.MaxInt64 {
		return int64(mid)
	}
	return math.MaxInt64
}

// Observe takes in a batch of event times. high is the greatest event time before them; it returns
// the greatest with them.
func (d *Delays) Observe(at []int64, high int64) int64 {
	for len(at) > 0 {
		n := d.block(len(at))
		if d.sampled {
			for i := 0; i < n; i++ {
				stop := min(d.chosen(i), n)
				for _, t := range at[i:stop] {
					high = max(high, t)
				}
				if i = stop; i < n {
					d.look(at[i], high, delayRun)
					high = max(high, at[i])
				}
			}
		} else {
			i := 0
			for ; i < n && at[i] >= high; i++ {
				high = at[i]
			}
			d.inOrder += int64(i)
			for ; i < n; i++ {
				d.look(at[i], high, 1)
				high = max(high, at[i])
			}
		}
		d.passed(n)
		at = at[n:]
	}
	return high
}

// ObserveBehind is Observe for records before each of which the greatest event time is known: it is
// w[i] + bound.
func (d *Delays) ObserveBehind(at, w []int64, bound int64) {
	w = w[:len(at)]
	for len(at) > 0 {
		n := d.block(len(at))
		if d.sampled {
			for i := d.chosen(0); i < n; i = d.chosen(i + 1) {
				d.look(at[i], w[i]+bound, delayRun)
			}
		} else {
			i := 0
			for ; i < n && at[i] >= w[i]+bound; i++ {
			}
			d.inOrder += int64(i)
			for ; i < n; i++ {
				d.look(at[i], w[i]+bound, 1)
			}
		}
		d.passed(n)
		at, w = at[n:], w[n:]
	}
}

// block is how many of n records are taken in alike.
func (d *Delays) block(n int) int { return min(n, delayBlock-int(d.seen%delayBlock)) }

// passed notes that n records were taken in.
func (d *Delays) passed(n int) {
	if d.seen += int64(n); d.seen%delayBlock == 0 {
		d.sampled = d.sampled || d.behind > delayFree && d.behind > d.seen/delayRare
	}
}

// chosen gives the first record at i or after it, counted from those taken in, that stands for its
// run.
func (d *Delays) chosen(i int) int {
	number := uint64(d.seen) + uint64(i)
	for {
		run := number / delayRun
		// The upper bits of a product are as good as random.
		if at := run*delayRun + run*0x9e3779b97f4a7c15>>59; at >= number {
			return int(at - uint64(d.seen))
		}
		number = (run + 1) * delayRun
	}
}

// look takes in one record that stands for weight of them.
func (d *Delays) look(t, high, weight int64) {
	if t >= high {
		d.inOrder += weight
		return
	}
	delay := high - t
	if delay < 0 { // it does not fit
		delay = etime.Max
	}
	d.behind += weight
	d.most = max(d.most, delay)
	d.buckets()[uint(bucketOf(delay))%delayBuckets] += weight
}

func (d *Delays) buckets() *[delayBuckets]int64 {
	if d.n == nil {
		d.n = new([delayBuckets]int64)
	}
	return d.n
}

// Add takes in another histogram.
func (d *Delays) Add(o *Delays) {
	d.seen += o.seen
	d.sampled = d.sampled || o.sampled
	d.inOrder += o.inOrder
	d.behind += o.behind
	d.most = max(d.most, o.most)
	if o.n == nil {
		return
	}
	n := d.buckets()
	for i, c := range o.n {
		n[i] += c
	}
}

// Records is how many records were observed.
func (d *Delays) Records() int64 { return d.seen }

// Behind is how many records were behind another: an estimate if they are [Delays.Sampled].
func (d *Delays) Behind() int64 { return d.behind }

// Greatest is the greatest delay, in µs, exactly, of the records that were looked at.
func (d *Delays) Greatest() int64 { return d.most }

// Sampled says that not every record was looked at, since many are behind.
func (d *Delays) Sampled() bool { return d.sampled }

// Quantile gives the least delay, in µs, that a share q of the records do not exceed, to 1 %: 0 if so
// many were in order, or if there are none. Q is from 0 to 1.
func (d *Delays) Quantile(q float64) int64 {
	rank := int64(math.Ceil(min(max(q, 0), 1) * float64(d.inOrder+d.behind)))
	left := rank - d.inOrder
	if left <= 0 || d.n == nil {
		return 0
	}
	if left >= d.behind {
		return d.most
	}
	for b, c := range d.n {
		if left -= c; left <= 0 {
			return min(middle(b), d.most)
		}
	}
	return d.most
}

// Buckets calls f for every delay, in order, that records had, with how many had it: those in order
// first. Delays are as exact as those of Quantile.
func (d *Delays) Buckets(f func(delay, records int64)) {
	if d.inOrder > 0 {
		f(0, d.inOrder)
	}
	if d.n == nil {
		return
	}
	for b, c := range d.n {
		if c > 0 {
			f(min(middle(b), d.most), c)
		}
	}
}
