package strandline

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// Inspection is how a run stands. What is known of splits is as of their last batch; every step says
// how it stands between two batches. Times that do not exist are zero.
type Inspection struct {
	Splits []SplitState `json:"splits"`
	Steps  []StepState  `json:"steps"`
	// Complete says that all steps have answered: a worker that waits for a slow sink, or for a file
	// that gives nothing, does not.
	Complete bool `json:"complete"`
}

// SplitState is how one split of a source stands.
type SplitState struct {
	// Source is the name of the source, Step the step that reads it, Split the name of the split, and
	// Number its place, from 0.
	Source string `json:"source"`
	Step   string `json:"step"`
	Split  string `json:"split"`
	Number int    `json:"number"`
	// Read are the records that were read, Malformed those of them that could not be.
	Read      int64 `json:"read"`
	Malformed int64 `json:"malformed,omitzero"`
	// Greatest is the greatest event time read, and Last that of the last record.
	Greatest time.Time `json:"greatest,omitzero"`
	Last     time.Time `json:"last,omitzero"`
	// Seen is when the clock saw the last record.
	Seen      time.Time `json:"seen,omitzero"`
	Watermark time.Time `json:"watermark,omitzero"`
	// Withheld is the event time of a record that the poison guard does not let drive the watermark.
	Withheld time.Time `json:"withheld,omitzero"`
	// Idle: it does not hold the watermark of others. Ended: it has been read. Paused: it waits for
	// slower splits of its source.
	Idle   bool `json:"idle,omitzero"`
	Ended  bool `json:"ended,omitzero"`
	Paused bool `json:"paused,omitzero"`
}

// StepState is how a windowed or stateful step stands on one worker.
type StepState struct {
	Step   string `json:"step"`
	Worker int    `json:"worker"`
	// Watermark is the step's own, and Output its output watermark, which its open windows may hold
	// back. Both are zero before the first and after the last record.
	Watermark time.Time `json:"watermark,omitzero"`
	Output    time.Time `json:"output,omitzero"`
	// Open are the elements, in all their windows, that no pane has had yet.
	Open int64 `json:"open"`
	// Waiting are elements that wait for the watermark by which they are judged (S4.6).
	Waiting int `json:"waiting,omitzero"`
}

// Inspect says how the run stands. It may be called at any time, by any goroutine; ctx bounds the
// time that it waits for workers to come to the end of their batch.
func (r *Running) Inspect(ctx context.Context) Inspection {
	var in Inspection
	if r.run == nil {
		return in
	}
	for _, s := range r.run.Splits() {
		in.Splits = append(in.Splits, SplitState{
			Source: s.Source, Step: s.Step, Split: s.Split, Number: s.Number, Read: s.Read, Malformed: s.Malformed, Greatest: instant(s.Greatest), Last: instant(s.Last),
			Seen: instant(s.Seen), Watermark: instant(s.Watermark), Withheld: instant(s.Withheld), Idle: s.Idle, Ended: s.Ended, Paused: s.Paused,
		})
	}
	slices.SortStableFunc(in.Splits, func(a, b SplitState) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Number, b.Number))
	})
	steps, complete := r.run.Steps(ctx)
	in.Complete = complete
	for i := range steps {
		s := &steps[i]
		in.Steps = append(in.Steps, StepState{Step: s.Step, Worker: s.Worker, Watermark: instant(s.W), Output: instant(s.Output()), Open: s.Open, Waiting: s.Waiting})
	}
	slices.SortStableFunc(in.Steps, func(a, b StepState) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Worker, b.Worker))
	})
	return in
}

// instant is the zero time for what is before or after everything.
func instant(us int64) time.Time {
	if us == etime.Min || us == etime.Max {
		return time.Time{}
	}
	return etime.Time(us)
}
