package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/watermark"
)

// A threshold stops a run that is fed the wrong file.
func ExamplePCollection_StopAfterMalformed() {
	p := strandline.New("numbers")
	strandline.Read(p, jsonl.Reader[int]("numbers", strings.NewReader("one\ntwo\n3\n")), watermark.EndOfInput(), nil).
		StopAfterMalformed(1).
		WriteTo(stdio.Lines())

	report, err := p.Run(context.Background())
	fmt.Println(errors.Is(err, strandline.ErrTooManyMalformed), report.Complete)
	// Output:
	// true false
}
