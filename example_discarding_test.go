package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Of several panes of a window each has only what came since the one before, so that they can
// be added up. By default each has all that came so far.
func ExamplePCollection_Discarding() {
	seconds := []int64{1, 2, 3, 4, 5}

	p := strandline.New("discarding")
	read := strandline.Read(p, memory.Slice("seconds", seconds), watermark.Ascending(),
		func(s *int64) time.Time { return time.Unix(*s, 0) }).
		WindowInto(window.Fixed(10 * time.Second)).
		Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(2)))
	var apart, soFar []int64
	strandline.Each(read.Discarding().Combine("apart", combine.Count[int64]()).PCollection, "",
		func(x strandline.Pane[int64]) { apart = append(apart, x.Value) })
	strandline.Each(read.Combine("so far", combine.Count[int64]()).PCollection, "",
		func(x strandline.Pane[int64]) { soFar = append(soFar, x.Value) })

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println("discarding:  ", apart)
	fmt.Println("accumulating:", soFar)
	// Output:
	// discarding:   [2 2 1]
	// accumulating: [2 4 5]
}
