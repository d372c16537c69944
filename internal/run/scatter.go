package run

import (
	"math/bits"
	"unsafe"

	"github.com/strandline-stream/strandline/internal/etime"
)

// scatter sorts elements by window where windows of one size lie end to end: fixed windows, or
// the slices of sliding ones. With disorder, neighbours near a border belong to different windows
// in turn, and runs of elements in one window are one or two long: each would cost a look-up of
// the window and two calls, 15 to 25 ns an element. Sorting them first takes 4 to 6.
//
// It takes only elements about whose window there is nothing to decide: it is on time for all of
// them, and stays so until the last. The order of elements within a window is kept.
type scatter[V any] struct {
	size, offset int64
	usable       bool
	inverse      uint64 // 2^64 / size, rounded down

	base, stop int64 // the window that the watermark is in
	keys       [chunk]uint64
	vs         []V
	ends       [lanes]int32 // of each window's elements in keys and vs
}

const (
	// chunk is how many elements are sorted at a time: what is sorted then stays in the first
	// cache. With 1,024 it takes a third longer.
	chunk = 256
	// lanes is how many windows are told apart, from the one that the watermark is in on.
	lanes = 64
	// shortRun is the length of a run from which on it is not worth copying its elements.
	shortRun = 16
	// wide is the size of a value in bytes above which copying it costs more than short runs do.
	wide = 128
	// farAway is so far from 1970, in µs (146,000 years), that sums of it with spans could
	// overflow.
	farAway = 1 << 62
)

// start says what windows there are. They are due at their ends.
func (s *scatter[V]) start(size, offset int64) {
	var v V
	s.usable = size > 1 && unsafe.Sizeof(v) <= wide
	if s.usable {
		s.inverse, _ = bits.Div64(1, 0, uint64(size))
	}
	s.size, s.offset = size, offset
	s.base, s.stop = etime.Max, etime.Min
}

// take sorts the first elements of those given, as many as it can, and returns their number. The
// watermark before each is w; next is the watermark at which something is due.
func (s *scatter[V]) take(keys []uint64, vs []V, at, w []int64, next int64) int {
	if w[0] < -farAway || w[0] > farAway {
		return 0
	}
	if w[0] >= s.stop || w[0] < s.base {
		s.base = etime.Floor(w[0], s.size, s.offset)
		s.stop = s.base + s.size
	}
	// No window that the elements up to there are in is due.
	n, limit := min(len(vs), chunk), min(next, s.stop)
	for w[n-1] >= limit {
		n--
	}
	var window [chunk]uint8
	var counts [lanes]int32
	base, size, inverse := s.base, uint64(s.size), s.inverse
	for i, t := range at[:n] {
		x := uint64(t - base)
		if x >= lanes*size { // it is late, or far ahead
			n = i
			break
		}
		q, _ := bits.Mul64(x, inverse)
		if x-q*size >= size { // the inverse was rounded down
			q++
		}
		window[i&(chunk-1)] = uint8(q)
		counts[q&(lanes-1)]++
	}
	first := int32(0)
	for g, c := range counts {
		s.ends[g] = first
		first += c
	}
	if s.vs == nil {
		s.vs = make([]V, chunk)
	}
	keys, vs = keys[:n], vs[:n]
	toKeys, toVs := &s.keys, (*[chunk]V)(s.vs)
	for i := range vs {
		g := window[i&(chunk-1)] & (lanes - 1)
		p := s.ends[g] & (chunk - 1)
		s.ends[g]++
		toKeys[p], toVs[p] = keys[i], vs[i]
	}
	return n
}

// each calls f for every window that elements were sorted into, in order, with its start. The
// values are valid during the call.
func (s *scatter[V]) each(f func(lo int64, keys []uint64, vs []V)) {
	from := int32(0)
	for g, to := range s.ends {
		if to > from {
			f(s.base+int64(g)*s.size, s.keys[from:to], s.vs[from:to])
			from = to
		}
	}
	clear(s.vs[:from]) // they may hold pointers
}
