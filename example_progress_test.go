package strandline_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// A run can be watched while it runs, and its last numbers be read when it is over.
func ExampleRunning_Progress() {
	p := strandline.New("progress")
	seconds := strandline.Read(p, memory.Slice("seconds", []int{1, 4, 12, 25, 3}), watermark.Bounded(5*time.Second),
		func(s *int) time.Time { return time.Unix(int64(*s), 0) })
	seconds.
		KeyBy("all", func(*int) string { return "all" }).
		WindowInto(window.Fixed(10*time.Second)).
		CombinePerKey("count", combine.Count[int]())
	running := p.Start(context.Background())
	if _, err := running.Wait(); err != nil {
		log.Fatal(err)
	}
	now := running.Progress()
	fmt.Println(told(now))
	// Output: 5 read, 1 late, 3 panes
}

func told(p strandline.Progress) string {
	return fmt.Sprintf("%d read, %d late, %d panes", p.Read, p.Late, p.Panes)
}
