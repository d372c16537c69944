// Command meters makes the monthly consumption of five regions of the readings of two hundred
// meters, as a batch: the order of the file does not matter.
//
//	go run ./examples/meters [-file readings.jsonl] [-workers n]
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
	"maps"
	"os"
	"slices"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/watermark"
)

// sample is read if no other file is named, so that the program runs from anywhere. See gen.
//
//go:embed meter_readings.jsonl
var sample []byte

// first is the first month of the sample.
var first = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

func main() {
	file := flag.String("file", "", "JSON lines to read instead of the sample")
	workers := flag.Int("workers", 1, "number of workers")
	flag.Parse()
	source := jsonl.Reader[Reading]("meter_readings.jsonl", bytes.NewReader(sample)).Ends()
	if *file != "" {
		source = jsonl.File[Reading](*file)
	}
	if err := run(context.Background(), os.Stdout, source, strandline.Workers(*workers)); err != nil {
		fmt.Fprintln(os.Stderr, "meters:", err)
		os.Exit(1)
	}
}

// run prints what the readings of source come to, and the ledger, to w.
func run(ctx context.Context, w io.Writer, source jsonl.Source[Reading], opts ...strandline.Option) error {
	p := strandline.New("meters")
	readings := strandline.Read(p, source.
		EventTime("period", timestamp.Format("2006-01", time.UTC)).
		Require("subscriber", "period", "region", "index", "unit"), watermark.EndOfInput(), nil)
	rejected := readings.OnMalformed(func(m connector.Malformed) string { return m.String() })
	t := collect(consumption(readings, first, nil))
	n := 0
	strandline.Each(rejected, "rejected", func(strandline.Pane[string]) { n++ })

	report, err := p.Run(ctx, append(opts, strandline.Batch())...)
	if err != nil {
		return err
	}
	t.print(w)
	fmt.Fprintf(w, "rejected: %d, not computable: %d\n", n, t.unknown)
	fmt.Fprintln(w, strandline.Ledger(report))
	return nil
}

// table is a [Consumption] in memory.
type table struct {
	cells   map[string]map[string]int64 // by month and region
	served  map[string]float64          // by region
	unknown int
}

// collect fills a table when the pipeline runs.
func collect(c Consumption) *table {
	t := &table{cells: map[string]map[string]int64{}, served: map[string]float64{}}
	strandline.Each(c.Cells.PCollection, "cells", func(x strandline.Pane[strandline.KV[string, int64]]) {
		month := x.Window.Start().Format("2006-01")
		if t.cells[month] == nil {
			t.cells[month] = map[string]int64{}
		}
		t.cells[month][x.Value.Key] = x.Value.Value
	})
	strandline.Each(c.Served.PCollection, "served", func(x strandline.Pane[strandline.KV[string, float64]]) {
		t.served[x.Value.Key] = x.Value.Value
	})
	strandline.Each(c.Unknown, "unknown", func(strandline.Pane[Reading]) { t.unknown++ })
	return t
}

// print prints a line for each month and one for the means.
func (t *table) print(w io.Writer) {
	regions := slices.Sorted(maps.Keys(t.served))
	fmt.Fprintf(w, "%-8s", "m³")
	for _, r := range regions {
		fmt.Fprintf(w, "%10s", r)
	}
	for _, month := range slices.Sorted(maps.Keys(t.cells)) {
		fmt.Fprintf(w, "\n%-8s", month)
		for _, r := range regions {
			if m3, ok := t.cells[month][r]; ok {
				fmt.Fprintf(w, "%10d", m3)
			} else {
				fmt.Fprintf(w, "%10s", "-")
			}
		}
	}
	fmt.Fprintf(w, "\n%-8s", "mean")
	for _, r := range regions {
		fmt.Fprintf(w, "%10.2f", t.served[r])
	}
	fmt.Fprintln(w)
}
