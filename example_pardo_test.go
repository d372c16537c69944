package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// A ParDo function knows of its element what a Map function does not: its event time, the
// watermark that it is judged by, its window and pane. The 3 is behind the watermark of 6.
func ExamplePCollection_ParDo() {
	seconds := []int64{5, 8, 3}

	p := strandline.New("context")
	strandline.Read(p, memory.Slice("seconds", seconds), watermark.Bounded(2*time.Second),
		func(s *int64) time.Time { return time.Unix(*s, 0) }).
		ParDo("behind", func(x *strandline.Context, s *int64, emit func(string)) {
			if x.Time().Before(x.Watermark()) {
				emit(fmt.Sprintf("%d is behind by %v", *s, x.Watermark().Sub(x.Time())))
			}
		}).
		WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 3 is behind by 3s
}
