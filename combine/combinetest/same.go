package combinetest

import (
	"math"
	"reflect"
	"time"
)

// Same tells whether two results are the same: as reflect.DeepEqual, but NaN is NaN, an empty
// slice or map is a nil one, times are compared as instants, and floats may differ by tolerance,
// relative to the greater of their absolute values and 1.
func Same[O any](a, b O, tolerance float64) bool {
	return same(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem(), tolerance)
}

// SameElements tells whether two slices hold the same elements in any order: the Equal of
// combiners whose lists are multisets (S7.4). Elements are compared by Same, exactly.
func SameElements[T any](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	left := append([]T(nil), b...)
next:
	for _, x := range a {
		for i, y := range left {
			if Same(x, y, 0) {
				left = append(left[:i], left[i+1:]...)
				continue next
			}
		}
		return false
	}
	return true
}

func same(a, b reflect.Value, tolerance float64) bool {
	if a.IsValid() != b.IsValid() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	if a.Type() != b.Type() {
		return false
	}
	if a.Type() == reflect.TypeFor[time.Time]() && a.CanInterface() {
		return a.Interface().(time.Time).Equal(b.Interface().(time.Time))
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return sameFloat(a.Float(), b.Float(), tolerance)
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return sameFloat(real(x), real(y), tolerance) && sameFloat(imag(x), imag(y), tolerance)
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i), tolerance) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i), tolerance) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for it := a.MapRange(); it.Next(); {
			if other := b.MapIndex(it.Key()); !other.IsValid() || !same(it.Value(), other, tolerance) {
				return false
			}
		}
		return true
	case reflect.Pointer:
		return a.Pointer() == b.Pointer() || same(a.Elem(), b.Elem(), tolerance)
	case reflect.Interface:
		return same(a.Elem(), b.Elem(), tolerance)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return a.Pointer() == b.Pointer()
	default: // booleans, integers, strings
		return a.Equal(b)
	}
}

func sameFloat(a, b, tolerance float64) bool {
	switch {
	case a == b, math.IsNaN(a) && math.IsNaN(b):
		return true
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		return false
	}
	return math.Abs(a-b) <= tolerance*max(1, math.Abs(a), math.Abs(b))
}
