package strandline_test

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Workers share the keys among themselves. No result depends on how many there are, nor which
// records are late.
func ExampleWorkers() {
	type Cell struct {
		Key    int64
		Window window.Interval
	}
	events := make([]int64, 10_000) // out of order by up to 6 s
	for i := range events {
		events[i] = int64(i) - int64(i*i%7)
	}
	count := func(workers int) map[Cell]int64 {
		p := strandline.New("events")
		counts := strandline.Read(p, memory.Slice("events", events), watermark.Bounded(3*time.Second),
			func(s *int64) time.Time { return time.Unix(*s, 0) }).
			KeyBy("key", func(s *int64) int64 { return *s % 100 }).
			WindowInto(window.Fixed(time.Minute)).
			CombinePerKey("count", combine.Count[int64]())
		cells := map[Cell]int64{}
		strandline.Each(counts.PCollection, "cells", func(x strandline.Pane[strandline.KV[int64, int64]]) {
			cells[Cell{x.Value.Key, x.Window}] = x.Value.Value
		})
		if _, err := p.Run(context.Background(), strandline.Workers(workers)); err != nil {
			fmt.Println(err)
		}
		return cells
	}
	fmt.Println(maps.Equal(count(1), count(4)))
	// Output:
	// true
}
