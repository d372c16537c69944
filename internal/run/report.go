package run

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
)

// Report is what a run did, step by step.
type Report struct {
	Steps []StepReport
	// Complete says that all input was read and everything was given.
	Complete bool
	// Drained says that the run was told to drain before its input had ended (S8.3).
	Drained bool
	// Splits are what was read, split by split, in the order of the steps that read.
	Splits []SplitReport
}

// SplitReport is the part of one split of a source.
type SplitReport struct {
	Step, Source, Split string
	Number              int // from 0, among those of its source
	// Read are the records that were read, Malformed those of them that could not be.
	Read, Malformed int64
	// Greatest is the greatest event time that drove the watermark, in µs; etime.Min if there is none.
	Greatest int64
	// Position is where the last record was, for a person; empty if the source does not say.
	Position string
	// Delays are how far records were behind the greatest event time before them: with a poison guard,
	// behind that which drove the watermark.
	Delays *Delays
}

// Delays is how far records were behind.
type Delays = core.Delays

// StepReport is one step's part.
type StepReport struct {
	ID, Kind, Site string
	Counts         Counts
	Windowed       bool
	LateUsed       bool // somebody consumes its late output
	MalformedUsed  bool
	Late           []string // a sample of late records, if nobody consumes them
	Malformed      []connector.Malformed
	FailedUsed     bool    // somebody consumes its failed panes
	Failed         []error // a sample of them otherwise
	// PollutedCells is how many keys and windows lack a record that was too late for them, and Polluted
	// the first 100 of them. PollutedEstimate says that there were more than 65,536 on a worker, and
	// that the number is an estimate with a standard error of 1.6 %.
	PollutedCells    int64
	PollutedEstimate bool
	Polluted         []PollutedCell
	// StateBytes is an estimate of the memory that Counts.StatePeak entries take, with their keys
	// and what they point to: some of them are looked at.
	StateBytes int64

	sizes sizing
}

func (b *builder) report(err error) *Report {
	drained := b.drained.Load()
	r := &Report{Complete: err == nil && !drained, Drained: drained}
	for i, s := range b.graph.Steps() {
		sr := StepReport{ID: s.ID, Kind: s.Kind, Site: s.Site}
		if i < len(b.counts) {
			for _, c := range b.counts[i] {
				sr.Counts.Add(c)
			}
		}
		r.Steps = append(r.Steps, sr)
	}
	for _, o := range b.ops {
		o.report(&r.Steps[b.index(o)])
	}
	for _, row := range b.tasks {
		for _, t := range row {
			for _, s := range t.sources {
				r.Splits = append(r.Splits, s.report())
			}
		}
	}
	places := map[string]int{}
	for i := range r.Steps {
		places[r.Steps[i].ID] = i
	}
	slices.SortStableFunc(r.Splits, func(a, b SplitReport) int {
		return cmp.Or(cmp.Compare(places[a.Step], places[b.Step]), cmp.Compare(a.Number, b.Number))
	})
	for i := range r.Steps {
		s := &r.Steps[i]
		s.StateBytes = s.Counts.StatePeak * s.sizes.entry()
	}
	return r
}

// index is the place of an operator's step in the report.
func (b *builder) index(o reporter) int {
	id := o.stepID()
	for i, s := range b.graph.Steps() {
		if s.ID == id {
			return i
		}
	}
	panic("strandline: invariant broken: an operator of no step: " + id)
}

func (o *op) stepID() string { return o.step }

func (o *front[K, V]) report(r *StepReport) {
	r.Windowed = true
	r.Counts.Open += o.windows.open() - o.n.Open // a run that failed may have stopped in mid-batch
	r.LateUsed = o.late.out.Used()
	r.sizes.add(o.sizes)
	o.lacking.report(r, o.build.opts.ShowKey)
	for _, l := range o.samples {
		r.Late = append(r.Late, fmt.Sprintf("%+v at %s, behind the watermark %s", l.Value.Value, etime.Format(l.At), etime.Format(l.W)))
	}
}

func (o *Windowed[K, V, A, O]) report(r *StepReport) {
	o.front.report(r)
	r.FailedUsed = o.failed.out.Used()
	r.Failed = append(r.Failed, o.errs...)
}

// audit shows the books to whoever wants to see them in the midst of a run.
func (b *builder) audit() {
	if b.opts.Audit == nil || b.opts.Simulate == nil && b.opts.Workers > 1 {
		return
	}
	if err := b.opts.Audit(b.report(nil)); err != nil {
		panic(stopped{err})
	}
}

// ErrUnbalanced: the books of a step do not balance.
var ErrUnbalanced = errors.New("the ledger does not balance: this is a bug in Strandline, please report it")

// Balance checks the books of one step (S13.1).
func (s *StepReport) Balance() error {
	c := &s.Counts
	if c.In != c.Kept+c.Filtered+c.NotComputable+c.Malformed+c.Quarantined {
		return fmt.Errorf("step %q: %d in, but %d kept, %d filtered, %d not computable, %d malformed, %d quarantined",
			s.ID, c.In, c.Kept, c.Filtered, c.NotComputable, c.Malformed, c.Quarantined)
	}
	if c.Assigned != c.InWindow+c.Gap+c.DroppedLate+c.Closed {
		return fmt.Errorf("step %q: %d assigned, but %d in a window, %d in a gap, %d dropped late, %d closed",
			s.ID, c.Assigned, c.InWindow, c.Gap, c.DroppedLate, c.Closed)
	}
	if c.InWindow != c.Emitted+c.Open {
		return fmt.Errorf("step %q: %d in a window, but %d emitted and %d open", s.ID, c.InWindow, c.Emitted, c.Open)
	}
	return nil
}
