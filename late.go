package strandline

import (
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/window"
)

// Late is a record that came too late for at least one of its windows (S4.4). It is one
// record, however many windows it missed; it may have been in time for others.
type Late[V any] struct {
	Value V
	// Time is the record's event time.
	Time time.Time
	// Watermark is where the watermark stood when it was judged.
	Watermark time.Time
	// Missed are the windows that had expired.
	Missed []window.Interval
	// Split is the name of the split that it was read from; behind an aggregation, that of the step
	// that gave it.
	Split string
	// Position says where it was read, for a person, as in "readings.jsonl:17"; empty if the source does
	// not know, and behind an aggregation.
	Position string
}

// By is how far the record was behind the watermark.
func (l Late[V]) By() time.Duration { return l.Watermark.Sub(l.Time) }

func lateOf[T, V any](l *run.Late[T], v V) Late[V] {
	return Late[V]{Value: v, Time: etime.Time(l.At), Watermark: etime.Time(l.W), Missed: l.Missed, Split: l.Split, Position: l.Position}
}
