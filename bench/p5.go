package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/window"
)

// p5: windows of 1 h that slide by 1 s, 100 keys, 20 million events over two hours, against
// windows of 1 h end to end. The one gives a million panes, the other three hundred: what panes
// cost by themselves is measured with one event a key and second, which are the least that give
// all of them.
func p5(b *board) {
	const (
		n    = 20 * million
		span = 2 * time.Hour
		keys = 100
	)
	vs := events(n, span, running(keys))
	var sliding, tumbling digest
	times := race(b.turns, func() {
		sliding = engine(memory.Slice("events", vs), window.Sliding(time.Hour, time.Second))
	}, func() {
		tumbling = engine(memory.Slice("events", vs), window.Fixed(time.Hour))
		// Every event is in 3,600 sliding windows.
		if sliding.Count != 3600*tumbling.Count || sliding.Sum != 3600*tumbling.Sum || tumbling.Count != n {
			panic(fmt.Sprintf("P5: the answers differ: %+v and %+v", sliding, tumbling))
		}
	})
	b.compare("P5", "1 h by 1 s", n, "sliding", "tumbling", 0.5, times)

	few := make([]event[int64], 0, keys*int(span/time.Second))
	for s := range int64(span / time.Second) {
		for k := range int64(keys) {
			few = append(few, event[int64]{At: s * million, Key: k})
		}
	}
	var panes int64
	best := time.Duration(0)
	for range b.turns {
		runtime.GC()
		start := time.Now()
		panes = engine(memory.Slice("few", few), window.Sliding(time.Hour, time.Second)).Panes
		if d := time.Since(start); best == 0 || d < best {
			best = d
		}
	}
	fmt.Printf("P5   panes alone: %d in %d ms, %d ns each; sliding took %d ms in all, tumbling %d ms\n",
		panes, best.Milliseconds(), best.Nanoseconds()/panes, times[0].Milliseconds(), times[1].Milliseconds())
}
