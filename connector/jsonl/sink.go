package jsonl

import (
	"context"
	"encoding/json/v2"
	"fmt"
	"path/filepath"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/output"
)

// Create writes each row's value as a line of JSON to a file. As [os.Create] does, it empties
// a file that is there when a run opens it. A file named .gz is compressed. What JSON cannot
// hold (NaN, text that is not UTF-8) is an error that ends the run.
//
// Lines become visible to readers when their buffer of 64 KiB is full, when the input
// pauses, and at the end.
func Create(path string) connector.Sink {
	return sink{name: filepath.Base(path), open: output.File(path)}
}

// Stdout writes each row's value as a line of JSON to the standard output. If its reader has
// gone away the run ends with [connector.ErrReaderGone].
func Stdout() connector.Sink { return sink{name: "stdout", open: output.Stdout()} }

type sink struct {
	name string
	open output.Opener
}

func (s sink) Name() string { return s.name }

func (s sink) Open(context.Context) (connector.Writer, error) {
	out, err := s.open()
	if err != nil {
		return nil, fmt.Errorf("jsonl: %w", err)
	}
	return &writer{out}, nil
}

type writer struct{ out *output.Output }

// deterministic orders the keys of maps, so that equal results are equal bytes.
var deterministic = json.Deterministic(true)

func (w *writer) Write(ctx context.Context, rows connector.Rows) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range rows.Len() {
		whole := w.out.Buffer.Len()
		if err := json.MarshalWrite(&w.out.Buffer, rows.Value(i), deterministic); err != nil {
			w.out.Buffer.Truncate(whole)
			return fmt.Errorf("jsonl: a value of type %T cannot be written: %w", rows.Value(i), err)
		}
		w.out.Buffer.WriteByte('\n')
		if err := w.out.Spill(); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) Flush(context.Context) error { return w.out.Flush() }

func (w *writer) Close() error { return w.out.Close() }
