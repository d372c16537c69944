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

// The event time of a result, with which it goes into the windows of later steps: by default a
// microsecond before the end of its window.
func ExamplePCollection_OutputTime() {
	seconds := []int64{4, 3, 6}

	p := strandline.New("output time")
	read := strandline.Read(p, memory.Slice("seconds", seconds), watermark.Bounded(5*time.Second),
		func(s *int64) time.Time { return time.Unix(*s, 0) }).
		WindowInto(window.Fixed(10 * time.Second))
	for _, by := range []struct {
		name string
		time strandline.OutputTime
	}{{"end of window", strandline.EndOfWindow}, {"earliest", strandline.Earliest}, {"latest", strandline.Latest}} {
		counts := read.OutputTime(by.time).Combine(by.name, combine.Count[int64]())
		strandline.Each(counts.PCollection, "print "+by.name, func(x strandline.Pane[int64]) {
			fmt.Println(by.name, x.Time.Format("05.999999"))
		})
	}
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// end of window 09.999999
	// earliest 03
	// latest 06
}
