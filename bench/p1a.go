package main

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/window"
)

const (
	p1Events = 20 * million
	p1Span   = 200 * time.Second
	p1Size   = 10 * time.Second
)

// p1a: windows of 10 s, count and sum per key, 20 million events in memory, one worker, against
// nested maps.
func p1a(b *board) {
	b.p1a("int keys 1k", 1.0, running(1000))
	b.p1a("int keys 100k", 1.3, running(100_000))
	b.p1aStrings("str keys 1k", 1.0, 1000)
	b.p1aStrings("str keys 100k", 1.5, 100_000)
}

// p1aScattered is p1a with integer keys that are no running numbers: tables are hashed then, not
// dense.
func p1aScattered(b *board) {
	b.p1a("scattered 1k", 1.0, scattered(1000))
	b.p1a("scattered 100k", 1.3, scattered(100_000))
}

func (b *board) p1aStrings(name string, goal float64, n int) {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("sensor-%06d", i)
	}
	b.p1a(name, goal, keys)
}

func (b *board) p1a[K comparable](name string, goal float64, keys []K) {
	b.compare("P1a", name, p1Events, "engine", "loop", goal, p1aRace(b.turns, events(p1Events, p1Span, keys)))
}

// p1aRace gives the best time of the engine and of the loop.
func p1aRace[K comparable](turns int, vs []event[K]) [2]time.Duration {
	var ours, theirs digest
	return race(turns, func() {
		ours = engine(memory.Slice("events", vs), window.Fixed(p1Size))
	}, func() {
		theirs = loop(vs, p1Size.Microseconds())
		same("P1a", ours, theirs)
	})
}
