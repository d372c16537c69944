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

// Every record is accounted for, step by step and in one line: of the six that were read one
// was filtered out and one came too late. A sample of what is late is kept if no step takes it.
func ExampleLedger() {
	seconds := []int64{2, 13, 16, 5, 24, 28}

	p := strandline.New("books")
	strandline.Read(p, memory.Slice("seconds", seconds), watermark.Ascending(),
		func(s *int64) time.Time { return time.Unix(*s, 0) }).
		Filter("not 24", func(s *int64) bool { return *s != 24 }).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[int64]())

	report, err := p.Run(context.Background())
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(strandline.Ledger(report))
	for _, s := range report.Steps {
		if s.ID == "not 24" {
			fmt.Println(s.ID, s.Counts.In, s.Counts.Kept, s.Counts.Filtered)
		}
		if s.ID == "count" {
			fmt.Println(s.ID, s.Counts.Assigned, s.Counts.InWindow, s.Counts.DroppedLate, s.Late)
		}
	}
	// Output:
	// ledger: 6 read = 6 kept + 0 malformed; 5 assigned = 4 in a window + 0 in a gap + 1 late + 0 closed; 4 in a window = 4 given + 0 open
	// not 24 6 5 1
	// count 5 4 1 [5 at 1970-01-01T00:00:05Z, behind the watermark 1970-01-01T00:00:16Z]
}
