package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
)

// What a run returns can be told apart. Here a sum does not fit its type: the run is complete, its
// books balance, and one pane is missing.
func ExamplePipeline_Run_errors() {
	p := strandline.New("sums")
	strandline.Read(p, memory.Slice("numbers", []int64{math.MaxInt64, 1}), watermark.EndOfInput(), nil).
		Combine("sum", combine.Sum(combine.Self[int64]))

	var run *strandline.Running = p.Start(context.Background())
	report, err := run.Wait()
	for name, is := range map[string]error{
		"panes could not be computed":       strandline.ErrPanesFailed,
		"it was running already":            strandline.ErrRunning,
		"a watermark was to move backwards": strandline.ErrWatermarkBackwards,
		"a bug: the books do not balance":   strandline.ErrUnbalanced,
	} {
		if errors.Is(err, is) {
			fmt.Println(name)
		}
	}
	var steps []strandline.StepReport = report.Steps
	for _, s := range steps {
		if s.Counts.PanesFailed > 0 {
			fmt.Println(s.ID, "failed:", s.Counts.PanesFailed, "of", s.Counts.Panes, "balanced:", s.Balance() == nil)
		}
	}
	// Output:
	// panes could not be computed
	// sum failed: 1 of 1 balanced: true
}
