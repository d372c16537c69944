package delimited

import (
	"bytes"

	"github.com/strandline-stream/strandline/internal/lines"
)

// Columns are the columns of one file: what [Shape] hands to decoders as the head.
type Columns interface {
	// Fields is how many there are.
	Fields() int
	// WrongCount is why a record of n fields is malformed.
	WrongCount(n int) error
}

// Shape finds the records that are not just a line: those with a quoted field that goes on
// over several. It is a [lines.Shape].
type Shape struct {
	Dialect
	Most    int                                  // bytes of a record
	Header  func(record []byte) (Columns, error) // nil if files have none
	Columns Columns                              // nil until the header is read, if there is one

	seen int // of an open record that was shown: up to there it is within quotes
}

// Head reads the header, or gives what the columns were declared to be.
func (s *Shape) Head(record []byte) (head any, more bool, err error) {
	s.seen = 0
	switch {
	case record == nil && s.Header == nil:
		return s.Columns, false, nil
	case record == nil:
		s.Columns = nil
		return nil, true, nil
	case s.Passes(record):
		return nil, true, nil
	}
	s.Columns, err = s.Header(record)
	return s.Columns, false, err
}

// lineEnd is LF, or CR LF.
const lineEnd = 2

// Find finds the next record of several lines, or what is no record beyond its first line.
//
// No byte is looked at more than a few times: a line whose quotes leave a field open has an odd
// number of them, and so has the line at which an open field must be closed or turn out to be
// wrong. So what is looked at beyond an open line ends at the next such line, or before it.
func (s *Shape) Find(text []byte, end bool) (lines.Frame, lines.Verdict) {
	from, to, p := 0, 0, s.seen
	for pos := 0; ; pos = to {
		if p > 0 { // it was found to be open before
			to = bytes.IndexByte(text, '\n') + 1
		} else if from, to = s.open(text, pos, end); to == 0 {
			return lines.Frame{}, lines.None
		} else {
			p = to - from
		}
		window := text[from:min(len(text), from+s.Most+lineEnd)]
		full := len(window) == s.Most+lineEnd // then what follows does not matter
		n, seen, err := s.follow(window, p, end && !full)
		s.seen, p = 0, 0
		switch {
		case n == 0 && !end && !full:
			s.seen = seen
			return lines.Frame{From: from}, lines.Open
		case n == 0 || len(trimEnd(window[:n])) > s.Most:
			// It is never closed: its first line alone is wrong, and says so itself.
		case err == nil:
			return lines.Frame{From: from, To: from + n}, lines.Whole
		default:
			if after := s.resume(window[:n], to-from); after > to-from {
				return lines.Frame{From: from, To: from + after, Err: err}, lines.Whole
			}
		}
	}
}

// open finds the first whole line from pos on that ends within quotes, text[from:to]. It gives
// 0 if there is none.
func (s *Shape) open(text []byte, pos int, end bool) (from, to int) {
	for {
		quote := bytes.IndexByte(text[pos:], '"')
		if quote < 0 {
			return 0, 0
		}
		from = pos + bytes.LastIndexByte(text[pos:pos+quote], '\n') + 1
		n := bytes.IndexByte(text[pos+quote:], '\n')
		if n < 0 {
			return 0, 0 // not whole; and at the end of its input nothing can follow
		}
		to = pos + quote + n + 1
		line := text[from:to]
		if bytes.Count(line, []byte(`"`))%2 == 1 && len(line) <= s.Most && s.leavesOpen(line) {
			return from, to
		}
		pos = to
	}
}

// leavesOpen says whether a line that begins a record ends within quotes.
func (s *Shape) leavesOpen(line []byte) bool {
	line = trimEnd(line)
	if s.Passes(line) {
		return false
	}
	_, err := s.Count(line)
	return err == errOpen
}

// follow reads on in a record that is within quotes at p, and gives where its last line ends,
// with what is wrong with it; or n = 0 if that is not in text, and up to where it was seen to
// be within quotes. Nothing follows a whole text.
func (s *Shape) follow(text []byte, p int, whole bool) (n, seen int, err error) {
	for {
		i := bytes.IndexByte(text[p:], '"')
		if i < 0 {
			return 0, len(text), nil
		}
		p += i
		if p+1 < len(text) && text[p+1] == '"' {
			p += 2
			continue
		}
		to := len(text)
		if i := bytes.IndexByte(text[p:], '\n'); i >= 0 {
			to = p + i + 1
		} else if !whole {
			return 0, p, nil
		}
		switch rest := trimEnd(text[p+1 : to]); {
		case len(rest) == 0:
			return to, 0, s.wrongCount(text[:to])
		case rest[0] != s.Delimiter:
			return to, 0, Misquoted(s.fields(text[:to]), errAfter)
		default:
			switch _, err := s.Count(rest[1:]); err {
			case nil:
				return to, 0, s.wrongCount(text[:to])
			case errOpen:
				p = to
			default:
				return to, 0, Misquoted(s.fields(text[:to]), err)
			}
		}
	}
}

// fields counts the fields of a record up to the one that is wrong.
func (s *Shape) fields(record []byte) int {
	n, _ := s.Count(trimEnd(record))
	return n
}

// wrongCount says whether a record has another number of fields than there are columns.
func (s *Shape) wrongCount(record []byte) error {
	if s.Columns == nil {
		return nil
	}
	if n := s.fields(record); n != s.Columns.Fields() {
		return s.Columns.WrongCount(n)
	}
	return nil
}

// resume gives where reading goes on in lines that are no record, after the first of them: at
// the first line that is a record by itself, or begins one.
func (s *Shape) resume(text []byte, first int) int {
	for pos := first; pos < len(text); {
		to := len(text)
		if i := bytes.IndexByte(text[pos:], '\n'); i >= 0 {
			to = pos + i + 1
		}
		n, err := s.Count(trimEnd(text[pos:to]))
		if err == errOpen || err == nil && (s.Columns == nil || n == s.Columns.Fields()) {
			return pos
		}
		pos = to
	}
	return len(text)
}

// trimEnd takes the end of its line off a record.
func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
