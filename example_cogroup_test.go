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

// Two collections are grouped together by key and window; f sees both sides, of which one may
// be empty. Both must be windowed alike.
func ExampleKeyed_CoGroup() {
	type Order struct {
		User   string
		Minute int64
	}
	type Visit struct {
		User   string
		Minute int64
	}

	p := strandline.New("orders and visits")
	hourly := window.Fixed(time.Hour)
	orders := strandline.Read(p, memory.Slice("orders", []Order{{"ann", 10}, {"bob", 20}, {"ann", 30}}), watermark.Ascending(),
		func(o *Order) time.Time { return time.Unix(60*o.Minute, 0) }).
		KeyBy("of", func(o *Order) string { return o.User }).WindowInto(hourly)
	visits := strandline.Read(p, memory.Slice("visits", []Visit{{"ann", 5}, {"ann", 9}, {"eve", 50}}), watermark.Ascending(),
		func(v *Visit) time.Time { return time.Unix(60*v.Minute, 0) }).
		KeyBy("by", func(v *Visit) string { return v.User }).WindowInto(hourly)

	both := orders.CoGroup("hourly", visits, func(user string, orders []Order, visits []Visit) string {
		return fmt.Sprintf("%s: %d orders, %d visits", user, len(orders), len(visits))
	})
	both.WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// ann: 2 orders, 2 visits
	// bob: 1 orders, 0 visits
	// eve: 0 orders, 1 visits
}
