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

// The day so far, every six hours: windows that grow until the day is over. What comes in the
// first quarter is in all four.
func ExamplePCollection_WindowInto_cumulative() {
	type Sale struct{ Hour, Euros int64 }
	sales := []Sale{{1, 10}, {7, 5}, {13, 8}, {14, 2}, {25, 3}}

	p := strandline.New("so far")
	soFar := strandline.Read(p, memory.Slice("sales", sales), watermark.Ascending(),
		func(s *Sale) time.Time { return time.Unix(3600*s.Hour, 0) }).
		WindowInto(window.Cumulative(24*time.Hour, 6*time.Hour)).
		Combine("total", combine.Sum(func(s *Sale) int64 { return s.Euros })).
		Map("text", func(euros *int64) string { return fmt.Sprint(*euros, " euros") })
	strandline.Each(soFar, "print", func(x strandline.Pane[string]) {
		if x.Window.Start().Unix() == 0 {
			fmt.Println("until", x.Window.End().Format("02 15:04"), x.Value)
		}
	})

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// until 01 06:00 10 euros
	// until 01 12:00 15 euros
	// until 01 18:00 25 euros
	// until 02 00:00 25 euros
}
