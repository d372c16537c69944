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

// errDry says that no whole record is at hand.
var errDry = errors.New("no record at hand")

// forever is the patience that waits for a record however long it takes.
const forever time.Duration = -1

const (
	firstBuffer = 128 << 10
	extraBytes  = 2 // of a line: its end
	bom         = "\xef\xbb\xbf"
)

// feed is where bytes come from.
type feed interface {
	// read is like [io.Reader.Read]. If nothing is at hand it waits for that long at most, and
	// gives errDry then.
	read(ctx context.Context, p []byte, patience time.Duration) (int, error)
	close() error
}

// cutter cuts a sequence of inputs into pieces. A line ends with LF, CR LF, or its input; a
// byte order mark at the start of an input is no part of it.
type cutter struct {
	inputs []Input // still to be opened
	max    int     // bytes of the longest line
	shape  Shape   // nil if each line is a record
	target int     // bytes that a piece should have if they are at hand

	in      feed // nil between inputs
	name    string
	begins  bool  // its first bytes may be a byte order mark
	fresh   bool  // no piece of it was given
	heading bool  // its head is not read to the end
	head    any   // what is read of it
	above   int64 // lines of the head
	failed  error // what comes after the bytes at hand

	filling bool   // a piece has bytes, and was not given
	to      int    // that many
	clean   int    // that many of them are known to hold no LF
	rest    []byte // bytes after the last piece
	skip    bool   // what follows is the rest of a line that was too long
}

// readError is an error that came up in the line after the last that was given.
type readError struct {
	name  string
	fresh bool  // no record of the input was given
	above int64 // lines of the head then
	err   error
}

func (e *readError) Error() string { return fmt.Sprintf("%s: %v", e.name, e.err) }
func (e *readError) Unwrap() error { return e.err }

// next makes p the next piece. It gives [io.EOF] after the last, errDry if no whole record
// comes within patience, and ctx's own error: after those two it must be called again with
// the same p, which holds part of a record. Any other error is final; a *readError has a
// place.
func (c *cutter) next(ctx context.Context, patience time.Duration, p *piece) error {
	if !c.filling {
		p.reset()
		if n := len(c.rest); n > len(p.buf) {
			p.buf = make([]byte, max(n, c.target, firstBuffer))
		}
		c.to, c.clean, c.filling = copy(p.buf, c.rest), 0, true
		c.rest = c.rest[:0]
	}
	for {
		end := c.whole(p)
		switch {
		case end > 0 && c.heading:
			if err := c.readHead(p, end); err != nil {
				return err
			}
		case end > 0:
			c.give(p, end)
			return nil
		case c.failed == io.EOF:
			in := c.in
			c.in, c.failed, c.skip, c.to, c.clean = nil, nil, false, 0, 0
			if err := in.close(); err != nil {
				c.failed = c.at(err)
			}
		case c.failed != nil:
			return c.failed
		default:
			if c.in == nil {
				if err := c.open(ctx); err != nil {
					return err
				}
			}
			if err := c.gather(ctx, patience, p); err != nil {
				return err
			}
		}
	}
}

func (c *cutter) at(err error) error { return &readError{c.name, c.fresh, c.above, err} }

// open opens the next input.
func (c *cutter) open(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(c.inputs) == 0 {
		return io.EOF
	}
	input := c.inputs[0]
	in, err := input.open()
	if err != nil {
		return err
	}
	if !input.again {
		c.inputs = c.inputs[1:]
	}
	c.in, c.name, c.begins, c.fresh, c.head, c.above = in, input.Name, true, true, nil, 0
	if c.shape != nil {
		c.head, c.heading, err = c.shape.Head(nil)
	}
	return err
}

// gather reads more bytes behind those at hand: some, and then those that need no waiting, up
// to the target.
func (c *cutter) gather(ctx context.Context, patience time.Duration, p *piece) error {
	for some := false; ; some, patience = true, 0 {
		if c.to == len(p.buf) {
			grown := min(max(2*len(p.buf), firstBuffer, c.target), c.max+extraBytes+firstBuffer+c.target)
			p.buf = slices.Grow(p.buf, grown-len(p.buf))[:grown]
		}
		n, err := c.in.read(ctx, p.buf[c.to:], patience)
		c.to += n
		switch {
		case n > 0: // an error beside bytes comes again
			if c.to >= c.target {
				return nil
			}
		case err == errDry || ctx.Err() != nil && err == ctx.Err():
			if some {
				return nil
			}
			return err
		case err == io.EOF:
			c.failed = err
			return nil
		default:
			c.failed = c.at(err)
			return nil
		}
	}
}

// whole gives where the last whole record at hand ends, or only the first if it belongs to
// the head; 0 if there is none.
func (c *cutter) whole(p *piece) (end int) {
	if c.skip {
		i := bytes.IndexByte(p.buf[:c.to], '\n')
		if i < 0 {
			c.to = 0
			return 0
		}
		c.drop(p, i+1)
		c.skip = false
	}
	if c.begins && c.to >= len(bom) {
		c.begins = false
		if string(p.buf[:len(bom)]) == bom {
			c.drop(p, len(bom))
		}
	}
	text := p.buf[:c.to]
	ended := c.failed == io.EOF
	if last := bytes.LastIndexByte(text[c.clean:], '\n'); last >= 0 {
		end = c.clean + last + 1
	} else {
		c.clean = len(text)
	}
	switch {
	case ended:
		end = len(text)
	case end == 0 && len(text) > c.max+extraBytes:
		c.skip = true
		return len(text)
	}
	if end == 0 || c.shape == nil {
		return end
	}
	return c.shaped(p, text, end, ended)
}

// drop forgets the first n bytes at hand.
func (c *cutter) drop(p *piece, n int) {
	c.to = copy(p.buf, p.buf[n:c.to])
	c.clean = 0
}

// shaped is [cutter.whole] for records that are not just lines. The last line of text ends at
// end.
func (c *cutter) shaped(p *piece, text []byte, end int, ended bool) int {
	p.frames = p.frames[:0]
	for pos := 0; ; {
		f, verdict := c.shape.Find(text[pos:], ended)
		f.From, f.To = f.From+pos, f.To+pos
		line := end
		if c.heading {
			if i := bytes.IndexByte(text, '\n'); i >= 0 {
				line = i + 1
			}
		}
		switch {
		case verdict == None:
			return line
		case c.heading && f.From > 0:
			return line
		case verdict == Open:
			return f.From
		}
		p.frames = append(p.frames, f)
		if pos = f.To; c.heading {
			return pos
		}
	}
}

// give hands p out, up to end.
func (c *cutter) give(p *piece, end int) {
	p.name, p.first, p.head, p.above = c.name, c.fresh, c.head, c.above
	p.text, p.pos, p.frame = p.buf[:end], 0, 0
	c.rest = append(c.rest, p.buf[end:c.to]...)
	c.begins, c.fresh, c.filling = false, false, false
}

// readHead takes the record that ends at end for one of the head, and keeps what is behind it.
func (c *cutter) readHead(p *piece, end int) error {
	p.text, p.pos, p.frame = p.buf[:end], 0, 0
	record, lines, err := p.next(c.max)
	if err == nil {
		c.head, c.heading, err = c.shape.Head(record)
	}
	if err != nil {
		return fmt.Errorf("%s:%d: %w", c.name, c.above+1, err)
	}
	c.above += lines
	c.drop(p, end)
	p.reset()
	return nil
}

// close closes the input that is open, if one is.
func (c *cutter) close() error {
	if c.in == nil {
		return nil
	}
	in := c.in
	c.in = nil
	return in.close()
}
