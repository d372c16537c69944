package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
)

// Each device says how long it may be silent: a sensor ten minutes, a parked car a day. The
// car's two reports are one session although they are hours apart.
func ExampleKeyed_SessionBy() {
	type Report struct {
		Device string
		Minute int64
		Silent time.Duration
	}
	reports := []Report{
		{"sensor", 0, 10 * time.Minute}, {"car", 3, 24 * time.Hour},
		{"sensor", 30, 10 * time.Minute}, {"car", 600, 24 * time.Hour},
	}

	p := strandline.New("activity")
	activity := strandline.Read(p, memory.Slice("reports", reports), watermark.Ascending(),
		func(r *Report) time.Time { return time.Unix(60*r.Minute, 0) }).
		KeyBy("device", func(r *Report) string { return r.Device }).
		SessionBy("silence", func(_ string, r *Report) time.Duration { return r.Silent }).
		CombinePerKey("reports", combine.Count[Report]())

	strandline.Each(activity.PCollection, "print", func(x strandline.Pane[strandline.KV[string, int64]]) {
		fmt.Printf("%s: %d in %v\n", x.Value.Key, x.Value.Value, x.Window.Span())
	})
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// sensor: 1 in 10m0s
	// sensor: 1 in 10m0s
	// car: 2 in 33h57m0s
}
