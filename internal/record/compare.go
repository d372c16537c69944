package record

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Equal says whether two values are the same to a reader: null is equal to null, an integer
// to the float of the same number, NaN to NaN, and 0 to -0 (S7.4). Fields of objects are
// compared by name, in whatever order.
func Equal(a, b Value) bool {
	ka, kb := a.Kind(), b.Kind()
	if ka != kb {
		return ka == Int && kb == Float && equalMixed(a, b) || ka == Float && kb == Int && equalMixed(b, a)
	}
	switch ka {
	case List:
		x, y := a.List(), b.List()
		if len(x) != len(y) {
			return false
		}
		for i := range x {
			if !Equal(x[i], y[i]) {
				return false
			}
		}
		return true
	case Struct:
		x, y := a.Struct(), b.Struct()
		if len(x.Names) != len(y.Names) {
			return false
		}
		for i, name := range x.Names {
			if !has(y, name) || !Equal(x.Values[i], y.Get(name)) {
				return false
			}
		}
		return true
	}
	return Compare(a, b) == 0
}

func has(n *Nested, name string) bool {
	for _, s := range n.Names {
		if s == name {
			return true
		}
	}
	return false
}

func equalMixed(i, f Value) bool { return compareMixed(i.Int(), f.Float()) == 0 }

// Compare orders values: null before all others, then by kind, numbers among each other by
// size (NaN before all of them), strings and bytes by their bytes, lists and objects by their
// first difference. The order is total.
func Compare(a, b Value) int {
	ka, kb := a.Kind(), b.Kind()
	if ka != kb {
		switch {
		case ka == Int && kb == Float:
			return compareMixed(a.Int(), b.Float())
		case ka == Float && kb == Int:
			return -compareMixed(b.Int(), a.Float())
		}
		return cmp.Compare(ka, kb)
	}
	switch ka {
	case Bool, Int, Time:
		return cmp.Compare(int64(a.num), int64(b.num))
	case Float:
		return cmp.Compare(a.Float(), b.Float())
	case String:
		return strings.Compare(a.Str(), b.Str())
	case Bytes:
		return bytes.Compare(a.Bytes(), b.Bytes())
	case List:
		return compareAll(a.List(), b.List())
	case Struct:
		x, y := a.Struct(), b.Struct()
		for i := range min(len(x.Names), len(y.Names)) {
			if c := strings.Compare(x.Names[i], y.Names[i]); c != 0 {
				return c
			}
		}
		return compareAll(x.Values, y.Values)
	}
	return 0
}

func compareAll(a, b []Value) int {
	for i := range min(len(a), len(b)) {
		if c := Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

// compareMixed compares exactly, also beyond 2^53.
func compareMixed(i int64, f float64) int {
	switch {
	case f != f:
		return 1
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Floor(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(0, f-whole)
}

// Conform brings a value into the form of a type: integers become numbers where it has numbers,
// objects have its fields in its order, and text becomes an instant where it has instants. Null
// is of every type. The error says what is of another type.
func Conform(v Value, t Type) (Value, error) {
	k := v.Kind()
	switch {
	case k == Null || t.Kind == Any || t.Kind == Null:
		return v, nil
	case t.Kind == Float && k == Int:
		return OfFloat(float64(v.Int())), nil
	case t.Kind == Time && k == String:
		at, err := time.Parse(time.RFC3339Nano, v.Str())
		if err != nil {
			return v, fmt.Errorf("%v is no time as in RFC 3339", v)
		}
		return OfTime(at.UnixMicro()), nil
	case k != t.Kind:
		return v, fmt.Errorf("%v is %s, and must be %s", v, k, t)
	case k == List && t.Elem != nil:
		list := make([]Value, len(v.List()))
		for i, e := range v.List() {
			var err error
			if list[i], err = Conform(e, *t.Elem); err != nil {
				return v, err
			}
		}
		return OfList(list), nil
	case k == Struct && len(t.Fields) > 0:
		names, vs := Schema(t.Fields).Names(), make([]Value, len(t.Fields))
		for i, f := range t.Fields {
			var err error
			if vs[i], err = Conform(v.Struct().Get(f.Name), f.Type); err != nil {
				return v, fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		return OfStruct(names, vs), nil
	}
	return v, nil
}

// Canonical gives the one form of values that are equal: the fields of objects in the order of
// their names, an integral number as an integer.
func Canonical(v Value) Value {
	switch v.Kind() {
	case Float:
		if f := v.Float(); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return OfInt(int64(f))
		}
	case List:
		list := make([]Value, len(v.List()))
		for i, e := range v.List() {
			list[i] = Canonical(e)
		}
		return OfList(list)
	case Struct:
		n := v.Struct()
		names := slices.Clone(n.Names)
		slices.Sort(names)
		vs := make([]Value, len(names))
		for i, name := range names {
			vs[i] = Canonical(n.Get(name))
		}
		return OfStruct(names, vs)
	}
	return v
}
