package main

import (
	"math/rand/v2"
	"time"
)

// event is what is aggregated: 24 bytes with an integer key.
type event[K comparable] struct {
	At    int64 // µs
	Key   K
	Value int64
}

const (
	million  = 1_000_000
	disorder = 2 * million // µs
	bound    = 2 * million // µs
)

// events makes n events over a span, each up to two seconds out of order. Events with the same key
// share the key's memory, which favours maps with string keys: they need not look at it to see that
// two keys are equal.
func events[K comparable](n int, span time.Duration, keys []K) []event[K] {
	r := rand.NewPCG(1, 2)
	vs := make([]event[K], n)
	step := float64(span.Microseconds()) / float64(n)
	for i := range vs {
		// Two numbers out of one draw: making events should not take longer than the race.
		x := r.Uint64()
		behind := int64(x >> 32 * disorder >> 32)
		key := x & (1<<32 - 1) * uint64(len(keys)) >> 32
		vs[i] = event[K]{At: int64(float64(i)*step) - behind, Key: keys[key], Value: int64(i & 1023)}
	}
	return vs
}

// running gives the keys 0, 1, ...
func running(n int) []int64 {
	keys := make([]int64, n)
	for i := range keys {
		keys[i] = int64(i)
	}
	return keys
}

// scattered gives keys from all over the integers.
func scattered(n int) []int64 {
	r := rand.New(rand.NewPCG(3, 4))
	keys := make([]int64, n)
	for i := range keys {
		keys[i] = r.Int64() - r.Int64()
	}
	return keys
}
