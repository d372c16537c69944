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

// Both events are in an early pane. The on-time pane comes all the same, although nothing is
// new in it, unless that is not wanted; a last pane with nothing new comes only if it is.
func ExamplePCollection_OnlyIfNonEmpty() {
	at := func(second int64) time.Time { return time.Unix(second, 0) }
	type Counts = strandline.PCollection[string]
	play := func(name string, ask func(Counts) Counts) {
		p := strandline.New(name)
		s := strandlinetest.NewStream[string]("events")
		counts := ask(s.Read(p).
			WindowInto(window.Fixed(10*time.Second)).
			Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(2)).Late(trigger.AfterCount(1))).
			AllowedLateness(5*time.Second)).
			Combine("count", combine.Count[string]())
		strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) { fmt.Printf("%s: %d, %v\n", name, x.Value, x.Pane) })
		s.Add(at(1), "a", "b").AdvanceWatermark(at(10)).AdvanceWatermark(at(15))
		if _, err := s.Play(context.Background(), p); err != nil {
			fmt.Println(err)
		}
	}
	play("by default", func(c Counts) Counts { return c })
	play("only if non-empty", Counts.OnlyIfNonEmpty)
	play("empty last panes", Counts.EmptyLastPanes)
	// Output:
	// by default: 2, early pane 0, first
	// by default: 2, on time pane 1 (0)
	// only if non-empty: 2, early pane 0, first
	// empty last panes: 2, early pane 0, first
	// empty last panes: 2, on time pane 1 (0)
	// empty last panes: 2, late pane 2 (1), last
}
