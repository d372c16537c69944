package jsonl

import (
	"bytes"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/lines"
)

// decoder makes records of type T of lines. It is a [lines.Decoder].
type decoder[T any] struct {
	config
	floats  floats           // what T has of them
	nothing bool             // null is no T
	probe   *timestamp.Probe // nil once it has judged
	scanner *scanner         // nil if package json decodes
}

func newDecoder[T any](c config) *decoder[T] {
	d := &decoder[T]{
		config:  c,
		floats:  floatsIn(reflect.TypeFor[T]()),
		nothing: reflect.TypeFor[T]().Kind() == reflect.Struct,
	}
	if c.timed && !c.accept {
		d.probe = timestamp.NewProbe(c.layout)
	}
	if c.program != nil {
		d.scanner = &scanner{program: c.program, most: c.maxDepth, lax: c.project, notes: make([][]byte, c.program.notes)}
	}
	return d
}

// Decode reads a record, and its event time if it is asked for.
func (d *decoder[T]) Decode(line []byte, v *T) (at int64, err error) {
	start := skipBlank(line, 0)
	if start == len(line) {
		return 0, lines.ErrSkip
	}
	scanned := d.scanner != nil && d.scanner.scan(line, start, unsafe.Pointer(v))
	if !scanned {
		if d.scanner != nil {
			var zero T
			*v = zero
		}
		if err := d.decode(line, start, v); err != nil {
			return 0, err
		}
	}
	// From here on the line is known to be valid JSON.
	for i, field := range d.require {
		if token := d.value(line, field, i, scanned); token == nil || token[0] == 'n' {
			return 0, missing("field", field, token)
		}
	}
	if !d.timed {
		return 0, nil
	}
	return d.time(d.value(line, d.field, len(d.require), scanned))
}

// decode has package json do the work.
func (d *decoder[T]) decode(line []byte, start int, v *T) error {
	if tooDeep(line, d.maxDepth) {
		return reason{ErrTooDeep, fmt.Sprintf("nested deeper than %d levels", d.maxDepth)}
	}
	if err := d.unmarshal(line, v); err != nil {
		return explain(err)
	}
	if d.nothing && line[start] == 'n' {
		return reason{ErrType, "the record is null"}
	}
	return nil
}

// value gives the value of a field that the options name, the n-th, as it is written.
func (d *decoder[T]) value(line []byte, field string, n int, scanned bool) []byte {
	if scanned {
		if token := d.scanner.notes[d.program.noted[n]]; token != nil || strings.IndexByte(field, '.') < 0 {
			return token
		}
	}
	return find(line, field)
}

// unmarshal is [json.Unmarshal], and exact about numbers. The plain function does almost all
// of the work: the exact one, several times slower, is for lines in which a number is
// written in an unusual way.
func (d *decoder[T]) unmarshal(line []byte, v *T) error {
	if d.floats.mayRound(line) {
		return json.Unmarshal(line, v, exactly)
	}
	err := json.Unmarshal(line, v)
	if err == nil || !mayBeWhole(err) {
		return err
	}
	var zero T
	*v = zero
	return json.Unmarshal(line, v, exactly)
}

// time reads the event time of a token, nil if the field is missing.
func (d *decoder[T]) time(token []byte) (int64, error) {
	if token == nil || token[0] == 'n' {
		return 0, missing("event time", d.field, token)
	}
	text := token
	switch c := token[0]; {
	case c == '-' || '0' <= c && c <= '9':
		if !d.layout.IsNumber() {
			return 0, reason{ErrTime, fmt.Sprintf("event time %q is the number %s, declared as text: %s", d.field, shorten(string(token)), d.layout)}
		}
		if d.probe != nil {
			d.probe.Add(token)
		}
	case c == '"':
		if d.layout.IsNumber() {
			return 0, reason{ErrTime, fmt.Sprintf("event time %q is text, %s, declared as a number of %s", d.field, shorten(string(token)), d.layout)}
		}
		text = token[1 : len(token)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			text, _ = jsontext.AppendUnquote(nil, token)
		}
	default:
		return 0, reason{ErrTime, fmt.Sprintf("event time %q is %s, and no %s", d.field, kindName(jsontext.Value(token).Kind()), d.layout)}
	}
	at, err := d.layout.ParseMicros(text)
	if err != nil {
		return 0, fmt.Errorf("%w: %q: %w", ErrTime, d.field, err)
	}
	return at, nil
}

func missing(what, field string, token []byte) error {
	if token == nil {
		return reason{ErrMissing, fmt.Sprintf("%s %q is missing", what, field)}
	}
	return reason{ErrMissing, fmt.Sprintf("%s %q is null", what, field)}
}

// Judge stops the run if the first event times are unlikely (S1.5).
func (d *decoder[T]) Judge(end bool) (settled bool, err error) {
	if d.probe == nil || !end && !d.probe.Full() {
		return d.probe == nil, nil
	}
	err = d.probe.Judge(time.Now())
	d.probe = nil
	if err != nil {
		return false, fmt.Errorf("%s: event time %q: %w (declare that unit in EventTime, or accept the times with AcceptUnlikelyTimes)", d.name, d.field, err)
	}
	return true, nil
}
