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

// A late order corrects an hour that was already given: with retractions, the number that no
// longer holds is taken back first.
func ExamplePCollection_Retracting() {
	type order struct {
		At    time.Time
		Cents int64
	}
	hour := func(h, m int, cents int64) order { return order{time.Date(2026, 3, 1, h, m, 0, 0, time.UTC), cents} }

	p := strandline.New("revenue")
	orders := strandline.Read(p, memory.Slice("orders", []order{hour(9, 10, 500), hour(9, 50, 250), hour(11, 5, 100), hour(9, 40, 1000)}),
		watermark.Ascending().NoGuard(), func(o *order) time.Time { return o.At })
	revenue := orders.WindowInto(window.Fixed(time.Hour)).AllowedLateness(24*time.Hour).Retracting().
		Combine("revenue", combine.Sum(func(o *order) int64 { return o.Cents }))
	strandline.Each(revenue.PCollection, "print", func(x strandline.Pane[int64]) {
		sign := "+"
		if x.Retraction {
			sign = "-"
		}
		fmt.Printf("%s%d of %s\n", sign, x.Value, x.Window.Start().Format(time.TimeOnly))
	})
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// +750 of 09:00:00
	// -750 of 09:00:00
	// +1750 of 09:00:00
	// +100 of 11:00:00
}
