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

// Sliding windows overlap: the event at 7 is in [0, 10) and in [5, 15).
func ExamplePCollection_WindowInto_sliding() {
	type Event struct{ Second, Value int64 }
	events := []Event{{1, 3}, {7, 10}, {12, 4}}

	p := strandline.New("greatest")
	greatest := strandline.Read(p, memory.Slice("events", events), watermark.Ascending(),
		func(e *Event) time.Time { return time.Unix(e.Second, 0) }).
		WindowInto(window.Sliding(10*time.Second, 5*time.Second)).
		Combine("greatest", combine.Max(func(e *Event) int64 { return e.Value }))

	strandline.Each(greatest.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Printf("[%d, %d): %d\n", x.Window.Start().Unix(), x.Window.End().Unix(), x.Value)
	})
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [-5, 5): 3
	// [0, 10): 10
	// [5, 15): 10
	// [10, 20): 4
}
