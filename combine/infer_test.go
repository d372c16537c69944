package combine_test

import (
	"cmp"
	"testing"

	"github.com/strandline-stream/strandline/combine"
)

type reading struct {
	Sensor string
	N      int64
	F      float64
	Opt    combine.Null[int64]
}

func sensor(r *reading) string                  { return r.Sensor }
func readingN(r *reading) int64                 { return r.N }
func readingF(r *reading) float64               { return r.F }
func readingOpt(r *reading) combine.Null[int64] { return r.Opt }

// keyed stands for the API's keyed collection.
type keyed[V any] struct{}

// result stands for what an aggregation gives.
type result[O any] struct{ _ O }

// CombinePerKey has the shape of the API's method: A and O are inferred.
func (keyed[V]) CombinePerKey[A, O any](name string, c combine.Combiner[V, A, O]) result[O] {
	return result[O]{}
}

// This test is about compiling: each result has the type it says, and nothing is written out
// but the element type of combiners without a field.
func TestAccumulatorAndResultAreInferredForEveryBuiltIn(t *testing.T) {
	var events keyed[reading]
	var _ result[int64] = events.CombinePerKey("", combine.Count[reading]())
	var _ result[int64] = events.CombinePerKey("", combine.CountNonNull(readingOpt))
	var _ result[int64] = events.CombinePerKey("", combine.Sum(readingN))
	var _ result[uint8] = events.CombinePerKey("", combine.Sum(func(r *reading) uint8 { return 0 }))
	var _ result[float64] = events.CombinePerKey("", combine.SumFloat(readingF))
	var _ result[float64] = events.CombinePerKey("", combine.Mean(readingN))
	var _ result[float64] = events.CombinePerKey("", combine.MeanFloat(readingF))
	var _ result[int64] = events.CombinePerKey("", combine.Min(readingN))
	var _ result[string] = events.CombinePerKey("", combine.Max(sensor))
	var _ result[string] = events.CombinePerKey("", combine.First(sensor))
	var _ result[int64] = events.CombinePerKey("", combine.Last(readingN))
	var _ result[reading] = events.CombinePerKey("", combine.FirstFunc(combine.Self[reading], byN))
	var _ result[reading] = events.CombinePerKey("", combine.LastFunc(combine.Self[reading], byN))
	var _ result[int64] = events.CombinePerKey("", combine.Distinct(combine.Self[reading]))
	var _ result[[]string] = events.CombinePerKey("", combine.Set(sensor))
	var _ result[[]reading] = events.CombinePerKey("", combine.SetFunc(combine.Self[reading], byN))
	var _ result[[]reading] = events.CombinePerKey("", combine.List[reading]{})
	var _ result[reading] = events.CombinePerKey("", combine.Reduce(func(a, b reading) reading { return a }))
	var _ result[[]string] = events.CombinePerKey("", combine.Of(sensor, combine.List[string]{}))
	var _ result[combine.Null[int64]] = events.CombinePerKey("", combine.NonNull(readingOpt, combine.Sum(combine.Self[int64])))
	var _ result[combine.Pair[int64, float64]] = events.CombinePerKey("",
		combine.Both(combine.Count[reading](), combine.Mean(readingN)))
	var _ result[string] = events.CombinePerKey("", combine.Func[reading, int, string]{})
	var _ result[[]int64] = events.CombinePerKey("", combine.Top(3, readingN))
	var _ result[[]reading] = events.CombinePerKey("", combine.TopFunc(3, combine.Self[reading], byN))
	var _ result[[]reading] = events.CombinePerKey("", combine.TopBy(3, readingF, byN))
	var _ result[[]string] = events.CombinePerKey("", combine.Bottom(3, sensor))
	var _ result[[]reading] = events.CombinePerKey("", combine.BottomBy(3, sensor, byN))
	var _ result[[]reading] = events.CombinePerKey("", combine.Sample(3, 1, func(dst []byte, r *reading) []byte { return append(dst, r.Sensor...) }))
}

func byN(a, b reading) int { return cmp.Compare(a.N, b.N) }
