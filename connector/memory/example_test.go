package memory_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// A slice as a source: in two splits, two values at a time.
func ExampleSlice() {
	ctx := context.Background()
	splits, err := memory.Slice("letters", []string{"a", "b", "c", "d", "e"}).Parts(2).Batch(2).Splits(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range splits {
		r, err := s.Open(ctx) // as a run does
		if err != nil {
			fmt.Println(err)
			return
		}
		defer r.Close()
		var b connector.Batch[string]
		for r.Read(ctx, &b) == nil {
			fmt.Println(s.Name(), b.Values)
		}
	}
	// Output:
	// letters/0 [a b]
	// letters/0 [c]
	// letters/1 [d e]
}

// Every row with what is known of it.
func ExampleEach() {
	ctx := context.Background()
	w, err := memory.Each(func(v string, at time.Time, _ window.Interval, pane trigger.Pane) {
		fmt.Println(v, at.Unix(), pane)
	}).Open(ctx) // as a run does
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Write(ctx, connectortest.NewRows([]string{"a"})))
	// Output:
	// a 0 unknown pane 0 (0), first, last
	// <nil>
}
