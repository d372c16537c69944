package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Orders, payments and parcels of one order number in the same day, taken together. What is
// missing shows as an empty list.
func ExampleKeyed_CoGroup3() {
	type Step struct {
		Order int64
		Hour  int64
	}
	p := strandline.New("orders")
	daily := window.Fixed(24 * time.Hour)
	read := func(what string, steps ...Step) strandline.Keyed[int64, Step] {
		return strandline.Read(p, memory.Slice(what, steps), watermark.Bounded(time.Hour),
			func(s *Step) time.Time { return time.Unix(3600*s.Hour, 0) }).
			KeyBy("order of "+what, func(s *Step) int64 { return s.Order }).WindowInto(daily)
	}
	orders := read("orders", Step{1, 8}, Step{2, 9})
	payments := read("payments", Step{1, 10})
	parcels := read("parcels", Step{1, 15}, Step{1, 16})

	days := orders.CoGroup3("by order", payments, parcels, func(order int64, ordered, paid, sent []Step) string {
		return fmt.Sprintf("order %d: ordered %d, paid %d, sent %d", order, len(ordered), len(paid), len(sent))
	})
	days.WriteTo(stdio.Lines())
	late := func(what string) func(strandline.Late[Step]) string {
		return func(l strandline.Late[Step]) string { return "late: " + what }
	}
	days.OnLate(late("order"), late("payment"), late("parcel")).WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// order 1: ordered 1, paid 1, sent 2
	// order 2: ordered 1, paid 0, sent 0
}
