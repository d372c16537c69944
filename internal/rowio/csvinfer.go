package rowio

import (
	"bytes"
	"context"

	"github.com/strandline-stream/strandline/internal/delimited"
	"github.com/strandline-stream/strandline/internal/lines"
	"github.com/strandline-stream/strandline/internal/number"
	"github.com/strandline-stream/strandline/internal/record"
)

// kinds are what the fields of one record look like.
type kinds struct {
	names []string
	of    []record.Kind
}

// inferCSV reads the beginning.
func inferCSV(ctx context.Context, t *Table) (record.Schema, error) {
	shape, err := (&csvPlan{config: &t.config}).shape()
	if err != nil {
		return nil, err
	}
	records, err := sample(ctx, t, shape, func(left *budget) lines.Decoder[kinds] {
		return &csvSampler{budget: left, dialect: t.config.dialect()}
	})
	if err != nil {
		return nil, err
	}
	var s record.Schema
	for _, r := range records {
		for i, name := range r.names {
			j := i // where it is in almost all files
			if j >= len(s) || s[j].Name != name {
				j = s.Index(name)
			}
			if j < 0 {
				j = len(s)
				s = append(s, record.Field{Name: name})
			}
			s[j].Type.Kind = both(s[j].Type.Kind, r.of[i])
		}
	}
	for i, f := range s {
		if f.Type.Kind == record.Null {
			s[i].Type.Kind = record.String // of a column without values all can be said
		}
	}
	t.inferred = len(records)
	return t.guessed(s), nil
}

// both is the kind of a column with values of two: whatever they are, they are text.
func both(a, b record.Kind) record.Kind {
	switch {
	case a == b || b == record.Null:
		return a
	case a == record.Null:
		return b
	case a == record.Int && b == record.Float, a == record.Float && b == record.Int:
		return record.Float
	}
	return record.String
}

type csvSampler struct {
	probe
	*budget
	dialect delimited.Dialect
	columns *columns
}

func (s *csvSampler) Under(head any) { s.columns = head.(*columns) }

func (s *csvSampler) Decode(line []byte, v *kinds) (int64, error) {
	if !s.spend(line) || s.dialect.Passes(line) {
		return 0, lines.ErrSkip
	}
	v.names = s.columns.names
	for more := true; more; {
		var field, buf []byte
		var quoted bool
		var err error
		if field, quoted, line, more, err = s.dialect.Cut(line, &buf); err != nil {
			return 0, delimited.Misquoted(len(v.of)+1, err)
		}
		v.of = append(v.of, looksLike(field, quoted))
	}
	if len(v.of) != len(v.names) {
		return 0, s.columns.WrongCount(len(v.of))
	}
	return 0, nil
}

// looksLike is the kind of a field. Digits with a zero before them (a postal code, say), and
// more than fit an integer, are text.
func looksLike(text []byte, quoted bool) record.Kind {
	switch {
	case len(text) == 0 && !quoted:
		return record.Null
	case string(text) == "true" || string(text) == "false" || string(text) == "True" || string(text) == "False" || string(text) == "TRUE" || string(text) == "FALSE":
		return record.Bool
	case string(text) == "NaN":
		return record.Float
	}
	digits := bytes.TrimPrefix(text, []byte("-"))
	if len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9' || bytes.HasPrefix(text, []byte("+")) {
		return record.String
	}
	if !bytes.ContainsAny(text, ".eE") {
		if _, err := number.Int(text, 64); err == nil {
			return record.Int
		}
		return record.String
	}
	if _, err := number.Float(text, 64); err == nil {
		return record.Float
	}
	return record.String
}
