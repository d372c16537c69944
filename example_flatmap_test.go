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

// A word count: FlatMap gives any number of values for one. Nothing here has an event time, so
// everything is in the one global window, which ends with the input.
func ExamplePCollection_FlatMap() {
	lines := []string{"the cat sat", "on the mat", "the end"}

	p := strandline.New("words")
	counts := strandline.Read(p, memory.Slice("lines", lines), watermark.EndOfInput(), nil).
		FlatMap("words", func(line *string, emit func(string)) {
			for word := range strings.FieldsSeq(*line) {
				emit(word)
			}
		}).
		KeyBy("word", func(word *string) string { return *word }).
		CombinePerKey("count", combine.Count[string]())
	counts.
		Filter("often", func(c *strandline.KV[string, int64]) bool { return c.Value > 1 }).
		Map("text", func(c *strandline.KV[string, int64]) string { return fmt.Sprintf("%s: %d", c.Key, c.Value) }).
		WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// the: 3
}
