package strandlinetest_test

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

// A pane comes a minute after the first element that is new in it, by a clock that only the
// script moves.
func ExampleStream_AdvanceProcessingTime() {
	p := strandline.New("minutely")
	s := strandlinetest.NewStream[string]("letters")
	counts := s.Read(p).
		WindowInto(window.Global()).
		Trigger(trigger.Repeat(trigger.AfterProcessingTime(time.Minute))).
		Combine("count", combine.Count[string]())
	out := strandlinetest.Collect(counts.PCollection)

	_, err := s.
		Add(time.Unix(1, 0), "a", "b").
		AdvanceProcessingTime(59*time.Second).ExpectNothing(out).
		AdvanceProcessingTime(time.Second).Expect(out, strandlinetest.Value(int64(2)).Early()).
		Play(context.Background(), p)
	fmt.Println("it holds:", err == nil, out.Values())
	// Output: it holds: true [2]
}
