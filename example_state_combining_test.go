package strandline_test

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/stdio"
)

// The state of each shop and hour is the sum of its sales, and whether it has been praised: the
// sum is asked after every sale.
func ExampleKeyed_StatefulCombining() {
	p := strandline.New("praise")
	perShop(p).StatefulCombining("praise", strandline.PerWindow, combine.Sum(func(s *sale) int64 { return s.Euros }),
		func(x *strandline.Turn[string, string], praised *bool, sum strandline.CombiningState[sale, int64], s *sale) {
			sum.Add(s)
			if euros, err := sum.Get(); err == nil && euros >= 40 && !*praised {
				x.Emit(fmt.Sprintf("%s has sold for %d euros by minute %d", x.Key, euros, s.Minute))
				*praised = true
			}
		}, nil).
		WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// south has sold for 50 euros by minute 40
}
