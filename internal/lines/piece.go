package lines

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrTooLong is the reason of a line above the limit. Reading goes on after it.
var ErrTooLong = errors.New("line is too long")

// piece is text of one input that begins and ends where records do, and a place in it.
type piece struct {
	name  string // of the input
	first bool   // it begins the input, but for its head
	above int64  // lines of the head, if it is the first
	head  any

	buf    []byte // its memory
	text   []byte // the part that is not read yet is text[pos:]
	frames []Frame
	pos    int
	frame  int // the next of frames
}

// next gives the next record without the end of its line, valid as long as the piece, and how
// many lines it takes; 0 if there is none. With [ErrTooLong] it gives the record's first
// bytes, as many as allowed; any other error is why it is malformed.
func (p *piece) next(most int) (record []byte, lines int64, err error) {
	if p.pos == len(p.text) {
		return nil, 0, nil
	}
	if p.frame < len(p.frames) && p.frames[p.frame].From == p.pos {
		f := p.frames[p.frame]
		record, lines, err = p.text[f.From:f.To], int64(bytes.Count(p.text[f.From:f.To], []byte("\n"))), f.Err
		if record[len(record)-1] != '\n' {
			lines++ // the input ends with it
		}
		record = bytes.TrimSuffix(record, []byte("\n"))
		p.pos, p.frame = f.To, p.frame+1
	} else {
		record, lines = p.text[p.pos:], 1
		if i := bytes.IndexByte(record, '\n'); i >= 0 {
			record = record[:i]
			p.pos++
		}
		p.pos += len(record)
	}
	if n := len(record); n > 0 && record[n-1] == '\r' {
		record = record[:n-1]
	}
	if len(record) > most {
		record = record[:most]
		if err == nil {
			err = fmt.Errorf("%w: more than %d bytes", ErrTooLong, most)
		}
	}
	return record, lines, err
}

// reset forgets what the piece was, but not its memory.
func (p *piece) reset() { *p = piece{buf: p.buf, frames: p.frames[:0]} }
