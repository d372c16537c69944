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

// Days of Berlin, with an event an hour. On 29 March 2026 clocks go forward there and the day
// has 23 hours; on 25 October they go back and it has 25.
func ExamplePCollection_WindowInto_calendar() {
	berlin, err := window.Zone("Europe/Berlin")
	if err != nil {
		fmt.Println(err)
	}
	var hours []time.Time
	for _, day := range []time.Time{
		time.Date(2026, 3, 28, 0, 0, 0, 0, berlin),
		time.Date(2026, 10, 25, 0, 0, 0, 0, berlin),
	} {
		for h := range 48 {
			hours = append(hours, day.Add(time.Duration(h)*time.Hour))
		}
	}

	p := strandline.New("hours of a day")
	counts := strandline.Read(p, memory.Slice("hours", hours), watermark.Ascending(), func(t *time.Time) time.Time { return *t }).
		WindowInto(window.Days().In(berlin)).
		Combine("count", combine.Count[time.Time]())

	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Println(x.Window.Start().In(berlin).Format(time.DateOnly), x.Value)
	})
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2026-03-28 24
	// 2026-03-29 23
	// 2026-03-30 1
	// 2026-10-25 25
	// 2026-10-26 23
}
