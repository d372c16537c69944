package stdio

import (
	"bytes"
	"context"
	"encoding/json/v2"
	"fmt"
	"io"
	"reflect"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/output"
)

// Lines prints each row's value on a line of the standard output: text and whatever has a
// String method as such, anything else as JSON. If its reader has gone away, as with
// `| head`, the run ends with [connector.ErrReaderGone].
func Lines() connector.Sink { return sink{"stdout", output.Stdout(), line} }

// LinesTo is [Lines] to w, which it does not close.
func LinesTo(w io.Writer) connector.Sink { return sink{"lines", output.To(w), line} }

// sink prints rows.
type sink struct {
	name  string
	open  output.Opener
	print func(out *bytes.Buffer, rows connector.Rows, i int, widths *widths) error
}

func (s sink) Name() string { return s.name }

func (s sink) Open(context.Context) (connector.Writer, error) {
	out, err := s.open()
	if err != nil {
		return nil, fmt.Errorf("stdio: %w", err)
	}
	return &writer{sink: s, out: out}, nil
}

type writer struct {
	sink
	out    *output.Output
	widths widths
}

func (w *writer) Write(ctx context.Context, rows connector.Rows) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range rows.Len() {
		whole := w.out.Buffer.Len()
		if err := w.print(&w.out.Buffer, rows, i, &w.widths); err != nil {
			w.out.Buffer.Truncate(whole)
			return fmt.Errorf("stdio: a value of type %T cannot be printed: %w", rows.Value(i), err)
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

func line(out *bytes.Buffer, rows connector.Rows, i int, _ *widths) error {
	return value(out, rows.Value(i))
}

// value prints a value for people.
func value(out *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case string:
		out.WriteString(v)
		return nil
	case fmt.Stringer:
		out.WriteString(v.String())
		return nil
	case error:
		out.WriteString(v.Error())
		return nil
	}
	if text := reflect.ValueOf(v); text.Kind() == reflect.String {
		out.WriteString(text.String())
		return nil
	}
	return json.MarshalWrite(out, v, json.Deterministic(true))
}
