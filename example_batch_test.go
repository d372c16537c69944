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

// The same pipeline as a replay, in which records are judged as they would have been live, and
// as a batch, in which the watermark waits for the end. Where nothing is late the answers are
// the same. With a bound too small for the disorder the replay drops the 7; the batch does not.
func ExampleBatch() {
	seconds := []int64{2, 13, 16, 7, 25, 28}

	for _, bound := range []time.Duration{10 * time.Second, 5 * time.Second} {
		for _, opts := range [][]strandline.Option{nil, {strandline.Batch()}} {
			p := strandline.New("events")
			counts := strandline.Read(p, memory.Slice("seconds", seconds), watermark.Bounded(bound),
				func(s *int64) time.Time { return time.Unix(*s, 0) }).
				WindowInto(window.Fixed(10*time.Second)).
				Combine("count", combine.Count[int64]())
			var got []int64
			strandline.Each(counts.PCollection, "got", func(x strandline.Pane[int64]) { got = append(got, x.Value) })
			if _, err := p.Run(context.Background(), opts...); err != nil {
				fmt.Println(err)
			}
			fmt.Println("bound", bound, "batch", opts != nil, got)
		}
	}
	// Output:
	// bound 10s batch false [2 2 2]
	// bound 10s batch true [2 2 2]
	// bound 5s batch false [1 2 2]
	// bound 5s batch true [2 2 2]
}
