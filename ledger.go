package strandline

import (
	"fmt"
	"strings"
)

// Ledger gives the books of a run in one line (S13.1): what all sources read, and what became
// of it in all windowed steps together. Each sum in it is equal to what stands before it, or
// [Pipeline.Run] has returned [ErrUnbalanced]. A record that is in several windows, or passes
// several windowed steps, is assigned several times.
func Ledger(r *Report) string {
	var read, all StepReport
	for i := range r.Steps {
		s := &r.Steps[i]
		all.Counts.Add(&s.Counts)
		if strings.HasPrefix(s.Kind, "read ") {
			read.Counts.Add(&s.Counts)
		}
	}
	c, n := &read.Counts, &all.Counts
	text := fmt.Sprintf("ledger: %d read = %d kept + %d malformed", c.In, c.Kept, c.Malformed)
	if c.Quarantined > 0 {
		text += fmt.Sprintf(" + %d quarantined", c.Quarantined)
	}
	text += fmt.Sprintf("; %d assigned = %d in a window + %d in a gap + %d late + %d closed", n.Assigned, n.InWindow, n.Gap, n.DroppedLate, n.Closed)
	text += fmt.Sprintf("; %d in a window = %d given + %d open", n.InWindow, n.Emitted, n.Open)
	if n.ByClock > 0 {
		text += fmt.Sprintf("; %d panes by the clock", n.ByClock)
	}
	if r.Drained {
		text += "; drained before the input had ended"
	} else if !r.Complete {
		text += "; the run is not complete"
	}
	return text
}
