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

// An aggregation of an aggregation: the busiest page of each minute. What a window gives stays
// in its window for the next step.
func ExampleResults() {
	type View struct {
		Page   string
		Second int64
	}
	views := []View{{"/", 1}, {"/shop", 5}, {"/", 30}, {"/", 70}, {"/shop", 80}, {"/shop", 90}}
	type Count = strandline.KV[string, int64]

	p := strandline.New("busiest")
	busiest := strandline.Read(p, memory.Slice("views", views), watermark.Ascending(),
		func(v *View) time.Time { return time.Unix(v.Second, 0) }).
		KeyBy("page", func(v *View) string { return v.Page }).
		WindowInto(window.Fixed(time.Minute)).
		CombinePerKey("views", combine.Count[View]()).
		Combine("busiest", combine.Reduce(func(a, b Count) Count {
			if a.Value > b.Value || a.Value == b.Value && a.Key < b.Key {
				return a
			}
			return b
		}))
	strandline.Each(busiest.PCollection, "print", func(x strandline.Pane[Count]) {
		fmt.Printf("%s %s: %d views\n", x.Window.Start().Format("15:04"), x.Value.Key, x.Value.Value)
	})

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 00:00 /: 2 views
	// 00:01 /shop: 2 views
}
