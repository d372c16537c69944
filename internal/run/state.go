package run

import (
	"math/bits"

	"github.com/strandline-stream/strandline/internal/size"
)

// held books n entries of state more, or fewer: accumulators of a key and window (of sliding
// windows: of a key and slice), elements where a step keeps elements, values of a key. It is called
// for what is new and for what is forgotten, not for every element.
//
// The peak is that before the input has ended. What the end brings, everything at once, is no
// state that a run has to bear.
func (o *op) held(n int64) {
	if o.unbooked {
		return
	}
	c := o.n
	c.State += n
	if c.State > c.StatePeak && !o.ended {
		c.StatePeak = c.State
	}
}

// sizing estimates the bytes of an entry of state by looking at some of them.
type sizing struct {
	fixed  int64 // of every entry: its key, its place in a table
	least  int64 // of a value of which none was looked at
	sum, n int64 // of those that were looked at
}

// see looks at the value that p points to.
func (z *sizing) see(p any) {
	z.sum += size.Of(p)
	z.n++
}

// add takes in what another worker has seen.
func (z *sizing) add(other sizing) {
	z.fixed, z.least = other.fixed, other.least
	z.sum += other.sum
	z.n += other.n
}

// entry is the estimate for one entry.
func (z *sizing) entry() int64 {
	if z.n == 0 {
		return z.fixed + z.least
	}
	return z.fixed + z.sum/z.n
}

// doubled says whether a count that goes from before to after passes a power of two: that is how
// often a value is looked at.
func doubled(before, after int64) bool {
	return bits.Len64(uint64(before)) != bits.Len64(uint64(after))
}

// sized reports the size of a step's entries, and nothing else.
type sized struct {
	op
	sizes *sizing
}

func (s *sized) report(r *StepReport) { r.sizes.add(*s.sizes) }

// ending notes whether the elements at hand are given because the input has ended.
func (o *front[K, V]) ending(c *Cols) {
	if c.Ended != o.ended {
		o.end(c.Ended)
	}
}

// end notes whether what is kept and given from here on is so because the input has ended.
func (o *front[K, V]) end(ended bool) {
	o.ended = ended
	for _, e := range o.outs {
		e.end(ended)
	}
}
