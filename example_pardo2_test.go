package strandline_test

import (
	"context"
	"fmt"
	"strconv"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// A side output takes what a step cannot handle. It is a collection like any other, and may be
// of another type.
func ExamplePCollection_ParDo2() {
	texts := []string{"1", "two", "3"}

	p := strandline.New("numbers")
	numbers, faults := strandline.Read(p, memory.Slice("texts", texts), watermark.EndOfInput(), nil).
		ParDo2("parse", func(_ *strandline.Context, text *string, number func(int), fault func(error)) {
			n, err := strconv.Atoi(*text)
			if err != nil {
				fault(err)
				return
			}
			number(n)
		})
	numbers.WriteTo(stdio.Lines())
	strandline.Each(faults, "faults", func(x strandline.Pane[error]) { fmt.Println(x.Value) })

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// 1
	// 3
	// strconv.Atoi: parsing "two": invalid syntax
}
