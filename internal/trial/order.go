package trial

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/strandline-stream/strandline/internal/etime"
)

// Free is the bound of records that may come in any order.
const Free = math.MaxInt64

// Arriving is a record on its way.
type Arriving struct {
	// At is its event time in microseconds, and Content a number made of what it holds: of equal
	// records it may be equal.
	At      int64
	Content uint64
}

// Order gives another order of arrival, the o-th of a seed, in which no record is more than bound
// microseconds behind another: as indexes into records. Each is held up by a part of the bound
// that its content decides, so that some of the records come in the same order as among all.
func Order(records []Arriving, bound int64, seed uint64, o int) []int {
	type held struct{ due, tie uint64 }
	all := make([]held, len(records))
	order := make([]int, len(records))
	times := map[uint64]uint64{} // of one content so far
	for i, x := range records {
		n := times[x.Content]
		times[x.Content] = n + 1
		r := rand.New(rand.NewPCG(seed+uint64(o)*0x9e3779b97f4a7c15, x.Content+n*0xbf58476d1ce4e5b9))
		at, tie := x.At, r.Uint64()
		if bound == Free {
			at = 0
		} else {
			at = etime.Add(at, r.Int64N(bound+1))
		}
		all[i], order[i] = held{uint64(at) ^ 1<<63, tie}, i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(all[i].due, all[j].due), cmp.Compare(all[i].tie, all[j].tie), cmp.Compare(i, j))
	})
	return order
}

// Content makes the number of an [Arriving] of bytes: FNV-1a, the same in every process.
func Content(of []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range of {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}
