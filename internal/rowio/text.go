package rowio

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/slab"
)

// textSchema is that of text: rows are lines.
var textSchema = record.Schema{{Name: "line", Type: record.Type{Kind: record.String}}}

func checkText(c *Config) error {
	var problems []error
	if c.Schema != nil && (len(c.Schema) != 1 || c.Schema[0].Type.Kind != record.String) {
		problems = append(problems, fmt.Errorf("text has rows of one string, and the schema is %s", c.Schema))
	}
	if c.Time != nil {
		problems = append(problems, errors.New("text has no field for the event time"))
	}
	return errors.Join(problems...)
}

func inferText(context.Context, *Table) (record.Schema, error) { return textSchema, nil }

// planText reads each line, also an empty one, as a string.
func planText(t *Table, fields []string) (plan, error) {
	if len(fields) > 1 || len(fields) == 1 && fields[0] != t.schema[0].Name {
		return plan{}, fmt.Errorf("text has one field, %s, and not %v", t.schema[0].Name, fields)
	}
	return plan{decoder: func() lines.Decoder[record.Row] {
		return &textDecoder{rows: slab.Rows{Width: len(fields)}}
	}}, nil
}

type textDecoder struct {
	probe
	rows slab.Rows
	text slab.Text
}

// ErrUTF8 is the reason of a record that is not UTF-8.
var ErrUTF8 = errors.New("not UTF-8")

// Lend lends rows.
func (d *textDecoder) Lend() (back func()) { return d.rows.Lend() }

func (d *textDecoder) Decode(line []byte, row *record.Row) (int64, error) {
	if !utf8.Valid(line) {
		return 0, ErrUTF8
	}
	*row = d.rows.Next()
	if d.rows.Take(); len(*row) > 0 {
		(*row)[0] = record.OfString(d.text.Keep(line))
	}
	return 0, nil
}
