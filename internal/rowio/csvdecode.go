package rowio

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/number"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/instant"
	"github.com/strandline-stream/strandline/internal/rowio/jsonrow"
	"github.com/strandline-stream/strandline/internal/rowio/slab"
	"github.com/strandline-stream/strandline/internal/swar"
)

// csvDecoder makes rows of CSV records. It is a [lines.Decoder].
type csvDecoder struct {
	probe
	delimited.Quotes
	dialect delimited.Dialect
	times   *instant.Parser // of the event time
	others  *instant.Parser // of RFC 3339
	hint    string
	columns *columns
	rows    slab.Rows
	text    slab.Text
	buf     []byte // of quoted fields
}

// Under takes the columns of the file that comes.
func (d *csvDecoder) Under(head any) { d.columns = head.(*columns) }

// Lend lends rows.
func (d *csvDecoder) Lend() (back func()) { return d.rows.Lend() }

// Decode reads a record, and its event time if there is one.
func (d *csvDecoder) Decode(line []byte, to *record.Row) (at int64, err error) {
	if d.dialect.Passes(line) {
		return 0, lines.ErrSkip
	}
	row := d.rows.Next()
	n := 0
	if d.Quotes.In(line) {
		n, at, err = d.withQuotes(line, row)
	} else {
		n, at, err = d.plain(line, row)
	}
	if n != len(d.columns.names) && (n > 0 || err == nil) {
		err = d.columns.WrongCount(n)
	}
	if err != nil {
		clear(row)
		return 0, err
	}
	d.rows.Take()
	*to = row
	return at, nil
}

// plain reads a record without quotes. It gives the number of its fields, and what is wrong
// with one.
func (d *csvDecoder) plain(line []byte, row record.Row) (n int, at int64, wrong error) {
	uses, from := d.columns.uses, 0
	for base := 0; base <= len(line); base += delimited.Span {
		ends := d.dialect.Ends(line[base:])
		for ; ends != 0 && n < len(uses) && wrong == nil; ends &= ends - 1 {
			to := base + bits.TrailingZeros64(ends)
			if c := &uses[n]; c.slot >= 0 || c.time {
				at, wrong = d.read(c, line[from:to], false, row, at)
			}
			n++
			from = to + 1
		}
		if n += bits.OnesCount64(ends); n >= len(uses) || wrong != nil { // the others only count
			if base += delimited.Span; base <= len(line) {
				n += d.dialect.Fields(line[base:])
			}
			break
		}
	}
	return n, at, wrong
}

// withQuotes reads any record. If its quotes are misplaced n is 0.
func (d *csvDecoder) withQuotes(line []byte, row record.Row) (n int, at int64, wrong error) {
	uses := d.columns.uses
	d.buf = d.buf[:0]
	for more := true; more; n++ {
		var field []byte
		var quoted bool
		var err error
		if field, quoted, line, more, err = d.dialect.Cut(line, &d.buf); err != nil {
			return 0, 0, delimited.Misquoted(n+1, err)
		}
		if n < len(uses) && wrong == nil {
			if c := &uses[n]; c.slot >= 0 || c.time {
				at, wrong = d.read(c, field, quoted, row, at)
			}
		}
	}
	return n, at, wrong
}

// read reads one field. It gives the event time, which is at unless this is its column.
func (d *csvDecoder) read(c *column, field []byte, quoted bool, row record.Row, at int64) (int64, error) {
	if len(field) == 0 && !quoted {
		if !c.null {
			return 0, reason{jsonrow.ErrMissing, fmt.Sprintf("column %q is empty, and %s", c.name, c.why())}
		}
		return at, nil
	}
	if c.time {
		d.add(field)
		var err error
		if at, err = d.times.Micros(field); err != nil {
			return 0, fmt.Errorf("%w: column %q: %w", jsonrow.ErrTime, c.name, err)
		}
		if c.slot >= 0 && c.typ.Kind == record.Time {
			row[c.slot] = record.OfTime(at)
		}
		if c.slot < 0 || c.typ.Kind == record.Time {
			return at, nil
		}
	}
	v, err := d.value(c.typ.Kind, field)
	if err != nil {
		return 0, d.unfit(c, field, err)
	}
	row[c.slot] = v
	return at, nil
}

func (c *column) why() string {
	if c.time {
		return "is the event time"
	}
	return fmt.Sprintf("the schema says %v: declare it %v? if it may be", c.typ, c.typ)
}

func (d *csvDecoder) unfit(c *column, field []byte, err error) error {
	kind := jsonrow.ErrType
	switch err {
	case number.ErrSyntax, number.ErrWhole, number.ErrRange, number.ErrRounded:
		kind = jsonrow.ErrNumber
	}
	return reason{kind, fmt.Sprintf("column %q: %q does not fit %v: %v%s", c.name, shorten(field), c.typ.Kind, err, d.hint)}
}

// value reads a value of a kind, which is not null.
func (d *csvDecoder) value(k record.Kind, text []byte) (v record.Value, err error) {
	switch k {
	case record.Int:
		n, err := number.Int(text, 64)
		return record.OfInt(n), err
	case record.Float:
		x, err := number.Float(text, 64)
		if err == number.ErrSyntax {
			x, err = special(text)
		}
		return record.OfFloat(x), err
	case record.Bool:
		b, err := boolean(text)
		return record.OfBool(b), err
	case record.Time:
		at, err := d.others.Micros(text)
		return record.OfTime(at), err
	case record.Bytes:
		return record.OfBytes(bytes.Clone(text)), nil
	}
	if !swar.ASCII(text) && !utf8.Valid(text) {
		return v, ErrUTF8
	}
	return record.OfString(d.text.Keep(text)), nil
}

var errBool = errors.New("not true or false")

func boolean(text []byte) (bool, error) {
	switch string(text) {
	case "1", "t", "T", "true", "TRUE", "True":
		return true, nil
	case "0", "f", "F", "false", "FALSE", "False":
		return false, nil
	}
	return false, errBool
}

// special reads what is no number and yet a float.
func special(text []byte) (float64, error) {
	switch string(bytes.ToLower(text)) {
	case "nan":
		return math.NaN(), nil
	case "inf", "+inf", "infinity", "+infinity":
		return math.Inf(1), nil
	case "-inf", "-infinity":
		return math.Inf(-1), nil
	}
	return 0, number.ErrSyntax
}
