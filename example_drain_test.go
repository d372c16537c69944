package strandline_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// A live run is drained: what is open fires at once, marked as perhaps partial, and the run
// ends as if its input had.
func ExampleRunning_Drain() {
	seconds := make(chan int64)
	taken := make(chan struct{})

	p := strandline.New("live")
	counts := strandline.Read(p, memory.Channel("seconds", seconds), watermark.Ascending(),
		func(s *int64) time.Time { return time.Unix(*s, 0) }).
		Map("taken", func(s *int64) int64 { taken <- struct{}{}; return *s }).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[int64]())
	strandline.Each(counts.PCollection, "print", func(x strandline.Pane[int64]) {
		fmt.Println(x.Value, x.Pane)
	})

	running := p.Start(context.Background())
	for _, s := range []int64{3, 8, 12} {
		seconds <- s
		<-taken
	}
	running.Drain()
	if _, err := running.Wait(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 2 on time pane 0 (0), first, last
	// 1 on time pane 0 (0), first, last, drained
}
