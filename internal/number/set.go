package number

import (
	"reflect"
	"unsafe"
)

// Set reads a number into a variable. It keeps nothing of text.
type Set func(p unsafe.Pointer, text []byte) error

// Setter gives what reads numbers into variables of a kind, or nil if it is not numeric.
func Setter(k reflect.Kind) Set {
	switch k {
	case reflect.Int:
		return setInt[int]
	case reflect.Int8:
		return setInt[int8]
	case reflect.Int16:
		return setInt[int16]
	case reflect.Int32:
		return setInt[int32]
	case reflect.Int64:
		return setInt[int64]
	case reflect.Uint:
		return setUint[uint]
	case reflect.Uint8:
		return setUint[uint8]
	case reflect.Uint16:
		return setUint[uint16]
	case reflect.Uint32:
		return setUint[uint32]
	case reflect.Uint64:
		return setUint[uint64]
	case reflect.Float32:
		return setFloat[float32]
	case reflect.Float64:
		return setFloat[float64]
	}
	return nil
}

func bitsOf[N any]() int {
	var n N
	return int(unsafe.Sizeof(n)) * 8
}

func setInt[N int | int8 | int16 | int32 | int64](p unsafe.Pointer, text []byte) error {
	v, err := Int(text, bitsOf[N]())
	*(*N)(p) = N(v)
	return err
}

func setUint[N uint | uint8 | uint16 | uint32 | uint64](p unsafe.Pointer, text []byte) error {
	v, err := Uint(text, bitsOf[N]())
	*(*N)(p) = N(v)
	return err
}

func setFloat[N float32 | float64](p unsafe.Pointer, text []byte) error {
	v, err := Float(text, bitsOf[N]())
	*(*N)(p) = N(v)
	return err
}
