package lateness

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A tally has each number as often as a map of all of them, also once there were too many for what it
// keeps unsorted.
func TestATallyCountsEachNumber(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var tally Tally
	want := map[int64]int64{}
	for i := range 5 * few {
		x := r.Int64N(2 * few)
		if i%3 == 0 {
			x = r.Int64N(10)
		}
		tally.Add(x)
		want[x]++
	}
	last := int64(-1)
	for _, w := range tally.Sorted() {
		if w.Value <= last || want[w.Value] != w.N {
			t.Fatalf("%d after %d, %d times and not %d", w.Value, last, w.N, want[w.Value])
		}
		delete(want, w.Value)
		last = w.Value
	}
	if len(want) > 0 || tally.N() != 5*few {
		t.Errorf("%d numbers are missing of %d", len(want), tally.N())
	}
}

func TestATrailKeepsNumbersInTheirOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var trail Trail
	var all []int64
	for range 50_000 {
		x := r.Int64N(1 << r.IntN(63))
		trail.Add(x)
		all = append(all, x)
	}
	for _, c := range [][2]int64{{0, 0}, {0, 50_000}, {0, 5000}, {45_000, 50_000}, {17, 18}, {49_999, 50_000}} {
		if got := trail.Between(c[0], c[1]); !slices.Equal(got, all[c[0]:c[1]]) {
			t.Errorf("between %d and %d there are %d others", c[0], c[1], len(got))
		}
	}
}
