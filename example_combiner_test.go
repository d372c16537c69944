package strandline_test

import (
	"context"
	"fmt"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
)

// extent is the accumulator of a combiner of one's own.
type extent struct {
	Least, Greatest int64
	Any             bool
}

func (s *extent) include(o extent) {
	switch {
	case !s.Any:
		*s = o
	case o.Any:
		s.Least, s.Greatest = min(s.Least, o.Least), max(s.Greatest, o.Greatest)
	}
}

// A combiner of one's own: how far apart the least and the greatest value of a key are. Give it
// to combinetest.Exercise to see whether it keeps the laws.
func ExampleKeyed_CombinePerKey_custom() {
	spread := combine.Func[int64, extent, int64]{
		CreateFn: func() extent { return extent{} },
		AddFn:    func(acc *extent, v *int64) { acc.include(extent{*v, *v, true}) },
		MergeFn:  func(acc, other *extent) { acc.include(*other) },
		ExtractFn: func(acc *extent) (int64, error) {
			if !acc.Any {
				return 0, combine.ErrEmpty
			}
			return acc.Greatest - acc.Least, nil
		},
	}

	p := strandline.New("spread")
	spreads := strandline.Read(p, memory.Slice("values", []int64{4, 7, 1, 10, 22}), watermark.EndOfInput(), nil).
		KeyBy("odd or even", func(v *int64) string { return []string{"even", "odd"}[*v%2] }).
		CombinePerKey("spread", spread)
	strandline.Each(spreads.PCollection, "print", func(x strandline.Pane[strandline.KV[string, int64]]) {
		fmt.Println(x.Value.Key, x.Value.Value)
	})

	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// even 18
	// odd 6
}
