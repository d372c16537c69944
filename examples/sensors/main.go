// Command sensors counts the events of a file in windows of ten seconds. They come out of
// order, and one comes too late.
//
//	go run ./examples/sensors [-file events.jsonl]
//
// Layer: an example, on the public API.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// sample is read if no other file is named, so that the program runs from anywhere.
//
//go:embed sensor_events.jsonl
var sample []byte

// Event is a line of the file.
type Event struct {
	Time   int64  `json:"event_time"` // seconds since 1970
	Sensor string `json:"sensor_id"`
}

func main() {
	file := flag.String("file", "", "JSON lines to read instead of the sample of ten events")
	flag.Parse()
	source := jsonl.Reader[Event]("sensor_events.jsonl", bytes.NewReader(sample)).Ends()
	if *file != "" {
		source = jsonl.File[Event](*file)
	}
	if err := run(context.Background(), os.Stdout, source.EventTime("event_time", timestamp.Seconds)); err != nil {
		fmt.Fprintln(os.Stderr, "sensors:", err)
		os.Exit(1)
	}
}

// run counts what source gives and prints the counts, the late events and the ledger to w.
func run(ctx context.Context, w io.Writer, source connector.Source[Event]) error {
	p := strandline.New("sensors")
	counts := strandline.Read(p, source, watermark.Bounded(5*time.Second), nil).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[Event]())
	strandline.Each(counts.PCollection, "print", func(n strandline.Pane[int64]) {
		fmt.Fprintf(w, "window [%d, %d): %d events\n", n.Window.Start().Unix(), n.Window.End().Unix(), n.Value)
	})
	var late []strandline.Late[Event]
	dropped := counts.OnLate(func(l strandline.Late[Event]) strandline.Late[Event] { return l })
	strandline.Each(dropped, "late", func(l strandline.Pane[strandline.Late[Event]]) { late = append(late, l.Value) })

	report, err := p.Run(ctx)
	fmt.Fprintf(w, "late events dropped: %d\n", len(late))
	for _, l := range late {
		fmt.Fprintf(w, "late: %s at %d, %v behind the watermark %d\n", l.Value.Sensor, l.Value.Time, l.By(), l.Watermark.Unix())
	}
	fmt.Fprintln(w, strandline.Ledger(report))
	return err
}
