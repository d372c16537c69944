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

// Sales in each quarter of an hour, also in those without any.
func ExamplePCollection_EmptyWindows() {
	p := strandline.New("quarters")
	counts := strandline.Read(p, memory.Slice("sales", sales), watermark.Bounded(30*time.Minute), func(s *sale) time.Time { return time.Unix(60*s.Minute, 0) }).
		WindowInto(window.Fixed(15*time.Minute)).
		EmptyWindows().
		Combine("count", combine.Count[sale]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Println(x.Window.Start().Format("15:04"), x.Value)
	})
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 00:00 2
	// 00:15 0
	// 00:30 1
	// 00:45 0
	// 01:00 1
}
