package combine_test

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/combine/combinetest"
)

var (
	extremes = []int64{0, 1, -1, 7, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1}
	floats   = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-300, 1e16, -1e16, math.MaxFloat64, -math.MaxFloat64}
	odd      = append([]float64{math.NaN(), math.Inf(1), math.Inf(-1)}, floats...)
	nullable = []combine.Null[int64]{{}, combine.Some[int64](0), combine.Some[int64](-3), combine.Some[int64](math.MaxInt64)}
)

// small are floats whose compensated sums agree to a few units in the last place of 1.
var small = []float64{0, 0.1, -0.1, 1.0 / 3, 2.5, -7, 1e-9}

func exercise[V, A, O any](t *testing.T, name string, c combine.Combiner[V, A, O], values []V, o combinetest.Options[O]) {
	t.Run(name, func(t *testing.T) { combinetest.Exercise(t, c, values, o) })
}

func TestEveryBuiltInKeepsTheLaws(t *testing.T) {
	type (
		ints     = combinetest.Options[int64]
		approx   = combinetest.Options[float64]
		pair     = combine.Pair[int64, float64]
		nullInts = combinetest.Options[combine.Null[int64]]
	)
	self := combine.Self[int64]
	selfF := combine.Self[float64]

	exercise(t, "Count", combine.Count[int64](), extremes, ints{})
	exercise(t, "CountNonNull", combine.CountNonNull(combine.Self[combine.Null[int64]]), nullable, ints{})
	exercise(t, "Sum", combine.Sum(self), extremes, ints{})
	exercise(t, "Sum of uint64", combine.Sum(combine.Self[uint64]), []uint64{0, 1, math.MaxUint64}, combinetest.Options[uint64]{})
	exercise(t, "Sum of int8", combine.Sum(combine.Self[int8]), []int8{0, 1, -1, 127, -128}, combinetest.Options[int8]{})
	exercise(t, "SumFloat", combine.SumFloat(selfF), small, approx{Tolerance: 1e-15})
	exercise(t, "SumFloat of infinities and NaN", combine.SumFloat(selfF),
		[]float64{1, -2, math.Inf(1), math.Inf(-1), math.NaN()}, approx{})
	exercise(t, "SumFloat beyond float64 and back", combine.SumFloat(selfF),
		[]float64{math.MaxFloat64, -math.MaxFloat64, 0x1p1023, -0x1p1023}, approx{Tolerance: 1e-15})
	exercise(t, "SumFloat of float32", combine.SumFloat(combine.Self[float32]),
		[]float32{0.1, 3, -2, math.MaxFloat32}, combinetest.Options[float32]{Tolerance: 1e-7})
	exercise(t, "Mean", combine.Mean(self), extremes, approx{})
	exercise(t, "MeanFloat", combine.MeanFloat(selfF), small, approx{Tolerance: 1e-15})
	exercise(t, "MeanFloat beyond float64", combine.MeanFloat(selfF),
		[]float64{math.MaxFloat64, 0x1p1023, math.Inf(1), math.NaN()}, approx{Tolerance: 1e-15})
	exercise(t, "Min", combine.Min(self), extremes, ints{})
	exercise(t, "Max", combine.Max(self), extremes, ints{})
	exercise(t, "Min of floats", combine.Min(selfF), odd, approx{Equal: sameBits})
	exercise(t, "Max of floats", combine.Max(selfF), odd, approx{Equal: sameBits})
	exercise(t, "Max of strings", combine.Max(combine.Self[string]), []string{"", "a", "ab", "\xff"}, combinetest.Options[string]{})
	exercise(t, "First", combine.First(self), extremes, ints{})
	exercise(t, "Last", combine.Last(self), extremes, ints{})
	exercise(t, "First of NaNs", combine.First(selfF), odd, approx{})
	order := combine.Encoded(func(dst []byte, n int64) []byte { return binary.BigEndian.AppendUint64(dst, uint64(n)) })
	exercise(t, "FirstFunc", combine.FirstFunc(self, order), extremes, ints{})
	exercise(t, "LastFunc", combine.LastFunc(self, order), extremes, ints{})
	exercise(t, "Distinct", combine.Distinct(self), extremes, ints{})
	exercise(t, "Distinct floats", combine.Distinct(selfF), odd, ints{})
	exercise(t, "Set", combine.Set(selfF), odd, combinetest.Options[[]float64]{})
	exercise(t, "SetFunc", combine.SetFunc(self, cmp.Compare[int64]), extremes, combinetest.Options[[]int64]{})
	exercise(t, "List", combine.List[int64]{}, extremes, combinetest.Options[[]int64]{Equal: combinetest.SameElements[int64]})
	exercise(t, "Reduce", combine.Reduce(func(a, b int64) int64 { return a ^ b }), extremes, ints{})
	exercise(t, "Of", combine.Of(func(n *int64) int64 { return *n / 2 }, combine.Sum(self)), extremes, ints{})
	exercise(t, "Of over event times", combine.Of(self, combine.Last(self)), extremes, ints{})
	exercise(t, "Of over maps", combine.Of(self, combine.Distinct(self)), extremes, ints{})
	opt := combine.Self[combine.Null[int64]]
	exercise(t, "NonNull", combine.NonNull(opt, combine.Sum(self)), nullable, nullInts{})
	exercise(t, "NonNull over event times", combine.NonNull(opt, combine.First(self)), nullable, nullInts{})
	exercise(t, "NonNull over maps", combine.NonNull(opt, combine.Distinct(self)), nullable, nullInts{})
	exercise(t, "Both", combine.Both(combine.Count[int64](), combine.Mean(self)), extremes, combinetest.Options[pair]{})
	exercise(t, "Both of Both, Of and NonNull",
		combine.Both(
			combine.Both(combine.Sum(self), combine.Max(self)),
			combine.Both(
				combine.Of(self, combine.CountNonNull(func(n *int64) combine.Null[int64] { return combine.Null[int64]{Valid: *n > 0} })),
				combine.NonNull(func(n *int64) combine.Null[int64] { return combine.Null[int64]{V: *n, Valid: *n != 0} }, combine.Min(self)))),
		extremes,
		combinetest.Options[combine.Pair[combine.Pair[int64, int64], combine.Pair[int64, combine.Null[int64]]]]{})
	exercise(t, "Both over event times and maps", combine.Both(combine.Last(self), combine.Distinct(self)), extremes,
		combinetest.Options[combine.Pair[int64, int64]]{})
	exercise(t, "Func", concat(), []string{"a", "b", ""}, combinetest.Options[int]{})

	type lists = combinetest.Options[[]int64]
	text := combine.Encoded(func(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) })
	for _, n := range []int{1, 2, 5} {
		exercise(t, fmt.Sprint("Top ", n), combine.Top(n, self), extremes, lists{})
		exercise(t, fmt.Sprint("Top of floats ", n), combine.Top(n, selfF), odd, combinetest.Options[[]float64]{})
		exercise(t, fmt.Sprint("TopFunc ", n), combine.TopFunc(n, self, order), extremes, lists{})
		exercise(t, fmt.Sprint("Bottom ", n), combine.Bottom(n, self), extremes, lists{})
		exercise(t, fmt.Sprint("TopBy with ties ", n), combine.TopBy(n, func(n *int64) int64 { return *n & 1 }, text), extremes, lists{})
		exercise(t, fmt.Sprint("BottomBy with ties ", n), combine.BottomBy(n, func(n *int64) float64 { return odd[*n&1] }, text), extremes, lists{})
		exercise(t, fmt.Sprint("Sample ", n), combine.Sample(n, uint64(n), decimal), extremes, lists{})
	}
	exercise(t, "Of Top", combine.Of(self, combine.Top(2, self)), extremes, lists{})
	exercise(t, "Both of Top and Sample", combine.Both(combine.Bottom(2, self), combine.Sample(3, 7, decimal)), extremes,
		combinetest.Options[combine.Pair[[]int64, []int64]]{})
}

// decimal is an identity of numbers.
func decimal(dst []byte, n *int64) []byte { return strconv.AppendInt(dst, *n, 10) }

// sameBits tells floats apart by the sign of zero; NaN is NaN.
func sameBits(a, b float64) bool {
	return a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b
}

// concat counts letters by way of a map, so that it needs a clone.
func concat() combine.Func[string, map[string]int, int] {
	return combine.Func[string, map[string]int, int]{
		CreateFn: func() map[string]int { return map[string]int{} },
		AddFn:    func(acc *map[string]int, v *string) { (*acc)[*v]++ },
		MergeFn: func(acc, other *map[string]int) {
			for k, n := range *other {
				(*acc)[k] += n
			}
		},
		ExtractFn: func(acc *map[string]int) (int, error) { return (*acc)["a"] + 10*(*acc)["b"], nil },
		CloneFn: func(acc *map[string]int) map[string]int {
			c := make(map[string]int, len(*acc))
			for k, n := range *acc {
				c[k] = n
			}
			return c
		},
		HasNeutral: true,
	}
}

func TestOfNonNullAndBothHaveWhatIsInside(t *testing.T) {
	self := combine.Self[int64]
	opt := combine.Self[combine.Null[int64]]
	// combiner: looks at event times, has an inverse, has a neutral value
	check(t, combine.Of(self, combine.Sum(self)), false, true, true)
	check(t, combine.Of(self, combine.Min(self)), false, false, false)
	check(t, combine.Of(self, combine.First(self)), true, false, false)
	check(t, combine.NonNull(opt, combine.Mean(self)), false, true, true)
	check(t, combine.NonNull(opt, combine.Last(self)), true, false, true)
	check(t, combine.Both(combine.Count[int64](), combine.Sum(self)), false, true, true)
	check(t, combine.Both(combine.Count[int64](), combine.Mean(self)), false, true, false)
	check(t, combine.Both(combine.Count[int64](), combine.Last(self)), true, false, false)
	check(t, combine.Of(self, combine.Both(combine.First(self), combine.Count[int64]())), true, false, false)
	check(t, combine.Count[int64](), false, true, true)
	check(t, combine.Last(self), true, false, false)
	check(t, combine.List[int64]{}, false, false, true)
	check(t, combine.Top(3, self), false, false, true)
	check(t, combine.Sample(3, 1, decimal), false, false, true)
}

func check[V, A, O any](t *testing.T, c combine.Combiner[V, A, O], timed, subtracts, neutral bool) {
	t.Helper()
	if _, ok := combine.AsTimed(c); ok != timed {
		t.Errorf("AsTimed(%T) is %v", c, ok)
	}
	if _, ok := combine.AsSubtractor(c); ok != subtracts {
		t.Errorf("AsSubtractor(%T) is %v", c, ok)
	}
	if ok := combine.HasNeutral(c); ok != neutral {
		t.Errorf("HasNeutral(%T) is %v", c, ok)
	}
}
