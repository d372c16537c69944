package combinetest_test

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/combine/combinetest"
)

// A mean of means is no mean: what is exercised finds it. In a test, pass the test's own t.
func ExampleExercise() {
	type acc struct {
		Mean float64
		N    int
	}
	mean := combine.Func[float64, acc, float64]{
		CreateFn: func() acc { return acc{} },
		AddFn: func(a *acc, v *float64) {
			a.N++
			a.Mean += (*v - a.Mean) / float64(a.N)
		},
		MergeFn: func(a, b *acc) {
			switch {
			case a.N == 0:
				*a = *b
			case b.N > 0:
				a.Mean = (a.Mean + b.Mean) / 2 // forgets how many there are of each
				a.N += b.N
			}
		},
		ExtractFn: func(a *acc) (float64, error) {
			if a.N == 0 {
				return 0, combine.ErrEmpty
			}
			return a.Mean, nil
		},
	}
	var t recorder
	combinetest.Exercise(&t, mean, []float64{0, 6}, combinetest.Options[float64]{Tolerance: 1e-12})
	report := strings.Split(t.errors[0], "\n")
	fmt.Println(len(t.errors), "law broken")
	fmt.Println(report[0][strings.Index(report[0], "breaks"):])
	// Output:
	// 1 law broken
	// breaks the law "grouping": partial accumulators merged in any grouping give the same result
}

func ExampleSameElements() {
	fmt.Println(combinetest.SameElements([]string{"a", "b", "a"}, []string{"b", "a", "a"}))
	fmt.Println(combinetest.SameElements([]string{"a", "b", "b"}, []string{"b", "a", "a"}))
	// Output:
	// true
	// false
}

func ExampleSame() {
	fmt.Println(combinetest.Same(0.1+0.2, 0.3, 0))
	x, y, z := 0.1, 0.2, 0.3
	fmt.Println(combinetest.Same(x+y, z, 0), combinetest.Same(x+y, z, 1e-15))
	// Output:
	// true
	// false true
}
