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

// Several collections as one. Each source has a watermark of its own, and behind Flatten that
// of the one that is behind counts: north does not make south late.
func ExampleFlatten() {
	second := func(s *int64) time.Time { return time.Unix(*s, 0) }

	p := strandline.New("north and south")
	north := strandline.Read(p, memory.Slice("north", []int64{1, 12, 35}), watermark.Ascending(), second)
	south := strandline.Read(p, memory.Slice("south", []int64{3, 4, 31}), watermark.Ascending(), second)
	counts := strandline.Flatten("both", north, south).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[int64]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Printf("[%d, %d): %d\n", x.Window.Start().Unix(), x.Window.End().Unix(), x.Value)
	})

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [0, 10): 3
	// [10, 20): 1
	// [30, 40): 2
}
