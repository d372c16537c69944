package rowio

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/record"
)

var errUTF8 = errors.New("text is not UTF-8")

// textLine makes the line of a row of one string.
func (w *writer) textLine(to []byte) ([]byte, error) {
	v := w.values[0]
	if k := v.Kind(); k != record.String {
		return nil, fmt.Errorf("text is written of a string, and field %q is %v", w.sink.names[0], k)
	}
	for i := range len(v.Str()) {
		if c := v.Str()[i]; c == '\n' || c == '\r' {
			return nil, errors.New("its text is more than one line (json and csv can hold that)")
		}
	}
	return append(to, v.Str()...), nil
}

func (w *writer) csvHeader(to []byte) []byte {
	for i, name := range w.sink.names {
		if i > 0 {
			to = append(to, w.dialect.Delimiter)
		}
		to = w.quoted(append(to, name...), len(to))
	}
	return to
}

// csvLine makes a record of the values: null is an empty field, empty text is "" in quotes,
// lists and objects are JSON.
func (w *writer) csvLine(to []byte) ([]byte, error) {
	for i, v := range w.values {
		if i > 0 {
			to = append(to, w.dialect.Delimiter)
		}
		from := len(to)
		switch v.Kind() {
		case record.Null:
			continue
		case record.String:
			if !utf8.ValidString(v.Str()) {
				return nil, fmt.Errorf("field %q: %w", w.sink.names[i], errUTF8)
			}
			to = w.quoted(append(to, v.Str()...), from)
		case record.Float:
			to = w.quoted(appendFloat(to, v.Float()), from)
		case record.Time, record.Bytes:
			to = v.AppendJSON(to)
			to = w.quoted(append(to[:from], to[from+1:len(to)-1]...), from) // without the quotes of JSON
		default:
			to = w.quoted(v.AppendJSON(to), from)
		}
	}
	if len(to) == 0 {
		return nil, errors.New("its one field is null, and its line would be empty")
	}
	return to, nil
}

// quoted puts the field that the line has from there on in quotes, if it needs them.
func (w *writer) quoted(line []byte, from int) []byte {
	if w.dialect.IsPlain(line[from:]) {
		return line
	}
	w.quoting = append(w.quoting[:0], line[from:]...)
	return delimited.AppendQuoted(line[:from], w.quoting)
}

// appendFloat writes as few digits as read back as the same float. A whole number that a float
// holds only roughly has an exponent, as it is not meant to the last digit.
func appendFloat(to []byte, v float64) []byte {
	format := byte('f')
	if size := math.Abs(v); size != 0 && size < 1e-6 || size >= 1<<53 {
		format = 'e'
	}
	return strconv.AppendFloat(to, v, format, -1, 64)
}
