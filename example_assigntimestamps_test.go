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

// A trip is read at the time of its end and counted by that of its start. The watermark stays
// what it was, so it must be as far behind as the longest trip takes.
func ExamplePCollection_AssignTimestamps() {
	type Trip struct{ Start, End int64 } // minutes
	trips := []Trip{{50, 58}, {55, 65}, {61, 68}}

	p := strandline.New("trips")
	counts := strandline.Read(p, memory.Slice("trips", trips), watermark.Bounded(15*time.Minute),
		func(t *Trip) time.Time { return time.Unix(60*t.End, 0) }).
		AssignTimestamps("by start", func(t *Trip) time.Time { return time.Unix(60*t.Start, 0) }).
		WindowInto(window.Fixed(time.Hour)).
		Combine("count", combine.Count[Trip]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Printf("hour from %s: %d trips\n", x.Window.Start().Format("15:04"), x.Value)
	})

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// hour from 00:00: 2 trips
	// hour from 01:00: 1 trips
}
