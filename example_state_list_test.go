package strandline_test

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// A list as state: the last three prices of each share, and their mean once there are three.
func ExampleKeyed_Stateful_list() {
	type Price struct {
		Share string
		Cents int
	}
	prices := []Price{{"x", 10}, {"x", 20}, {"y", 5}, {"x", 30}, {"x", 70}}

	p := strandline.New("moving mean")
	strandline.Read(p, memory.Slice("prices", prices), watermark.EndOfInput(), nil).
		KeyBy("share", func(p *Price) string { return p.Share }).
		Stateful("mean of three", strandline.PerKey, func(x *strandline.Turn[string, string], last *[]int, p *Price) {
			*last = append(*last, p.Cents)
			if len(*last) > 3 {
				*last = (*last)[1:]
			}
			if len(*last) == 3 {
				x.Emit(fmt.Sprintf("%s: %d", x.Key, ((*last)[0]+(*last)[1]+(*last)[2])/3))
			}
		}, nil).
		WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// x: 20
	// x: 40
}
