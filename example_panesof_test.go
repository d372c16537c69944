package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// PanesOf makes what is known of a result a part of its value, for a sink that writes values
// only: which window it is of, and which version (S5.10).
func ExamplePanesOf() {
	type Row struct {
		From    time.Time `json:"from"`
		Count   int64     `json:"count"`
		Version int64     `json:"version"`
	}
	p := strandline.New("rows")
	counts := strandline.Read(p, memory.Slice("seconds", []int64{3, 12, 7}), watermark.Ascending(),
		func(s *int64) time.Time { return time.Unix(*s, 0) }).
		WindowInto(window.Fixed(10*time.Second)).
		AllowedLateness(5*time.Second).
		Combine("count", combine.Count[int64]())
	strandline.PanesOf(counts.PCollection).
		Map("row", func(x *strandline.Pane[int64]) Row { return Row{x.Window.Start(), x.Value, x.Index} }).
		WriteTo(jsonl.Stdout())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"from":"1970-01-01T00:00:00Z","count":1,"version":0}
	// {"from":"1970-01-01T00:00:00Z","count":2,"version":1}
	// {"from":"1970-01-01T00:00:10Z","count":1,"version":0}
}
