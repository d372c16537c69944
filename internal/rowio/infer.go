package rowio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/files"
	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/record"
)

// What is read to infer a schema: so many records or bytes, whichever is less.
const (
	sampleRecords = 1000
	sampleBytes   = 1 << 20
)

// budget is how many bytes of records may still be looked at.
type budget int

// spend says whether a record may be looked at. The first always may.
func (b *budget) spend(record []byte) bool {
	ok := *b > 0
	*b -= budget(len(record))
	return ok
}

// sample decodes the beginning of a table. The decoder skips what is not in its budget.
func sample[T any](ctx context.Context, t *Table, shape func() lines.Shape, decoder func(*budget) lines.Decoder[T]) ([]T, error) {
	origin, grows := t.origin, t.config.Follow
	if t.config.Paths[0] == "-" {
		if err := t.readHead(ctx); err != nil {
			return nil, fmt.Errorf("stdin: %w", err)
		}
		origin, grows = lines.Reader("stdin", bytes.NewReader(t.head)).Ending(), false
	} else if err := t.rereadable(); err != nil {
		return nil, err
	}
	groups, err := origin.Groups()
	if err != nil {
		return nil, err
	}
	var values []T
	var wrong []connector.Malformed
	left := budget(sampleBytes)
	sampling := decoder(&left)
	for _, group := range groups {
		split := &lines.Split[T]{Group: group, Max: t.config.MaxLine, Shape: shape, Decoder: func() lines.Decoder[T] { return sampling }}
		r, err := split.Open(ctx)
		if err != nil {
			return nil, err
		}
		for err == nil && left > 0 && len(values) < sampleRecords {
			var b connector.Batch[T]
			err = r.Read(ctx, &b)
			values, wrong = append(values, b.Values...), append(wrong, b.Malformed...)
			if b.CaughtUp && grows || len(wrong) > sampleRecords {
				break
			}
		}
		if err := errors.Join(ignoreEnd(err), r.Close()); err != nil {
			return nil, err
		}
	}
	switch {
	case len(values) > 0:
		return values[:min(len(values), sampleRecords)], nil
	case len(wrong) > 0:
		return nil, fmt.Errorf("%s: %w (nothing at the beginning is a record: is the format %s?)", wrong[0].Position, wrong[0].Reason, t.config.Format)
	}
	return nil, fmt.Errorf("%s: %w", t.origin.Name(), errNothing)
}

// rereadable says that what is read of the files can be read a second time.
func (t *Table) rereadable() error {
	for _, pattern := range t.config.Paths {
		paths, err := files.Find(pattern)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
				return fmt.Errorf("%s: is a pipe or device, which can be read once: declare a schema, or read it as the standard input", path)
			}
		}
	}
	return nil
}

func ignoreEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// readHead reads the beginning of the standard input, and has the source begin with it: at
// least so many lines or bytes as a sample has, or what there is; or, if the input need not
// end, what comes first.
//
// A Read that waits goes on when ctx is done, and ends with the process.
func (t *Table) readHead(ctx context.Context) error {
	in := t.config.Stdin
	if in == nil {
		in = os.Stdin
	}
	type head struct {
		raw, text []byte
		err       error
	}
	done := make(chan head, 1)
	go func() {
		var raw bytes.Buffer
		var h head
		text := files.Decompress(io.TeeReader(in, &raw), files.Default)
		if t.format.through != nil {
			text = t.format.through(text)
		}
		count := 0
		for h.err == nil && count <= sampleRecords && len(h.text) < sampleBytes {
			p := make([]byte, 64<<10)
			var n int
			n, h.err = text.Read(p)
			h.text = append(h.text, p[:n]...)
			count += bytes.Count(p[:n], []byte("\n"))
			if t.config.Follow && count > 0 {
				break
			}
		}
		h.raw = raw.Bytes()
		done <- h
	}()
	var h head
	select {
	case h = <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if h.err == nil {
		h.text = h.text[:bytes.LastIndexByte(h.text, '\n')+1]
	}
	t.head = h.text
	t.origin = t.origin.After(h.raw)
	return ignoreEnd(h.err)
}

// guessed makes a schema of what the beginning showed.
func (t *Table) guessed(s record.Schema) record.Schema {
	for i := range s {
		s[i].Type = loosen(s[i].Type)
	}
	return s
}

// loosen lets null be possible everywhere.
func loosen(t record.Type) record.Type {
	if t.Kind == record.Null {
		t.Kind = record.Any
	}
	t.Nullable = true
	if t.Elem != nil {
		elem := loosen(*t.Elem)
		t.Elem = &elem
	}
	if t.Fields != nil {
		fields := make([]record.Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = record.Field{Name: f.Name, Type: loosen(f.Type)}
		}
		t.Fields = fields
	}
	return t
}
