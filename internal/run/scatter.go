package run

import (
	"unsafe"

	"github.com/strandline-stream/strandline/internal/etime"
)

// scatter sorts elements by window where windows of one size lie end to end: fixed windows, or
// the slices of sliding ones. With disorder, neighbours near a border belong to different windows
// in turn, and runs of elements in one window are one or two long: each would cost a look-up of
// the window and two calls (measured with slices of 1 s and 2 s of disorder: 25 ns an element
// instead of 6).
//
// It takes only elements about whose window there is nothing to decide: it is on time for all of
// them, and stays so until the last. The order of elements within a window is kept.
type scatter[V any] struct {
	size, offset int64
	usable       bool

	base, stop int64 // the window that the watermark is in
	inverse    float64

	group []uint8
	bits  []uint64
	vs    []V
	ends  [lanes]int32 // of each window's elements in bits and vs
}

const (
	// lanes is how many windows, from the one that the watermark is in on, are told apart.
	lanes = 64
	// shortRun is the length of a run from which on it is not worth copying its elements.
	shortRun = 16
	// wide is the size of a value in bytes above which copying it costs more than short runs do.
	wide = 128
)

// start says what windows there are. They are due at their ends.
func (s *scatter[V]) start(size, offset int64) {
	var v V
	// Below 2^46 µs (two years), lanes*size is exact as a float64.
	s.usable = size > 0 && size < 1<<46 && unsafe.Sizeof(v) <= wide
	s.size, s.offset, s.inverse = size, offset, 1/float64(size)
	s.base, s.stop = etime.Max, etime.Min
}

// take sorts the first elements of those given, as many as it can, and returns their number. The
// watermark before each is w; next is the watermark at which something is due.
func (s *scatter[V]) take(bits []uint64, vs []V, at, w []int64, next int64) int {
	if w[0] < -farAway || w[0] > farAway {
		return 0
	}
	if w[0] >= s.stop || w[0] < s.base {
		s.base = etime.Floor(w[0], s.size, s.offset)
		s.stop = s.base + s.size
	}
	if len(s.group) < len(vs) {
		s.group, s.bits, s.vs = make([]uint8, len(vs)), make([]uint64, len(vs)), make([]V, len(vs))
	}
	var counts [lanes]int32
	limit := min(next, s.stop) // no window that these elements are in is due before
	base, size, inverse := s.base, s.size, s.inverse
	n := 0
	group := s.group[:len(at)]
	w = w[:len(at)]
	for i, t := range at {
		x := t - base
		if w[i] >= limit || uint64(x) >= uint64(lanes*size) {
			break // something is due, or it is late, or far ahead
		}
		// Division by a product, which may be off by one where x is near a border.
		q := int64(float64(x) * inverse)
		r := x - q*size
		if r < 0 {
			q--
		}
		if r >= size {
			q++
		}
		q &= lanes - 1
		group[i] = uint8(q)
		counts[q]++
		n++
	}
	at0 := int32(0)
	for g, c := range counts {
		s.ends[g] = at0
		at0 += c
	}
	sortedBits, sortedVs := s.bits[:n], s.vs[:n]
	for i, g := range group[:n] {
		p := s.ends[g&(lanes-1)]
		s.ends[g&(lanes-1)] = p + 1
		sortedBits[p], sortedVs[p] = bits[i], vs[i]
	}
	return n
}

// farAway is so far from 1970, in µs (146,000 years), that sums of it with spans could overflow.
const farAway = 1 << 62

// each calls f for every window that elements were sorted into, in order, with its start. The
// values are valid during the call.
func (s *scatter[V]) each(f func(lo int64, bits []uint64, vs []V)) {
	from := int32(0)
	for g, to := range s.ends {
		if to > from {
			f(s.base+int64(g)*s.size, s.bits[from:to], s.vs[from:to])
			clear(s.vs[from:to]) // they may hold pointers
			from = to
		}
	}
}
