package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/watermark"
)

// A record that cannot be read goes to an output of its own, as it came, and the rest goes on.
// If nobody takes it the run says so at its end.
func ExamplePCollection_OnMalformed() {
	type Reading struct {
		Celsius float64 `json:"celsius"`
	}
	const lines = `{"at": 1767600000, "celsius": 3.5}
{"at": 1767600060, "celsius": "warm"}
{"celsius": 4}
`
	for _, ask := range []bool{true, false} {
		p := strandline.New("readings")
		source := jsonl.Reader[Reading]("readings", strings.NewReader(lines)).EventTime("at", timestamp.Seconds)
		readings := strandline.Read(p, source, watermark.Ascending(), nil)
		if ask {
			strandline.Each(readings.OnMalformed(func(m connector.Malformed) string { return m.String() }), "print",
				func(x strandline.Pane[string]) { fmt.Println(x.Value) })
		}
		counts := readings.Combine("count", combine.Count[Reading]())
		strandline.Each(counts.PCollection, "count", func(x strandline.Pane[int64]) { fmt.Println(x.Value, "read") })

		_, err := p.Run(context.Background())
		fmt.Println(errors.Is(err, strandline.ErrMalformed))
	}
	// Output:
	// readings:2: field celsius: JSON string is no Go float64
	// readings:3: event time "at" is missing
	// 1 read
	// false
	// 1 read
	// true
}
