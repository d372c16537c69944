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

// Orders at the price that was valid when they were made. The price of 10 o'clock is for an order
// of 10 o'clock; before the first price there is none.
func ExampleKeyed_AsOfJoin() {
	type Order struct {
		Item string
		Hour int64
	}
	type Price struct {
		Item  string
		Hour  int64
		Cents int
	}

	p := strandline.New("prices")
	orders := strandline.Read(p, memory.Slice("orders", []Order{{"tea", 7}, {"tea", 9}, {"tea", 10}, {"tea", 12}}), watermark.Ascending(),
		func(o *Order) time.Time { return time.Unix(3600*o.Hour, 0) }).KeyBy("item", func(o *Order) string { return o.Item })
	prices := strandline.Read(p, memory.Slice("prices", []Price{{"tea", 8, 300}, {"tea", 10, 320}}), watermark.Ascending(),
		func(p *Price) time.Time { return time.Unix(3600*p.Hour, 0) }).KeyBy("priced", func(p *Price) string { return p.Item })

	orders.AsOfJoin("at its price", prices, func(item string, o *Order, price *Price) string {
		if price == nil {
			return fmt.Sprintf("%s at %d: no price yet", item, o.Hour)
		}
		return fmt.Sprintf("%s at %d: %d", item, o.Hour, price.Cents)
	}).WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// tea at 7: no price yet
	// tea at 9: 300
	// tea at 10: 320
	// tea at 12: 320
}
