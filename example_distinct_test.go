package strandline_test

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/stdio"
)

// The shops that sold anything, each once an hour.
func ExampleDistinct() {
	p := strandline.New("open shops")
	shops := readSales(p).Map("shop", func(s *sale) string { return s.Shop })

	open := strandline.Distinct("open", shops)
	open.ParDo("text", func(x *strandline.Context, shop *string, emit func(string)) {
		hour, _ := x.Window()
		emit(fmt.Sprintf("%s in hour %d", *shop, hour.Start().Hour()))
	}).WriteTo(stdio.Lines())
	open.OnLate(func(l strandline.Late[string]) string { return "late: " + l.Value }).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// north in hour 0
	// south in hour 0
	// north in hour 1
}
