package strandline_test

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// A source with one split is read by one worker, which would do all of an expensive step too.
// Reshuffle spreads the values over all of them.
func ExamplePCollection_Reshuffle() {
	p := strandline.New("squares")
	strandline.Read(p, memory.Slice("numbers", []int{1, 2, 3, 4}), watermark.EndOfInput(), nil).
		Reshuffle("spread").
		Map("expensive", func(n *int) int { return *n * *n }).
		WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background(), strandline.Workers(4)); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// 1
	// 4
	// 9
	// 16
}
