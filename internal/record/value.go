package record

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/strandline-stream/strandline/internal/etime"
)

// Kind is what a value is.
type Kind uint8

const (
	Null   Kind = iota
	Bool        // true or false
	Int         // 64 bits, signed
	Float       // IEEE 754, 64 bits
	String      // valid UTF-8
	Bytes       // any bytes
	Time        // an instant, in microseconds since 1970 (S1.1)
	List        // values
	Struct      // named values
	Any         // of a type only: values of several kinds
)

var kindNames = [...]string{"null", "boolean", "integer", "number", "string", "bytes", "timestamp", "array", "object", "any"}

// String is the kind's name in schemas and messages.
func (k Kind) String() string { return kindNames[k] }

// Value is one value of any kind. The zero Value is null. It is 24 bytes, and scalars and
// strings are held without an allocation of their own. Values do not change.
type Value struct {
	num uint64 // a scalar's bits; the length of a string or of bytes
	ref any    // a Kind for scalars, nil for null
}

type (
	stringRef *byte
	bytesRef  *byte
)

// Of functions make values.
func OfBool(b bool) Value {
	if b {
		return Value{1, Bool}
	}
	return Value{0, Bool}
}

func OfInt(i int64) Value     { return Value{uint64(i), Int} }
func OfFloat(f float64) Value { return Value{math.Float64bits(f), Float} }

// OfTime takes microseconds since 1970.
func OfTime(micros int64) Value { return Value{uint64(micros), Time} }

func OfString(s string) Value { return Value{uint64(len(s)), stringRef(unsafe.StringData(s))} }

// OfBytes keeps b, which must not change afterwards.
func OfBytes(b []byte) Value { return Value{uint64(len(b)), bytesRef(unsafe.SliceData(b))} }

// OfList keeps the slice, which must not change afterwards.
func OfList(vs []Value) Value { return Value{0, &vs} }

// OfStruct keeps the slices, which are of one length and must not change afterwards; names
// are usually shared by many values.
func OfStruct(names []string, vs []Value) Value { return Value{0, &Nested{names, vs}} }

// Nested is a value of named values.
type Nested struct {
	Names  []string
	Values []Value
}

// Get gives a field; null if there is none of the name.
func (n *Nested) Get(name string) Value {
	for i, s := range n.Names {
		if s == name {
			return n.Values[i]
		}
	}
	return Value{}
}

// Kind says what v is.
func (v Value) Kind() Kind {
	switch r := v.ref.(type) {
	case nil:
		return Null
	case Kind:
		return r
	case stringRef:
		return String
	case bytesRef:
		return Bytes
	case *[]Value:
		return List
	}
	return Struct
}

func (v Value) IsNull() bool { return v.ref == nil }

// Bool, Int, Float, Time, Str, Bytes, List and Struct give what v holds. v must be of that
// kind: what they give for another is of no meaning, and for the last three they panic.
func (v Value) Bool() bool     { return v.num != 0 }
func (v Value) Int() int64     { return int64(v.num) }
func (v Value) Float() float64 { return math.Float64frombits(v.num) }
func (v Value) Time() int64    { return int64(v.num) }

// IsFloat gives a float, if v is one.
func (v Value) IsFloat() (f float64, is bool) {
	k, _ := v.ref.(Kind)
	return math.Float64frombits(v.num), k == Float
}

func (v Value) Str() string {
	p, _ := v.ref.(stringRef)
	if p == nil {
		return ""
	}
	return unsafe.String(p, v.num)
}

func (v Value) Bytes() []byte {
	p, _ := v.ref.(bytesRef)
	if p == nil {
		return nil
	}
	return unsafe.Slice(p, v.num)
}

func (v Value) List() []Value   { return *v.ref.(*[]Value) }
func (v Value) Struct() *Nested { return v.ref.(*Nested) }

// String prints v for messages: JSON, but for null, bytes and what JSON does not know.
func (v Value) String() string { return string(v.AppendJSON(nil)) }

// GoString prints kind and value.
func (v Value) GoString() string { return fmt.Sprintf("%v(%v)", v.Kind(), v) }

// Number gives an integer or a float as a float; ok is false for other kinds.
func (v Value) Number() (f float64, ok bool) {
	switch v.Kind() {
	case Int:
		return float64(v.Int()), true
	case Float:
		return v.Float(), true
	}
	return 0, false
}

// formatTime writes an instant in RFC 3339, in UTC, with as many digits of the second as it has.
func formatTime(dst []byte, micros int64) []byte {
	t := etime.Time(micros)
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(dst, "2006-01-02T15:04:05.999999Z07:00")
	}
	hour, minute, second := t.Clock()
	two := func(n int) { dst = append(dst, byte('0'+n/10), byte('0'+n%10)) }
	two(year / 100)
	two(year % 100)
	dst = append(dst, '-')
	two(int(month))
	dst = append(dst, '-')
	two(day)
	dst = append(dst, 'T')
	two(hour)
	dst = append(dst, ':')
	two(minute)
	dst = append(dst, ':')
	two(second)
	if fraction := t.Nanosecond() / 1000; fraction > 0 {
		dst = append(dst, '.')
		for unit := 100_000; fraction > 0; unit /= 10 {
			dst = append(dst, byte('0'+fraction/unit))
			fraction %= unit
		}
	}
	return append(dst, 'Z')
}
