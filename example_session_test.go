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

// A session of a key lasts until nothing has come for the gap. The click of ann at minute 25
// comes last and joins two sessions of hers into one.
func ExampleKeyed_WindowInto_session() {
	type Click struct {
		User   string
		Minute int64
	}
	clicks := []Click{{"ann", 0}, {"bob", 3}, {"ann", 10}, {"ann", 40}, {"bob", 33}, {"ann", 25}}

	p := strandline.New("sessions")
	sessions := strandline.Read(p, memory.Slice("clicks", clicks), watermark.Bounded(30*time.Minute),
		func(c *Click) time.Time { return time.Unix(60*c.Minute, 0) }).
		KeyBy("user", func(c *Click) string { return c.User }).
		WindowInto(window.Session(20*time.Minute)).
		CombinePerKey("clicks", combine.Count[Click]())

	strandline.Each(sessions.PCollection, "print", func(x strandline.Pane[strandline.KV[string, int64]]) {
		fmt.Printf("%s: %d clicks in %v\n", x.Value.Key, x.Value.Value, x.Window.Span())
	})
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// ann: 4 clicks in 1h0m0s
	// bob: 1 clicks in 20m0s
	// bob: 1 clicks in 20m0s
}
