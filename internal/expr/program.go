package expr

import (
	"errors"
	"slices"

	"github.com/strandline-stream/strandline/internal/record"
)

// Program is a compiled expression. It may be used from several goroutines.
type Program struct {
	typ    record.Type
	fields []string
	field  int

	v valueFn
	b boolFn
	i intFn
	f floatFn
	s strFn
}

// Compile parses the text and checks it against the schema of the rows. It gives all mistakes
// at once, in the order of the text; a mistake in the grammar is alone.
func Compile(text string, schema record.Schema) (*Program, Errors) {
	root, err := parse(text)
	if err != nil {
		return nil, Errors{err}
	}
	c := &checker{text: text, schema: schema, reads: make([]bool, len(schema))}
	all := c.check(root)
	if len(c.errors) > 0 {
		slices.SortStableFunc(c.errors, func(a, b *Error) int { return a.Offset - b.Offset })
		return nil, c.errors[:min(len(c.errors), maxErrors)]
	}
	p := &Program{typ: all.typ, field: all.field, v: all.val(), b: all.b, s: all.s}
	for i, read := range c.reads {
		if read {
			p.fields = append(p.fields, schema[i].Name)
		}
	}
	switch all.typ.Kind {
	case record.Int:
		p.i, p.f = all.i, all.float()
	case record.Time:
		p.i = all.i
	case record.Float:
		p.f = all.f
	}
	return p, nil
}

// Type is the type of the values.
func (p *Program) Type() record.Type { return p.typ }

// Fields lists the fields of the row that it reads, in the order of the schema.
func (p *Program) Fields() []string { return slices.Clone(p.fields) }

// Field gives the index of the field that the expression is, and nothing more; ok is false if it
// computes something.
func (p *Program) Field() (index int, ok bool) { return p.field, p.field >= 0 }

// Eval gives the value for a row of the schema. An error is one of this record, such as a
// division by zero, and names the part of the expression.
func (p *Program) Eval(row record.Row) (record.Value, error) {
	v, err := p.v(row)
	if err != nil {
		return record.Value{}, err
	}
	return v, nil
}

var errType = errors.New("the expression is of another type")

// Bool is [Program.Eval] for a condition: null counts as false. The type must be boolean.
func (p *Program) Bool(row record.Row) (bool, error) {
	if p.b == nil {
		return false, errType
	}
	v, err := p.b(row)
	if err != nil {
		return false, failed(err)
	}
	return v, nil
}

// Int is [Program.Eval] for an integer, or a timestamp in microseconds since 1970.
func (p *Program) Int(row record.Row) (v int64, null bool, err error) {
	if p.i == nil {
		return 0, false, errType
	}
	v, fault := p.i(row)
	if fault != nil {
		return 0, isNull(fault), failed(fault)
	}
	return v, false, nil
}

// Float is [Program.Eval] for a number or an integer.
func (p *Program) Float(row record.Row) (v float64, null bool, err error) {
	if p.f == nil {
		return 0, false, errType
	}
	v, fault := p.f(row)
	if fault != nil {
		return 0, isNull(fault), failed(fault)
	}
	return v, false, nil
}

// Str is [Program.Eval] for a string.
func (p *Program) Str(row record.Row) (v string, null bool, err error) {
	if p.s == nil {
		return "", false, errType
	}
	v, fault := p.s(row)
	if fault != nil {
		return "", isNull(fault), failed(fault)
	}
	return v, false, nil
}

func isNull(f *fault) bool { return f == null }

// failed gives a fault as an error; null is none.
func failed(f *fault) error {
	if f == null {
		return nil
	}
	return f
}
