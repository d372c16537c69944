package lines

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// MaxDefault is the length of a line, in bytes, above which it is malformed by default.
const MaxDefault = 16 << 20

// ErrTooLong is the reason of a line above the limit. Reading goes on after it.
var ErrTooLong = errors.New("line is too long")

// errDry says that no whole line is at hand.
var errDry = errors.New("no line at hand")

// forever is the patience that waits for a line however long it takes.
const forever time.Duration = -1

const (
	firstBuffer = 128 << 10
	extraBytes  = 4 // of a line: a byte order mark and a carriage return
	bom         = "\xef\xbb\xbf"
)

// reader splits a sequence of inputs into lines. A line ends with LF, CR LF, or its input;
// a byte order mark at the start of an input is no part of it.
type reader struct {
	inputs []Input // still to be opened
	max    int     // bytes of the longest line

	in       feed // nil between inputs
	name     string
	line     int64 // number of the line that next gave last
	buf      []byte
	from, to int  // buf[from:to] is read and not yet given
	clean    int  // that much of it is known to hold no LF
	skip     bool // what follows is the rest of a line that was too long
}

// feed is where bytes come from.
type feed interface {
	// read is like [io.Reader.Read]. If nothing is at hand it waits for that long at most, and
	// gives errDry then.
	read(ctx context.Context, p []byte, patience time.Duration) (int, error)
	close() error
}

func newReader(inputs []Input, most int) *reader {
	return &reader{inputs: inputs, max: most}
}

// next gives the next line without its end, valid until the call after. With [ErrTooLong]
// it gives the line's first bytes, as many as allowed. It gives [io.EOF] after the last
// line; any other error is about where position says, but for ctx's own.
func (r *reader) next(ctx context.Context, patience time.Duration) ([]byte, error) {
	for {
		if i := bytes.IndexByte(r.buf[r.from+r.clean:r.to], '\n'); i >= 0 {
			end := r.from + r.clean + i
			text := r.buf[r.from:end]
			r.from, r.clean = end+1, 0
			if r.skip {
				r.skip = false
				continue
			}
			return r.give(text)
		}
		r.clean = r.to - r.from
		if r.skip {
			r.from, r.clean = r.to, 0
		} else if r.clean > r.max+extraBytes {
			text := r.buf[r.from:r.to]
			r.from, r.clean, r.skip = r.to, 0, true
			return r.give(text)
		}
		if r.in == nil {
			if len(r.inputs) == 0 {
				return nil, io.EOF
			}
			if err := r.open(ctx); err != nil {
				return nil, err
			}
		}
		switch err := r.fill(ctx, patience); {
		case err == io.EOF:
			text := r.buf[r.from:r.to]
			r.from, r.clean = r.to, 0
			if err := r.close(); err != nil {
				return nil, r.at(err)
			}
			if len(text) > 0 && !r.skip {
				return r.give(text)
			}
			r.skip = false
		case err == errDry || err != nil && err == ctx.Err():
			return nil, err
		case err != nil:
			return nil, r.at(err)
		}
	}
}

// give ends a line: it is counted, and trimmed to what its writer meant.
func (r *reader) give(text []byte) ([]byte, error) {
	r.line++
	if r.line == 1 {
		text = bytes.TrimPrefix(text, []byte(bom))
	}
	if !r.skip {
		text = bytes.TrimSuffix(text, []byte("\r"))
	}
	if len(text) > r.max {
		return text[:r.max], fmt.Errorf("%w: more than %d bytes", ErrTooLong, r.max)
	}
	return text, nil
}

func (r *reader) open(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	input := r.inputs[0]
	in, err := input.open()
	if err != nil {
		return err
	}
	r.inputs = r.inputs[1:]
	r.in, r.name, r.line = in, input.Name, 0
	return nil
}

// fill reads more bytes behind those at hand, and makes room for them first.
func (r *reader) fill(ctx context.Context, patience time.Duration) error {
	if r.from > 0 {
		r.to = copy(r.buf, r.buf[r.from:r.to])
		r.from = 0
	}
	if r.to == len(r.buf) {
		grown := min(max(2*len(r.buf), firstBuffer), r.max+extraBytes+firstBuffer)
		r.buf = slices.Grow(r.buf, grown-len(r.buf))[:grown]
	}
	n, err := r.in.read(ctx, r.buf[r.to:], patience)
	r.to += n
	if n > 0 {
		return nil // an error beside bytes comes again
	}
	return err
}

// position is where the last line was, or the one that could not be read.
func (r *reader) position() string { return fmt.Sprintf("%s:%d", r.name, r.line) }

// at says that an error came up in the line after the last.
func (r *reader) at(err error) error { return fmt.Errorf("%s:%d: %w", r.name, r.line+1, err) }

// close closes the input that is open, if one is.
func (r *reader) close() error {
	if r.in == nil {
		return nil
	}
	in := r.in
	r.in = nil
	return in.close()
}
