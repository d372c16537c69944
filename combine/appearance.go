package combine

import (
	"encoding/binary"
	"math"
	"reflect"
)

// appearance appends bytes that are the same for two comparable values of one type exactly if
// they are equal when NaN equals NaN. Only values that hold a NaN come here, so that reflection
// stays out of the ordinary path.
func appearance(dst []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return floatAppearance(dst, v.Float())
	case reflect.Complex64, reflect.Complex128:
		z := v.Complex()
		return floatAppearance(floatAppearance(dst, real(z)), imag(z))
	case reflect.Bool:
		return append(dst, byte(one(v.Bool())))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.BigEndian.AppendUint64(dst, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return binary.BigEndian.AppendUint64(dst, v.Uint())
	case reflect.String:
		return stringAppearance(dst, v.String())
	case reflect.Array:
		for i := range v.Len() {
			dst = appearance(dst, v.Index(i))
		}
		return dst
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" { // == does not look at it either
				dst = appearance(dst, v.Field(i))
			}
		}
		return dst
	case reflect.Interface:
		if v.IsNil() {
			return stringAppearance(dst, "")
		}
		t := v.Elem().Type()
		return appearance(stringAppearance(stringAppearance(dst, t.String()), t.PkgPath()), v.Elem())
	default: // pointers and channels are equal by their address
		return binary.BigEndian.AppendUint64(dst, uint64(v.Pointer()))
	}
}

func floatAppearance(dst []byte, f float64) []byte {
	switch {
	case f != f:
		f = math.NaN() // one of the many
	case f == 0:
		f = 0 // not -0
	}
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(f))
}

func stringAppearance(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}
