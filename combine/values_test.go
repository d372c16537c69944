package combine_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

func TestMinAndMaxAreNaNIfAnyValueIs(t *testing.T) {
	nan, negZero := math.NaN(), math.Copysign(0, -1)
	for _, tt := range []struct {
		xs       []float64
		min, max float64
	}{
		{[]float64{1, nan, 2}, nan, nan},
		{[]float64{nan}, nan, nan},
		{[]float64{math.Inf(1), nan, math.Inf(-1)}, nan, nan},
		{[]float64{0, negZero}, negZero, 0},
		{[]float64{math.Inf(1), 3}, 3, math.Inf(1)},
	} {
		for range 2 {
			least, _ := combine.Fold(combine.Min(combine.Self[float64]), tt.xs)
			most, _ := combine.Fold(combine.Max(combine.Self[float64]), tt.xs)
			if !sameBits(least, tt.min) || !sameBits(most, tt.max) {
				t.Errorf("%v: got %v and %v, want %v and %v", tt.xs, least, most, tt.min, tt.max)
			}
			slices.Reverse(tt.xs)
		}
	}
}

func TestWithoutNeutralValueNothingIsErrEmpty(t *testing.T) {
	for name, err := range map[string]error{
		"Min":    second(combine.Fold(combine.Min(combine.Self[int]), nil)),
		"Max":    second(combine.Fold(combine.Max(combine.Self[int]), nil)),
		"First":  second(combine.Fold(combine.First(combine.Self[int]), nil)),
		"Last":   second(combine.Fold(combine.Last(combine.Self[int]), nil)),
		"Reduce": second(combine.Fold(combine.Reduce(func(a, b int) int { return a + b }), nil)),
		"Both":   second(combine.Fold(combine.Both(combine.Count[int](), combine.Min(combine.Self[int])), nil)),
	} {
		if !errors.Is(err, combine.ErrEmpty) {
			t.Errorf("%s of nothing: %v", name, err)
		}
	}
}

func second[O any](_ O, err error) error { return err }

func TestFirstAndLastGoByEventTimeThenByValue(t *testing.T) {
	type arrival struct {
		v  string
		at int64
	}
	for _, tt := range []struct {
		arrivals    []arrival
		first, last string
	}{
		{[]arrival{{"b", 5}, {"a", 9}, {"c", 1}}, "c", "a"},
		{[]arrival{{"b", 5}, {"a", 5}, {"c", 5}}, "a", "c"},
		{[]arrival{{"z", -1}, {"a", 0}}, "z", "a"},
		{[]arrival{{"x", math.MinInt64}, {"a", math.MaxInt64}}, "x", "a"},
	} {
		for range 2 {
			f, l := combine.First(combine.Self[string]), combine.Last(combine.Self[string])
			fa, la := f.Create(), l.Create()
			for _, a := range tt.arrivals {
				f.AddAt(&fa, &a.v, a.at)
				l.AddAt(&la, &a.v, a.at)
			}
			first, _ := f.Extract(&fa)
			last, _ := l.Extract(&la)
			if first != tt.first || last != tt.last {
				t.Errorf("%v: got %q and %q, want %q and %q", tt.arrivals, first, last, tt.first, tt.last)
			}
			slices.Reverse(tt.arrivals)
		}
	}
}

func TestDistinctCountsNaNOnceAndTakesNegativeZeroForZero(t *testing.T) {
	type point struct {
		X, Y float64
		Any  any
	}
	nan, otherNaN, negZero := math.NaN(), math.Float64frombits(0x7ff8000000000dad), math.Copysign(0, -1)
	floats := []float64{nan, otherNaN, 0, negZero, 1, 1}
	if got, _ := combine.Fold(combine.Distinct(combine.Self[float64]), floats); got != 3 {
		t.Errorf("%v: got %d, want 3", floats, got)
	}
	points := []point{
		{nan, 0, nil}, {otherNaN, negZero, nil}, // one
		{nan, 1, nil},                            // two
		{1, 2, float32(math.NaN())}, {1, 2, nan}, // three, four: not of one type
		{1, 2, nil}, {1, 2, nil}, // five
		{0, 1, nil}, {negZero, 1, nil}, // six
		{nan, 0, "a"}, {nan, 0, "b"}, {nan, 0, true}, {nan, 0, [2]uint8{1, 2}}, {nan, 0, 3i}, // eleven
	}
	if got, _ := combine.Fold(combine.Distinct(combine.Self[point]), points); got != 11 {
		t.Errorf("structs: got %d, want 11", got)
	}
	set, _ := combine.Fold(combine.Set(combine.Self[float64]), []float64{2, negZero, nan, -1, otherNaN, 2})
	if len(set) != 4 || set[0] == set[0] || !slices.Equal(set[1:], []float64{-1, 0, 2}) || math.Signbit(set[2]) {
		t.Errorf("got %v, want [NaN -1 0 2]", set)
	}
}

func TestNullsAreSkippedAndAllNullIsNull(t *testing.T) {
	null, some := combine.Null[int64]{}, combine.Some[int64]
	opt, self := combine.Self[combine.Null[int64]], combine.Self[int64]
	sum, least, mean := combine.NonNull(opt, combine.Sum(self)), combine.NonNull(opt, combine.Min(self)), combine.NonNull(opt, combine.Mean(self))
	for _, tt := range []struct {
		xs         []combine.Null[int64]
		sum, min   combine.Null[int64]
		mean       combine.Null[float64]
		rows, some int64
	}{
		{[]combine.Null[int64]{some(4), null, some(2)}, some(6), some(2), combine.Some(3.0), 3, 2},
		{[]combine.Null[int64]{null, null}, null, null, combine.Null[float64]{}, 2, 0},
		{[]combine.Null[int64]{some(0)}, some(0), some(0), combine.Some(0.0), 1, 1},
		{nil, null, null, combine.Null[float64]{}, 0, 0},
	} {
		gotSum, err1 := combine.Fold(sum, tt.xs)
		gotMin, err2 := combine.Fold(least, tt.xs)
		gotMean, err3 := combine.Fold(mean, tt.xs)
		rows, _ := combine.Fold(combine.Count[combine.Null[int64]](), tt.xs)
		some, _ := combine.Fold(combine.CountNonNull(opt), tt.xs)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Errorf("%v: %v", tt.xs, err)
		}
		if gotSum != tt.sum || gotMin != tt.min || gotMean != tt.mean || rows != tt.rows || some != tt.some {
			t.Errorf("%v: got %v %v %v %d %d", tt.xs, gotSum, gotMin, gotMean, rows, some)
		}
	}
	if _, err := combine.Fold(sum, []combine.Null[int64]{some(math.MaxInt64), some(1)}); !errors.Is(err, combine.ErrOverflow) {
		t.Errorf("an overflow inside: %v", err)
	}
}

func TestNullIsItsValueOrNullInJSON(t *testing.T) {
	type row struct {
		A combine.Null[int]
		B combine.Null[string]
	}
	in := `{"A":7,"B":null}`
	var r row
	if err := json.Unmarshal([]byte(in), &r); err != nil || r != (row{A: combine.Some(7)}) {
		t.Errorf("got %+v, %v", r, err)
	}
	if out, err := json.Marshal(r); string(out) != in || err != nil {
		t.Errorf("got %s, %v", out, err)
	}
	if err := json.Unmarshal([]byte(`{"A":"x"}`), &r); err == nil || r.A.Valid {
		t.Errorf("a string for a number: %+v, %v", r, err)
	}
}

func TestListKeepsOrderOfArrivalAndSharesNothing(t *testing.T) {
	c := combine.List[int]{}
	acc, xs := c.Create(), []int{3, 1, 2}
	for i := range xs {
		c.Add(&acc, &xs[i])
	}
	got, _ := c.Extract(&acc)
	if !slices.Equal(got, []int{3, 1, 2}) {
		t.Fatalf("got %v", got)
	}
	slices.Sort(got)
	if again, _ := c.Extract(&acc); !slices.Equal(again, []int{3, 1, 2}) {
		t.Errorf("sorting a result changed the next: %v", again)
	}
	if none, _ := combine.Fold(c, nil); none == nil || len(none) != 0 {
		t.Errorf("of nothing: %#v", none)
	}
}

func TestValidateNamesEveryMissingFunction(t *testing.T) {
	for _, tt := range []struct {
		c    combine.Validator
		want string
	}{
		{combine.Func[int, int, int]{}, "combine.Func: CreateFn is nil; it needs a function\ncombine.Func: AddFn is nil; it needs a function\n" +
			"combine.Func: MergeFn is nil; it needs a function\ncombine.Func: ExtractFn is nil; it needs a function"},
		{combine.Both(combine.Sum[int, int](nil), combine.Count[int]()), "combine.Sum: the field is nil"},
		{combine.Of[int, int](nil, combine.Max[int, int](nil)), "combine.Of: the field is nil; it needs a function\ncombine.Max: the field is nil"},
		{combine.Of[int, int, int, int](combine.Self[int], nil), "combine.Of: the combiner is nil"},
		{combine.Mapped[int, int, int, int]{}, "combine.Of: the field is nil; it needs a function\ncombine.Of: the combiner is nil"},
		{combine.FirstFunc(combine.Self[int], nil), "combine.First: the order is nil"},
	} {
		if err := tt.c.Validate(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%T: got %v, want %s", tt.c, err, tt.want)
		}
	}
	if err := combine.Both(combine.Sum(combine.Self[int]), combine.Count[int]()).Validate(); err != nil {
		t.Error(err)
	}
}

func TestCombinersAreSafeForConcurrentUse(t *testing.T) {
	self := combine.Self[int64]
	c := combine.Both(combine.Of(self, combine.Sum(self)), combine.Distinct(self))
	results := make(chan combine.Pair[int64, int64])
	for range 4 {
		go func() {
			accs, slots, vs := []combine.Pair[combine.Int128, combine.Uniques[int64]]{c.Create()}, make([]uint32, 100), make([]int64, 100)
			for i := range vs {
				vs[i] = int64(i)
			}
			for range 50 {
				c.AddBatch(accs, slots, vs)
			}
			got, _ := c.Extract(&accs[0])
			results <- got
		}()
	}
	for range 4 {
		if got := <-results; got != (combine.Pair[int64, int64]{First: 50 * 4950, Second: 100}) {
			t.Errorf("got %+v", got)
		}
	}
}

func TestBatchesDoNotAllocateForEachElement(t *testing.T) {
	self := combine.Self[int64]
	c := combine.Both(combine.Of(self, combine.Sum(self)), combine.NonNull(
		func(n *int64) combine.Null[int64] { return combine.Null[int64]{V: *n, Valid: *n%2 == 0} }, combine.Mean(self)))
	slots, vs := make([]uint32, 256), make([]int64, 256)
	accs := []combine.Pair[combine.Int128, combine.NullAcc[combine.IntMeanAcc]]{c.Create()}
	if n := testing.AllocsPerRun(1000, func() { c.AddBatch(accs, slots, vs) }); n > 20 { // 0, but the race detector empties pools
		t.Errorf("%v allocations a batch of 256", n)
	}
}
