package expr

import (
	"fmt"
	"math"

	"github.com/strandline-stream/strandline/internal/record"
)

// Compiled functions give a value of a row, and a fault: nil if there is a value, null if it is
// null, else why the record has none. A valueFn gives null as the null value, without a fault.
type (
	boolFn  func(record.Row) (bool, *fault)
	intFn   func(record.Row) (int64, *fault) // integers and instants
	floatFn func(record.Row) (float64, *fault)
	strFn   func(record.Row) (string, *fault)
	valueFn func(record.Row) (record.Value, *fault)
)

// fault is why there is no value.
type fault struct {
	where string // the part of the text
	what  string
}

// null is the fault of null.
var null = &fault{what: "null"}

func (f *fault) Error() string { return f.where + ": " + f.what }

// code is a checked and compiled node.
type code struct {
	typ record.Type
	n   *node

	// Exactly one is set, by typ.Kind: b for Bool, i for Int and Time, f for Float, s for String,
	// v for what remains. Of what could not be checked none is, and bad is true.
	b   boolFn
	i   intFn
	f   floatFn
	s   strFn
	v   valueFn
	bad bool

	literal bool         // it is value in each row
	value   record.Value // of a literal
	field   int          // the field of the row that it is, -1 if it is none
	rounded string       // where it stands, for the fault of an integer that a float does not hold
}

// bad is the code of a node with a mistake. Nothing more is said of what contains it.
func bad(n *node) code { return code{n: n, bad: true, field: -1} }

func anyBad(cs []code) bool {
	for _, c := range cs {
		if c.bad {
			return true
		}
	}
	return false
}

func nullable(cs ...code) bool {
	for _, c := range cs {
		if c.typ.Nullable {
			return true
		}
	}
	return false
}

func scalar(k record.Kind, nullable bool) record.Type {
	return record.Type{Kind: k, Nullable: nullable}
}

func boolCode(n *node, nullable bool, f boolFn) code {
	return code{n: n, typ: scalar(record.Bool, nullable), b: f, field: -1}
}

func intCode(n *node, nullable bool, f intFn) code {
	return code{n: n, typ: scalar(record.Int, nullable), i: f, field: -1}
}

func timeCode(n *node, nullable bool, f intFn) code {
	return code{n: n, typ: scalar(record.Time, nullable), i: f, field: -1}
}

func floatCode(n *node, nullable bool, f floatFn) code {
	return code{n: n, typ: scalar(record.Float, nullable), f: f, field: -1}
}

func strCode(n *node, nullable bool, f strFn) code {
	return code{n: n, typ: scalar(record.String, nullable), s: f, field: -1}
}

// valueCode gives code of any type from a function of values, which must give values of it.
func valueCode(n *node, t record.Type, f valueFn) code {
	c := code{n: n, typ: t, field: -1}
	switch t.Kind {
	case record.Bool:
		c.b = func(r record.Row) (bool, *fault) {
			v, err := f(r)
			return v.Bool(), nullOr(v, err)
		}
	case record.Int, record.Time:
		c.i = func(r record.Row) (int64, *fault) {
			v, err := f(r)
			return v.Int(), nullOr(v, err)
		}
	case record.Float:
		c.f = func(r record.Row) (float64, *fault) {
			v, err := f(r)
			return v.Float(), nullOr(v, err)
		}
	case record.String:
		c.s = func(r record.Row) (string, *fault) {
			v, err := f(r)
			return v.Str(), nullOr(v, err)
		}
	default:
		c.v = f
	}
	return c
}

func nullOr(v record.Value, err *fault) *fault {
	if err == nil && v.IsNull() {
		return null
	}
	return err
}

// literalCode gives the code of a value that is known already.
func literalCode(n *node, v record.Value) code {
	c := code{n: n, typ: record.TypeOf(v), literal: true, value: v, field: -1}
	switch v.Kind() {
	case record.Bool:
		x := v.Bool()
		c.b = func(record.Row) (bool, *fault) { return x, nil }
	case record.Int, record.Time:
		x := v.Int()
		c.i = func(record.Row) (int64, *fault) { return x, nil }
	case record.Float:
		x := v.Float()
		c.f = func(record.Row) (float64, *fault) { return x, nil }
	case record.String:
		x := v.Str()
		c.s = func(record.Row) (string, *fault) { return x, nil }
	default:
		c.v = func(record.Row) (record.Value, *fault) { return v, nil }
	}
	return c
}

// float gives numbers as floats.
func (c code) float() floatFn {
	if c.typ.Kind == record.Float {
		return c.f
	}
	i := c.i
	if c.literal {
		x := float64(c.value.Int())
		return func(record.Row) (float64, *fault) { return x, nil }
	}
	return func(r record.Row) (float64, *fault) {
		v, err := i(r)
		return float64(v), err
	}
}

// val gives any code as a function of values.
func (c code) val() valueFn {
	switch c.typ.Kind {
	case record.Bool:
		b := c.b
		return func(r record.Row) (record.Value, *fault) {
			v, err := b(r)
			if err != nil {
				return record.Value{}, real(err)
			}
			return record.OfBool(v), nil
		}
	case record.Int:
		i := c.i
		return func(r record.Row) (record.Value, *fault) {
			v, err := i(r)
			if err != nil {
				return record.Value{}, real(err)
			}
			return record.OfInt(v), nil
		}
	case record.Time:
		i := c.i
		return func(r record.Row) (record.Value, *fault) {
			v, err := i(r)
			if err != nil {
				return record.Value{}, real(err)
			}
			return record.OfTime(v), nil
		}
	case record.Float:
		f := c.f
		return func(r record.Row) (record.Value, *fault) {
			v, err := f(r)
			if err != nil {
				return record.Value{}, real(err)
			}
			return record.OfFloat(v), nil
		}
	case record.String:
		s := c.s
		return func(r record.Row) (record.Value, *fault) {
			v, err := s(r)
			if err != nil {
				return record.Value{}, real(err)
			}
			return record.OfString(v), nil
		}
	}
	return c.v
}

// real is the fault without null, which values hold themselves.
func real(f *fault) *fault {
	if f == null {
		return nil
	}
	return f
}

// as gives c with another type that holds its values, as record.Union makes it. An integer that
// a float does not hold is a fault: unlike in arithmetic nobody asked for another number.
func (c code) as(t record.Type) code {
	switch {
	case c.typ.Kind == record.Null && t.Kind != record.Null:
		n := valueCode(c.n, t, func(record.Row) (record.Value, *fault) { return record.Value{}, nil })
		return n
	case c.typ.Kind == record.Int && t.Kind == record.Float:
		i, rounded := c.i, c.rounded
		n := floatCode(c.n, t.Nullable, func(r record.Row) (float64, *fault) {
			v, err := i(r)
			f := float64(v)
			if -exact <= v && v <= exact || err != nil {
				return f, err
			}
			if back, ok := toInt(f); !ok || back != v {
				return 0, &fault{rounded, fmt.Sprintf("the integer %d would be rounded as a number", v)}
			}
			return f, nil
		})
		if n.literal = c.literal; c.literal {
			n.value = record.OfFloat(float64(c.value.Int()))
		}
		return n
	case t.Kind == record.List || t.Kind == record.Struct:
		if c.typ.Same(t) {
			return c
		}
		v := c.v
		return valueCode(c.n, t, func(r record.Row) (record.Value, *fault) {
			x, err := v(r)
			return widen(x, t), err
		})
	}
	c.typ = t
	return c
}

// widen makes a value one of a type that holds it, as record.Union makes it.
func widen(v record.Value, t record.Type) record.Value {
	switch k := v.Kind(); {
	case k == record.Int && t.Kind == record.Float:
		return record.OfFloat(float64(v.Int()))
	case k == record.List && t.Kind == record.List && t.Elem != nil:
		wide := make([]record.Value, len(v.List()))
		for i, e := range v.List() {
			wide[i] = widen(e, *t.Elem)
		}
		return record.OfList(wide)
	case k == record.Struct && t.Kind == record.Struct:
		n := v.Struct()
		names, wide := record.Schema(t.Fields).Names(), make([]record.Value, len(t.Fields))
		for i, f := range t.Fields {
			wide[i] = widen(n.Get(f.Name), f.Type)
		}
		return record.OfStruct(names, wide)
	}
	return v
}

// fieldCode reads the field at an index of the row. A row whose value is of another kind than
// the schema says is a fault of the record.
func fieldCode(n *node, index int, t record.Type, where string) code {
	c := code{n: n, typ: t, field: index}
	at := func(r record.Row) record.Value {
		if index < len(r) {
			return r[index]
		}
		return record.Value{}
	}
	other := func(v record.Value) *fault {
		if v.IsNull() {
			return null
		}
		return &fault{where, fmt.Sprintf("the record has %s here, its schema says %s", withArticle(v.Kind()), withArticle(t.Kind))}
	}
	switch t.Kind {
	case record.Bool:
		c.b = func(r record.Row) (bool, *fault) {
			if v := at(r); v.Kind() == record.Bool {
				return v.Bool(), nil
			} else {
				return false, other(v)
			}
		}
	case record.Int, record.Time:
		c.i = func(r record.Row) (int64, *fault) {
			if v := at(r); v.Kind() == t.Kind {
				return v.Int(), nil
			} else {
				return 0, other(v)
			}
		}
	case record.Float:
		c.f = func(r record.Row) (float64, *fault) {
			v := at(r)
			switch v.Kind() {
			case record.Float:
				return v.Float(), nil
			case record.Int:
				return float64(v.Int()), nil
			}
			return math.NaN(), other(v)
		}
	case record.String:
		c.s = func(r record.Row) (string, *fault) {
			if v := at(r); v.Kind() == record.String {
				return v.Str(), nil
			} else {
				return "", other(v)
			}
		}
	default:
		c.v = func(r record.Row) (record.Value, *fault) {
			v := at(r)
			if v.IsNull() || t.Kind == record.Any || v.Kind() == t.Kind {
				return v, nil
			}
			return record.Value{}, other(v)
		}
	}
	return c
}

// withArticle names a kind as in "an integer".
func withArticle(k record.Kind) string {
	switch k {
	case record.Null, record.Bytes, record.Any:
		return k.String()
	case record.Int, record.List, record.Struct:
		return "an " + k.String()
	}
	return "a " + k.String()
}
