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

// One result a window, when the allowed lateness is over and nothing more can change it: for
// sinks that cannot take a correction.
func ExamplePCollection_FinalOnly() {
	seconds := []int64{3, 12, 7, 16, 8}

	p := strandline.New("final")
	counts := strandline.Read(p, memory.Slice("seconds", seconds), watermark.Ascending(),
		func(s *int64) time.Time { return time.Unix(*s, 0) }).
		WindowInto(window.Fixed(10*time.Second)).
		AllowedLateness(5*time.Second).
		FinalOnly().
		Combine("count", combine.Count[int64]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Printf("[%d, %d): %d, %v\n", x.Window.Start().Unix(), x.Window.End().Unix(), x.Value, x.Pane)
	})

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [0, 10): 2, on time pane 0 (0), first, last
	// [10, 20): 2, on time pane 0 (0), first, last
}
