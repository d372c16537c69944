package csv

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
	"unsafe"
)

// appender appends the text of the variable at p. Null gives false.
type appender func(to []byte, p unsafe.Pointer) (text []byte, ok bool, err error)

// appenderOf gives what writes variables of a type: what setterOf's reads back.
func appenderOf(t reflect.Type) (appender, error) {
	switch t {
	case reflect.TypeFor[time.Time]():
		return func(to []byte, p unsafe.Pointer) ([]byte, bool, error) {
			to, err := (*time.Time)(p).AppendText(to)
			return to, true, err
		}, nil
	case reflect.TypeFor[time.Duration]():
		return func(to []byte, p unsafe.Pointer) ([]byte, bool, error) {
			return append(to, (*time.Duration)(p).String()...), true, nil
		}, nil
	case reflect.TypeFor[[]byte]():
		return func(to []byte, p unsafe.Pointer) ([]byte, bool, error) {
			b := *(*[]byte)(p)
			return append(to, b...), b != nil, nil
		}, nil
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return func(to []byte, p unsafe.Pointer) ([]byte, bool, error) {
			v := reflect.NewAt(t, p)
			if t.Kind() == reflect.Pointer && v.Elem().IsNil() {
				return to, false, nil
			}
			text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
			return append(to, text...), true, err
		}, nil
	}
	switch t.Kind() {
	case reflect.String:
		return func(to []byte, p unsafe.Pointer) ([]byte, bool, error) {
			return append(to, *(*string)(p)...), true, nil
		}, nil
	case reflect.Bool:
		return func(to []byte, p unsafe.Pointer) ([]byte, bool, error) {
			return strconv.AppendBool(to, *(*bool)(p)), true, nil
		}, nil
	case reflect.Int:
		return appendInt[int], nil
	case reflect.Int8:
		return appendInt[int8], nil
	case reflect.Int16:
		return appendInt[int16], nil
	case reflect.Int32:
		return appendInt[int32], nil
	case reflect.Int64:
		return appendInt[int64], nil
	case reflect.Uint:
		return appendUint[uint], nil
	case reflect.Uint8:
		return appendUint[uint8], nil
	case reflect.Uint16:
		return appendUint[uint16], nil
	case reflect.Uint32:
		return appendUint[uint32], nil
	case reflect.Uint64:
		return appendUint[uint64], nil
	case reflect.Float32:
		return appendFloat[float32], nil
	case reflect.Float64:
		return appendFloat[float64], nil
	case reflect.Pointer:
		elem, err := appenderOf(t.Elem())
		return func(to []byte, p unsafe.Pointer) ([]byte, bool, error) {
			if p = *(*unsafe.Pointer)(p); p == nil {
				return to, false, nil
			}
			return elem(to, p)
		}, err
	case reflect.Struct:
		if n := nullable(t); n != nil {
			elem, err := appenderOf(n.value)
			return func(to []byte, p unsafe.Pointer) ([]byte, bool, error) {
				if !*(*bool)(unsafe.Add(p, n.valid)) {
					return to, false, nil
				}
				return elem(to, unsafe.Add(p, n.offset))
			}, err
		}
	}
	return nil, fmt.Errorf("a Go %v cannot be written into a column", t)
}

func appendInt[N int | int8 | int16 | int32 | int64](to []byte, p unsafe.Pointer) ([]byte, bool, error) {
	return strconv.AppendInt(to, int64(*(*N)(p)), 10), true, nil
}

func appendUint[N uint | uint8 | uint16 | uint32 | uint64](to []byte, p unsafe.Pointer) ([]byte, bool, error) {
	return strconv.AppendUint(to, uint64(*(*N)(p)), 10), true, nil
}

// appendFloat writes as few digits as read back as the same float, and an exponent only where
// there would be many zeros. A whole number that a float holds only roughly has one too, as it
// is not meant to the last digit.
func appendFloat[F float32 | float64](to []byte, p unsafe.Pointer) ([]byte, bool, error) {
	v, bits := float64(*(*F)(p)), int(unsafe.Sizeof(F(0)))*8
	format := byte('f')
	if size := math.Abs(v); size != 0 && size < 1e-6 || bits == 64 && size >= 1<<53 || bits == 32 && size >= 1<<24 {
		format = 'e'
	}
	return strconv.AppendFloat(to, v, format, -1, bits), true, nil
}
