package strandline_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// How a pipeline will be run on four workers: nothing is read for it.
func ExamplePipeline_Explain() {
	p := strandline.New("sums")
	strandline.Read(p, memory.Slice("sales", sales), watermark.Bounded(30*time.Minute), func(s *sale) time.Time { return time.Unix(60*s.Minute, 0) }).
		WindowInto(window.Fixed(time.Hour)).
		KeyBy("shop", func(s *sale) string { return s.Shop }).
		CombinePerKey("euros", combine.Sum(func(s *sale) int64 { return s.Euros })).
		WriteTo(memory.Collect(new([]strandline.KV[string, int64])))

	plan := p.Explain(strandline.Workers(4))
	_, steps, _ := strings.Cut(plan, "\n") // the first line has the fingerprint
	fmt.Println(steps)
	// Output:
	// 4 workers, 2 stages
	//
	// stage 0, one task on each worker, 3 steps fused
	//   read sales (example_explain_test.go:18)
	//     watermark: bounded(30m)
	//     event time: by a function of the record
	//     values: struct{Shop:string,Minute:int64,Euros:int64}
	//   shop: key by (example_explain_test.go:20)
	//     reads: read sales
	//     values: string -> struct{Shop:string,Minute:int64,Euros:int64}
	//   combine locally (example_explain_test.go:21)
	//     reads: shop
	//     values: string -> struct{Shop:string,Minute:int64,Euros:int64}
	//
	// stage 1, one task on each worker, 2 steps fused
	//   euros: combine per key (example_explain_test.go:21)
	//     reads: combine locally (by key, through a queue); combine locally, partial results (by key, through a queue)
	//     key: string
	//     windows: fixed(1h)
	//     trigger: default
	//     panes: accumulating
	//     partial results before the exchange: one for each key and window, as long as that is fewer than elements
	//     state: a flat table for each window
	//     values: struct{Key:string,Value:int64}
	//   write collect (example_explain_test.go:22)
	//     reads: euros
}

// The same as values, for a program that draws it.
func ExamplePipeline_Plan() {
	p := strandline.New("sums")
	perShop(p).CombinePerKey("euros", combine.Sum(func(s *sale) int64 { return s.Euros }))

	var edges []strandline.PlanEdge = p.Plan(strandline.Workers(4)).Edges
	for _, e := range edges {
		fmt.Printf("%s -> %s %s\n", e.From, e.To, e.Exchange)
	}
	var steps []strandline.PlanStep = p.Plan().Steps
	for _, s := range steps {
		if s.State != "" {
			fmt.Printf("%s: %s\n", s.ID, s.State)
		}
	}
	// Output:
	// read sales -> shop local
	// shop -> combine locally local
	// combine locally -> euros by key
	// combine locally -> euros by key
	// euros: a flat table for each window
}
