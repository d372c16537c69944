package trial_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

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
		keep, least := trial.Shrink(n, 10_000, fails)
		if !least || !fails(keep) || !slices.IsSorted(keep) {
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
	keep, least := trial.Shrink(1000, 3, func(keep []int) bool { calls++; return slices.Contains(keep, 999) })
	if calls != 3 || least || !slices.Contains(keep, 999) || len(keep) != 125 { // a half, and a half, and a half
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

// searching is a search in which a run gives what answer says of it.
func searching(answer func(s trial.Setting, keep []int) string) *trial.Search[string] {
	return &trial.Search[string]{
		Settings: trial.Settings(3),
		Run:      func(s trial.Setting, keep []int) (string, error) { return answer(s, keep), nil },
		Differ:   func(a, b string) bool { return a != b },
		Patience: time.Hour,
	}
}

// Four workers differ where record 7 is, but only racing; two in turns where 3 and 9 are together:
// they are the same each time, and so are what is shown.
func TestARunThatIsTheSameEachTimeIsShown(t *testing.T) {
	racing := trial.Setting{Workers: 4, Size: 3, Splits: 4}
	f := searching(func(s trial.Setting, keep []int) string {
		has := func(n int) bool { return slices.Contains(keep, n) }
		return fmt.Sprint(s.Workers == 4 && !s.Turns && has(7), s.Turns && s.Workers == 2 && has(3) && has(9))
	})
	if x := f.Smallest(20, racing); !x.Again || !x.Least || !x.With.Turns || x.With.Workers != 2 || !slices.Equal(x.Keep, []int{3, 9}) {
		t.Errorf("%+v", x)
	}
}

// The run that differed needs three records, and another one needs two of them.
func TestAnotherRunMayNeedFewerRecords(t *testing.T) {
	f := searching(func(s trial.Setting, keep []int) string {
		has := func(n int) bool { return slices.Contains(keep, n) }
		return fmt.Sprint(s.Order == 1 && has(2) && has(5) && has(11), s.Order == 2 && has(2) && has(5))
	})
	all := trial.Settings(3)
	b := all[slices.IndexFunc(all, func(s trial.Setting) bool { return s.Order == 1 })]
	if x := f.Smallest(20, b); !x.Again || !x.Least || x.With.Order != 2 || !slices.Equal(x.Keep, []int{2, 5}) {
		t.Errorf("%+v", x)
	}
}

func TestWhatDoesNotComeBackIsNotShrunk(t *testing.T) {
	f := searching(func(trial.Setting, []int) string { return "the same" })
	if x := f.Smallest(5, f.Settings[1]); x.Again || x.With != f.Settings[1] || len(x.Keep) != 5 {
		t.Errorf("%+v", x)
	}
}

// A run alike in everything that differs each third time is repeated until it does.
func TestADifferenceByChanceIsRepeated(t *testing.T) {
	calls := 0
	f := searching(func(_ trial.Setting, keep []int) string {
		if !slices.Contains(keep, 4) {
			return "the same"
		}
		calls++
		return fmt.Sprint(calls%3 == 0)
	})
	if x := f.Smallest(9, f.Settings[1]); !x.Again || !slices.Equal(x.Keep, []int{4}) {
		t.Errorf("%+v", x)
	}
}

func TestASearchWithoutPatienceKeepsEverything(t *testing.T) {
	f := searching(func(s trial.Setting, keep []int) string { return fmt.Sprint(s.Order == 1 && slices.Contains(keep, 3)) })
	f.Patience = -1
	b := trial.Setting{Batch: true, Workers: 1, Size: 7, Splits: 1, Order: 1}
	if x := f.Smallest(20, b); !x.Again || x.Least || len(x.Keep) != 20 {
		t.Errorf("%+v", x)
	}
}
