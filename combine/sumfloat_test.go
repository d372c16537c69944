package combine_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

// exactly adds xs with enough bits to lose none.
func exactly(xs []float64) (sum, abs *big.Float) {
	const bits = 4096
	sum, abs = new(big.Float).SetPrec(bits), new(big.Float).SetPrec(bits)
	for _, x := range xs {
		sum.Add(sum, big.NewFloat(x))
		abs.Add(abs, big.NewFloat(math.Abs(x)))
	}
	return sum, abs
}

// near tells whether got is the exact sum within the bound that Compensated states: two units in
// the last place of the sum, and n² units of the second order of the absolute values.
func near(got float64, xs []float64) bool {
	sum, abs := exactly(xs)
	want, _ := sum.Float64()
	if math.IsInf(want, 0) || math.IsInf(got, 0) {
		return got == want
	}
	n := float64(len(xs) + 1)
	bound := new(big.Float).Mul(abs, big.NewFloat(n*n*0x1p-105))
	bound.Add(bound, big.NewFloat(math.Abs(want)*0x1p-52+math.SmallestNonzeroFloat64))
	diff := new(big.Float).Sub(big.NewFloat(got), sum)
	return diff.Abs(diff).Cmp(bound) <= 0
}

// split adds xs in parts that are merged, as several workers would.
func split(rnd *rand.Rand, xs []float64) float64 {
	c := combine.SumFloat(combine.Self[float64])
	parts := make([]combine.Compensated, 1+rnd.IntN(5))
	for _, x := range xs {
		c.Add(&parts[rnd.IntN(len(parts))], &x)
	}
	for i := range parts[1:] {
		c.Merge(&parts[0], &parts[i+1])
	}
	sum, _ := c.Extract(&parts[0])
	return sum
}

func TestFloatSumsKeepWhatRoundingWouldLose(t *testing.T) {
	million := make([]float64, 1_000_000)
	for i := range million {
		million[i] = 0.1
	}
	for _, tt := range []struct {
		name string
		xs   []float64
		want float64
	}{
		{"Neumaier's example, where Kahan gives 0", []float64{1, 1e100, 1, -1e100}, 2},
		{"a million tenths", million, 100_000}, // naively 100000.00000133288
		{"small after large", append([]float64{1e16}, slices.Repeat([]float64{1}, 1000)...), 1e16 + 1000},
		{"cancelling", []float64{1e16, 3.25, -1e16}, 3.25},
		{"subnormal beside huge", []float64{math.MaxFloat64, math.SmallestNonzeroFloat64, -math.MaxFloat64}, math.SmallestNonzeroFloat64},
	} {
		got, err := combine.Fold(combine.SumFloat(combine.Self[float64]), tt.xs)
		if got != tt.want || err != nil {
			t.Errorf("%s: got %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
}

func TestFloatSumsStayWithinTheStatedBoundInAnyOrderAndGrouping(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range 2000 {
		xs := make([]float64, rnd.IntN(60))
		spread := rnd.IntN(300)
		for i := range xs {
			xs[i] = math.Ldexp(rnd.Float64()*2-1, rnd.IntN(2*spread+1)-spread)
		}
		for j := range len(xs) / 2 { // half of them nearly cancel the others
			xs[len(xs)-1-j] = -xs[j] * (1 + 0x1p-50*float64(rnd.IntN(3)))
		}
		rnd.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
		if got, _ := combine.Fold(combine.SumFloat(combine.Self[float64]), xs); !near(got, xs) {
			t.Fatalf("case %d, one after another: got %v for %v", i, got, xs)
		}
		if got := split(rnd, xs); !near(got, xs) {
			t.Fatalf("case %d, in parts: got %v for %v", i, got, xs)
		}
	}
}

func TestFloatSumBeyondFloat64MayComeBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	pool := []float64{math.MaxFloat64, -math.MaxFloat64, 0x1p1023, -0x1p1023, 1.5e308, -1.5e308, 1, -1, 1e-300}
	infinite, back := 0, 0
	for range 5000 {
		xs := make([]float64, rnd.IntN(12))
		for i := range xs {
			xs[i] = pool[rnd.IntN(len(pool))]
		}
		got := split(rnd, xs)
		if !near(got, xs) {
			t.Fatalf("got %v for %v", got, xs)
		}
		naive := 0.0
		for _, x := range xs {
			naive += x
		}
		if math.IsInf(got, 0) {
			infinite++
		} else if naive-naive != 0 {
			back++
		}
	}
	if infinite < 100 || back < 100 {
		t.Errorf("%d infinite sums, %d that came back; the test should see both", infinite, back)
	}
}

func TestFloatSumFollowsIEEEForInfinityAndNaN(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tt := range []struct {
		xs   []float64
		want float64
	}{
		{[]float64{1, inf, 2}, inf},
		{[]float64{1, -inf, -inf}, -inf},
		{[]float64{inf, -inf}, nan},
		{[]float64{nan, 1}, nan},
		{[]float64{nan, inf}, nan},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, inf},
		{[]float64{-math.MaxFloat64, -math.MaxFloat64}, -inf},
		{[]float64{math.MaxFloat64, math.MaxFloat64, -inf}, -inf},
	} {
		for range 2 {
			got, _ := combine.Fold(combine.SumFloat(combine.Self[float64]), tt.xs)
			if !sameBits(got, tt.want) {
				t.Errorf("sum of %v: got %v, want %v", tt.xs, got, tt.want)
			}
			slices.Reverse(tt.xs)
		}
	}
}

func TestRetractingAnInfinityGivesTheSumBack(t *testing.T) {
	c := combine.SumFloat(combine.Self[float64])
	acc := c.Create()
	for _, x := range []float64{2.5, math.Inf(1), math.NaN(), math.Inf(-1)} {
		c.Add(&acc, &x)
	}
	for _, x := range []float64{math.NaN(), math.Inf(-1), math.Inf(1)} {
		c.Subtract(&acc, &x)
	}
	if got, _ := c.Extract(&acc); got != 2.5 {
		t.Errorf("got %v, want 2.5", got)
	}
}

func TestMeanOfFloatsIsFiniteWhereTheSumIsNot(t *testing.T) {
	m := math.MaxFloat64
	for _, tt := range []struct {
		xs   []float64
		want float64
	}{
		{[]float64{m, m}, m},
		{[]float64{-m, -m, -m, -m}, -m},
		{[]float64{m, m, -m, -m}, 0},
		{[]float64{1, 2, 4.5}, 2.5},
		{[]float64{1, 1e100, 1, -1e100}, 0.5},
	} {
		if got, err := combine.Fold(combine.MeanFloat(combine.Self[float64]), tt.xs); got != tt.want || err != nil {
			t.Errorf("mean of %v: got %v, %v; want %v", tt.xs, got, err, tt.want)
		}
	}
}
