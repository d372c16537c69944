package lateness

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// Weighted is a number that is there N times.
type Weighted struct{ Value, N int64 }

// Tally counts how often each number is there: exactly, whatever the order, and in memory that goes
// by how many different ones there are. Its zero value is empty.
type Tally struct {
	settled []Weighted // ascending
	fresh   map[int64]int64
	n       int64
}

// few is up to how many new numbers are counted before they are sorted in with the others.
const few = 1 << 16

// Add counts a number.
func (t *Tally) Add(x int64) {
	if t.fresh == nil {
		t.fresh = map[int64]int64{}
	}
	t.fresh[x]++
	t.n++
	if len(t.fresh) >= max(few, len(t.settled)/4) {
		t.settle()
	}
}

// N is how many numbers were added.
func (t *Tally) N() int64 { return t.n }

// Sorted gives the numbers in ascending order, each once.
func (t *Tally) Sorted() []Weighted {
	t.settle()
	return t.settled
}

func (t *Tally) settle() {
	for x, n := range t.fresh {
		t.settled = append(t.settled, Weighted{x, n})
	}
	clear(t.fresh)
	t.settled = merged(t.settled)
}

// merged sorts numbers and counts each once.
func merged(all []Weighted) []Weighted {
	slices.SortFunc(all, func(a, b Weighted) int { return cmp.Compare(a.Value, b.Value) })
	once := all[:0]
	for _, w := range all {
		if n := len(once); n > 0 && once[n-1].Value == w.Value {
			once[n-1].N += w.N
		} else {
			once = append(once, w)
		}
	}
	return once
}

// counted is a tally of numbers at hand.
func counted(all []int64) (sorted []Weighted) {
	all = slices.Clone(all)
	slices.Sort(all)
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n] == all[0] {
			n++
		}
		sorted = append(sorted, Weighted{all[0], int64(n)})
		all = all[n:]
	}
	return sorted
}

// total is how many numbers there are.
func total(sorted []Weighted) (n int64) {
	for _, w := range sorted {
		n += w.N
	}
	return n
}

// Quantile gives the least of some sorted numbers that is no less than a share p of them; 0 if there
// are none.
func Quantile(sorted []Weighted, p float64) int64 {
	if len(sorted) == 0 {
		return 0
	}
	left := max(int64(math.Ceil(p*float64(total(sorted))-1e-9)), 1)
	for _, w := range sorted {
		if left -= w.N; left <= 0 {
			return w.Value
		}
	}
	return sorted[len(sorted)-1].Value
}

// Trail keeps numbers that are not negative in their order, in few bytes where they are small. Its zero
// value is empty.
type Trail struct {
	parts [][]byte
	n     int64
}

// part is how many bytes of a trail are in one piece.
const part = 1 << 16

// Add appends a number.
func (t *Trail) Add(x int64) {
	last := len(t.parts) - 1
	if last < 0 || len(t.parts[last])+binary.MaxVarintLen64 > part {
		t.parts = append(t.parts, make([]byte, 0, part))
		last++
	}
	t.parts[last] = binary.AppendUvarint(t.parts[last], uint64(x))
	t.n++
}

// Between gives the numbers from the i-th up to, and without, the j-th, counted from 0.
func (t *Trail) Between(i, j int64) []int64 {
	some := make([]int64, 0, j-i)
	at := int64(0)
	for _, p := range t.parts {
		for len(p) > 0 && at < j {
			x, n := binary.Uvarint(p)
			if p = p[n:]; at >= i {
				some = append(some, int64(x))
			}
			at++
		}
	}
	return some
}
