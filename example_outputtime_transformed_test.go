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

// Windows of one's own may say which time a result carries: here the full minute of the earliest
// sale in it.
func ExampleOutputTime() {
	hour := func(t time.Time) []window.Interval {
		return []window.Interval{window.Between(t.Truncate(time.Hour), t.Truncate(time.Hour).Add(time.Hour))}
	}
	byMinute := window.Custom("hours, by minute", hour).
		OutputTimes(func(w window.Interval, t time.Time) time.Time { return t.Truncate(time.Minute) })

	p := strandline.New("first sale")
	counts := strandline.Read(p, memory.Slice("sales", sales), watermark.Bounded(time.Hour), func(s *sale) time.Time { return time.Unix(60*s.Minute+17, 0) }).
		KeyBy("all", func(*sale) string { return "all" }).
		WindowInto(byMinute).Accumulating().
		OutputTime(strandline.EarliestTransformed).
		CombinePerKey("sales", combine.Count[sale]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[strandline.KV[string, int64]]) {
		fmt.Println(x.Value.Value, "since", x.Time.Format(time.TimeOnly))
	})
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 3 since 00:05:00
	// 1 since 01:10:00
}
