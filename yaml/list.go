package yaml

import (
	"context"
	"io"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/record"
)

// listSource is a source of rows that are in memory, with their event times if they have any.
type listSource struct {
	name  string
	rows  []record.Row
	times []int64
}

func (l *listSource) Name() string  { return l.name }
func (l *listSource) Bounded() bool { return true }
func (l *listSource) Timed() bool   { return l.times != nil }

func (l *listSource) Splits(context.Context) ([]connector.Split[record.Row], error) {
	return []connector.Split[record.Row]{l}, nil
}

func (l *listSource) Open(context.Context) (connector.Reader[record.Row], error) {
	return &listReader{list: l}, nil
}

type listReader struct {
	list *listSource
	next int
}

func (r *listReader) Read(ctx context.Context, b *connector.Batch[record.Row]) error {
	*b = connector.Batch[record.Row]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.next == len(r.list.rows) {
		return io.EOF
	}
	end := min(r.next+connector.BatchSize, len(r.list.rows))
	b.Values = r.list.rows[r.next:end:end]
	if r.list.times != nil {
		b.Times = r.list.times[r.next:end:end]
	}
	r.next = end
	return nil
}

func (r *listReader) Close() error { return nil }
