package core

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/quick"

	"github.com/strandline-stream/strandline/internal/etime"
)

// sorted gives the delays of records by their definition: one after another.
func sortedDelays(at []int64) []int64 {
	high := etime.Min
	delays := make([]int64, len(at))
	for i, t := range at {
		if t < high {
			delays[i] = etime.Max
			if d := high - t; d > 0 {
				delays[i] = d
			}
		}
		high = max(high, t)
	}
	slices.Sort(delays)
	return delays
}

func TestDelaysAreExactToOnePercent(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(3000)
		scale := int64(1) << r.IntN(50)
		at := make([]int64, n)
		for i := range at {
			at[i] = int64(i)*scale/64 - r.Int64N(1+r.Int64N(scale))
		}
		var one, two, cut Delays
		one.Observe(at, etime.Min)
		// In batches, and as two histograms that are taken together.
		high := etime.Min
		for from := 0; from < n; {
			to := min(n, from+1+r.IntN(100))
			high = cut.Observe(at[from:to], high)
			from = to
		}
		half := n / 2
		two.Observe(at[half:], cut0(at[:half], &two))
		want := sortedDelays(at)
		for _, q := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1} {
			rank := max(int(math.Ceil(q*float64(n))), 1)
			exact := want[rank-1]
			for _, d := range []*Delays{&one, &two, &cut} {
				if got := d.Quantile(q); math.Abs(float64(got-exact)) > 0.01*float64(exact) {
					t.Fatalf("the quantile %v of %d delays is %d, want %d to 1 %%", q, n, got, exact)
				}
			}
		}
		if one.Records() != int64(n) || one.Greatest() != want[n-1] {
			t.Fatalf("%d records, the greatest delay %d; want %d and %d", one.Records(), one.Greatest(), n, want[n-1])
		}
		behind, sum := int64(0), int64(0)
		for _, d := range want {
			if d > 0 {
				behind++
			}
		}
		one.Buckets(func(_, records int64) { sum += records })
		if one.Behind() != behind || sum != int64(n) {
			t.Fatalf("%d are behind and %d in buckets, want %d and %d", one.Behind(), sum, behind, n)
		}
	}
}

// cut0 observes the first part in another histogram, and adds that.
func cut0(at []int64, to *Delays) (high int64) {
	var first Delays
	high = first.Observe(at, etime.Min)
	to.Add(&first)
	return high
}

// TestBothWaysToObserveAgree compares the running greatest event time with that of a watermark.
func TestBothWaysToObserveAgree(t *testing.T) {
	same := func(steps []int16, bound uint16) bool {
		at, w := make([]int64, len(steps)), make([]int64, len(steps))
		high := etime.Min + int64(bound)
		for i, s := range steps {
			at[i] = int64(i)*100 + int64(s)
			w[i] = high - int64(bound)
			high = max(high, at[i])
		}
		var a, b Delays
		a.Observe(at, etime.Min)
		b.ObserveBehind(at, w, int64(bound))
		same := a.inOrder == b.inOrder && a.behind == b.behind && a.most == b.most
		if a.n != nil && b.n != nil {
			same = same && *a.n == *b.n
		}
		return same
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

// TestManyDelaysAreSampledByTheNumberOfTheRecord goes far beyond what is looked at one by one.
func TestManyDelaysAreSampledByTheNumberOfTheRecord(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 2_000_000
	at, w := make([]int64, n), make([]int64, n)
	high := etime.Min + 5
	for i := range at {
		at[i] = int64(i)*10 - int64(r.ExpFloat64()*1e6)
		w[i] = high - 5
		high = max(high, at[i])
	}
	var one, cut, column Delays
	one.Observe(at, etime.Min)
	column.ObserveBehind(at, w, 5)
	high = etime.Min
	for from := 0; from < n; {
		to := min(n, from+1+r.IntN(5000))
		high = cut.Observe(at[from:to], high)
		from = to
	}
	if one.n == nil || *one.n != *cut.n || *one.n != *column.n || one.inOrder != cut.inOrder || one.most != cut.most || one.inOrder != column.inOrder {
		t.Error("the size of batches shows")
	}
	if !one.Sampled() || one.Records() != n {
		t.Errorf("sampled: %v, of %d records", one.Sampled(), one.Records())
	}
	// The first 131,072 records are looked at, and one in 128 of the others, 14,600: the share of those
	// below a delay is known with a standard error of less than 0.4 %: 1.5 % are allowed.
	want := sortedDelays(at)
	for _, q := range []float64{0.1, 0.5, 0.9, 0.99} {
		got := float64(one.Quantile(q))
		lo, hi := want[int(max(q-0.015, 0)*n)], want[min(int((q+0.015)*n), n-1)]
		if got < 0.99*float64(lo) || got > 1.01*float64(hi) {
			t.Errorf("the quantile %v is %v, want it from %d to %d", q, got, lo, hi)
		}
	}
}

// TestFewDelaysAreAllLookedAt has one record in a hundred behind, among more than are sampled.
func TestFewDelaysAreAllLookedAt(t *testing.T) {
	const n = 1_000_000
	at := make([]int64, n)
	for i := range at {
		at[i] = int64(i)
		if i%100 == 99 {
			at[i] -= 50
		}
	}
	var d Delays
	d.Observe(at, etime.Min)
	if d.Sampled() || d.Behind() != n/100 || d.Greatest() != 49 || d.Quantile(0.995) != 49 {
		t.Errorf("sampled %v, %d behind by at most %d, the quantile 0.995 is %d; want all %d, by 49", d.Sampled(), d.Behind(), d.Greatest(), d.Quantile(0.995), n/100)
	}
}

func TestDelaysHoldAtTheEndsOfTime(t *testing.T) {
	var d Delays
	d.Observe([]int64{etime.Min, etime.Max - 1, etime.Min + 1, 0, -1}, etime.Min)
	if d.Records() != 5 || d.Behind() != 3 || d.Greatest() != etime.Max {
		t.Errorf("%d records, %d behind, the greatest delay %d", d.Records(), d.Behind(), d.Greatest())
	}
	var none Delays
	if none.Quantile(0.5) != 0 || none.Records() != 0 {
		t.Error("nothing was observed")
	}
}

func FuzzDelays(f *testing.F) {
	f.Add(int64(5), int64(1), int64(3))
	f.Add(etime.Max, etime.Min, int64(0))
	f.Fuzz(func(t *testing.T, a, b, c int64) {
		at := []int64{a, b, c}
		var d Delays
		d.Observe(at, etime.Min)
		want := sortedDelays(at)
		for i, q := range []float64{1.0 / 3, 2.0 / 3, 1} {
			if got := d.Quantile(q); math.Abs(float64(got)-float64(want[i])) > 0.01*float64(want[i]) {
				t.Errorf("%v: quantile %v is %d, want %d", at, q, got, want[i])
			}
		}
	})
}
