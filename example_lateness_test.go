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

// The watermark stands where the greatest event time does. The 7 finds [0, 10) ended, but
// within the allowed lateness of five seconds: the window is given again. The 8 finds it
// forgotten, and is an element of another collection.
func ExampleResults_OnLate() {
	seconds := []int64{3, 12, 7, 16, 8}

	p := strandline.New("late")
	counts := strandline.Read(p, memory.Slice("seconds", seconds), watermark.Ascending(),
		func(s *int64) time.Time { return time.Unix(*s, 0) }).
		KeyBy("all", func(*int64) string { return "all" }).
		WindowInto(window.Fixed(10*time.Second)).
		AllowedLateness(5*time.Second).
		CombinePerKey("count", combine.Count[int64]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[strandline.KV[string, int64]]) {
		fmt.Printf("[%d, %d): %d, %v\n", x.Window.Start().Unix(), x.Window.End().Unix(), x.Value.Value, x.Timing)
	})
	late := counts.OnLate(func(l strandline.Late[int64]) string {
		return fmt.Sprintf("%d is %v late and missed %v", l.Value, l.By(), l.Missed)
	})
	strandline.Each(late, "late", func(x strandline.Pane[string]) { fmt.Println(x.Value) })

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [0, 10): 1, on time
	// [0, 10): 2, late
	// 8 is 8s late and missed [[1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z)]
	// [10, 20): 2, on time
}
