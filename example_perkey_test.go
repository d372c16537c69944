package strandline_test

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/stdio"
)

func perShop(p *strandline.Pipeline) strandline.Keyed[string, sale] {
	return readSales(p).KeyBy("shop", func(s *sale) string { return s.Shop })
}

// The latest sale of each shop in each hour, by event time and not by arrival.
func ExampleLatestPerKey() {
	p := strandline.New("latest sale")
	strandline.LatestPerKey("latest", perShop(p)).Map("text", func(v *strandline.KV[string, sale]) string {
		return fmt.Sprintf("%s: minute %d, %d euros", v.Key, v.Value.Minute, v.Value.Euros)
	}).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// north: minute 5, 10 euros
	// south: minute 40, 20 euros
	// north: minute 70, 8 euros
}

// The two best sales of each shop in each hour.
func ExampleTopPerKey() {
	p := strandline.New("best sales")
	strandline.TopPerKey("best", perShop(p), 2, func(s *sale) int64 { return s.Euros }).
		Map("text", func(v *strandline.KV[string, []sale]) string {
			text := v.Key
			for _, s := range v.Value {
				text += fmt.Sprint(" ", s.Euros)
			}
			return text
		}).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// north 10
	// south 30 20
	// north 8
}

// One sale of each shop and hour, drawn by lot. The seed says by which.
func ExampleSamplePerKey() {
	p := strandline.New("sample")
	strandline.SamplePerKey("drawn", perShop(p), 1, 42).Map("text", func(v *strandline.KV[string, []sale]) string {
		return fmt.Sprintf("%s: %d of its sales", v.Key, len(v.Value))
	}).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// north: 1 of its sales
	// south: 1 of its sales
	// north: 1 of its sales
}
