package rowio

import (
	"context"
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/jsonrow"
)

// planJSON compiles the reading of JSON objects.
func planJSON(t *Table, fields []string) (plan, error) {
	o := jsonrow.Options{Schema: t.schema, Fields: fields, Loose: t.inferred > 0, Hint: t.hint()}
	if at := t.config.Time; at != nil {
		o.Time, o.Layout = at.Field, at.Layout
		if _, _, ok := jsonrow.Find(t.schema, at.Field); !ok && t.inferred > 0 {
			return plan{}, fmt.Errorf("event time: the first %d records have no field %q, but %s", t.inferred, at.Field, strings.Join(t.schema.Names(), ", "))
		}
	}
	if _, err := jsonrow.New(o); err != nil {
		return plan{}, err
	}
	return plan{decoder: func() lines.Decoder[record.Row] {
		d := &jsonDecoder{probe: newProbe(t.config.Time)}
		o := o
		if d.times != nil {
			o.Seen = d.add
		}
		d.rows, _ = jsonrow.New(o) // as above
		return d
	}}, nil
}

// jsonDecoder makes rows of lines. It is a [lines.Decoder].
type jsonDecoder struct {
	probe
	rows *jsonrow.Decoder
}

// Lend lends rows.
func (d *jsonDecoder) Lend() (back func()) { return d.rows.Lend() }

func (d *jsonDecoder) Decode(line []byte, row *record.Row) (at int64, err error) {
	var blank bool
	if *row, at, blank, err = d.rows.Decode(line); blank {
		err = lines.ErrSkip
	}
	return at, err
}

// Judge is that of the probe.
func (d *jsonDecoder) Judge(end bool) (settled bool, err error) {
	if settled, err = d.probe.Judge(end); settled {
		d.rows.SeenEnough()
	}
	return settled, err
}

// sampler makes values of lines, whatever they are.
type sampler struct {
	probe
	*budget
	values *jsonrow.Decoder
}

func (s *sampler) Decode(line []byte, v *record.Value) (int64, error) {
	if !s.spend(line) {
		return 0, lines.ErrSkip
	}
	value, blank, err := s.values.Sample(line)
	switch {
	case blank:
		return 0, lines.ErrSkip
	case err == nil && value.Kind() != record.Struct:
		err = fmt.Errorf("it is no JSON object, but %s", kindOf(value))
	}
	*v = value
	return 0, err
}

func kindOf(v record.Value) string {
	if v.Kind() == record.List {
		return "an array (if the whole file is one, its format is jsonarray)"
	}
	return fmt.Sprintf("%v %v", v.Kind(), v)
}

// inferJSON reads the beginning.
func inferJSON(ctx context.Context, t *Table) (record.Schema, error) {
	values, err := sample(ctx, t, nil, func(left *budget) lines.Decoder[record.Value] {
		s := &sampler{budget: left}
		s.values, _ = jsonrow.New(jsonrow.Options{}) // which asks for nothing
		return s
	})
	if err != nil {
		return nil, err
	}
	var s record.Schema
	for i, v := range values {
		if fields := record.Schema(record.TypeOf(v).Fields); i == 0 {
			s = fields
		} else {
			s = record.UnionFields(s, fields)
		}
	}
	t.inferred = len(values)
	return t.guessed(s), nil
}
