package sketch_test

import (
	"fmt"
	"strconv"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/combine/sketch"
)

// Request is the element of the examples.
type Request struct {
	User    string
	Seconds float64
}

func ExampleDistinct() {
	users := sketch.Distinct(func(r *Request) string { return r.User })
	n, err := combine.Fold(users, []Request{{User: "Ada"}, {User: "Bob"}, {User: "Ada"}})
	fmt.Println(n, err)

	many := make([]Request, 200_000)
	for i := range many {
		many[i].User = strconv.Itoa(i % 100_000)
	}
	n, _ = combine.Fold(users, many)
	fmt.Println(n > 97_562 && n < 102_438) // three times 0.81 % of 100,000
	// Output:
	// 2 <nil>
	// true
}

func ExampleQuantiles() {
	requests := make([]Request, 200)
	for i := range requests {
		requests[i].Seconds = float64(i) / 100
	}
	latency := sketch.Quantiles(func(r *Request) float64 { return r.Seconds }, 0.5, 0.95, 0.99)
	fmt.Println(combine.Fold(latency, requests))
	// Output: [1 1.9 1.98] <nil>
}
