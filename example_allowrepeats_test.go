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

// The greatest count of any shop in the hour, while it grows. A count comes once for each sale, with
// all that came so far; to a maximum that does no harm, and the pipeline says so.
func ExampleKeyed_AllowRepeats() {
	p := strandline.New("busiest")
	counts := strandline.Read(p, memory.Slice("sales", sales), watermark.Bounded(30*time.Minute), func(s *sale) time.Time { return time.Unix(60*s.Minute, 0) }).
		KeyBy("shop", func(s *sale) string { return s.Shop }).
		WindowInto(window.Fixed(time.Hour)).
		Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(1))).
		CombinePerKey("count", combine.Count[sale]())
	counts.Keyed().AllowRepeats().
		MapEntries("number", func(shop string, n *int64) int64 { return *n }).
		Combine("greatest", combine.Max(combine.Self[int64])).
		WriteTo(memory.Each(func(n int64, _ time.Time, w window.Interval, pane trigger.Pane) {
			if pane.Timing == trigger.OnTime {
				fmt.Printf("hour %d: %d\n", w.Start().Hour(), n)
			}
		}))
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// hour 0: 2
	// hour 1: 1
}
