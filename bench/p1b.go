package main

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/window"
)

// p1b: the job of p1a with two workers over two splits, against one worker over the same two.
func p1b(b *board) {
	vs := events(p1Events, p1Span, running(1000))
	from := pair[event[int64]]{deal(vs, 0), deal(vs, 1)}
	var two, one digest
	var twoCPU, oneCPU time.Duration
	b.compare("P1b", "int keys 1k", p1Events, "two workers", "one worker", 1.7, race(b.turns, func() {
		twoCPU = least(twoCPU, func() { two = engine(from, window.Fixed(p1Size), strandline.Workers(2)) })
	}, func() {
		oneCPU = least(oneCPU, func() { one = engine(from, window.Fixed(p1Size)) })
		same("P1b", two, one)
	}))
	// On a machine that has other things to do, two workers do not have two processors. This is
	// what the ratio would be if they did.
	fmt.Printf("P1b  processor time: two workers %d ms together, one worker %d ms: %.2f on two idle processors\n",
		twoCPU.Milliseconds(), oneCPU.Milliseconds(), 2*oneCPU.Seconds()/twoCPU.Seconds())
}

// least measures the processor time that f takes, and gives that or before, whichever is less.
func least(before time.Duration, f func()) time.Duration {
	from := processorTime()
	f()
	if d := processorTime() - from; before == 0 || d < before {
		return d
	}
	return before
}

// deal gives every second event, so that each of two splits covers the whole time.
func deal[T any](vs []T, from int) []T {
	half := make([]T, 0, len(vs)/2+1)
	for i := from; i < len(vs); i += 2 {
		half = append(half, vs[i])
	}
	return half
}

// pair is a source of two slices, a split each.
type pair[T any] [2][]T

func (p pair[T]) Name() string  { return "pair" }
func (p pair[T]) Bounded() bool { return true }

func (p pair[T]) Splits(ctx context.Context) (splits []connector.Split[T], err error) {
	for i, vs := range p {
		s, err := memory.Slice(fmt.Sprint("half ", i), vs).Splits(ctx)
		if err != nil {
			return nil, err
		}
		splits = append(splits, s...)
	}
	return splits, nil
}
