package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// The records that came too late, with their keys, as values to go on with.
func ExampleLateOf() {
	p := strandline.New("late sales")
	rows := []sale{{"north", 5, 10}, {"south", 25, 30}, {"north", 3, 8}}
	perTen := strandline.Read(p, memory.Slice("sales", rows), watermark.Ascending(), func(s *sale) time.Time { return time.Unix(60*s.Minute, 0) }).
		KeyBy("shop", func(s *sale) string { return s.Shop }).
		WindowInto(window.Fixed(10*time.Minute)).
		CombinePerKey("euros", combine.Sum(func(s *sale) int64 { return s.Euros }))
	strandline.LateOf(perTen).
		Map("text", func(l *strandline.Late[strandline.KV[string, sale]]) string {
			return fmt.Sprintf("%s, minute %d, was %v too late", l.Value.Key, l.Value.Value.Minute, l.By())
		}).
		WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output: north, minute 3, was 22m0s too late
}
