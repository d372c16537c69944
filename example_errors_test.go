package strandline_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Mistakes in building a pipeline are gathered and given all at once, by Err or by Run, each
// with its line and what to do.
func ExamplePipeline_Err() {
	p := strandline.New("mistakes")
	events := strandline.Read(p, memory.Slice("events", []int64{1}), watermark.Bounded(-time.Second), nil)
	events.
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[int64]())
	events.
		Trigger(trigger.AfterCount(0)).
		Combine("zero", combine.Count[int64]())

	fmt.Println(p.Err())
	fmt.Println(errors.Is(p.Err(), strandline.ErrNoEventTime))
	// Output:
	// example_errors_test.go:20: Read events: the watermark: watermark.Bounded: bound must not be negative, is -1s
	// example_errors_test.go:23: combine "count": no event time: elements without one cannot be windowed by fixed(10s): give Read a function for it, or use AssignTimestamps
	// example_errors_test.go:26: combine "zero": the trigger: trigger.AfterCount: n must be at least 1, is 0
	// true
}
