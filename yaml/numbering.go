package yaml

import (
	"context"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/record"
)

// numbering is a source whose records have their numbers for event times: the steps of a line up to the
// Combine look at no time, and by its number what is known of a record is found again behind them.
type numbering struct {
	connector.Source[record.Row]
	sweep *sweep
}

// Timed says that batches have event times.
func (n numbering) Timed() bool { return true }

// Splits implements [connector.Source].
func (n numbering) Splits(ctx context.Context) ([]connector.Split[record.Row], error) {
	splits, err := n.Source.Splits(ctx)
	if err == nil && len(splits) != 1 {
		err = errOutOfLine
	}
	if err != nil {
		return nil, err
	}
	return []connector.Split[record.Row]{numberingSplit{splits[0], n.sweep}}, nil
}

type numberingSplit struct {
	connector.Split[record.Row]
	sweep *sweep
}

func (n numberingSplit) Open(ctx context.Context) (connector.Reader[record.Row], error) {
	in, err := n.Split.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &numberingReader{in, n.sweep, nil}, nil
}

type numberingReader struct {
	connector.Reader[record.Row]
	sweep   *sweep
	numbers []int64
}

func (n *numberingReader) Read(ctx context.Context, b *connector.Batch[record.Row]) error {
	if err := n.Reader.Read(ctx, b); err != nil {
		return err
	}
	if err := n.sweep.next(b); err != nil {
		return err
	}
	n.numbers = n.numbers[:0]
	for i := range b.Values {
		n.numbers = append(n.numbers, int64(n.sweep.first+i))
	}
	b.Times = n.numbers
	return nil
}
