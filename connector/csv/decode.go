package csv

import (
	"bytes"
	"errors"
	"fmt"
	"time"
	"unsafe"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/number"
)

// decoder makes values of records. It is a [lines.Decoder].
type decoder[T any] struct {
	config
	delimited.Quotes
	plan  *plan
	probe *timestamp.Probe // nil once it has judged
	buf   []byte           // of quoted fields
}

func newDecoder[T any](c config) *decoder[T] {
	d := &decoder[T]{config: c}
	if c.timed && !c.accept {
		d.probe = timestamp.NewProbe(c.layout)
	}
	return d
}

// Under takes the plan for the file that comes.
func (d *decoder[T]) Under(head any) { d.plan = head.(*plan) }

// Decode reads a record, and its event time if it is asked for.
func (d *decoder[T]) Decode(record []byte, v *T) (at int64, err error) {
	if d.Passes(record) {
		return 0, lines.ErrSkip
	}
	to := unsafe.Pointer(v)
	plain := !d.Quotes.In(record)
	d.buf = d.buf[:0]
	var wrong error
	n := 0
	for more := true; more; n++ {
		if n >= d.plan.used && (plain || wrong != nil) {
			rest, err := d.Count(record)
			if n += rest; err != nil {
				return 0, delimited.Misquoted(n, err)
			}
			break
		}
		field, quoted := record, false
		if plain {
			if i := bytes.IndexByte(record, d.Delimiter); i < 0 {
				more = false
			} else {
				field, record = record[:i], record[i+1:]
			}
		} else if field, quoted, record, more, err = d.Cut(record, &d.buf); err != nil {
			return 0, delimited.Misquoted(n+1, err)
		}
		if n < d.plan.used && wrong == nil {
			at, wrong = d.read(&d.plan.columns[n], field, quoted, to, at)
		}
	}
	if n != len(d.plan.columns) {
		return 0, d.plan.WrongCount(n)
	}
	return at, wrong
}

// read reads one field. It gives the event time, which is at unless this is its column.
func (d *decoder[T]) read(c *column, field []byte, quoted bool, to unsafe.Pointer, at int64) (int64, error) {
	null := len(field) == 0 && !quoted
	if null && (c.required || c.time) {
		return 0, reason{ErrMissing, fmt.Sprintf("column %q is empty", c.name)}
	}
	if c.set != nil && !null {
		if err := c.set(unsafe.Add(to, c.offset), field); err != nil {
			return 0, c.wrong(field, err)
		}
	}
	if !c.time {
		return at, nil
	}
	if d.probe != nil {
		d.probe.Add(field)
	}
	at, err := d.layout.ParseMicros(field)
	if err != nil {
		return 0, fmt.Errorf("%w: column %q: %w", ErrTime, c.name, err)
	}
	return at, nil
}

// wrong is why a record is malformed whose field cannot be read.
func (c *column) wrong(field []byte, err error) error {
	kind := ErrType
	for _, number := range []error{number.ErrSyntax, number.ErrWhole, number.ErrRange, number.ErrRounded} {
		if errors.Is(err, number) {
			kind = ErrNumber
		}
	}
	return reason{kind, fmt.Sprintf("column %q: %q does not fit a Go %v: %v", c.name, shorten(field), c.goType, shorten([]byte(err.Error())))}
}

// Judge stops the run if the first event times are unlikely (S1.5).
func (d *decoder[T]) Judge(end bool) (settled bool, err error) {
	if d.probe == nil || !end && !d.probe.Full() {
		return d.probe == nil, nil
	}
	err = d.probe.Judge(time.Now())
	d.probe = nil
	if err != nil {
		return false, fmt.Errorf("%s: event time %q: %w (declare that unit in EventTime, or accept the times with AcceptUnlikelyTimes)", d.name, d.config.field, err)
	}
	return true, nil
}
