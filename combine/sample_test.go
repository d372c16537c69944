package combine_test

import (
	"math"
	"slices"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

func numbers(n int64) []int64 {
	xs := make([]int64, n)
	for i := range xs {
		xs[i] = int64(i)
	}
	return xs
}

// Each of 100 elements is in a sample of 10 with probability 1/10: over 4,000 seeds 400 times,
// with a standard deviation of the square root of 4,000·0.1·0.9, which is 19.
func TestEveryElementHasTheSameChanceToBeDrawn(t *testing.T) {
	xs, drawn := numbers(100), make([]float64, 100)
	const seeds = 4000
	for seed := range uint64(seeds) {
		sample, err := combine.Fold(combine.Sample(10, seed, decimal), xs)
		if err != nil || len(sample) != 10 {
			t.Fatalf("seed %d: %v, %v", seed, sample, err)
		}
		for _, x := range sample {
			drawn[x]++
		}
	}
	var square float64
	for x, n := range drawn {
		if math.Abs(n-400) > 5*19 {
			t.Errorf("element %d was drawn %v times, want about 400", x, n)
		}
		square += (n - 400) * (n - 400) / (19 * 19)
	}
	// Chi-squared with about 99 degrees of freedom: its deviation is 14.
	if math.Abs(square-99) > 5*14 {
		t.Errorf("the counts scatter by %.0f, want about 99", square)
	}
}

func TestASampleTakesARepeatForTheSameElement(t *testing.T) {
	xs := numbers(50)
	once, _ := combine.Fold(combine.Sample(5, 3, decimal), xs)
	twice, _ := combine.Fold(combine.Sample(5, 3, decimal), append(slices.Clone(xs), xs...))
	if !slices.Equal(once, twice) {
		t.Errorf("%v, with every element repeated %v", once, twice)
	}
	all, _ := combine.Fold(combine.Sample(60, 3, decimal), append(slices.Clone(xs), xs...))
	slices.Sort(all)
	if !slices.Equal(all, xs) {
		t.Errorf("fewer than n: %v, want each once", all)
	}
}

func TestALongerSampleBeginsWithTheShorter(t *testing.T) {
	xs := numbers(1000)
	short, _ := combine.Fold(combine.Sample(10, 8, decimal), xs)
	long, _ := combine.Fold(combine.Sample(100, 8, decimal), xs)
	if !slices.Equal(short, long[:10]) {
		t.Errorf("%v, but %v", short, long[:10])
	}
}

func TestFullRankingsAllocateNothing(t *testing.T) {
	xs, slots := numbers(256), make([]uint32, 256)
	top, sample := combine.Top(10, combine.Self[int64]), combine.Sample(10, 1, decimal)
	best, drawn := [][]int64{top.Create()}, [][]combine.Drawn[int64]{sample.Create()}
	if n := testing.AllocsPerRun(100, func() {
		top.AddBatch(best, slots, xs)
		sample.AddBatch(drawn, slots, xs)
	}); n > 4 { // 0, but the race detector empties pools
		t.Errorf("%v allocations a batch of 256", n)
	}
}
