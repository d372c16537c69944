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
)

// Sales and returns of each shop, taken together before they are added up. Event times that lie in
// the records as microseconds need not become times first.
func ExampleFlattenKeyed() {
	p := strandline.New("turnover")
	read := func(name string, rows ...sale) strandline.Keyed[string, sale] {
		return strandline.ReadMicros(p, memory.Slice(name, rows), watermark.Bounded(time.Hour), func(s *sale) int64 { return 60_000_000 * s.Minute }).
			KeyBy("shop of "+name, func(s *sale) string { return s.Shop })
	}
	both := strandline.FlattenKeyed("both", read("sales", sale{"north", 5, 10}, sale{"south", 6, 30}), read("returns", sale{"north", 9, -4}))
	both.CombinePerKey("turnover", combine.Sum(func(s *sale) int64 { return s.Euros })).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// {"Key":"north","Value":6}
	// {"Key":"south","Value":30}
}
