package lines

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/strandline-stream/strandline/connector"
)

// Skip is what a [Decoder] gives for a line that is no record.
var Skip = errors.New("no record")

// Decoder makes records of the lines of one split. It is used by one goroutine at a time.
type Decoder[T any] interface {
	// Decode reads line into *v, which is zero, and gives the record's event time if the
	// source knows it. It keeps nothing of line. An error is the reason why the line is
	// malformed, or [Skip].
	Decode(line []byte, v *T) (at int64, err error)
	// Judge is asked before records are given out, and says whether the run must stop; end
	// says that there are no more.
	Judge(end bool) error
}

// Split is a [connector.Split] of lines.
type Split[T any] struct {
	Group Group
	// Max is the length of a line, in bytes, above which it is malformed.
	Max int
	// Timed says that the decoder gives event times.
	Timed bool
	// Decoder is called at each Open.
	Decoder func() Decoder[T]
}

// Name identifies the split.
func (s *Split[T]) Name() string { return s.Group.Name }

// Open starts reading.
func (s *Split[T]) Open(context.Context) (connector.Reader[T], error) {
	r := &records[T]{
		lines:   newReader(s.Group.inputs, s.Max),
		decoder: s.Decoder(),
		values:  make([]T, connector.BatchSize),
	}
	if s.Timed {
		r.times = make([]int64, connector.BatchSize)
	}
	return r, nil
}

// settle is how long a live input must have been silent to count as caught up: its writer
// may just not have had the processor.
const settle = 20 * time.Millisecond

// batchBytes is the size of lines after which a batch is full, so that memory stays bounded
// with long ones.
const batchBytes = 4 << 20

// records is a [connector.Reader] of lines.
type records[T any] struct {
	lines   *reader
	decoder Decoder[T]
	values  []T     // handed out again and again; the first used are not zero
	times   []int64 // nil if the decoder knows none
	used    int
	dry     bool  // the last batch said that the input is caught up
	ended   error // what every further Read gives
}

func (r *records[T]) Read(ctx context.Context, b *connector.Batch[T]) error {
	*b = connector.Batch[T]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	clear(r.values[:r.used])
	r.used = 0

	n, bytesRead := 0, 0
	for r.ended == nil && n+len(b.Malformed) < connector.BatchSize {
		some := n+len(b.Malformed) > 0
		if some && bytesRead >= batchBytes {
			break
		}
		patience := forever
		if some {
			patience = 0
		} else if !r.dry {
			patience = settle
		}
		line, err := r.lines.next(ctx, patience)
		if err == errDry {
			if !some {
				b.CaughtUp, r.dry = true, true
				return nil
			}
			break
		}
		if err != nil && err == ctx.Err() {
			if some {
				break // what was read is not lost; the next call gives the error
			}
			return err
		}
		if err != nil && !errors.Is(err, ErrTooLong) {
			r.ended = err
			break
		}
		bytesRead += len(line)
		at := int64(0)
		if err == nil {
			at, err = r.decoder.Decode(line, &r.values[n])
		}
		if err != nil {
			var zero T
			r.values[n] = zero
			if err != Skip {
				b.Malformed = append(b.Malformed, connector.Malformed{
					Raw: bytes.Clone(line), Position: r.lines.position(), Reason: err,
				})
			}
			continue
		}
		if r.times != nil {
			r.times[n] = at
		}
		n++
	}
	r.used = n
	if r.ended == nil || r.ended == io.EOF {
		if err := r.decoder.Judge(r.ended == io.EOF); err != nil {
			*b = connector.Batch[T]{}
			r.ended = err
			return err
		}
	}
	if n+len(b.Malformed) == 0 {
		return r.ended
	}
	r.dry = false
	b.Values = r.values[:n:n]
	if r.times != nil {
		b.Times = r.times[:n:n]
	}
	return nil
}

func (r *records[T]) Close() error {
	r.ended = errors.New("read after Close")
	return r.lines.close()
}
