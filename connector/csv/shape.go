package csv

import (
	"bytes"
	"fmt"

	"github.com/strandline-stream/strandline/internal/lines"
)

// shape finds the records that are not just a line: those with a quoted field that goes on
// over several. It is a [lines.Shape].
type shape struct {
	dialect
	most int // bytes of a record
	head func(record []byte) (*plan, error)
	plan *plan // nil until the header is read, if there is one

	seen int // of an open record that was shown: up to there it is within quotes
}

// Head reads the header, or gives what the columns were declared to be.
func (s *shape) Head(record []byte) (head any, more bool, err error) {
	s.seen = 0
	switch {
	case record == nil && s.head == nil:
		return s.plan, false, nil
	case record == nil:
		s.plan = nil
		return s.plan, true, nil
	case s.passes(record):
		return s.plan, true, nil
	}
	s.plan, err = s.head(record)
	return s.plan, false, err
}

// lineEnd is LF, or CR LF.
const lineEnd = 2

// Find finds the next record of several lines, or what is no record beyond its first line.
//
// No byte is looked at more than a few times: a line whose quotes leave a field open has an odd
// number of them, and so has the line at which an open field must be closed or turn out to be
// wrong. So what is looked at beyond an open line ends at the next such line, or before it.
func (s *shape) Find(text []byte, end bool) (lines.Frame, lines.Verdict) {
	from, to, p := 0, 0, s.seen
	for pos := 0; ; pos = to {
		if p > 0 { // it was found to be open before
			to = bytes.IndexByte(text, '\n') + 1
		} else if from, to = s.open(text, pos, end); to == 0 {
			return lines.Frame{}, lines.None
		} else {
			p = to - from
		}
		window := text[from:min(len(text), from+s.most+lineEnd)]
		full := len(window) == s.most+lineEnd // then what follows does not matter
		n, seen, err := s.follow(window, p, end && !full)
		s.seen, p = 0, 0
		switch {
		case n == 0 && !end && !full:
			s.seen = seen
			return lines.Frame{From: from}, lines.Open
		case n == 0 || len(trimEnd(window[:n])) > s.most:
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
func (s *shape) open(text []byte, pos int, end bool) (from, to int) {
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
		if bytes.Count(line, []byte(`"`))%2 == 1 && len(line) <= s.most && s.leavesOpen(line) {
			return from, to
		}
		pos = to
	}
}

// leavesOpen says whether a line that begins a record ends within quotes.
func (s *shape) leavesOpen(line []byte) bool {
	line = trimEnd(line)
	if s.passes(line) {
		return false
	}
	_, err := s.count(line)
	return err == errOpen
}

// follow reads on in a record that is within quotes at p, and gives where its last line ends,
// with what is wrong with it; or n = 0 if that is not in text, and up to where it was seen to
// be within quotes. Nothing follows a whole text.
func (s *shape) follow(text []byte, p int, whole bool) (n, seen int, err error) {
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
		case rest[0] != s.delimiter:
			return to, 0, reason{ErrQuote, fmt.Sprintf("%v: in field %d %v", ErrQuote, s.fields(text[:to]), errAfter)}
		default:
			switch _, err := s.count(rest[1:]); err {
			case nil:
				return to, 0, s.wrongCount(text[:to])
			case errOpen:
				p = to
			default:
				return to, 0, reason{ErrQuote, fmt.Sprintf("%v: in field %d %v", ErrQuote, s.fields(text[:to]), err)}
			}
		}
	}
}

// fields counts the fields of a record up to the one that is wrong.
func (s *shape) fields(record []byte) int {
	n, _ := s.count(trimEnd(record))
	return n
}

// wrongCount says whether a record has another number of fields than there are columns.
func (s *shape) wrongCount(record []byte) error {
	if s.plan == nil {
		return nil
	}
	if n := s.fields(record); n != len(s.plan.columns) {
		return s.plan.wrongCount(n)
	}
	return nil
}

// resume gives where reading goes on in lines that are no record, after the first of them: at
// the first line that is a record by itself, or begins one.
func (s *shape) resume(text []byte, first int) int {
	for pos := first; pos < len(text); {
		to := len(text)
		if i := bytes.IndexByte(text[pos:], '\n'); i >= 0 {
			to = pos + i + 1
		}
		n, err := s.count(trimEnd(text[pos:to]))
		if err == errOpen || err == nil && (s.plan == nil || n == len(s.plan.columns)) {
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
