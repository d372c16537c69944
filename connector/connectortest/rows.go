package connectortest

import (
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Rows are rows as the engine gives them to a sink, for tests of sinks.
type Rows[T any] struct {
	values []T
	at     []int64
	in     []*window.Interval
	by     []trigger.Pane
}

var _ connector.Rows = (*Rows[int])(nil)

// NewRows gives rows with the values, all at 1970-01-01T00:00:00Z, in no window, and not
// fired. The slice is used and not copied.
func NewRows[T any](values []T) *Rows[T] {
	r := &Rows[T]{
		values: values,
		at:     make([]int64, len(values)),
		in:     make([]*window.Interval, len(values)),
		by:     make([]trigger.Pane, len(values)),
	}
	for i := range r.by {
		r.by[i] = trigger.NoFiring
	}
	return r
}

// Set gives row i an event time, a window and a pane, and gives r back.
func (r *Rows[T]) Set(i int, at time.Time, w window.Interval, p trigger.Pane) *Rows[T] {
	r.at[i], r.in[i], r.by[i] = etime.Micros(at), &w, p
	return r
}

// Len is the number of rows.
func (r *Rows[T]) Len() int { return len(r.values) }

// Values is a []T.
func (r *Rows[T]) Values() any { return r.values }

// Value is row i.
func (r *Rows[T]) Value(i int) any { return r.values[i] }

// Time is row i's event time in microseconds since 1970.
func (r *Rows[T]) Time(i int) int64 { return r.at[i] }

// Window is row i's window, if it was set.
func (r *Rows[T]) Window(i int) (w window.Interval, ok bool) {
	if r.in[i] == nil {
		return window.Interval{}, false
	}
	return *r.in[i], true
}

// Pane is row i's pane.
func (r *Rows[T]) Pane(i int) trigger.Pane { return r.by[i] }
