package datagen_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/datagen"
)

// Three readings, half a second apart, each up to two seconds before its turn. The same seed makes
// the same ones.
func ExampleEvents() {
	type reading struct {
		N  int64
		At time.Time
	}
	source := datagen.Events("readings", func(n int64, at time.Time, r *rand.Rand) reading { return reading{n, at} }).
		Start(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)).Step(500 * time.Millisecond).
		Disorder(2 * time.Second).Seed(7).Count(3)
	ctx := context.Background()
	splits, _ := source.Splits(ctx)
	r, err := splits[0].Open(ctx) // as a run does
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	var b connector.Batch[reading]
	for r.Read(ctx, &b) == nil {
		for _, v := range b.Values {
			fmt.Println(v.N, v.At.Sub(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)) <= time.Duration(v.N)*500*time.Millisecond)
		}
	}
	fmt.Println(source.Timed(), source.Bounded())
	// Output:
	// 0 true
	// 1 true
	// 2 true
	// true true
}

// A live source: twenty events a second, for an hour, after which it ends.
func ExampleGenerator_Rate() {
	live := datagen.Events("clicks", func(n int64, _ time.Time, r *rand.Rand) string { return fmt.Sprint("user", r.IntN(100)) }).
		Rate(20).For(time.Hour)
	fmt.Println(live.Name(), live.Bounded())
	// Output: clicks true
}
