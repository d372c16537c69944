package connector

import (
	"context"

	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Sink says where results go. It is an inert value: nothing is created before a run opens it.
type Sink interface {
	// Name is short text for step ids and messages, such as "late.jsonl".
	Name() string
	// Open is called once a run. The writer is used by one goroutine at a time, whatever the
	// number of workers.
	Open(ctx context.Context) (Writer, error)
}

// Writer writes one run's results.
type Writer interface {
	// Write writes rows in order. It may buffer. An error ends the run.
	Write(ctx context.Context, rows Rows) error
	// Flush makes what was written visible to readers. It is called when the input pauses
	// and at the end.
	Flush(ctx context.Context) error
	// Close releases everything. After a run that failed it is called without a Flush.
	Close() error
}

// Rows is a batch of results on its way to a sink. It is valid during the call of Write only.
type Rows interface {
	Len() int
	// Values is the batch as a []T, for sinks that are written for one type: one type
	// assertion a batch.
	Values() any
	// Value is row i, boxed: for sinks that print or marshal by reflection.
	Value(i int) any
	// Time is row i's event time in microseconds since 1970.
	Time(i int) int64
	// Window is row i's window; ok is false if it is in none yet.
	Window(i int) (w window.Interval, ok bool)
	// Pane is row i's pane; [trigger.NoFiring] if it passed no trigger.
	Pane(i int) trigger.Pane
}
