package csv

import (
	"bytes"
	"errors"
)

// dialect is how fields are told apart.
type dialect struct {
	delimiter byte
	comment   byte // a line that begins with it is no record; 0: there are none
}

// What can be wrong with quotes.
var (
	errOpen  = errors.New("its quote is not closed")
	errAfter = errors.New("something follows its closing quote")
	errBare  = errors.New("there is a quote in it, and it does not begin with one")
)

// passes says whether a line is no record.
func (d dialect) passes(line []byte) bool {
	return len(line) == 0 || d.comment != 0 && line[0] == d.comment
}

// cut splits the first field off text, which has no line's end behind it. What stands between
// quotes is given without them, and copied to buf if a quote in it was doubled, unless buf is
// nil. More says that there is another field, in after.
func (d dialect) cut(text []byte, buf *[]byte) (field []byte, quoted bool, after []byte, more bool, err error) {
	if len(text) == 0 || text[0] != '"' {
		field = text
		if i := bytes.IndexByte(text, d.delimiter); i >= 0 {
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
		case text[at+1] == d.delimiter:
			return field, true, text[at+2:], true, nil
		}
		return nil, true, nil, false, errAfter
	}
}

// count gives the number of fields of a record, and what is wrong with the quotes of the last
// of them.
func (d dialect) count(record []byte) (n int, err error) {
	if bytes.IndexByte(record, '"') < 0 {
		return bytes.Count(record, []byte{d.delimiter}) + 1, nil
	}
	for more := true; more && err == nil; n++ {
		_, _, record, more, err = d.cut(record, nil)
	}
	return n, err
}
