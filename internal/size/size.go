// Package size estimates how much memory values take, as far as can be seen from outside: what slices,
// maps and text hold is counted, and of much only some is looked at.
//
// Layer: a pure core. It knows no element type.
package size

import "reflect"

const (
	several = 64   // how many elements of a slice or map stand for all
	enough  = 1000 // how many values are looked at in all
)

// Of gives the bytes of the value that p points to, with what it points to in turn.
func Of(p any) int64 {
	v, left := reflect.ValueOf(p).Elem(), enough
	return int64(v.Type().Size()) + beyond(v, &left)
}

// beyond gives the bytes of what a value points to, as far as left values go.
func beyond(v reflect.Value, left *int) (n int64) {
	if *left--; *left < 0 {
		return 0
	}
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return int64(v.Elem().Type().Size()) + beyond(v.Elem(), left)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += beyond(v.Field(i), left)
		}
	case reflect.Array:
		for i := range min(v.Len(), several) {
			n += beyond(v.Index(i), left)
		}
	case reflect.Slice:
		looked := min(v.Len(), several)
		for i := range looked {
			n += beyond(v.Index(i), left)
		}
		if looked > 0 {
			n = n * int64(v.Len()) / int64(looked)
		}
		n += int64(v.Cap()) * int64(v.Type().Elem().Size())
	case reflect.Map:
		looked := 0
		for i := v.MapRange(); looked < several && i.Next(); looked++ {
			n += int64(i.Key().Type().Size()+i.Value().Type().Size()) + beyond(i.Key(), left) + beyond(i.Value(), left)
		}
		if looked > 0 {
			n = n * int64(v.Len()) / int64(looked)
		}
	}
	return n
}

// Flat gives the bytes of a T without what it points to.
func Flat[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }
