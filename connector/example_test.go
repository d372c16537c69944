package connector_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
)

// countdown is a source of the numbers from n down to 1.
type countdown struct{ n int }

func (c countdown) Name() string  { return "countdown" }
func (c countdown) Bounded() bool { return true }

func (c countdown) Splits(context.Context) ([]connector.Split[int], error) {
	if c.n < 0 {
		return nil, fmt.Errorf("countdown from %d: it must start at 0 or above", c.n)
	}
	return []connector.Split[int]{c}, nil
}

func (c countdown) Open(context.Context) (connector.Reader[int], error) {
	return &reader{next: c.n}, nil
}

type reader struct {
	next   int
	values []int // the reader's own, used again for each batch
}

func (r *reader) Read(ctx context.Context, b *connector.Batch[int]) error {
	*b = connector.Batch[int]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.next == 0 {
		return io.EOF
	}
	r.values = r.values[:0]
	for r.next > 0 && len(r.values) < connector.BatchSize {
		r.values = append(r.values, r.next)
		r.next--
	}
	b.Values = r.values
	return nil
}

func (r *reader) Close() error { return nil }

func TestCountdownKeepsTheContract(t *testing.T) {
	connectortest.ExerciseSource(t, func(*testing.T) connector.Source[int] {
		return countdown{3}
	}, []int{3, 2, 1})
}

// total is a sink that adds up numbers.
type total struct{ sum *int }

func (s total) Name() string { return "total" }

func (s total) Open(context.Context) (connector.Writer, error) { return s, nil }

func (s total) Write(_ context.Context, rows connector.Rows) error {
	values, ok := rows.Values().([]int) // one type assertion a batch
	if !ok {
		return fmt.Errorf("total adds up []int, and the step before it gives %T", rows.Values())
	}
	for _, v := range values {
		*s.sum += v
	}
	return nil
}

func (s total) Flush(context.Context) error { return nil }
func (s total) Close() error                { return nil }

func TestTotalAddsUp(t *testing.T) {
	sum := 0
	w, err := total{&sum}.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(t.Context(), connectortest.NewRows([]int{1, 2, 3})); err != nil || sum != 6 {
		t.Errorf("the sum is %d, %v; want 6", sum, err)
	}
	const want = "total adds up []int, and the step before it gives []string"
	if err := w.Write(t.Context(), connectortest.NewRows([]string{"a"})); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
