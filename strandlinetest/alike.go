package strandlinetest

import (
	"reflect"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/trial"
)

// alike is how two values are compared.
func (v Verification[T, U]) alike() func(a, b U) bool {
	if v.Alike != nil {
		return v.Alike
	}
	return func(x, y U) bool { return alike(reflect.ValueOf(&x).Elem(), reflect.ValueOf(&y).Elem()) }
}

// same says whether two runs gave the same values, in any order.
func (v Verification[T, U]) same(a, b []U) bool {
	is := v.alike()
	if len(a) > 1 {
		a, b = slices.Clone(a), slices.Clone(b)
		byText := func(x, y U) int { return strings.Compare(valueText(x), valueText(y)) }
		slices.SortStableFunc(a, byText)
		slices.SortStableFunc(b, byText)
	}
	return trial.Bag(len(a), len(b), func(i, j int) bool { return is(a[i], b[j]) })
}

// alike compares as [Verification] says.
func alike(a, b reflect.Value) bool {
	if a.CanInterface() {
		if equal := a.MethodByName("Equal"); equal.IsValid() {
			if t := equal.Type(); t.NumIn() == 1 && t.In(0) == a.Type() && t.NumOut() == 1 && t.Out(0).Kind() == reflect.Bool {
				return equal.Call([]reflect.Value{b})[0].Bool()
			}
		}
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return trial.Near(a.Float(), b.Float())
	case reflect.Struct:
		for i := range a.NumField() {
			if !alike(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		return trial.Bag(a.Len(), b.Len(), func(i, j int) bool { return alike(a.Index(i), b.Index(j)) })
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for _, k := range a.MapKeys() {
			if y := b.MapIndex(k); !y.IsValid() || !alike(a.MapIndex(k), y) {
				return false
			}
		}
		return true
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if a, b = a.Elem(), b.Elem(); a.Type() != b.Type() {
			return false
		}
		return alike(a, b)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return a.Pointer() == b.Pointer()
	}
	return a.Equal(b)
}
