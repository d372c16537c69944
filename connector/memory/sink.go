package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Collect appends each row's value to a slice. The slice is the run's until it is over. The
// rows must be of type T, or the run ends with an error that names both types.
func Collect[T any](to *[]T) connector.Sink {
	return sink[T]{"collect", func(rows connector.Rows, values []T) { *to = append(*to, values...) }}
}

// Each calls f with each row: its value, its event time, its window (empty if it is in none)
// and its pane. Calls come one at a time, in the order of the rows, and hold up the run while
// they last.
func Each[T any](f func(v T, at time.Time, w window.Interval, p trigger.Pane)) connector.Sink {
	return sink[T]{"each", func(rows connector.Rows, values []T) {
		for i, v := range values {
			w, _ := rows.Window(i)
			f(v, etime.Time(rows.Time(i)), w, rows.Pane(i))
		}
	}}
}

type sink[T any] struct {
	name string
	take func(rows connector.Rows, values []T)
}

func (s sink[T]) Name() string { return s.name }

func (s sink[T]) Open(context.Context) (connector.Writer, error) { return s, nil }

func (s sink[T]) Write(ctx context.Context, rows connector.Rows) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	values, ok := rows.Values().([]T)
	if !ok {
		return fmt.Errorf("memory: %s takes %T, and the step before it gives %T", s.name, values, rows.Values())
	}
	s.take(rows, values)
	return nil
}

func (s sink[T]) Flush(context.Context) error { return nil }

func (s sink[T]) Close() error { return nil }
