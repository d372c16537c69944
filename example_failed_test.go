package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
)

// A sum that does not fit its type is no wrong number: it is a failed pane, and the other
// results come as ever.
func ExampleResults_OnFailed() {
	type Amount struct {
		Account string
		Cents   int64
	}
	amounts := []Amount{{"a", math.MaxInt64}, {"b", 7}, {"a", 1}}

	p := strandline.New("sums")
	sums := strandline.Read(p, memory.Slice("amounts", amounts), watermark.EndOfInput(), nil).
		KeyBy("account", func(a *Amount) string { return a.Account }).
		CombinePerKey("sum", combine.Sum(func(a *Amount) int64 { return a.Cents }))
	strandline.Each(sums.PCollection, "sums", func(x strandline.Pane[strandline.KV[string, int64]]) {
		fmt.Println(x.Value.Key, x.Value.Value)
	})
	failed := sums.OnFailed(func(f strandline.FailedPane[string]) string {
		return fmt.Sprint(f.Key, " overflows: ", errors.Is(f.Err, combine.ErrOverflow))
	})
	strandline.Each(failed, "failed", func(x strandline.Pane[string]) { fmt.Println(x.Value) })

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// a overflows: true
	// b 7
}
