package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
)

// What was read, split by split: how far it came, and how late records were. Of the six two are
// behind one that was read before: 5 behind 16 by 11 s, 24 behind 28 by 4 s.
func ExampleSplitReport() {
	p := strandline.New("delays")
	strandline.Read(p, memory.Slice("seconds", []int64{2, 13, 16, 5, 28, 24}), watermark.Bounded(10*time.Second),
		func(s *int64) time.Time { return time.Unix(*s, 0) })
	report, err := p.Run(context.Background())
	if err != nil {
		fmt.Println(err)
	}
	var split strandline.SplitReport = report.Splits[0]
	fmt.Println(split.Source, split.Read, "read, to", split.Position)
	var d *strandline.Delays = split.Delays
	fmt.Println(d.Records(), "records,", d.Behind(), "behind, at most by", time.Duration(d.Greatest())*time.Microsecond)
	within := time.Duration(d.Quantile(0.5)) * time.Microsecond
	fmt.Println("half of them by no more than", within)
	// Output:
	// seconds 6 read, to seconds/0:6
	// 6 records, 2 behind, at most by 11s
	// half of them by no more than 0s
}
