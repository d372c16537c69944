package sim_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// The books of the aggregation after each record, by hand: windows of ten seconds, a watermark that
// is the greatest time. The record of second 3 comes when its window is gone.
func TestTheBooksBalanceAtEveryStepOfTheWatermark(t *testing.T) {
	build := func() *strandline.Pipeline {
		p := strandline.New("audited")
		read := strandline.Read(p, memory.Slice("seconds", []int64{1, 2, 12, 3, 25}).Batch(1), watermark.Ascending(), func(s *int64) time.Time { return time.Unix(*s, 0) })
		counts := read.KeyBy("all", func(*int64) string { return "all" }).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[int64]())
		strandline.Each(counts.PCollection, "out", func(strandline.Pane[strandline.KV[string, int64]]) {})
		return p
	}
	var seen []string
	_, err := build().Run(t.Context(), func(o *run.Options) {
		o.Audit = func(r *run.Report) error {
			for i := range r.Steps {
				s := &r.Steps[i]
				if err := s.Balance(); err != nil {
					return err
				}
				if s.Windowed {
					seen = append(seen, fmt.Sprintf("%d assigned, %d given, %d open, %d late", s.Counts.Assigned, s.Counts.Emitted, s.Counts.Open, s.Counts.DroppedLate))
				}
			}
			return nil
		}
	})
	want := []string{
		"1 assigned, 0 given, 1 open, 0 late", "2 assigned, 0 given, 2 open, 0 late", "3 assigned, 2 given, 1 open, 0 late",
		"4 assigned, 2 given, 1 open, 1 late", "5 assigned, 3 given, 1 open, 1 late",
	}
	if err != nil || !slices.Equal(seen, want) {
		t.Errorf("%v; the books are\n%s\nwant\n%s", err, strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}

	wrong := errors.New("wrong")
	calls := 0
	_, err = build().Run(t.Context(), func(o *run.Options) {
		o.Audit = func(*run.Report) error {
			if calls++; calls == 3 {
				return wrong
			}
			return nil
		}
	})
	if !errors.Is(err, wrong) || calls != 3 {
		t.Errorf("after %d calls it says %v", calls, err)
	}
}
