package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Results before a window ends and after: a pane at every second element, one when the
// watermark reaches the end, and one for each element that comes late and is still allowed. A
// script plays what comes when.
func ExamplePCollection_Trigger() {
	at := func(second int64) time.Time { return time.Unix(second, 0) }

	p := strandline.New("early and late")
	s := strandlinetest.NewStream[string]("events")
	counts := s.Read(p).
		WindowInto(window.Fixed(10*time.Second)).
		Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(2)).Late(trigger.AfterCount(1))).
		AllowedLateness(20*time.Second).
		Combine("count", combine.Count[string]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Printf("%d events, %v\n", x.Value, x.Pane)
	})

	s.Add(at(1), "a").Add(at(2), "b").Add(at(3), "c").
		AdvanceWatermark(at(10)).
		Add(at(4), "d").
		AdvanceWatermark(at(30)).
		Add(at(5), "too late")
	if _, err := s.Play(context.Background(), p); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2 events, early pane 0, first
	// 3 events, on time pane 1 (0)
	// 4 events, late pane 2 (1)
}
