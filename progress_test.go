package strandline_test

import (
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

func TestTheProgressOfARunCanBeSeen(t *testing.T) {
	for _, workers := range []int{1, 2} {
		p := strandline.New("progress")
		// 0 to 2999 in order, then one that is 2,900 seconds behind.
		seconds := make([]int64, 3000, 3001)
		for i := range seconds {
			seconds[i] = int64(i)
		}
		read := strandline.Read(p, memory.Slice("seconds", append(seconds, 100)), watermark.Ascending(), func(s *int64) time.Time { return time.Unix(*s, 0) })
		counts := read.WindowInto(window.Fixed(10*time.Second)).Combine("count", combine.Count[int64]())
		var running *strandline.Running
		started := make(chan struct{})
		var seen []strandline.Progress
		strandline.Each(counts.PCollection, "look", func(strandline.Pane[int64]) {
			<-started
			seen = append(seen, running.Progress())
		})
		running = p.Start(t.Context(), strandline.Workers(workers))
		close(started)
		if _, err := running.Wait(); err != nil {
			t.Fatal(err)
		}
		if len(seen) != 300 {
			t.Fatalf("%d panes", len(seen))
		}
		for i := 1; i < len(seen); i++ {
			if a, b := seen[i-1], seen[i]; b.Read < a.Read || b.Panes < a.Panes || !b.Watermark.IsZero() && b.Watermark.Before(a.Watermark) {
				t.Errorf("%+v after %+v", b, a)
			}
		}
		if end := running.Progress(); end.Read != 3001 || end.Late != 1 || end.Panes < 299 || end.Malformed != 0 {
			t.Errorf("%d workers: at the end %+v", workers, end)
		}
	}
}

func TestARunThatDoesNotStartHasNoProgress(t *testing.T) {
	p := strandline.New("none")
	strandline.Read(p, memory.Slice[int]("numbers", nil), nil, nil)
	if got := p.Start(t.Context()).Progress(); got != (strandline.Progress{}) {
		t.Errorf("%+v", got)
	}
}
