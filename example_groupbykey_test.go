package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// The values themselves of each key and window: the same key in two windows is two groups.
func ExampleGroupByKey() {
	type Event struct {
		Key    string
		Second int64
	}
	events := []Event{{"a", 1}, {"b", 2}, {"a", 9}, {"a", 10}}

	p := strandline.New("groups")
	groups := strandline.GroupByKey("group", strandline.Read(p, memory.Slice("events", events), watermark.Ascending(),
		func(e *Event) time.Time { return time.Unix(e.Second, 0) }).
		KeyByWith("key", func(e *Event) (string, int64) { return e.Key, e.Second }).
		WindowInto(window.Fixed(10*time.Second)))
	strandline.Each(groups.PCollection, "print", func(x strandline.Pane[strandline.KV[string, []int64]]) {
		fmt.Println(x.Value.Key, x.Value.Value)
	})

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// a [1 9]
	// b [2]
	// a [10]
}
