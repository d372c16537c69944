package main

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/internal/trial"
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

// p1aLedger is p1a with the books kept, against p1a without what takes time for elements or runs of
// them in keeping them. The median of eleven turns counts: the difference is less than one run differs
// from the next.
func p1aLedger(b *board) {
	b.p1aLedger("ledger, 1k", running(1000))
	b.p1aLedger("ledger, 100k", running(100_000))
}

func (b *board) p1aLedger(name string, keys []int64) {
	b.compare("P1a", name, p1Events, "with books", "without", 0.97, ledgerDuel(11, events(p1Events, p1Span, keys)))
}

// ledgerDuel lets the engine run with books and without, in turns.
func ledgerDuel(turns int, vs []event[int64]) [2]time.Duration {
	var with, without digest
	return duel(turns, clocked(func() {
		with = engine(memory.Slice("events", vs), window.Fixed(p1Size))
	}), clocked(func() {
		without = engine(memory.Slice("events", vs), window.Fixed(p1Size), trial.Unbooked)
		same("P1a", with, without)
	}))
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
