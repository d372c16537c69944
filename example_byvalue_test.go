package strandline_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// Functions that are there already mostly take values and not pointers.
func ExamplePCollection_MapValue() {
	p := strandline.New("words")
	strandline.Read(p, memory.Slice("words", []string{"Be", "", "or", "BE"}), watermark.EndOfInput(), nil).
		FilterValue("words only", func(s string) bool { return s != "" }).
		MapValue("small", strings.ToLower).
		KeyByValue("word", func(s string) string { return s }).
		CombinePerKey("count", combine.Count[string]()).
		WriteTo(stdio.Lines())
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// {"Key":"be","Value":2}
	// {"Key":"or","Value":1}
}
