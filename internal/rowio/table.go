package rowio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/files"
	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/record"
)

// format is one way to hold rows.
type format struct {
	name      string
	delimited bool
	maxLine   int
	// through changes an input before it is cut into lines; nil if there is nothing to change.
	through func(io.Reader) io.Reader
	// check gives what is wrong with the options of the format.
	check func(c *Config) error
	// infer finds the schema of a table.
	infer func(ctx context.Context, t *Table) (record.Schema, error)
	// plan compiles the reading of fields from lines.
	plan func(t *Table, fields []string) (plan, error)
	// source reads fields of a format that is not made of lines; nil for others.
	source func(t *Table, name string, fields []string) connector.Source[record.Row]
}

// plan is how records become rows of certain fields.
type plan struct {
	decoder func() lines.Decoder[record.Row]
	shape   func() lines.Shape // nil if each line is a record
}

var formats = []*format{
	{name: "json", maxLine: lines.MaxDefault, infer: inferJSON, plan: planJSON},
	{name: "jsonarray", maxLine: lines.MaxDefault, through: arrayLines, infer: inferJSON, plan: planJSON},
	{name: "csv", delimited: true, maxLine: maxCSVDefault, check: checkCSV, infer: inferCSV, plan: planCSV},
	{name: "text", maxLine: lines.MaxDefault, check: checkText, infer: inferText, plan: planText},
	{name: "parquet", maxLine: 1, check: checkParquet, infer: schemaOfParquet, source: parquetRows},
}

// Table is what a Config names: rows of one schema.
type Table struct {
	config   Config
	format   *format
	origin   lines.Origin
	schema   record.Schema
	inferred int          // records that the schema was inferred from; 0 if it was declared
	bytes    atomic.Int64 // of files, read so far
	size     int64        // of all files; 0 if it is not known
	head     []byte       // of the standard input: the text that the schema was inferred from
	files    []string     // their paths; nil for the standard input
}

// Open finds the files of a table. Unless the schema is declared it reads the beginning, of
// the first files 1,000 records or 1 MiB, and infers it from that; what it reads of the
// standard input it keeps for the source. Where there is nothing to infer from, or nothing of
// the beginning is a record, that is an error that names the place.
func Open(ctx context.Context, c Config) (*Table, error) {
	t, err := open(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", c.Format, err)
	}
	return t, nil
}

func open(ctx context.Context, c Config) (*Table, error) {
	format, err := c.settle()
	if err != nil {
		return nil, err
	}
	if format.check != nil {
		if err := format.check(&c); err != nil {
			return nil, err
		}
	}
	t := &Table{config: c, format: format, schema: c.Schema}
	if t.origin = c.origin(); format.through != nil {
		t.origin = t.origin.Through(format.through)
	}
	if err := t.origin.Check(); err != nil {
		return nil, err
	}
	if c.Paths[0] != "-" {
		files, err := t.origin.Each().Groups()
		if err != nil {
			return nil, err
		}
		t.measure(files)
		for _, f := range files {
			t.files = append(t.files, f.Name)
		}
	}
	if t.schema == nil {
		if t.schema, err = format.infer(ctx, t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// measure finds out how large the files are, so that a run can say how far it has come.
func (t *Table) measure(of []lines.Group) {
	if t.config.Follow {
		return
	}
	for _, f := range of {
		info, err := os.Stat(f.Name)
		if err != nil || !info.Mode().IsRegular() {
			t.size = 0
			return
		}
		t.size += info.Size()
	}
	t.origin = t.origin.Limiting(func(l *files.Limits) { l.Read = &t.bytes })
}

// BytesRead is how many bytes of the files have been read, and how many there are; of is 0 if
// that is not known: of the standard input, and of files that are followed.
func (t *Table) BytesRead() (done, of int64) { return min(t.bytes.Load(), t.size), t.size }

// Schema is what was declared or inferred. In an inferred schema every type is nullable, since
// the beginning does not tell what comes; a field that was null wherever it was seen, or had
// values of several types, is any.
func (t *Table) Schema() record.Schema { return t.schema }

// Inferred is how many records the schema was inferred from; 0 if it was declared.
func (t *Table) Inferred() int { return t.inferred }

// Source reads the table as rows of just these fields, in this order. If the table has an
// event time the batches have it, whether it is one of the fields or not. Name is short text
// for messages; "" is the name of the file.
func (t *Table) Source(name string, fields []string) connector.Source[record.Row] {
	if name == "" {
		name = t.origin.Name()
	}
	if t.format.source != nil {
		return t.format.source(t, name, fields)
	}
	return &source{table: t, name: name, fields: fields}
}

type source struct {
	table  *Table
	name   string
	fields []string
}

func (s *source) Name() string  { return s.name }
func (s *source) Bounded() bool { return s.table.origin.Bounded() }

// Timed says whether batches have event times.
func (s *source) Timed() bool { return s.table.config.Time != nil }

// Validate gives what is wrong with the fields.
func (s *source) Validate() error {
	_, err := s.table.format.plan(s.table, s.fields)
	return err
}

func (s *source) Splits(context.Context) ([]connector.Split[record.Row], error) {
	t := s.table
	plan, err := t.format.plan(t, s.fields)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	groups, err := t.origin.Groups()
	if err != nil {
		return nil, err
	}
	splits := make([]connector.Split[record.Row], len(groups))
	for i, group := range groups {
		splits[i] = &lines.Split[record.Row]{
			Group:    group,
			Max:      t.config.MaxLine,
			Timed:    t.config.Time != nil,
			Parallel: t.config.Parallel,
			Decoder:  plan.decoder,
			Shape:    plan.shape,
		}
	}
	return splits, nil
}

// hint tells what to do about a value that does not fit.
func (t *Table) hint() string {
	if t.inferred == 0 {
		return ""
	}
	return fmt.Sprintf(" (inferred from the first %d records: declare a schema)", t.inferred)
}

var errNothing = errors.New("there is nothing to infer a schema from: declare one")
