package lines

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/strandline-stream/strandline/connector"
)

// ErrSkip is what a [Decoder] gives for a line that is no record.
var ErrSkip = errors.New("no record")

// Decoder makes values of the records of one split. It is used by one goroutine at a time.
type Decoder[T any] interface {
	// Decode reads record, which has no line's end, into *v, which is zero, and gives its event
	// time if the source knows it. It keeps nothing of record. An error is the reason why it is
	// malformed, or [ErrSkip].
	Decode(record []byte, v *T) (at int64, err error)
	// Judge is asked before records are given out, and says whether the run must stop; end
	// says that there are no more. Once it is settled it need not be asked again.
	Judge(end bool) (settled bool, err error)
}

// Lending is a [Decoder] whose values can be lent: whoever takes them keeps none.
type Lending interface {
	// Lend is called before any value is made. Each call of back gives back all that were made up
	// to then: their memory may be used again.
	Lend() (back func())
}

// settle is how long a live input must have been silent to count as caught up: its writer
// may just not have had the processor.
const settle = 20 * time.Millisecond

// batchBytes is the size of records after which a batch is full, so that memory stays bounded
// with long ones.
const batchBytes = 4 << 20

// records is a [connector.Reader] that decodes in its caller's goroutine.
type records[T any] struct {
	lines   *reader
	decoder Decoder[T]
	head    any     // that the decoder knows
	pieces  int64   // that the decoder knows
	values  []T     // handed out again and again; the first used are not zero
	times   []int64 // nil if the decoder knows none
	places  []int64 // the lines at which they begin
	used    int
	back    func() // gives back what the decoder has made; nil if that may be kept
	dry     bool   // the last batch said that the input is caught up
	settled bool
	ended   error // what every further Read gives
}

func (r *records[T]) Read(ctx context.Context, b *connector.Batch[T]) error {
	*b = connector.Batch[T]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	clear(r.values[:r.used])
	r.used = 0
	if r.back != nil {
		r.back()
	}

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
		record, malformed, err := r.lines.within(ctx, patience)
		if err == errTurn {
			if some {
				break // a batch is of one input
			}
			continue
		}
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
		if err != nil {
			r.ended = err
			break
		}
		bytesRead += len(record)
		at := int64(0)
		if malformed == nil {
			at, malformed = r.decode(record, &r.values[n])
		}
		if malformed != nil {
			var zero T
			r.values[n] = zero
			if malformed != ErrSkip {
				b.Malformed = append(b.Malformed, connector.Malformed{
					Raw: bytes.Clone(record), Position: r.lines.position(), Reason: malformed,
				})
			}
			continue
		}
		if r.times != nil {
			r.times[n] = at
		}
		r.places[n] = r.lines.line
		n++
	}
	r.used = n
	if !r.settled && (r.ended == nil || r.ended == io.EOF) {
		var err error
		if r.settled, err = r.decoder.Judge(r.ended == io.EOF); err != nil {
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
	b.Places, b.Place = r.places[:n:n], r.lines.place
	return nil
}

func (r *records[T]) decode(record []byte, v *T) (int64, error) {
	if r.pieces != r.lines.pieces {
		r.pieces = r.lines.pieces
		r.turn(&r.lines.piece)
	}
	return r.decoder.Decode(record, v)
}

// turn tells the decoder what it wants to know of a piece.
func (r *records[T]) turn(p *piece) {
	if p.head != r.head {
		r.head = p.head
		r.decoder.(Headed).Under(p.head)
	}
	if d, ok := r.decoder.(Foreseeing); ok {
		d.Foresee(p.text)
	}
}

// Lend says that values are not kept beyond the next Read. It gives false if the decoder does
// not lend them: then they may be.
func (r *records[T]) Lend() bool {
	r.back = lend(r.decoder)
	return r.back != nil
}

// lend lets a decoder lend its values; it gives nil if it does not.
func lend[T any](d Decoder[T]) (back func()) {
	if l, ok := d.(Lending); ok {
		back = l.Lend()
	}
	return back
}

// Position is where the last record began.
func (r *records[T]) Position() string {
	if r.lines.line == 0 {
		return ""
	}
	return r.lines.position()
}

func (r *records[T]) Close() error {
	r.ended = errors.New("read after Close")
	return r.lines.cut.close()
}
