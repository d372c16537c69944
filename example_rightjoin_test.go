package strandline_test

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// Every shop that is listed, with its sales: one without any comes once, with none.
func ExampleKeyed_RightJoin() {
	type shop struct{ Name, City string }

	p := strandline.New("shops")
	sold := strandline.Read(p, memory.Slice("sales", sales), watermark.EndOfInput(), nil).KeyBy("of", func(s *sale) string { return s.Shop })
	listed := strandline.Read(p, memory.Slice("shops", []shop{{"south", "Ulm"}, {"east", "Jena"}}), watermark.EndOfInput(), nil).
		KeyBy("name", func(s *shop) string { return s.Name })

	sold.RightJoin("all shops", listed, func(name string, s *sale, listed *shop) string {
		if s == nil {
			return fmt.Sprintf("%s (%s): nothing", name, listed.City)
		}
		return fmt.Sprintf("%s (%s): %d euros", name, listed.City, s.Euros)
	}).WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// south (Ulm): 30 euros
	// south (Ulm): 20 euros
	// east (Jena): nothing
}
