package sketch_test

import (
	"fmt"

	"github.com/strandline-stream/strandline/combine/sketch"
)

// Accumulators can be written and read again, as state is in a checkpoint.
func ExampleCardinality() {
	c := sketch.Distinct(func(v *int64) int64 { return *v })
	var acc sketch.Cardinality = c.Create()
	for i := range int64(1000) {
		c.Add(&acc, &i)
	}
	text, err := acc.AppendBinary(nil)
	var again sketch.Cardinality
	fmt.Println(err, again.UnmarshalBinary(text))
	one, _ := c.Extract(&acc)
	other, _ := c.Extract(&again)
	fmt.Println(one == other)
	// Output:
	// <nil> <nil>
	// true
}

func ExampleDigest() {
	c := sketch.Quantiles(func(v *float64) float64 { return *v }, 0.5)
	var acc sketch.Digest = c.Create()
	for i := range 101 {
		x := float64(i)
		c.Add(&acc, &x)
	}
	text, err := acc.AppendBinary(nil)
	var again sketch.Digest
	fmt.Println(err, again.UnmarshalBinary(text))
	median, _ := c.Extract(&again)
	fmt.Println(median)
	// Output:
	// <nil> <nil>
	// [50]
}
