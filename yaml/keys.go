package yaml

import (
	"github.com/strandline-stream/strandline/internal/record"
)

// A key of one text field is that text; null, which is a group of its own, is a text that is
// no UTF-8 and so none that a field can have. A key of one integer, time or boolean is a
// scalar, and any other is the encoding of its values.

const nullKey = "\xff"

type scalar struct {
	Bits int64
	Null bool
}

// keying is how rows are grouped by some of their fields.
type keying struct {
	fields []int
	kind   record.Kind // of the one field; Any if there are several, or it is something else
}

func keyingOf(schema record.Schema, fields []int) keying {
	k := keying{fields, record.Any}
	if len(fields) == 1 {
		switch kind := schema[fields[0]].Type.Kind; kind {
		case record.String, record.Int, record.Time, record.Bool:
			k.kind = kind
		}
	}
	return k
}

func (k keying) isScalar() bool {
	return k.kind == record.Int || k.kind == record.Time || k.kind == record.Bool
}

// text gives the function for keys that are text.
func (k keying) text() func(*record.Row) string {
	fields := k.fields
	switch {
	case len(fields) == 0:
		return func(*record.Row) string { return "" }
	case k.kind == record.String:
		i := fields[0]
		return func(r *record.Row) string {
			v := &(*r)[i]
			if v.IsNull() {
				return nullKey
			}
			return v.Str()
		}
	}
	return func(r *record.Row) string {
		var space [128]byte
		b := space[:0]
		for _, i := range fields {
			v := (*r)[i]
			if k := v.Kind(); k == record.Struct || k == record.List {
				v = record.Canonical(v) // whatever the order of its fields
			}
			b = record.AppendBinary(b, v)
		}
		return string(b)
	}
}

// scalar gives the function for keys that are scalars.
func (k keying) scalar() func(*record.Row) scalar {
	i := k.fields[0]
	return func(r *record.Row) scalar {
		v := &(*r)[i]
		if v.IsNull() {
			return scalar{Null: true}
		}
		return scalar{Bits: v.Int()}
	}
}

// ofText appends the values that a text key stands for.
func (k keying) ofText(row record.Row, key string) record.Row {
	switch {
	case len(k.fields) == 0:
		return row
	case k.kind == record.String:
		if key == nullKey {
			return append(row, record.Value{})
		}
		return append(row, record.OfString(key))
	}
	vs, err := record.ParseBinary([]byte(key))
	if err != nil {
		panic(err) // it was made by AppendBinary
	}
	return append(row, vs...)
}

// ofScalar appends the value that a scalar key stands for.
func (k keying) ofScalar(row record.Row, key scalar) record.Row {
	switch {
	case key.Null:
		return append(row, record.Value{})
	case k.kind == record.Time:
		return append(row, record.OfTime(key.Bits))
	case k.kind == record.Bool:
		return append(row, record.OfBool(key.Bits != 0))
	}
	return append(row, record.OfInt(key.Bits))
}

// any gives the function for keys that only tell rows apart, and are text whatever the fields.
func (k keying) any() func(*record.Row) string {
	if k.kind != record.String {
		k.kind = record.Any
	}
	return k.text()
}
