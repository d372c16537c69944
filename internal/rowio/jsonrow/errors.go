package jsonrow

import (
	"bytes"
	"encoding/json/jsontext"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The reasons of malformed records, for [errors.Is].
var (
	// ErrSyntax: not JSON, or not UTF-8.
	ErrSyntax = errors.New("not valid JSON")
	// ErrDuplicateKey: a key in use is given twice in one object.
	ErrDuplicateKey = errors.New("duplicate key")
	// ErrType: JSON, but not of the field's type.
	ErrType = errors.New("wrong type")
	// ErrNumber: a number that does not fit the field's type.
	ErrNumber = errors.New("number does not fit")
	// ErrTooDeep: nested beyond [MaxDepth].
	ErrTooDeep = errors.New("nested too deep")
	// ErrMissing: a field that must be there is missing or null.
	ErrMissing = errors.New("missing field")
	// ErrTime: an event time, or a field of type timestamp, cannot be read.
	ErrTime = errors.New("timestamp cannot be read")
)

// reason says why a record is malformed. It holds on to nothing of the line.
type reason struct {
	kind error
	text string
}

func (r reason) Error() string { return r.text }
func (r reason) Unwrap() error { return r.kind }

// fail notes why the line is malformed.
func (d *Decoder) fail(kind error, format string, args ...any) int {
	d.err = reason{kind, fmt.Sprintf(format, args...)}
	return -1
}

// mismatch says that a value is of another type than its field.
func (d *Decoder) mismatch(i int, f *field) int {
	end := d.skip(i)
	if end < 0 {
		return end
	}
	return d.fail(ErrType, "field %q is %s, and the schema says %v%s", f.path, describe(d.buf[i:end]), f.typ, d.hint)
}

// describe says what a JSON value is.
func describe(raw []byte) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "the text " + shorten(string(raw))
	case 't', 'f':
		return "the boolean " + string(raw)
	case 'n':
		return "null"
	}
	return "the number " + shorten(string(raw))
}

func (d *Decoder) unfit(i, end int, f *field, err error) int {
	return d.fail(ErrNumber, "field %q: %s does not fit %v: %v%s", f.path, shorten(string(d.buf[i:end])), f.kind, err, d.hint)
}

func (d *Decoder) missing(f *field, null bool) int {
	is := "is missing"
	if null {
		is = "is null"
	}
	if f.time || f.leads {
		return d.fail(ErrMissing, "event time %q %s", d.timeField, is)
	}
	return d.fail(ErrMissing, "field %q %s, and the schema says %v: declare it %v? if it may be", f.path, is, f.typ, f.typ)
}

// explain finds the words for a line that is no JSON object.
func explain(line []byte) error {
	line = bytes.Trim(line, " \t\r\n")
	dec := jsontext.NewDecoder(strings.NewReader(string(line)), jsontext.AllowDuplicateNames(true))
	kind := dec.PeekKind()
	for {
		_, err := dec.ReadToken()
		var syntactic *jsontext.SyntacticError
		switch {
		case errors.As(err, &syntactic):
			return reason{ErrSyntax, fmt.Sprintf("%v: %v after %d bytes", ErrSyntax, syntactic.Err, syntactic.ByteOffset)}
		case err == io.EOF:
			if kind != '{' {
				return reason{ErrType, fmt.Sprintf("the record is %s, and no object", describe(line))}
			}
			return reason{ErrSyntax, ErrSyntax.Error()}
		case err != nil:
			return reason{ErrSyntax, fmt.Sprintf("%v: %v", ErrSyntax, err)}
		case kind != '{' && dec.StackDepth() == 0:
			kind = ' ' // a value that is no object, and maybe more
			if _, err := dec.ReadToken(); err != nil && err != io.EOF {
				return reason{ErrSyntax, fmt.Sprintf("%v: it is more than one value", ErrSyntax)}
			}
			return reason{ErrType, fmt.Sprintf("the record is %s, and no object", describe(line))}
		}
	}
}

// shorten cuts text from a record down to what a message can bear.
func shorten(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
