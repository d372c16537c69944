package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Without a key an aggregation is over everything in a window. Both runs two at once.
func ExamplePCollection_Combine() {
	type Reading struct{ Second, Value int64 }
	readings := []Reading{{1, 10}, {4, 20}, {11, 6}}

	p := strandline.New("both")
	value := func(r *Reading) int64 { return r.Value }
	both := strandline.Read(p, memory.Slice("readings", readings), watermark.Ascending(),
		func(r *Reading) time.Time { return time.Unix(r.Second, 0) }).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("sum and mean", combine.Both(combine.Sum(value), combine.Mean(value)))
	strandline.Each(both.PCollection, "print", func(x strandline.Pane[combine.Pair[int64, float64]]) {
		fmt.Printf("[%d, %d): sum %d, mean %.1f\n", x.Window.Start().Unix(), x.Window.End().Unix(), x.Value.First, x.Value.Second)
	})

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [0, 10): sum 30, mean 15.0
	// [10, 20): sum 6, mean 6.0
}
