package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// A value as state: the last index of each meter, kept for ever, turns running totals into
// consumption.
func ExampleKeyed_Stateful() {
	type Reading struct {
		Meter      string
		Day, Index int64
	}
	readings := []Reading{{"m1", 1, 100}, {"m2", 1, 7}, {"m1", 2, 112}, {"m1", 3, 115}, {"m2", 3, 20}}
	type Meter struct {
		Known bool
		Last  int64
	}

	p := strandline.New("consumption")
	strandline.Read(p, memory.Slice("readings", readings), watermark.Ascending(),
		func(r *Reading) time.Time { return time.Date(2026, 1, int(r.Day), 0, 0, 0, 0, time.UTC) }).
		KeyBy("meter", func(r *Reading) string { return r.Meter }).
		Stateful("used", strandline.PerKey, func(x *strandline.Turn[string, string], m *Meter, r *Reading) {
			if m.Known {
				x.Emit(fmt.Sprintf("%s used %d by day %d", x.Key, r.Index-m.Last, r.Day))
			}
			*m = Meter{true, r.Index}
		}, nil).
		WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// m1 used 12 by day 2
	// m1 used 3 by day 3
	// m2 used 13 by day 3
}
