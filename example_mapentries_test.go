package strandline_test

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// MapValues works on the values of a keyed collection, MapEntries on keys and values together
// and leaves the keys behind.
func ExampleKeyed_MapEntries() {
	type Sale struct {
		Shop  string
		Cents int64
	}
	sales := []Sale{{"north", 1250}, {"south", 300}}

	p := strandline.New("sales")
	strandline.Read(p, memory.Slice("sales", sales), watermark.EndOfInput(), nil).
		KeyByWith("shop", func(s *Sale) (string, int64) { return s.Shop, s.Cents }).
		MapValues("euros", func(cents *int64) float64 { return float64(*cents) / 100 }).
		MapEntries("text", func(shop string, euros *float64) string { return fmt.Sprintf("%s: %.2f", shop, *euros) }).
		WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// north: 12.50
	// south: 3.00
}
