// Command gen makes the meter readings that the example reads, the same bytes each time.
//
//	go run ./examples/meters/gen > examples/meters/meter_readings.jsonl
//
// Layer: an example's tool. It stands on nothing but the standard library.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

const (
	seed        = 20260218
	subscribers = 200 // A001 to A200
	periods     = 12  // January to December 2026
)

var regions = [...]string{"east", "west", "north", "south", "central"}

func main() {
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// write writes a line of JSON for each subscriber and month: where its meter stands.
func write(to io.Writer) error {
	w := bufio.NewWriter(to)
	for i := range uint32(subscribers) {
		about := seeded(seed + 37*i)
		region := regions[about.below(len(regions))]
		about.below(2) // residential or commercial, which the file does not say
		index := 10_000 + about.below(60_000)
		for j := range uint32(periods) {
			month := seeded(seed + 101*i + 7*j)
			index += 4 + month.below(46)
			fmt.Fprintf(w, "{\"subscriber\": \"A%03d\", \"period\": \"2026-%02d\", \"region\": \"%s\", \"index\": %d, \"unit\": \"m3\"}\n",
				i+1, j+1, region, index)
		}
	}
	return w.Flush()
}

// generator is a linear congruential generator of 32 bits.
type generator uint32

// seeded gives a generator whose state is t, mixed, so that neighbouring seeds are unlike.
func seeded(t uint32) generator {
	x := (t ^ t>>16) * 2246822507
	x = (x ^ x>>13) * 3266489909
	return generator(x ^ x>>16)
}

// below draws a number from 0 to n-1: the next state, seen as a fraction of 2³², times n.
func (g *generator) below(n int) int {
	*g = *g*1664525 + 1013904223
	return int(uint64(*g) * uint64(n) >> 32)
}
