package combine_test

import (
	"encoding/json"
	"fmt"

	"github.com/strandline-stream/strandline/combine"
)

// What an engine asks a combiner for beside the four methods: whether it looks at event times, can
// take a value out again, has a value for nothing, adds a batch at a time, and whether its
// accumulators must be cloned.
func ExampleCombiner() {
	type none = combine.Combiner[int64, int64, int64]
	ask := func(name string, timed, subtracts, neutral bool) { fmt.Println(name, timed, subtracts, neutral) }

	var count none = combine.Count[int64]()
	_, timed := combine.AsTimed(count)
	_, subtracts := combine.AsSubtractor(count)
	ask("count", timed, subtracts, combine.HasNeutral(count))

	last := combine.Last(combine.Self[int64])
	at, timed := combine.AsTimed[int64, combine.Stamped[int64], int64](last)
	_, subtracts = combine.AsSubtractor[int64, combine.Stamped[int64], int64](last)
	ask("last", timed, subtracts, combine.HasNeutral(last))

	acc := last.Create()
	for i, v := range []int64{7, 8} {
		at.AddAt(&acc, &v, int64(10-i)) // the 7 has the later time
	}
	fmt.Println(last.Extract(&acc))

	var _ combine.Timed[int64, combine.Stamped[int64]] = last
	var _ combine.Batcher[int64, int64] = combine.Count[int64]()
	var _ combine.Subtractor[int64, int64] = combine.Count[int64]()
	var _ combine.Neutral = combine.Count[int64]()
	var _ combine.Cloner[[]int64] = combine.List[int64]{}
	var _ combine.Validator = combine.Sum[int64, int64](nil)
	// Output:
	// count false true true
	// last true false false
	// 7 <nil>
}

// Accumulators of the built-in combiners are plain values, which an engine may store.
func ExampleFold_accumulators() {
	var (
		sum      combine.Int128                 = combine.Sum(combine.Self[int64]).Create()
		float    combine.Compensated            = combine.SumFloat(combine.Self[float64]).Create()
		mean     combine.IntMeanAcc             = combine.Mean(combine.Self[int64]).Create()
		floats   combine.FloatMeanAcc           = combine.MeanFloat(combine.Self[float64]).Create()
		distinct combine.Uniques[int64]         = combine.Distinct(combine.Self[int64]).Create()
		stamped  combine.Stamped[int64]         = combine.First(combine.Self[int64]).Create()
		drawn    []combine.Drawn[int64]         = combine.Sample(1, 1, func(dst []byte, v *int64) []byte { return append(dst, byte(*v)) }).Create()
		scored   []combine.Scored[int64, int64] = combine.TopBy(1, combine.Self[int64], func(a, b int64) int { return 0 }).Create()
		nulls    combine.NullAcc[int64]         = combine.NonNull(combine.Self[combine.Null[int64]], combine.Combiner[int64, int64, int64](combine.Count[int64]())).Create()
	)
	for _, x := range []float64{1e16, 1, -1e16} {
		float.Add(x)
	}
	fmt.Println(sum, float.Value(), mean, floats, len(distinct.Values), stamped.Valid, drawn, scored, nulls)
	// Output: 0 1 {0 0} {{0 0 0 0 0 0} 0} 0 false [] [] {0 0}
}

// A null is the value null in JSON, and says so of itself.
func ExampleNull() {
	type reading struct{ Celsius combine.Null[float64] }
	var r []reading
	if err := json.Unmarshal([]byte(`[{"Celsius": 3.5}, {"Celsius": null}]`), &r); err != nil {
		fmt.Println(err)
	}
	text, err := json.Marshal(r)
	fmt.Println(r[0].Celsius.IsNull(), r[1].Celsius.IsNull(), string(text), err)

	n := combine.Some(int64(4))
	b, _ := n.MarshalJSON()
	_ = n.UnmarshalJSON([]byte("null"))
	fmt.Println(string(b), n)
	// Output:
	// false true [{"Celsius":3.5},{"Celsius":null}] <nil>
	// 4 null
}
