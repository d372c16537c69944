package combine_test

import (
	"cmp"
	"encoding/binary"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

// event is the size of an ordinary event: 64 bytes.
type event struct {
	key, n int64
	f      float64
	opt    combine.Null[int64]
	_      [3]int64
}

const benchKeys, benchBatch = 1000, 1024

// benchmark adds batches over 1,000 accumulators and reports nanoseconds an element: by
// AddBatch, and element by element as the engine does without it.
func benchmark[A, O any](b *testing.B, c combine.Combiner[event, A, O]) {
	vs, slots := make([]event, benchBatch), make([]uint32, benchBatch)
	for i := range vs {
		x := int64(i) * 7919 % 10007
		vs[i] = event{key: x % benchKeys, n: x - 5000, f: float64(x) / 3, opt: combine.Null[int64]{V: x, Valid: x%4 != 0}}
		slots[i] = uint32(vs[i].key)
	}
	accs := make([]A, benchKeys)
	for i := range accs {
		accs[i] = c.Create()
	}
	perElement := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchBatch, "ns/elem")
	}
	b.Run("batch", func(b *testing.B) {
		b.ReportAllocs()
		batch := c.(combine.Batcher[event, A])
		for b.Loop() {
			batch.AddBatch(accs, slots, vs)
		}
		perElement(b)
	})
	b.Run("single", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range vs {
				c.Add(&accs[slots[i]], &vs[i])
			}
		}
		perElement(b)
	})
}

func number(e *event) int64            { return e.n }
func float(e *event) float64           { return e.f }
func opt(e *event) combine.Null[int64] { return e.opt }

func BenchmarkCount(b *testing.B)     { benchmark(b, combine.Count[event]()) }
func BenchmarkSum(b *testing.B)       { benchmark(b, combine.Sum(number)) }
func BenchmarkSumFloat(b *testing.B)  { benchmark(b, combine.SumFloat(float)) }
func BenchmarkMean(b *testing.B)      { benchmark(b, combine.Mean(number)) }
func BenchmarkMeanFloat(b *testing.B) { benchmark(b, combine.MeanFloat(float)) }
func BenchmarkMin(b *testing.B)       { benchmark(b, combine.Min(number)) }
func BenchmarkMaxFloat(b *testing.B)  { benchmark(b, combine.Max(float)) }
func BenchmarkReduce(b *testing.B) {
	benchmark(b, combine.Reduce(func(x, y event) event { x.n += y.n; return x }))
}
func BenchmarkOfSum(b *testing.B) {
	benchmark(b, combine.Of(number, combine.Sum(combine.Self[int64])))
}
func BenchmarkNonNullSum(b *testing.B) {
	benchmark(b, combine.NonNull(opt, combine.Sum(combine.Self[int64])))
}
func BenchmarkBothCountSum(b *testing.B) {
	benchmark(b, combine.Both(combine.Count[event](), combine.Sum(number)))
}

func BenchmarkTop10(b *testing.B) { benchmark(b, combine.Top(10, number)) }
func BenchmarkTopBy10(b *testing.B) {
	benchmark(b, combine.TopBy(10, float, func(x, y event) int { return cmp.Compare(x.key, y.key) }))
}
func BenchmarkSample10(b *testing.B) {
	benchmark(b, combine.Sample(10, 1, func(dst []byte, e *event) []byte {
		return binary.LittleEndian.AppendUint64(dst, uint64(e.n))
	}))
}

// BenchmarkHandWritten is the loop that a user would write for a count and a sum.
func BenchmarkHandWritten(b *testing.B) {
	vs, slots := make([]event, benchBatch), make([]uint32, benchBatch)
	for i := range vs {
		vs[i].n = int64(i)
		slots[i] = uint32(i * 7919 % benchKeys)
	}
	accs := make([]struct{ n, sum int64 }, benchKeys)
	for b.Loop() {
		for i := range vs {
			a := &accs[slots[i]]
			a.n++
			a.sum += vs[i].n
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchBatch, "ns/elem")
}
