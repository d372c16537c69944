package combine_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/strandline-stream/strandline/combine"
)

// Sale is the element of the examples.
type Sale struct {
	Item   string
	Units  int64
	Price  float64
	Rating combine.Null[int64]
}

func item(s *Sale) string                { return s.Item }
func units(s *Sale) int64                { return s.Units }
func price(s *Sale) float64              { return s.Price }
func rating(s *Sale) combine.Null[int64] { return s.Rating }

var sales = []Sale{
	{"pear", 3, 0.5, combine.Some[int64](4)},
	{"fig", 10, 0.25, combine.Null[int64]{}},
	{"pear", 2, 0.75, combine.Some[int64](5)},
}

func show[O any](o O, err error) { fmt.Println(o, err) }

func ExampleFold() {
	total, err := combine.Fold(combine.Sum(units), sales)
	fmt.Println(total, err)
	// Output: 15 <nil>
}

func ExampleCount() {
	show(combine.Fold(combine.Count[Sale](), sales))
	// Output: 3 <nil>
}

func ExampleCountNonNull() {
	show(combine.Fold(combine.CountNonNull(rating), sales))
	// Output: 2 <nil>
}

func ExampleSum() {
	show(combine.Fold(combine.Sum(units), sales))

	sum := combine.Sum(combine.Self[int64])
	show(combine.Fold(sum, []int64{math.MaxInt64, 1, -1}))
	_, err := combine.Fold(sum, []int64{math.MaxInt64, 1})
	fmt.Println(err, errors.Is(err, combine.ErrOverflow))
	// Output:
	// 15 <nil>
	// 9223372036854775807 <nil>
	// combine: overflow: the sum 9223372036854775808 does not fit int64 true
}

func ExampleSumFloat() {
	tenths := make([]float64, 10)
	naive := 0.0
	for i := range tenths {
		tenths[i] = 0.1
		naive += 0.1
	}
	sum, _ := combine.Fold(combine.SumFloat(combine.Self[float64]), tenths)
	fmt.Println(sum, naive)
	// Output: 1 0.9999999999999999
}

func ExampleMean() {
	show(combine.Fold(combine.Mean(units), sales))
	_, err := combine.Fold(combine.Mean(units), nil)
	fmt.Println(errors.Is(err, combine.ErrEmpty))
	// Output:
	// 5 <nil>
	// true
}

func ExampleMeanFloat() {
	show(combine.Fold(combine.MeanFloat(price), sales))
	// Output: 0.5 <nil>
}

func ExampleMin() {
	show(combine.Fold(combine.Min(price), sales))
	// Output: 0.25 <nil>
}

func ExampleMax() {
	show(combine.Fold(combine.Max(item), sales))
	// Output: pear <nil>
}

func ExampleFirst() {
	c := combine.First(item)
	acc := c.Create()
	c.AddAt(&acc, &Sale{Item: "pear"}, 30) // event times in microseconds
	c.AddAt(&acc, &Sale{Item: "plum"}, 10)
	c.AddAt(&acc, &Sale{Item: "fig"}, 10) // as early, and less
	show(c.Extract(&acc))
	// Output: fig <nil>
}

func ExampleFirstFunc() {
	whole := func(s *Sale) Sale { return *s }
	byUnits := func(a, b Sale) int { return cmp.Compare(a.Units, b.Units) }
	first, err := combine.Fold(combine.FirstFunc(whole, byUnits), sales)
	fmt.Println(first.Item, first.Units, err)
	// Output: pear 3 <nil>
}

func ExampleLast() {
	show(combine.Fold(combine.Last(units), sales))
	// Output: 2 <nil>
}

func ExampleLastFunc() {
	whole := func(s *Sale) Sale { return *s }
	byUnits := func(a, b Sale) int { return cmp.Compare(a.Units, b.Units) }
	last, err := combine.Fold(combine.LastFunc(whole, byUnits), sales)
	fmt.Println(last.Item, last.Units, err)
	// Output: pear 2 <nil>
}

func ExampleEncoded() {
	order := combine.Encoded(func(dst []byte, s Sale) []byte { return append(dst, s.Item...) })
	fmt.Println(order(sales[0], sales[1]), order(sales[0], sales[2]))
	// Output: 1 0
}

func ExampleDistinct() {
	show(combine.Fold(combine.Distinct(item), sales))
	show(combine.Fold(combine.Distinct(combine.Self[float64]), []float64{math.NaN(), math.NaN(), 0, math.Copysign(0, -1)}))
	// Output:
	// 2 <nil>
	// 2 <nil>
}

func ExampleSet() {
	show(combine.Fold(combine.Set(item), sales))
	// Output: [fig pear] <nil>
}

func ExampleSetFunc() {
	byLength := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
	show(combine.Fold(combine.SetFunc(item, byLength), sales))
	// Output: [fig pear] <nil>
}

func ExampleList() {
	show(combine.Fold(combine.List[string]{}, []string{"b", "a", "b"}))
	// Output: [b a b] <nil>
}

func ExampleTop() {
	show(combine.Fold(combine.Top(2, units), sales))
	// Output: [10 3] <nil>
}

func ExampleTopFunc() {
	byLength := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
	show(combine.Fold(combine.TopFunc(2, item, byLength), sales))
	// Output: [pear pear] <nil>
}

func ExampleTopBy() {
	dearest := combine.TopBy(2, price, func(a, b Sale) int { return cmp.Compare(a.Item, b.Item) })
	best, err := combine.Fold(dearest, sales)
	for _, s := range best {
		fmt.Println(s.Item, s.Price)
	}
	fmt.Println(err)
	// Output:
	// pear 0.75
	// pear 0.5
	// <nil>
}

func ExampleBottom() {
	show(combine.Fold(combine.Bottom(2, price), sales))
	// Output: [0.25 0.5] <nil>
}

func ExampleBottomBy() {
	encoded := combine.Encoded(func(dst []byte, s Sale) []byte { return append(dst, s.Item...) })
	fewest, err := combine.Fold(combine.BottomBy(1, units, encoded), sales)
	fmt.Println(fewest[0].Item, fewest[0].Units, err)
	// Output: pear 2 <nil>
}

// The same people are drawn whatever the order, the worker or the run.
func ExampleSample() {
	people := []string{"Ada", "Bob", "Cleo", "Dan", "Eve", "Fay"}
	panel := combine.Sample(2, 2026, func(dst []byte, name *string) []byte { return append(dst, *name...) })
	first, _ := combine.Fold(panel, people)
	slices.Reverse(people)
	again, _ := combine.Fold(panel, append(people, people...)) // each came twice
	fmt.Println(len(first), slices.Equal(first, again))
	// Output: 2 true
}

func ExampleReduce() {
	longer := combine.Reduce(func(a, b string) string {
		if cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) > 0 {
			return a
		}
		return b
	})
	show(combine.Fold(longer, []string{"fig", "plum", "pear"}))
	// Output: plum <nil>
}

func ExampleOf() {
	show(combine.Fold(combine.Of(item, combine.List[string]{}), sales))
	// Output: [pear fig pear] <nil>
}

func ExampleNonNull() {
	mean := combine.NonNull(rating, combine.Mean(combine.Self[int64]))
	show(combine.Fold(mean, sales))
	show(combine.Fold(mean, sales[1:2])) // a single one, unrated
	// Output:
	// 4.5 <nil>
	// null <nil>
}

func ExampleSome() {
	one, another := combine.Some(1), combine.Some(1)
	fmt.Println(combine.Some("fig"), combine.Null[string]{}, one == another)
	// Output: fig null true
}

func ExampleBoth() {
	both, err := combine.Fold(combine.Both(combine.Count[Sale](), combine.Sum(units)), sales)
	fmt.Println(both.First, both.Second, err)
	// Output: 3 15 <nil>
}

func ExampleFunc() {
	type revenue struct{ Units, Money float64 }
	weighted := combine.Func[Sale, revenue, float64]{
		CreateFn: func() revenue { return revenue{} },
		AddFn: func(acc *revenue, s *Sale) {
			acc.Units += float64(s.Units)
			acc.Money += float64(s.Units) * s.Price
		},
		MergeFn: func(acc, other *revenue) {
			acc.Units += other.Units
			acc.Money += other.Money
		},
		ExtractFn: func(acc *revenue) (float64, error) {
			if acc.Units == 0 {
				return 0, combine.ErrEmpty
			}
			return acc.Money / acc.Units, nil
		},
	}
	price, err := combine.Fold(weighted, sales)
	fmt.Printf("%.3f %v\n", price, err)
	// Output: 0.367 <nil>
}
