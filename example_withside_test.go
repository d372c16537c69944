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

type sale struct {
	Shop   string
	Minute int64
	Euros  int64
}

var sales = []sale{{"north", 5, 10}, {"south", 12, 30}, {"north", 70, 8}, {"south", 40, 20}}

func readSales(p *strandline.Pipeline) strandline.PCollection[sale] {
	return strandline.Read(p, memory.Slice("sales", sales), watermark.Bounded(30*time.Minute), func(s *sale) time.Time { return time.Unix(60*s.Minute, 0) }).
		WindowInto(window.Fixed(time.Hour))
}

// The share of each shop in the hour's total: the total is the side.
func ExamplePCollection_WithSide() {
	p := strandline.New("shares")
	in := readSales(p)
	euros := combine.Sum(func(s *sale) int64 { return s.Euros })
	total := in.Combine("total", euros)
	perShop := in.KeyBy("shop", func(s *sale) string { return s.Shop }).CombinePerKey("per shop", euros)

	perShop.WithSide("share", total.PCollection,
		func(x *strandline.Context, v *strandline.KV[string, int64], total *int64, emit func(string)) {
			emit(fmt.Sprintf("%s: %d%% of %d", v.Key, 100*v.Value / *total, *total))
		}).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// north: 16% of 60
	// south: 83% of 60
	// north: 100% of 8
}

// Each sale beside the best of its shop in the same hour: the side is a map by shop.
func ExamplePCollection_WithSideMap() {
	p := strandline.New("best")
	in := readSales(p)
	best := in.KeyBy("shop", func(s *sale) string { return s.Shop }).
		CombinePerKey("best", combine.Max(func(s *sale) int64 { return s.Euros }))

	in.WithSideMap("beside", best.Keyed(),
		func(x *strandline.Context, s *sale, best map[string]int64, emit func(string)) {
			emit(fmt.Sprintf("minute %d: %d of %d", s.Minute, s.Euros, best[s.Shop]))
		}).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// minute 5: 10 of 10
	// minute 12: 30 of 30
	// minute 40: 20 of 30
	// minute 70: 8 of 8
}

// A list that is the same for all: the side is in no window, and the sales wait until it has been
// read to its end.
func ExamplePCollection_WithSideList() {
	p := strandline.New("closed")
	closed := strandline.Read(p, memory.Slice("closed", []string{"south"}), watermark.EndOfInput(), nil)

	sided := readSales(p).WithSideList("open only", closed,
		func(x *strandline.Context, s *sale, closed []string, emit func(string)) {
			for _, c := range closed {
				if c == s.Shop {
					return
				}
			}
			emit(fmt.Sprintf("%s, minute %d", s.Shop, s.Minute))
		})
	sided.WriteTo(stdio.Lines())
	sided.OnLate(func(l strandline.Late[sale]) string { return "late: " + l.Value.Shop }).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// north, minute 5
	// north, minute 70
}
