package codec

import (
	"reflect"
	"unsafe"
)

// IntKey serves keys of any integer or boolean kind, named or not: the engine's tables hold them as
// 64 bits. toBits widens a batch, dst[i] from keys[i]: signed integers with their sign, a bool as 0
// or 1. fromBits is its inverse. ok is false for any other type, and for uintptr.
//
// toBits reads the keys through a slice of the plain type of the same size and sign, which Go's
// rules for package unsafe allow, since the two types have the same memory layout: a tight loop
// without a call or a conversion by reflection for each key. dst must be as long as keys.
func IntKey[T comparable]() (toBits func(keys []T, dst []uint64), fromBits func(uint64) T, ok bool) {
	switch t := reflect.TypeFor[T](); t.Kind() {
	case reflect.Bool:
		toBits = func(keys []T, dst []uint64) {
			for i, k := range as[uint8](keys) { // a bool in memory is 0 or 1
				dst[i] = uint64(k)
			}
		}
		fromBits = func(x uint64) T { b := x != 0; return *(*T)(unsafe.Pointer(&b)) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		switch t.Size() {
		case 1:
			toBits, fromBits = widen[T, int8]()
		case 2:
			toBits, fromBits = widen[T, int16]()
		case 4:
			toBits, fromBits = widen[T, int32]()
		default:
			toBits, fromBits = widen[T, int64]()
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		switch t.Size() {
		case 1:
			toBits, fromBits = widen[T, uint8]()
		case 2:
			toBits, fromBits = widen[T, uint16]()
		case 4:
			toBits, fromBits = widen[T, uint32]()
		default:
			toBits, fromBits = widen[T, uint64]()
		}
	}
	return toBits, fromBits, toBits != nil
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// widen converts between keys and 64 bits by way of the plain integer I that a T is.
func widen[T comparable, I integer]() (func(keys []T, dst []uint64), func(uint64) T) {
	toBits := func(keys []T, dst []uint64) {
		dst = dst[:len(keys)]
		for i, k := range as[I](keys) {
			dst[i] = uint64(k)
		}
	}
	return toBits, func(x uint64) T { k := I(x); return *(*T)(unsafe.Pointer(&k)) }
}

// as sees a slice of T as one of the type B that underlies T.
func as[B, T any](s []T) []B { return unsafe.Slice((*B)(unsafe.Pointer(unsafe.SliceData(s))), len(s)) }

// StringKey serves keys of any string kind. bytesOf views the bytes of a key without copying: they
// must not be written to, and live as long as the string. fromBytes makes a key of a copy. ok is
// false for any other type.
func StringKey[T comparable]() (bytesOf func(*T) []byte, fromBytes func([]byte) T, ok bool) {
	if reflect.TypeFor[T]().Kind() != reflect.String {
		return nil, nil, false
	}
	bytesOf = func(k *T) []byte {
		s := *(*string)(unsafe.Pointer(k))
		return unsafe.Slice(unsafe.StringData(s), len(s))
	}
	fromBytes = func(b []byte) T { s := string(b); return *(*T)(unsafe.Pointer(&s)) }
	return bytesOf, fromBytes, true
}

// Strings sees keys of a string kind as strings, without copying them; ok is false for any other
// type. It asks once for each batch, for [Interner.InternStrings].
func Strings[T comparable](keys []T) (view []string, ok bool) {
	if reflect.TypeFor[T]().Kind() != reflect.String {
		return nil, false
	}
	return as[string](keys), true
}
