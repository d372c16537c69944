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

// A source with several splits is read by several workers. Each split has a watermark of its
// own, and a window waits for all of them: the second half of the slice, hours ahead of the
// first, makes nothing late.
func ExampleRead_splits() {
	minutes := []int64{0, 10, 20, 70, 80, 600, 610, 630}

	p := strandline.New("splits")
	counts := strandline.Read(p, memory.Slice("minutes", minutes).Parts(2), watermark.Ascending(),
		func(m *int64) time.Time { return time.Unix(60**m, 0) }).
		WindowInto(window.Fixed(time.Hour)).
		Combine("count", combine.Count[int64]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Println(x.Window.Start().Format("15:04"), x.Value)
	})

	if _, err := p.Run(context.Background(), strandline.Workers(2)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 00:00 3
	// 01:00 2
	// 10:00 3
}
