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

// A running total of an hour, given a minute of processing time after something new came. The
// script moves the clock; a live run has that of the machine.
func ExamplePCollection_Trigger_processingTime() {
	at := func(minute int64) time.Time { return time.Unix(60*minute, 0) }

	p := strandline.New("running total")
	s := strandlinetest.NewStream[int64]("sales")
	total := s.Read(p).
		WindowInto(window.Fixed(time.Hour)).
		Trigger(trigger.AfterWatermark().Early(trigger.AfterProcessingTime(time.Minute))).
		Combine("total", combine.Sum(combine.Self[int64]))
	strandline.Each(total.PCollection, "print", func(x strandline.Pane[int64]) { fmt.Println(x.Value, x.Timing) })

	s.Add(at(5), 10).AdvanceProcessingTime(30*time.Second).
		Add(at(7), 20).AdvanceProcessingTime(30*time.Second). // a minute after the 10
		Add(at(8), 5).
		AdvanceWatermark(at(60))
	if _, err := s.Play(context.Background(), p); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 30 early
	// 35 on time
}
