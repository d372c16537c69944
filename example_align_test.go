package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Two halves of a history are read side by side. Neither gets more than an hour ahead of the other,
// so that no more than an hour's windows are open at a time.
func ExamplePCollection_AlignSplits() {
	p := strandline.New("history")
	var hours []int64
	for h := range int64(48) {
		hours = append(hours, h/2*2+h%2)
	}
	strandline.Read(p, memory.Slice("hours", hours).Parts(2).Batch(1), watermark.Bounded(24*time.Hour), func(h *int64) time.Time { return time.Unix(3600**h, 0) }).
		AlignSplits(time.Hour).
		WindowInto(window.Days()).
		Accumulating(). // the default: each pane has all that came so far
		Combine("hours a day", combine.Count[int64]()).
		WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 24
	// 24
}
