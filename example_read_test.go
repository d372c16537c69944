package strandline_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/watermark"
)

// Records are read into a Go type. Map and Filter work on one at a time and leave event time,
// window and pane as they are. A file is read by jsonl.File in the place of jsonl.Reader.
func ExampleRead() {
	type Reading struct {
		Sensor  string  `json:"sensor"`
		Celsius float64 `json:"celsius"`
	}
	const lines = `{"at": "2026-01-05T08:00:00Z", "sensor": "roof", "celsius": -3.5}
{"at": "2026-01-05T08:00:10Z", "sensor": "cellar", "celsius": 12}
{"at": "2026-01-05T08:00:20Z", "sensor": "roof", "celsius": -4}
`
	source := jsonl.Reader[Reading]("readings", strings.NewReader(lines)).EventTime("at", timestamp.RFC3339)

	p := strandline.New("frost")
	strandline.Read(p, source, watermark.Bounded(5*time.Second), nil).
		Filter("frost", func(r *Reading) bool { return r.Celsius < 0 }).
		Map("text", func(r *Reading) string { return fmt.Sprintf("%s: %.1f °C", r.Sensor, r.Celsius) }).
		WriteTo(stdio.Lines())

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// roof: -3.5 °C
	// roof: -4.0 °C
}
