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

// How far a run has come can be asked at any time, by any goroutine. Here it has ended.
func ExampleRunning_Progress() {
	p := strandline.New("progress")
	seconds := memory.Slice("seconds", []int64{2, 5, 13, 25, 3})
	counts := strandline.Read(p, seconds, watermark.Ascending(), func(s *int64) time.Time { return time.Unix(*s, 0) }).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[int64]())
	strandline.Each(counts.PCollection, "nothing", func(strandline.Pane[int64]) {})

	running := p.Start(context.Background())
	if _, err := running.Wait(); err != nil {
		fmt.Println(err)
	}
	var at strandline.Progress = running.Progress()
	fmt.Printf("%d read, %d late, %d panes\n", at.Read, at.Late, at.Panes)
	// Output: 5 read, 1 late, 3 panes
}
