package combine_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

// bigSum is the sum of xs in unbounded integers.
func bigSum[N int64 | uint64 | int8](xs []N) *big.Int {
	sum := new(big.Int)
	for _, x := range xs {
		if x < 0 {
			sum.Add(sum, big.NewInt(int64(x)))
		} else {
			sum.Add(sum, new(big.Int).SetUint64(uint64(x)))
		}
	}
	return sum
}

func TestIntegerSumsAreExactOverTheExtremes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	fits, beyond := 0, 0
	for range 5000 {
		signed := make([]int64, rnd.IntN(40))
		for i := range signed {
			signed[i] = []int64{math.MaxInt64, math.MinInt64, 1, -1, int64(rnd.Uint64())}[rnd.IntN(5)]
		}
		got, err := combine.Fold(combine.Sum(combine.Self[int64]), signed)
		want := bigSum(signed)
		if want.IsInt64() {
			fits++
			if err != nil || got != want.Int64() {
				t.Fatalf("sum of %v: got %d, %v; want %v", signed, got, err, want)
			}
		} else {
			beyond++
			if !errors.Is(err, combine.ErrOverflow) {
				t.Fatalf("sum of %v: got %d, %v; want an overflow", signed, got, err)
			}
		}

		unsigned := make([]uint64, rnd.IntN(4))
		for i := range unsigned {
			unsigned[i] = []uint64{math.MaxUint64, 1 << 63, 1, rnd.Uint64() >> 2}[rnd.IntN(4)]
		}
		u, err := combine.Fold(combine.Sum(combine.Self[uint64]), unsigned)
		if want := bigSum(unsigned); want.IsUint64() != (err == nil) || err == nil && u != want.Uint64() {
			t.Fatalf("sum of %v: got %d, %v; want %v", unsigned, u, err, want)
		}
	}
	if fits < 500 || beyond < 500 {
		t.Errorf("%d sums fit and %d do not; the test should see both", fits, beyond)
	}
}

func TestIntegerSumMayLeaveItsTypeAndComeBack(t *testing.T) {
	c := combine.Sum(combine.Self[int64])
	acc := c.Create()
	for _, x := range []int64{math.MaxInt64, math.MaxInt64, 2} {
		c.Add(&acc, &x)
	}
	if _, err := c.Extract(&acc); !errors.Is(err, combine.ErrOverflow) {
		t.Fatalf("2⁶⁴ in an int64: %v", err)
	} else if want := "combine: overflow: the sum 18446744073709551616 does not fit int64"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	for _, x := range []int64{math.MinInt64, math.MinInt64, -5} {
		c.Add(&acc, &x)
	}
	if got, err := c.Extract(&acc); got != -5 || err != nil {
		t.Errorf("2⁶⁴ - 2⁶⁴ - 5 is %d, %v", got, err)
	}
}

func TestIntegerSumIsJudgedByTheTypeOfItsResult(t *testing.T) {
	for _, tt := range []struct {
		xs  []int8
		sum int8
		ok  bool
	}{
		{[]int8{127}, 127, true},
		{[]int8{-128}, -128, true},
		{[]int8{127, 1}, 0, false},
		{[]int8{-128, -1}, 0, false},
		{[]int8{127, 127, -128}, 126, true},
		{nil, 0, true},
	} {
		got, err := combine.Fold(combine.Sum(combine.Self[int8]), tt.xs)
		if got != tt.sum || (err == nil) != tt.ok {
			t.Errorf("sum of %v: got %d, %v", tt.xs, got, err)
		}
	}
	wide := combine.Sum(func(x *int8) int64 { return int64(*x) })
	if got, err := combine.Fold(wide, []int8{127, 1}); got != 128 || err != nil {
		t.Errorf("widened: got %d, %v; want 128", got, err)
	}
}

func TestUnsignedSumRefusesToBeNegative(t *testing.T) {
	c := combine.Sum(combine.Self[uint64])
	acc, one := c.Create(), uint64(1)
	c.Subtract(&acc, &one)
	if got, err := c.Extract(&acc); !errors.Is(err, combine.ErrOverflow) {
		t.Errorf("0 - 1 is %d, %v", got, err)
	}
}

func TestMeanOfIntegersIsTheNearestFloat(t *testing.T) {
	for _, tt := range []struct {
		xs   []int64
		want float64
	}{
		{[]int64{1, 2}, 1.5},
		{[]int64{-1, -2}, -1.5},
		{[]int64{math.MaxInt64, math.MaxInt64}, 0x1p63},
		{[]int64{math.MinInt64, math.MaxInt64}, -0.5},
		{[]int64{math.MaxInt64, math.MinInt64, 1, 3}, 0.75},
		{[]int64{1<<53 + 1, 1<<53 + 1, 1<<53 + 3}, 0x1p53 + 2}, // 2⁵³ + 5/3; rounding the sum first gives 2⁵³ + 2 too
		{[]int64{1 << 53, 1<<53 + 2, 1<<53 + 2}, 0x1p53 + 2},   // 2⁵³ + 4/3
		{[]int64{1 << 53, 1 << 53, 1<<53 + 2}, 0x1p53},         // 2⁵³ + 2/3
	} {
		if got, err := combine.Fold(combine.Mean(combine.Self[int64]), tt.xs); got != tt.want || err != nil {
			t.Errorf("mean of %v: got %v, %v; want %v", tt.xs, got, err, tt.want)
		}
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		xs := make([]int64, 1+rnd.IntN(9))
		for i := range xs {
			xs[i] = int64(rnd.Uint64()) >> rnd.IntN(64)
		}
		want, _ := new(big.Rat).SetFrac(bigSum(xs), big.NewInt(int64(len(xs)))).Float64()
		if got, _ := combine.Fold(combine.Mean(combine.Self[int64]), xs); got != want {
			t.Fatalf("mean of %v: got %v, want %v", xs, got, want)
		}
	}
}

func TestMeanOfNothingIsNoValue(t *testing.T) {
	if _, err := combine.Fold(combine.Mean(combine.Self[int64]), nil); !errors.Is(err, combine.ErrEmpty) {
		t.Errorf("Mean: %v", err)
	}
	if _, err := combine.Fold(combine.MeanFloat(combine.Self[float64]), nil); !errors.Is(err, combine.ErrEmpty) {
		t.Errorf("MeanFloat: %v", err)
	}
	c := combine.Mean(combine.Self[int64])
	acc, one := c.Create(), int64(1)
	c.Add(&acc, &one)
	c.Subtract(&acc, &one)
	if _, err := c.Extract(&acc); !errors.Is(err, combine.ErrEmpty) {
		t.Errorf("after everything is retracted: %v", err)
	}
}
