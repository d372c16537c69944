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

// A count per key and window. The events come out of order, by less than the bound of five
// seconds, so none is late: a window is given when the watermark, five seconds behind the
// greatest event time so far, reaches its end.
func ExampleKeyed_CombinePerKey() {
	type Event struct {
		Sensor string
		Second int64
	}
	events := []Event{{"a", 2}, {"b", 5}, {"a", 8}, {"a", 13}, {"b", 9}, {"b", 16}, {"a", 25}}

	p := strandline.New("sensors")
	counts := strandline.Read(p, memory.Slice("events", events), watermark.Bounded(5*time.Second),
		func(e *Event) time.Time { return time.Unix(e.Second, 0) }).
		KeyBy("sensor", func(e *Event) string { return e.Sensor }).
		WindowInto(window.Fixed(10*time.Second)).
		CombinePerKey("count", combine.Count[Event]())

	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[strandline.KV[string, int64]]) {
		fmt.Printf("[%2d, %2d) %s: %d\n", x.Window.Start().Unix(), x.Window.End().Unix(), x.Value.Key, x.Value.Value)
	})
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// [ 0, 10) a: 2
	// [ 0, 10) b: 2
	// [10, 20) a: 1
	// [10, 20) b: 1
	// [20, 30) a: 1
}
