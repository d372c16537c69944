package csv

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"unicode/utf8"
	"unsafe"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/output"
)

// Sink is a [connector.Sink] that writes each row's value, a struct or a pointer to one, as a
// record, after a header with the names of its fields (see the package's comment). All rows
// are of one type. Null is an empty field, and empty text is "" in quotes (S13.2). What CSV
// cannot hold, a field of another type or text that is not UTF-8, is an error that ends the
// run, and so is a row whose only field is null: its line would be empty, and be no record.
//
// Lines become visible to readers when their buffer of 64 KiB is full, when the input
// pauses, and at the end. Its methods give changed copies.
type Sink struct {
	name     string
	open     output.Opener
	dialect  delimited.Dialect
	noHeader bool
}

// Create writes to a file. As [os.Create] does, it empties a file that is there when a run
// opens it. A file named .gz, .zst or .zstd is compressed. Without any row the file is empty.
func Create(path string) Sink {
	return Sink{name: filepath.Base(path), open: output.File(path), dialect: delimited.Dialect{Delimiter: ','}}
}

// Stdout writes to the standard output. If its reader has gone away the run ends with
// [connector.ErrReaderGone].
func Stdout() Sink {
	return Sink{name: "stdout", open: output.Stdout(), dialect: delimited.Dialect{Delimiter: ','}}
}

// Delimiter is the byte between fields, such as ';' or '\t'. Defaults to ','.
func (s Sink) Delimiter(c byte) Sink {
	s.dialect.Delimiter = c
	return s
}

// NoHeader leaves the header out. By default there is one.
func (s Sink) NoHeader() Sink {
	s.noHeader = true
	return s
}

// Name is the file's name without its directory, or "stdout".
func (s Sink) Name() string { return s.name }

// Open creates the file.
func (s Sink) Open(context.Context) (connector.Writer, error) {
	if err := s.dialect.Check(); err != nil {
		return nil, fmt.Errorf("csv: %w", err)
	}
	out, err := s.open()
	if err != nil {
		return nil, fmt.Errorf("csv: %w", err)
	}
	return &writer{out: out, sink: s}, nil
}

type writer struct {
	out  *output.Output
	sink Sink

	rows    reflect.Type // a slice of what is written; nil before the first row
	pointer bool         // its elements are pointers
	size    uintptr      // of an element
	fields  []field
	line    []byte
	text    []byte
}

func (w *writer) Write(ctx context.Context, rows connector.Rows) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if rows.Len() == 0 {
		return nil
	}
	values := reflect.ValueOf(rows.Values())
	if err := w.begin(values.Type()); err != nil {
		return fmt.Errorf("csv: %w", err)
	}
	at := values.UnsafePointer()
	for i := range rows.Len() {
		p := unsafe.Add(at, uintptr(i)*w.size)
		if w.pointer {
			if p = *(*unsafe.Pointer)(p); p == nil {
				return fmt.Errorf("csv: a value of type %v cannot be written: it is nil", w.rows.Elem())
			}
		}
		if err := w.record(p); err != nil {
			return fmt.Errorf("csv: a value of type %v cannot be written: %w", w.rows.Elem(), err)
		}
		w.out.Buffer.Write(w.line)
		if err := w.out.Spill(); err != nil {
			return err
		}
	}
	return nil
}

// begin finds out how rows are written, and writes the header, if they are the first.
func (w *writer) begin(rows reflect.Type) error {
	if w.rows != nil {
		if rows != w.rows {
			return fmt.Errorf("%s has rows of type %v, and cannot have others, of %v", w.sink.name, w.rows.Elem(), rows.Elem())
		}
		return nil
	}
	t := rows.Elem()
	pointer := t.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	fields, err := fieldsOf(t, toWrite)
	if err != nil {
		return err
	}
	w.rows, w.pointer, w.size, w.fields = rows, pointer, rows.Elem().Size(), fields
	if w.sink.noHeader {
		return nil
	}
	w.line = w.line[:0]
	for i, f := range fields {
		if i > 0 {
			w.line = append(w.line, w.sink.dialect.Delimiter)
		}
		from := len(w.line)
		w.line = append(w.line, f.name...)
		w.quote(from)
	}
	w.out.Buffer.Write(append(w.line, '\n'))
	return nil
}

// record makes the line for a struct.
func (w *writer) record(p unsafe.Pointer) error {
	w.line = w.line[:0]
	for i := range w.fields {
		f := &w.fields[i]
		if i > 0 {
			w.line = append(w.line, w.sink.dialect.Delimiter)
		}
		from := len(w.line)
		line, ok, err := f.append(w.line, unsafe.Add(p, f.offset))
		if err == nil && !isBytes(f.goType) && !utf8.Valid(line[from:]) {
			err = errUTF8
		}
		if err != nil {
			return fmt.Errorf("column %q: %w", f.name, err)
		}
		if w.line = line; ok {
			w.quote(from)
		}
	}
	if len(w.line) == 0 {
		return errors.New("its one field is null, and its line would be empty")
	}
	w.line = append(w.line, '\n')
	return nil
}

// quote puts the field that the line has from there on in quotes, if it needs them.
func (w *writer) quote(from int) {
	if !w.sink.dialect.IsPlain(w.line[from:]) {
		w.text = append(w.text[:0], w.line[from:]...)
		w.line = delimited.AppendQuoted(w.line[:from], w.text)
	}
}

func isBytes(t reflect.Type) bool { return t == reflect.TypeFor[[]byte]() }

func (w *writer) Flush(context.Context) error { return w.out.Flush() }

func (w *writer) Close() error { return w.out.Close() }
