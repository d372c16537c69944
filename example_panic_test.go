package strandline_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// A function that panics ends the run, not the program: the error knows the step, the element
// and the stack.
func ExamplePanicError() {
	p := strandline.New("division")
	strandline.Read(p, memory.Slice("numbers", []int{5, 0}), watermark.EndOfInput(), nil).
		Map("divide", func(n *int) int { return 100 / *n }).
		WriteTo(stdio.Lines())

	_, err := p.Run(context.Background())
	if failed, ok := errors.AsType[*strandline.PanicError](err); ok {
		fmt.Println(failed.Step, failed.Element, failed.Value)
	}
	// Output:
	// divide 0 runtime error: integer divide by zero
}
