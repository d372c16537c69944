package main

import (
	"context"
	"fmt"
	"io"

	"github.com/strandline-stream/strandline/connector"
)

// numbered is a source of events that follow from their numbers, so that other systems and other
// languages can make the same ones: ten microseconds apart, up to two seconds out of order, all after
// 1970, before which Beam's Go SDK has other windows. Its splits take turns with the numbers, so that
// each covers the whole time.
type numbered struct{ n, keys, splits int64 }

// event gives event number i. flink/Windows.java has the same.
func (s numbered) event(i int64) event[int64] {
	x := mix(uint64(i))
	return event[int64]{
		At:    10*million + i*10 - int64(x>>32*disorder>>32),
		Key:   int64(x & (1<<32 - 1) * uint64(s.keys) >> 32),
		Value: i & 1023,
	}
}

// mix is the generator SplitMix64 with one step from a state x: a bijection.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s numbered) Name() string  { return "numbered" }
func (s numbered) Bounded() bool { return true }

func (s numbered) Splits(context.Context) (splits []connector.Split[event[int64]], err error) {
	for i := range s.splits {
		splits = append(splits, numberedSplit{s, i})
	}
	return splits, nil
}

type numberedSplit struct {
	numbered
	first int64
}

func (s numberedSplit) Name() string { return fmt.Sprint("from ", s.first) }

func (s numberedSplit) Open(context.Context) (connector.Reader[event[int64]], error) {
	return &numberedReader{numberedSplit: s, next: s.first}, nil
}

type numberedReader struct {
	numberedSplit
	next int64
	vs   [connector.BatchSize]event[int64]
}

func (r *numberedReader) Read(_ context.Context, b *connector.Batch[event[int64]]) error {
	n := 0
	for ; n < len(r.vs) && r.next < r.n; n++ {
		r.vs[n] = r.event(r.next)
		r.next += r.splits
	}
	*b = connector.Batch[event[int64]]{Values: r.vs[:n]}
	if n == 0 {
		return io.EOF
	}
	return nil
}

func (r *numberedReader) Close() error { return nil }
