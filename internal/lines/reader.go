package lines

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errTurn says that another input begins.
var errTurn = errors.New("another input begins")

// reader gives the records of a cutter's pieces one by one.
type reader struct {
	cut    cutter
	piece  piece
	name   string
	place  string // name, as it stands before a line's number
	turned bool   // the piece begins an input, which is not counted from yet
	line   int64  // of the record that next gave last
	before int64  // lines before the record that comes next
	pieces int64  // that were cut so far
}

func newReader(inputs []Input, most int) *reader {
	return &reader{cut: cutter{inputs: inputs, max: most}}
}

// next gives the next record without its line's end, valid until the call after. With
// malformed set it is why this record is malformed. It gives [io.EOF] after the last record,
// errDry if none comes within patience, and ctx's own error; any other error is final and
// says where it came up.
func (r *reader) next(ctx context.Context, patience time.Duration) (record []byte, malformed, err error) {
	for {
		if record, malformed, err = r.within(ctx, patience); err != errTurn {
			return record, malformed, err
		}
	}
}

// within is next, but gives errTurn once where another input begins.
func (r *reader) within(ctx context.Context, patience time.Duration) (record []byte, malformed, err error) {
	r.turn()
	for {
		record, lines, malformed := r.piece.next(r.cut.max)
		if lines > 0 {
			r.line = r.before + 1
			r.before += lines
			return record, malformed, nil
		}
		if err := r.cut.next(ctx, patience, &r.piece); err != nil {
			return nil, nil, r.at(err)
		}
		r.pieces++
		if r.turned = r.piece.first; r.turned {
			return nil, nil, errTurn
		}
	}
}

// turn begins to count in another input, if the piece begins one.
func (r *reader) turn() {
	if r.turned {
		r.turned = false
		r.begin(&r.piece)
	}
}

// begin counts lines for a piece.
func (r *reader) begin(p *piece) {
	if p.first {
		r.name, r.place, r.before = p.name, p.name+":", p.above
	}
}

// position is where the last record began.
func (r *reader) position() string { return fmt.Sprintf("%s:%d", r.name, r.line) }

// at gives an error of the cutter its place.
func (r *reader) at(err error) error {
	var e *readError
	switch {
	case !errors.As(err, &e):
		return err
	case e.fresh:
		return fmt.Errorf("%s:%d: %w", e.name, e.above+1, e.err)
	}
	return fmt.Errorf("%s:%d: %w", e.name, r.before+1, e.err)
}
