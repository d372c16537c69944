package sketch_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/combine/combinetest"
	"github.com/strandline-stream/strandline/combine/sketch"
	"github.com/strandline-stream/strandline/internal/codec"
)

// standardError is that of HyperLogLog with 2^14 registers: 1.04 / sqrt(16,384).
const standardError = 0.008125

// feed adds values by AddBatch, in batches of 1,000.
func feed[V, A, O any](c interface {
	combine.Combiner[V, A, O]
	combine.Batcher[V, A]
}, vs []V) *A {
	accs, slots := []A{c.Create()}, make([]uint32, 1000)
	for len(vs) > 0 {
		n := min(len(vs), len(slots))
		c.AddBatch(accs, slots[:n], vs[:n])
		vs = vs[n:]
	}
	return &accs[0]
}

// count gives n consecutive numbers, which no other set has.
func consecutive(set, n int) []uint64 {
	vs := make([]uint64, n)
	for i := range vs {
		vs[i] = uint64(set)<<32 + uint64(i)
	}
	return vs
}

func TestCountIsWithinThreeStandardErrors(t *testing.T) {
	c := sketch.Distinct(combine.Self[uint64])
	for _, n := range []int{10_000, 20_000, 50_000, 100_000, 1_000_000} {
		for set := range 5 {
			got, err := c.Extract(feed(c, consecutive(set, n)))
			if off := float64(got)/float64(n) - 1; err != nil || math.Abs(off) > 3*standardError {
				t.Errorf("set %d: %d different values are counted as %d, off by %.2f %% (%v)", set, n, got, 100*off, err)
			}
		}
	}
}

// Over many sets the error scatters as stated, and around 0.
func TestErrorsOfTheCountScatterAsStated(t *testing.T) {
	c := sketch.Distinct(combine.Self[uint64])
	const n, sets = 60_000, 150
	var sum, squares float64
	for set := range sets {
		got, _ := c.Extract(feed(c, consecutive(1000+set, n)))
		off := float64(got)/n - 1
		sum += off
		squares += off * off
	}
	// The root mean square of 150 draws is known to 1/sqrt(300), 6 %; their mean to 1/sqrt(150).
	if rms := math.Sqrt(squares / sets); rms > standardError*(1+3*0.06) {
		t.Errorf("the errors scatter by %.3f %%, more than %.3f %%", 100*rms, 100*standardError)
	}
	if mean := sum / sets; math.Abs(mean) > 3*standardError/math.Sqrt(sets) {
		t.Errorf("the errors are %.3f %% on average", 100*mean)
	}
}

func TestFewValuesAreCountedAlmostExactly(t *testing.T) {
	for _, n := range []int{0, 1, 2, 10, 100, 1000} {
		for set := range 10 {
			words := make([]string, 0, 2*n)
			for i := range n {
				w := strconv.Itoa(set) + "/" + strconv.Itoa(i)
				words = append(words, w, w) // a repeat is no other value
			}
			got, err := combine.Fold(sketch.Distinct(combine.Self[string]), words)
			if err != nil || math.Abs(float64(got)-float64(n)) > 1 {
				t.Errorf("%d words are counted as %d (%v)", n, got, err)
			}
		}
	}
}

func TestDistinctKeepsTheLaws(t *testing.T) {
	combinetest.Exercise(t, sketch.Distinct(combine.Self[int64]), []int64{0, 1, -1, 7, math.MaxInt64, math.MinInt64})
	combinetest.Exercise(t, sketch.Distinct(combine.Self[string]), []string{"", "a", "b", "ab"})
	combinetest.Exercise(t, sketch.Distinct(combine.Self[float64]), []float64{math.NaN(), 0, math.Copysign(0, -1), math.Inf(1)})
	combinetest.Exercise(t, sketch.Distinct(combine.Self[[2]string]), [][2]string{{"a", "b"}, {"ab", ""}, {"", "ab"}})
}

// The answer and the bytes are the same in any order and any grouping, also where an accumulator
// changes from hashes to registers.
func TestCountDependsOnTheSetAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 8))
	c := sketch.Distinct(combine.Self[uint64])
	for _, n := range []int{3, 150, 1000, 5000, 6000, 7000, 9000, 40_000} {
		vs := consecutive(7, n)
		whole := feed(c, vs)
		want, _ := c.Extract(whole)
		wantBytes, err := whole.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			accs := make([]sketch.Cardinality, 1+rng.IntN(6))
			for _, i := range rng.Perm(n) {
				for range 1 + rng.IntN(2) {
					c.Add(&accs[rng.IntN(len(accs))], &vs[i])
				}
				if rng.IntN(1+n/8) == 0 {
					c.Extract(&accs[rng.IntN(len(accs))]) // looking changes nothing
				}
			}
			for len(accs) > 1 {
				last := len(accs) - 1
				c.Merge(&accs[rng.IntN(last)], &accs[last])
				accs = accs[:last]
			}
			got, _ := c.Extract(&accs[0])
			gotBytes, err := accs[0].MarshalBinary()
			if got != want || err != nil || !bytes.Equal(gotBytes, wantBytes) {
				t.Fatalf("%d values: %d in pieces, %d at once; bytes equal %v (%v)", n, got, want, bytes.Equal(gotBytes, wantBytes), err)
			}
		}
	}
}

func TestCardinalityGoesOnFromItsBytes(t *testing.T) {
	c := sketch.Distinct(combine.Self[uint64])
	form, err := codec.For[sketch.Cardinality]()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 100, 5000, 30_000} {
		before, after := consecutive(1, n), consecutive(2, n)
		whole := feed(c, append(consecutive(1, n), after...))
		want, _ := c.Extract(whole)

		var read sketch.Cardinality
		rest, err := form.Decode(form.Append(nil, feed(c, before)), &read)
		if err != nil || len(rest) != 0 {
			t.Fatalf("%d values: %v, %d bytes left", n, err, len(rest))
		}
		for i := range after {
			c.Add(&read, &after[i])
		}
		if got, _ := c.Extract(&read); got != want {
			t.Errorf("twice %d values: %d after a restart, %d without", n, got, want)
		}
	}
}

func TestValuesAreToldApartAsByTheExactCount(t *testing.T) {
	type reading struct {
		Sensor string
		At     [2]float64
	}
	nan, negZero := math.NaN(), math.Copysign(0, -1)
	vs := []reading{
		{"a", [2]float64{1, 0}}, {"a", [2]float64{1, negZero}}, {"a", [2]float64{nan, 2}}, {"a", [2]float64{-nan, 2}},
		{"b", [2]float64{1, 0}}, {"", [2]float64{}}, {"a", [2]float64{0, 1}},
	}
	want, _ := combine.Fold(combine.Distinct(combine.Self[reading]), vs)
	if got, err := combine.Fold(sketch.Distinct(combine.Self[reading]), vs); err != nil || got != want || want != 5 {
		t.Errorf("counted %d (%v), exactly %d, by hand 5", got, err, want)
	}
}

func TestDistinctRefusesWhatHasNoEncoding(t *testing.T) {
	for _, c := range []struct {
		c    combine.Validator
		want []string
	}{
		{sketch.Distinct[int, int](nil), []string{"sketch.Distinct: the field is nil; it needs a function"}},
		{sketch.Distinct(combine.Self[any]), []string{"sketch.Distinct: values cannot be told apart", "interface"}},
		{sketch.Distinct(combine.Self[*int]), []string{"pointers"}},
		{sketch.DistinctCount[int, int]{}, []string{"the field is nil", "is made by sketch.Distinct"}},
	} {
		err := c.c.Validate()
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%T: %v lacks %q", c.c, err, want)
			}
		}
	}
	if err := sketch.Distinct(combine.Self[string]).Validate(); err != nil {
		t.Error(err)
	}
}

func TestBatchesDoNotAllocateForEachElement(t *testing.T) {
	type key struct {
		A string
		B int
	}
	vs, slots := make([]key, 256), make([]uint32, 256)
	for i := range vs {
		vs[i] = key{strconv.Itoa(i), i}
	}
	c := sketch.Distinct(combine.Self[key])
	accs := []sketch.Cardinality{c.Create()}
	if n := testing.AllocsPerRun(200, func() { c.AddBatch(accs, slots, vs) }); n > 20 { // 0, but the race detector empties pools
		t.Errorf("%v allocations a batch of 256", n)
	}
}

func FuzzCardinalityBytes(f *testing.F) {
	c := sketch.Distinct(combine.Self[uint64])
	for _, n := range []int{0, 1, 200} {
		b, err := feed(c, consecutive(1, n)).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var acc sketch.Cardinality
		if acc.UnmarshalBinary(b) != nil {
			if n, _ := c.Extract(&acc); n != 0 {
				t.Fatal("refused bytes left something")
			}
			return
		}
		before, _ := c.Extract(&acc)
		out, err := acc.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var again sketch.Cardinality
		if err := again.UnmarshalBinary(out); err != nil {
			t.Fatal(err)
		}
		if after, _ := c.Extract(&again); after != before {
			t.Fatalf("%d, written and read %d", before, after)
		}
		other := c.Create()
		c.Add(&other, new(uint64))
		c.Merge(&other, &acc)
		c.Extract(&other)
	})
}
