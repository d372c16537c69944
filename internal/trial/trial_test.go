package trial_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strandline-stream/strandline/internal/trial"
)

// arrivals are n records, one a second.
func arrivals(n int) (all []trial.Arriving) {
	for i := range n {
		all = append(all, trial.Arriving{At: int64(i) * 1e6, Content: trial.Content(fmt.Append(nil, i))})
	}
	return all
}

func TestNoRecordOfAnOrderIsFurtherBehindThanTheBound(t *testing.T) {
	all := arrivals(500)
	for _, seconds := range []int64{0, 1, 30, 10_000} {
		behind, moved := int64(0), 0
		high := int64(math.MinInt64)
		order := trial.Order(all, seconds*1e6, 7, 1)
		for n, i := range order {
			high = max(high, all[i].At)
			behind = max(behind, high-all[i].At)
			if n != i {
				moved++
			}
		}
		if sorted := slices.Sorted(slices.Values(order)); behind > seconds*1e6 || seconds > 1 && moved < 200 || sorted[0] != 0 || sorted[499] != 499 || len(slices.Compact(sorted)) != 500 {
			t.Errorf("bound %d s: %d µs behind, %d moved", seconds, behind, moved)
		}
	}
}

func TestOrdersOfOtherNumbersAndSeedsDiffer(t *testing.T) {
	all := arrivals(100)
	first := trial.Order(all, trial.Free, 0, 1)
	if !slices.Equal(first, trial.Order(all, trial.Free, 0, 1)) {
		t.Error("an order is not the same twice")
	}
	if slices.Equal(first, trial.Order(all, trial.Free, 0, 2)) || slices.Equal(first, trial.Order(all, trial.Free, 1, 1)) {
		t.Error("two orders are the same")
	}
}

// What is found with all records must be found with those that are left.
func TestSomeOfTheRecordsComeAsAmongAll(t *testing.T) {
	all := arrivals(200)
	order := trial.Order(all, 60e6, 3, 2)
	var some []trial.Arriving
	var which []int
	for i := 0; i < 200; i += 3 {
		some, which = append(some, all[i]), append(which, i)
	}
	var got []int
	for _, i := range trial.Order(some, 60e6, 3, 2) {
		got = append(got, which[i])
	}
	want := slices.DeleteFunc(order, func(i int) bool { return i%3 != 0 })
	if !slices.Equal(got, want) {
		t.Errorf("they come as\n%v\nand not as\n%v", got, want)
	}
}

// The oracle is a loop over all subsets: what is left must be as small as it can be by taking
// single things away, and still fail.
func TestNothingCanBeTakenAwayFromWhatIsLeft(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + r.IntN(40)
		var needed [][]int // it fails with all of one of them
		for range 1 + r.IntN(3) {
			needed = append(needed, r.Perm(n)[:1+r.IntN(min(n, 5))])
		}
		fails := func(keep []int) bool {
			return slices.ContainsFunc(needed, func(all []int) bool {
				return !slices.ContainsFunc(all, func(i int) bool { return !slices.Contains(keep, i) })
			})
		}
		keep := trial.Shrink(n, 10_000, fails)
		if !fails(keep) || !slices.IsSorted(keep) {
			t.Fatalf("%v does not fail: of %d, %v are needed", keep, n, needed)
		}
		for i := range keep {
			if rest := slices.Delete(slices.Clone(keep), i, i+1); len(rest) > 0 && fails(rest) {
				t.Errorf("%v can do without %d: of %d, %v are needed", keep, keep[i], n, needed)
			}
		}
	}
}

func TestShrinkingEndsAfterItsCalls(t *testing.T) {
	calls := 0
	keep := trial.Shrink(1000, 3, func(keep []int) bool { calls++; return slices.Contains(keep, 999) })
	if calls != 3 || !slices.Contains(keep, 999) || len(keep) != 125 { // a half, and a half, and a half
		t.Errorf("%d calls, and %d are left", calls, len(keep))
	}
}

func TestFloatsAreNearByAPartInABillion(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		a, b float64
		near bool
	}{{1, 1 + 1e-10, true}, {1, 1 + 1e-8, false}, {nan, nan, true}, {nan, 1, false}, {inf, inf, true}, {inf, 1e308, false}, {0, 1e-300, false}} {
		if trial.Near(c.a, c.b) != c.near {
			t.Errorf("%v and %v: %v", c.a, c.b, !c.near)
		}
	}
}

func TestTheListOfRunsHasEverythingThatMustNotShow(t *testing.T) {
	all := trial.Settings(3)
	if all[0] != all[1] {
		t.Error("no run is repeated")
	}
	has := func(what string, is func(trial.Setting) bool) {
		if !slices.ContainsFunc(all, is) {
			t.Errorf("there is none of %s", what)
		}
	}
	has("replay", func(s trial.Setting) bool { return !s.Batch && s.Order == 0 })
	has("batches of one", func(s trial.Setting) bool { return s.Size == 1 })
	has("four workers", func(s trial.Setting) bool { return s.Workers == 4 && !s.Turns })
	has("turns", func(s trial.Setting) bool { return s.Turns })
	has("splits", func(s trial.Setting) bool { return s.Splits > 1 && s.Workers == 1 })
	has("order 3", func(s trial.Setting) bool { return s.Order == 3 })
}
