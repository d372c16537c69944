package rowio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/output"
	"github.com/strandline-stream/strandline/internal/record"
)

// SinkConfig says where rows go, and how they are written.
type SinkConfig struct {
	// Format is "json" (a JSON object a line), "csv", or "text" (rows of one string).
	Format string
	// Path is a file; one named .gz, .zst or .zstd is compressed. "-" is the standard output.
	//
	// A file is written under a hidden name in its directory, and takes its place when the run
	// is complete: until then, and if the run fails, what was there before stays.
	Path string
	// Name is what reports and plans call the sink. Defaults to the last part of Path.
	Name string
	// Stdout is written for "-". Defaults to the standard output of the process.
	Stdout io.Writer
	// InPlace writes the file itself, emptied when the run begins: rows can be seen whenever
	// the input pauses. It is for runs that do not end.
	InPlace bool

	// Delimiter is between the fields of CSV. Defaults to ','.
	Delimiter rune
	// NoHeader leaves the header of CSV out.
	NoHeader bool

	// The names of fields that are added after those of the row: the bounds and event time as
	// timestamps, the pane as text. Those whose name is "" are left out; a bound is null where
	// there is no window.
	WindowStart, WindowEnd, EventTime, Pane string
}

// Sink writes rows of a schema: rows.Values() is a []record.Row, whose rows have a value for
// each field. What is wrong with the configuration is an error of Open, and of the method
// Validate.
func Sink(c SinkConfig, schema record.Schema) connector.Sink {
	s := &sink{config: c, names: schema.Names()}
	if s.name = filepath.Base(c.Path); c.Path == "-" {
		s.name = "stdout"
	}
	if c.Name != "" {
		s.name = c.Name
	}
	for _, extra := range []string{c.WindowStart, c.WindowEnd, c.EventTime, c.Pane} {
		if extra != "" {
			s.names = append(s.names, extra)
		}
	}
	s.fields = len(schema)
	return s
}

type sink struct {
	config SinkConfig
	name   string
	names  []string
	fields int // those of the schema come first
}

func (s *sink) Name() string { return s.name }

// Validate gives all that is wrong.
func (s *sink) Validate() error {
	var problems []error
	c := s.config
	if c.Path == "" {
		problems = append(problems, errors.New(`no path: name a file, or "-" for the standard output`))
	}
	switch c.Format {
	case "json":
	case "csv":
		if err := s.dialect().Check(); err != nil {
			problems = append(problems, err)
		}
		if len(s.names) == 0 {
			problems = append(problems, errors.New("csv: rows without fields cannot be written"))
		}
	case "text":
		if len(s.names) != 1 {
			problems = append(problems, fmt.Errorf("text: rows have one field, a string; these have %d", len(s.names)))
		}
	default:
		problems = append(problems, fmt.Errorf("there is no format %q to write, but json, csv, text", c.Format))
	}
	if c.Format != "csv" && (c.Delimiter != 0 || c.NoHeader) {
		problems = append(problems, fmt.Errorf("delimiter and header are options of csv, and the format is %s", c.Format))
	}
	seen := map[string]bool{}
	for _, name := range s.names {
		if seen[name] {
			problems = append(problems, fmt.Errorf("two fields would be named %q", name))
		}
		seen[name] = true
	}
	return errors.Join(problems...)
}

func (s *sink) dialect() delimited.Dialect {
	c := cmp.Or(s.config.Delimiter, ',')
	if c < 0 || c >= 0x80 {
		c = 0x80 // which the check refuses
	}
	return delimited.Dialect{Delimiter: byte(c)}
}

// Open creates the file.
func (s *sink) Open(ctx context.Context) (connector.Writer, error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("write %s: %w", s.name, err)
	}
	open := output.Replace(s.config.Path)
	switch {
	case s.config.Path == "-" && s.config.Stdout != nil && s.config.Stdout != io.Writer(os.Stdout):
		open = output.To(s.config.Stdout)
	case s.config.Path == "-":
		open = output.Stdout()
	case s.config.InPlace:
		open = output.File(s.config.Path)
	}
	out, err := open()
	if err != nil {
		return nil, err
	}
	w := &writer{sink: s, out: out, run: ctx, values: make([]record.Value, len(s.names))}
	switch s.config.Format {
	case "json":
		w.append = func(to []byte) ([]byte, error) { return record.AppendObject(to, s.names, w.values), nil }
	case "csv":
		w.append = w.csvLine
		if w.dialect = s.dialect(); !s.config.NoHeader {
			out.Buffer.Write(append(w.csvHeader(nil), '\n'))
		}
	case "text":
		w.append = w.textLine
	}
	return w, nil
}

// writer writes the rows of one run.
type writer struct {
	sink    *sink
	out     *output.Output
	run     context.Context
	append  func(to []byte) ([]byte, error) // the line of values, without its end
	dialect delimited.Dialect
	values  []record.Value
	line    []byte
	quoting []byte
	whole   bool // all that was written is flushed
}

func (w *writer) Write(ctx context.Context, rows connector.Rows) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	all, ok := rows.Values().([]record.Row)
	if !ok {
		return fmt.Errorf("%s: rows are written, and not %T", w.sink.name, rows.Values())
	}
	w.whole = w.whole && len(all) == 0
	for i, row := range all {
		if len(row) != w.sink.fields {
			return fmt.Errorf("%s: a row has %d values for the %d fields %v", w.sink.name, len(row), w.sink.fields, w.sink.names[:w.sink.fields])
		}
		w.extra(rows, i, copy(w.values, row))
		line, err := w.append(w.line[:0])
		if err != nil {
			return fmt.Errorf("%s: row %v cannot be written: %w", w.sink.name, record.OfStruct(w.sink.names, w.values), err)
		}
		w.line = append(line, '\n')
		w.out.Buffer.Write(w.line)
		if err := w.out.Spill(); err != nil {
			return err
		}
	}
	return nil
}

// extra sets the values that are not the row's, from place n on.
func (w *writer) extra(rows connector.Rows, i, n int) {
	c := &w.sink.config
	if n == len(w.values) {
		return
	}
	put := func(name string, v record.Value) {
		if name != "" {
			w.values[n] = v
			n++
		}
	}
	var start, end record.Value
	if in, ok := rows.Window(i); ok {
		start, end = bound(in.Start()), bound(in.End())
	}
	put(c.WindowStart, start)
	put(c.WindowEnd, end)
	put(c.EventTime, record.OfTime(rows.Time(i)))
	put(c.Pane, record.OfString(rows.Pane(i).String()))
}

// bound is null where the window has none.
func bound(t time.Time) record.Value {
	at := etime.Micros(t)
	if at == etime.Min || at == etime.Max {
		return record.Value{}
	}
	return record.OfTime(at)
}

func (w *writer) Flush(context.Context) error {
	err := w.out.Flush()
	w.whole = err == nil
	return err
}

// Close ends the file. A run that was given up has not flushed what it wrote last, or its
// context is done.
func (w *writer) Close() error {
	if w.whole && w.run.Err() == nil {
		return w.out.Finish()
	}
	return w.out.Close()
}
