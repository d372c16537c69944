package delimited

import (
	"bytes"
	"errors"
	"fmt"
)

// Dialect is how fields are told apart.
type Dialect struct {
	Delimiter byte
	Comment   byte // a line that begins with it is no record; 0: there are none
}

// Check gives all that is wrong with the dialect.
func (d Dialect) Check() error {
	var problems []error
	unfit := func(c byte) bool { return c == '"' || c == '\n' || c == '\r' || c == 0 || c >= 0x80 }
	if unfit(d.Delimiter) {
		problems = append(problems, fmt.Errorf("Delimiter(%q): an ASCII character that is no quote, end of a line, or zero", d.Delimiter))
	}
	if d.Comment != 0 && (unfit(d.Comment) || d.Comment == d.Delimiter) {
		problems = append(problems, fmt.Errorf("Comment(%q): an ASCII character that is no quote, end of a line, or delimiter", d.Comment))
	}
	return errors.Join(problems...)
}

var (
	// ErrFields: not as many fields as there are columns.
	ErrFields = errors.New("wrong number of fields")
	// ErrQuote: a quote that is not closed, is followed by text, or stands within a field.
	ErrQuote = errors.New("misplaced quote")
)

// Misquoted is why a record is malformed whose field n, from 1 on, has a quote that is
// misplaced: err is what [Dialect.Cut] or [Dialect.Count] gave.
func Misquoted(n int, err error) error { return misquoted{n, err} }

type misquoted struct {
	field int
	what  error
}

func (m misquoted) Error() string {
	return fmt.Sprintf("%v: in field %d %v", ErrQuote, m.field, m.what)
}
func (m misquoted) Unwrap() error { return ErrQuote }

// What can be wrong with quotes.
var (
	errOpen  = errors.New("its quote is not closed")
	errAfter = errors.New("something follows its closing quote")
	errBare  = errors.New("there is a quote in it, and it does not begin with one")
)

// Passes says whether a line is no record.
func (d Dialect) Passes(line []byte) bool {
	return len(line) == 0 || d.Comment != 0 && line[0] == d.Comment
}

// Cut splits the first field off text, which has no line's end behind it. What stands between
// quotes is given without them, and copied to buf if a quote in it was doubled, unless buf is
// nil. More says that there is another field, in after.
func (d Dialect) Cut(text []byte, buf *[]byte) (field []byte, quoted bool, after []byte, more bool, err error) {
	if len(text) == 0 || text[0] != '"' {
		field = text
		if i := bytes.IndexByte(text, d.Delimiter); i >= 0 {
			field, after, more = text[:i], text[i+1:], true
		}
		if bytes.IndexByte(field, '"') >= 0 {
			err = errBare
		}
		return field, false, after, more, err
	}
	text = text[1:]
	copied, from := 0, 0 // the field is (*buf)[copied:] and text[from:] up to its end
	if buf != nil {
		copied = len(*buf)
	}
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '"')
		if i < 0 {
			return nil, true, nil, false, errOpen
		}
		at += i
		if at+1 < len(text) && text[at+1] == '"' {
			if buf != nil {
				*buf = append(*buf, text[from:at+1]...)
			}
			at += 2
			from = at
			continue
		}
		field = text[from:at]
		if buf != nil && len(*buf) > copied {
			*buf = append(*buf, field...)
			field = (*buf)[copied:]
		}
		switch {
		case at+1 == len(text):
			return field, true, nil, false, nil
		case text[at+1] == d.Delimiter:
			return field, true, text[at+2:], true, nil
		}
		return nil, true, nil, false, errAfter
	}
}

// Count gives the number of fields of a record, and what is wrong with the quotes of the last
// of them.
func (d Dialect) Count(record []byte) (n int, err error) {
	if bytes.IndexByte(record, '"') < 0 {
		return d.Fields(record), nil
	}
	for more := true; more && err == nil; n++ {
		_, _, record, more, err = d.Cut(record, nil)
	}
	return n, err
}
