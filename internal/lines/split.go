package lines

import (
	"context"

	"github.com/strandline-stream/strandline/connector"
)

// Split is a [connector.Split] of records on lines.
type Split[T any] struct {
	Group Group
	// Max is the length of a line, in bytes, above which it is malformed.
	Max int
	// Timed says that the decoder gives event times.
	Timed bool
	// Decoder is called at each Open, and for each goroutine that decodes. What Shape's heads
	// give is for decoders that are [Headed].
	Decoder func() Decoder[T]
	// Shape is called at each Open; nil if each line is a record.
	Shape func() Shape
	// Parallel is how many goroutines decode: from 2 on they are the reader's own; below that
	// it is the one that calls Read.
	Parallel int
	// Block is how many bytes are decoded at a time in parallel. Defaults to 256 KiB.
	Block int
}

// Name identifies the split.
func (s *Split[T]) Name() string { return s.Group.Name }

// Open starts reading.
func (s *Split[T]) Open(context.Context) (connector.Reader[T], error) {
	lines := newReader(s.Group.inputs, s.Max)
	if s.Shape != nil {
		lines.cut.shape = s.Shape()
	}
	r := &records[T]{lines: lines, decoder: s.Decoder(), values: make([]T, connector.BatchSize), places: make([]int64, connector.BatchSize)}
	if s.Timed {
		r.times = make([]int64, connector.BatchSize)
	}
	if s.Parallel > 1 {
		return &parallel[T]{first: r, split: s}, nil
	}
	return r, nil
}
