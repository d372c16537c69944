package sketch_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/combine/combinetest"
	"github.com/strandline-stream/strandline/combine/sketch"
	"github.com/strandline-stream/strandline/internal/codec"
)

func TestFewValuesHaveExactQuantiles(t *testing.T) {
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(99 - i)
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		xs          []float64
		ranks, want []float64
	}{
		{[]float64{7}, []float64{0, 0.5, 1}, []float64{7, 7, 7}},
		{[]float64{3, 1, 2}, []float64{0, 0.33, 0.34, 0.5, 0.67, 1}, []float64{1, 1, 2, 2, 3, 3}},
		{[]float64{2, 1}, []float64{0.49, 0.5}, []float64{1, 2}},
		{[]float64{5, 5, 5, 9}, []float64{0.5, 0.74, 0.75}, []float64{5, 5, 9}},
		{hundred, []float64{0.07, 0.29, 0.5, 0.57, 0.99, 1}, []float64{7, 29, 50, 57, 99, 99}},
		{[]float64{-inf, 1, 2, inf}, []float64{0, 0.25, 0.5, 0.75, 1}, []float64{-inf, 1, 2, inf, inf}},
		{[]float64{inf, inf}, []float64{0, 1}, []float64{inf, inf}},
		{[]float64{-inf}, []float64{0.5}, []float64{-inf}},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, []float64{0, 1}, []float64{-math.MaxFloat64, math.MaxFloat64}},
	} {
		got, err := combine.Fold(sketch.Quantiles(combine.Self[float64], c.ranks...), c.xs)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v at %v: %v (%v), want %v", c.xs, c.ranks, got, err, c.want)
		}
	}
	nan, err := combine.Fold(sketch.Quantiles(combine.Self[float64], 0, 1), []float64{1, math.NaN(), inf})
	if err != nil || nan[0] == nan[0] || nan[1] == nan[1] {
		t.Errorf("with a NaN: %v (%v)", nan, err)
	}
	if _, err := combine.Fold(sketch.Quantiles(combine.Self[int], 0.5), nil); err != combine.ErrEmpty {
		t.Errorf("of nothing: %v", err)
	}
}

// off gives how far q is from the ranks of the two neighbours that x lies between, as a share of
// all values.
func off(sorted []float64, x, q float64) float64 {
	n := float64(len(sorted))
	below := sort.Search(len(sorted), func(i int) bool { return sorted[i] > x }) // values up to x
	above := sort.SearchFloat64s(sorted, x)                                      // values less than x
	if below == 0 || above == len(sorted) {
		return math.Inf(1) // outside of all
	}
	lo := float64(sort.SearchFloat64s(sorted, sorted[below-1])) / n
	hi := float64(sort.Search(len(sorted), func(i int) bool { return sorted[i] > sorted[above] })) / n
	return max(lo-q, q-hi, 0)
}

var distributions = []struct {
	name string
	x    func(rng *rand.Rand, i, n int) float64
}{
	{"uniform", func(rng *rand.Rand, _, _ int) float64 { return rng.Float64() }},
	{"normal", func(rng *rand.Rand, _, _ int) float64 { return rng.NormFloat64() }},
	{"exponential", func(rng *rand.Rand, _, _ int) float64 { return rng.ExpFloat64() }},
	{"log-normal, over ten decades", func(rng *rand.Rand, _, _ int) float64 { return math.Exp(3 * rng.NormFloat64()) }},
	{"ascending", func(_ *rand.Rand, i, _ int) float64 { return float64(i) }},
	{"descending", func(_ *rand.Rand, i, _ int) float64 { return float64(-i) }},
	{"from the middle outwards", func(_ *rand.Rand, i, _ int) float64 { return float64(i) * math.Copysign(1, float64(i%2)-0.5) }},
	{"ten different values", func(rng *rand.Rand, _, _ int) float64 { return float64(rng.IntN(10)) }},
	{"milliseconds of an epoch", func(rng *rand.Rand, i, _ int) float64 { return 1.78e12 + float64(i) + 5000*rng.ExpFloat64() }},
}

func TestRankErrorIsAsStated(t *testing.T) {
	ranks := []float64{0, 0.01, 0.05, 0.5, 0.95, 0.99, 1}
	most := []float64{0, 0.0005, 0.003, 0.01, 0.003, 0.0005, 0}
	c := sketch.Quantiles(combine.Self[float64], ranks...)
	for _, d := range distributions {
		for _, n := range []int{1000, 3000, 10_000, 200_000} {
			rng := rand.New(rand.NewPCG(4, 9))
			xs := make([]float64, n)
			for i := range xs {
				xs[i] = d.x(rng, i, n)
			}
			sorted := slices.Sorted(slices.Values(xs))
			for _, how := range []struct {
				name  string
				parts int
				part  func(i int) int
			}{
				{"at once", 1, func(int) int { return 0 }},
				{"in 64 parts at random", 64, func(int) int { return rng.IntN(64) }},
				{"in 64 parts one after another", 64, func(i int) int { return i * 64 / n }},
			} {
				accs := make([]sketch.Digest, how.parts)
				for i := range xs {
					c.Add(&accs[how.part(i)], &xs[i])
				}
				for len(accs) > 1 {
					i := rng.IntN(len(accs) - 1)
					c.Merge(&accs[i], &accs[i+1])
					accs = slices.Delete(accs, i+1, i+2)
				}
				got, err := c.Extract(&accs[0])
				if err != nil {
					t.Fatal(err)
				}
				for i, q := range ranks {
					if e := off(sorted, got[i], q); e > most[i]+1e-9 {
						t.Errorf("%s, %d %s: at rank %v it is %v, off by %.3f %% of all", d.name, n, how.name, q, got[i], 100*e)
					}
				}
				if !slices.IsSorted(got) {
					t.Errorf("%s, %d %s: %v does not ascend", d.name, n, how.name, got)
				}
			}
		}
	}
}

func TestQuantilesKeepTheLaws(t *testing.T) {
	inf := math.Inf(1)
	combinetest.Exercise(t, sketch.Quantiles(combine.Self[float64], 0, 0.3, 0.5, 1), []float64{0, 1, -2.5, 1e300, -1e300, inf, -inf, math.NaN()})
	combinetest.Exercise(t, sketch.Quantiles(combine.Self[uint8], 0.5), []uint8{0, 1, 255})
	// Of many values within 2 % of where they are spread.
	pool := make([]float64, 1000)
	for i := range pool {
		pool[i] = float64(i)
	}
	combinetest.Exercise(t, sketch.Quantiles(combine.Self[float64], 0.05, 0.5, 0.99), pool, combinetest.Options[[]float64]{
		Rounds: 15, MaxLen: 3000, Equal: func(a, b []float64) bool {
			for i := range a {
				if math.Abs(a[i]-b[i]) > 20 {
					return false
				}
			}
			return len(a) == len(b)
		},
	})
}

// Early panes look at a digest while it grows: exactly the same must come out as without them.
func TestLookingAtADigestDoesNotShowLater(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 10))
	c := sketch.Quantiles(combine.Self[float64], 0.1, 0.5, 0.99)
	quiet, watched := c.Create(), c.Create()
	for range 30_000 {
		x := rng.NormFloat64()
		c.Add(&quiet, &x)
		c.Add(&watched, &x)
		if rng.IntN(100) == 0 {
			if _, err := c.Extract(&watched); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, _ := c.Extract(&quiet)
	if got, _ := c.Extract(&watched); !slices.Equal(got, want) {
		t.Errorf("%v, unobserved %v", got, want)
	}
}

// A restart gives what there would have been without (S11.1), to the last bit.
func TestDigestGoesOnFromItsBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 11))
	form, err := codec.For[sketch.Digest]()
	if err != nil {
		t.Fatal(err)
	}
	c := sketch.Quantiles(combine.Self[float64], 0, 0.01, 0.5, 0.99, 1)
	for _, n := range []int{0, 1, 200, 1023, 1024, 1025, 1100, 3000, 20_000} {
		whole, restarted := c.Create(), c.Create()
		for i := range n {
			x := math.Exp(rng.NormFloat64())
			if i%50 == 49 {
				x = math.Inf(1)
			}
			c.Add(&whole, &x)
			c.Add(&restarted, &x)
			if i == n/3 || i == n-1 {
				var read sketch.Digest
				if rest, err := form.Decode(form.Append(nil, &restarted), &read); err != nil || len(rest) != 0 {
					t.Fatalf("%d values: %v, %d bytes left", i+1, err, len(rest))
				}
				restarted = read
			}
		}
		want, errWant := c.Extract(&whole)
		if got, err := c.Extract(&restarted); !slices.Equal(got, want) || err != errWant {
			t.Errorf("%d values: %v after restarts (%v), %v without (%v)", n, got, err, want, errWant)
		}
	}
}

func TestQuantilesReportEveryFault(t *testing.T) {
	err := sketch.Quantiles[int, int](nil, -0.1, 0.5, 99, math.NaN()).Validate()
	for _, want := range []string{"the field is nil", "is -0.1", "is 99", "is NaN"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	if err := sketch.Quantiles(combine.Self[int]).Validate(); err == nil || !strings.Contains(err.Error(), "0.5 for the median") {
		t.Errorf("without ranks: %v", err)
	}
	if err := sketch.Quantiles(combine.Self[int], 0, 0.5, 1).Validate(); err != nil {
		t.Error(err)
	}
}

func FuzzDigestBytes(f *testing.F) {
	c := sketch.Quantiles(combine.Self[float64], 0, 0.2, 0.5, 1)
	for _, n := range []int{0, 3, 1100} {
		acc := c.Create()
		for i := range n {
			x := float64(i % 77)
			c.Add(&acc, &x)
		}
		b, err := acc.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var acc sketch.Digest
		if acc.UnmarshalBinary(b) != nil {
			if _, err := c.Extract(&acc); err != combine.ErrEmpty {
				t.Fatal("refused bytes left something")
			}
			return
		}
		before, errBefore := c.Extract(&acc)
		out, err := acc.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var again sketch.Digest
		if err := again.UnmarshalBinary(out); err != nil {
			t.Fatal(err)
		}
		after, err := c.Extract(&again)
		if fmt.Sprint(after, err) != fmt.Sprint(before, errBefore) {
			t.Fatalf("%v (%v), written and read %v (%v)", before, errBefore, after, err)
		}
		x := 1.0
		for range 1100 {
			c.Add(&again, &x)
		}
		c.Merge(&again, &acc)
		c.Extract(&again)
	})
}
