package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Row is a record: a value for each field of the schema of its collection, in order. Rows do
// not change; a step that changes a field makes a new row.
type Row []Value

// OwnAll puts copies in the place of rows. Those of one call share their memory.
func (Row) OwnAll(rows []Row) {
	n := 0
	for _, r := range rows {
		n += len(r)
	}
	all := make([]Value, 0, n)
	for i, r := range rows {
		from := len(all)
		all = append(all, r...)
		rows[i] = all[from:len(all):len(all)]
	}
}

// MarshalBinary writes the value for state and exchanges between processes, as AppendBinary does.
func (v Value) MarshalBinary() ([]byte, error) { return AppendBinary(nil, v), nil }

// UnmarshalBinary reads what MarshalBinary wrote.
func (v *Value) UnmarshalBinary(b []byte) error {
	vs, err := ParseBinary(b)
	if err == nil && len(vs) != 1 {
		err = fmt.Errorf("encoded value: there are %d", len(vs))
	}
	if err == nil {
		*v = vs[0]
	}
	return err
}

// AppendBinary appends values in a form that is the same for equal values of one type: of all
// NaNs one, 0 for -0. So it serves as a key, too.
//
// Each value is a byte of its kind, then: booleans a byte, integers and instants zigzag
// LEB128, floats 8 bytes little-endian, strings and bytes length and content, lists length and
// values, objects length, and for each field its name as a string and its value.
func AppendBinary(dst []byte, vs ...Value) []byte {
	for _, v := range vs {
		k := v.Kind()
		dst = append(dst, byte(k))
		switch k {
		case Bool:
			dst = append(dst, byte(v.num))
		case Int, Time:
			dst = binary.AppendVarint(dst, int64(v.num))
		case Float:
			f := v.Float()
			if f != f {
				f = math.NaN()
			}
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f+0))
		case String:
			dst = appendText(dst, v.Str())
		case Bytes:
			dst = binary.AppendUvarint(dst, uint64(len(v.Bytes())))
			dst = append(dst, v.Bytes()...)
		case List:
			dst = binary.AppendUvarint(dst, uint64(len(v.List())))
			dst = AppendBinary(dst, v.List()...)
		case Struct:
			n := v.Struct()
			dst = binary.AppendUvarint(dst, uint64(len(n.Names)))
			for i, name := range n.Names {
				dst = AppendBinary(appendText(dst, name), n.Values[i])
			}
		}
	}
	return dst
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// maxDepth is how deep encoded values may nest.
const maxDepth = 128

var errCut = errors.New("encoded row: cut off")

// ParseBinary reads the values that AppendBinary wrote. It keeps nothing of b.
func ParseBinary(b []byte) ([]Value, error) {
	var vs []Value
	for len(b) > 0 {
		v, rest, err := parse(b, maxDepth)
		if err != nil {
			return nil, err
		}
		vs, b = append(vs, v), rest
	}
	return vs, nil
}

func parse(b []byte, depth int) (Value, []byte, error) {
	if len(b) == 0 {
		return Value{}, nil, errCut
	}
	k := Kind(b[0])
	b = b[1:]
	switch k {
	case Null:
		return Value{}, b, nil
	case Bool:
		if len(b) == 0 || b[0] > 1 {
			return Value{}, nil, errCut
		}
		return OfBool(b[0] == 1), b[1:], nil
	case Int, Time:
		i, n := binary.Varint(b)
		if n <= 0 {
			return Value{}, nil, errCut
		}
		if k == Time {
			return OfTime(i), b[n:], nil
		}
		return OfInt(i), b[n:], nil
	case Float:
		if len(b) < 8 {
			return Value{}, nil, errCut
		}
		return OfFloat(math.Float64frombits(binary.LittleEndian.Uint64(b))), b[8:], nil
	case String, Bytes:
		s, rest, err := parseText(b)
		if k == Bytes {
			return OfBytes([]byte(s)), rest, err
		}
		return OfString(s), rest, err
	case List, Struct:
		return parseNested(k, b, depth-1)
	}
	return Value{}, nil, fmt.Errorf("encoded row: there is no kind %d", k)
}

func parseText(b []byte) (string, []byte, error) {
	size, n := binary.Uvarint(b)
	if n <= 0 || size > uint64(len(b)-n) {
		return "", nil, errCut
	}
	return string(b[n:][:size]), b[n+int(size):], nil
}

func parseNested(k Kind, b []byte, depth int) (Value, []byte, error) {
	count, n := binary.Uvarint(b)
	if n <= 0 || count > uint64(len(b)-n) { // each takes a byte at least
		return Value{}, nil, errCut
	}
	if depth < 0 {
		return Value{}, nil, fmt.Errorf("encoded row: nested deeper than %d", maxDepth)
	}
	b = b[n:]
	var names []string
	var vs []Value
	for range count {
		if k == Struct {
			name, rest, err := parseText(b)
			if err != nil {
				return Value{}, nil, err
			}
			names, b = append(names, name), rest
		}
		v, rest, err := parse(b, depth)
		if err != nil {
			return Value{}, nil, err
		}
		vs, b = append(vs, v), rest
	}
	if k == Struct {
		return OfStruct(names, vs), b, nil
	}
	return OfList(vs), b, nil
}
