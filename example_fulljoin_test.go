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

// What has no match on the other side comes once, whichever side it is on: a reconciliation of
// two systems, day by day. A right join keeps only those of the right side.
func ExampleKeyed_FullJoin() {
	type Entry struct {
		Number int
		Cents  int64
		Hour   int64
	}

	p := strandline.New("reconciliation")
	read := func(name string, entries ...Entry) strandline.Keyed[int, Entry] {
		return strandline.Read(p, memory.Slice(name, entries), watermark.Ascending(),
			func(e *Entry) time.Time { return time.Unix(3600*e.Hour, 0) }).
			KeyBy("number in "+name, func(e *Entry) int { return e.Number }).
			WindowInto(window.Days())
	}
	shop := read("shop", Entry{1, 500, 8}, Entry{2, 700, 9})
	bank := read("bank", Entry{1, 500, 12}, Entry{3, 100, 13})

	differences := shop.FullJoin("compare", bank, func(number int, shop, bank *Entry) string {
		switch {
		case bank == nil:
			return fmt.Sprintf("%d is not in the bank's books", number)
		case shop == nil:
			return fmt.Sprintf("%d is not in the shop's books", number)
		}
		return fmt.Sprintf("%d differs by %d", number, shop.Cents-bank.Cents)
	})
	differences.WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// 1 differs by 0
	// 2 is not in the bank's books
	// 3 is not in the shop's books
}
