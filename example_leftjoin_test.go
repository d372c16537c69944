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

// As in an inner join, and in addition an order without a payment in the same hour comes once,
// with a nil payment.
func ExampleKeyed_LeftJoin() {
	type Order struct {
		Number int
		Cents  int64
		Minute int64
	}
	type Payment struct {
		Order  int
		Cents  int64
		Minute int64
	}

	p := strandline.New("orders and payments")
	hourly := window.Fixed(time.Hour)
	orders := strandline.Read(p, memory.Slice("orders", []Order{{1, 90, 5}, {2, 70, 10}}), watermark.Ascending(),
		func(o *Order) time.Time { return time.Unix(60*o.Minute, 0) }).
		KeyBy("order", func(o *Order) int { return o.Number }).WindowInto(hourly)
	payments := strandline.Read(p, memory.Slice("payments", []Payment{{1, 40, 20}, {1, 50, 30}, {2, 70, 65}}), watermark.Ascending(),
		func(p *Payment) time.Time { return time.Unix(60*p.Minute, 0) }).
		KeyBy("of order", func(p *Payment) int { return p.Order }).WindowInto(hourly)

	paid := orders.LeftJoin("paid", payments,
		func(_ int, o *Order, p *Payment) string {
			if p == nil {
				return fmt.Sprintf("order %d: nothing of %d paid", o.Number, o.Cents)
			}
			return fmt.Sprintf("order %d: %d of %d paid", o.Number, p.Cents, o.Cents)
		})
	paid.WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// order 1: 40 of 90 paid
	// order 1: 50 of 90 paid
	// order 2: nothing of 70 paid
}
