package sketch_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/combine/sketch"
)

const benchBatch = 1024

// benchmark adds batches of many different values to one accumulator and reports nanoseconds an
// element, and what a result costs.
func benchmark[V, A, O any](b *testing.B, c interface {
	combine.Combiner[V, A, O]
	combine.Batcher[V, A]
}, value func(i int) V) {
	vs := make([]V, 256*benchBatch)
	for i := range vs {
		vs[i] = value(i)
	}
	accs, slots := []A{c.Create()}, make([]uint32, benchBatch)
	b.Run("add", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			at := i % 256 * benchBatch
			c.AddBatch(accs, slots, vs[at:at+benchBatch])
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchBatch, "ns/elem")
	})
	b.Run("extract", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Extract(&accs[0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDistinctInts(b *testing.B) {
	benchmark(b, sketch.Distinct(combine.Self[int]), func(i int) int { return i })
}

func BenchmarkDistinctStrings(b *testing.B) {
	benchmark(b, sketch.Distinct(combine.Self[string]), func(i int) string { return "sensor-" + strconv.Itoa(i) })
}

func BenchmarkDistinctExact(b *testing.B) {
	c := combine.Distinct(combine.Self[int])
	accs := c.Create()
	for i := range b.N {
		n := i % (256 * benchBatch)
		c.Add(&accs, &n)
	}
}

func BenchmarkQuantiles(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	benchmark(b, sketch.Quantiles(combine.Self[float64], 0.5, 0.95, 0.99), func(int) float64 { return math.Exp(rng.NormFloat64()) })
}
