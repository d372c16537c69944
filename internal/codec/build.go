package codec

import (
	"errors"
	"reflect"
	"strconv"
	"time"
)

// role is what the encoding of a type serves for.
type role uint8

const (
	asValue  role = iota
	asKey         // equal keys, equal bytes: floats are normalised, addresses refused
	asMapKey      // the key of a Go map inside a value: exact bits, and only what == decides alone
)

// nodeKey tells the nodes of one codec apart.
type nodeKey struct {
	t reflect.Type
	r role
}

// builder derives the nodes of one codec. It goes on after an error, to report all of them at once.
type builder struct {
	root  reflect.Type
	nodes map[nodeKey]*node // finished or in progress
	errs  []error
}

func (b *builder) err() error { return errors.Join(b.errs...) }

// refuse notes that the type at a path has no encoding; the node that it returns is never run.
func (b *builder) refuse(t reflect.Type, path, why, hint string) {
	b.errs = append(b.errs, &TypeError{Path: b.root.String() + path, Type: t.String(), Why: why, Hint: hint})
}

var timeType = reflect.TypeFor[time.Time]()

// node gives the node of a type; path leads to it from the root.
func (b *builder) node(t reflect.Type, r role, path string) *node {
	if n := b.nodes[nodeKey{t, r}]; n != nil {
		return n
	}
	n := &node{min: 1, claims: true}
	b.nodes[nodeKey{t, r}] = n
	switch t.Kind() {
	case reflect.Bool:
		boolNode(n)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		intNode(n, t.Size())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		uintNode(n, t.Size())
	case reflect.Float32, reflect.Complex64:
		float32Node(n, int(t.Size()/4), r == asKey)
	case reflect.Float64, reflect.Complex128:
		float64Node(n, int(t.Size()/8), r == asKey)
	case reflect.String:
		stringNode(n)
	case reflect.Struct:
		b.structure(n, t, r, path)
	default:
		b.compound(n, t, r, path)
	}
	return n
}

// compound derives the node of everything that is made of other types, structs aside, and refuses
// what is no value.
func (b *builder) compound(n *node, t reflect.Type, r role, path string) {
	switch t.Kind() {
	case reflect.Array:
		arrayNode(n, b.node(t.Elem(), r, path+"[]"), t.Len(), t.Elem().Size(), t.Elem().Kind() == reflect.Uint8)
	case reflect.Slice:
		if elem := b.node(t.Elem(), r, path+"[]"); t.Elem().Kind() == reflect.Uint8 {
			bytesNode(n, elem)
		} else {
			sliceNode(n, elem, t)
		}
	case reflect.Map:
		mapNode(n, b.node(t.Key(), asMapKey, path+"[key]"), b.node(t.Elem(), r, path+"[value]"), t)
	case reflect.Pointer:
		if r != asValue {
			b.refuse(t, path, "== of pointers compares addresses, which mean nothing in another process", "use what it points to as the key")
			return
		}
		pointerNode(n, b.node(t.Elem(), r, path), t.Elem())
	case reflect.Interface:
		hint := "name a concrete type, or wrap it in a struct that implements encoding.BinaryMarshaler and BinaryUnmarshaler"
		if r != asValue {
			hint = "use a concrete type as the key"
		}
		b.refuse(t, path, "what an interface will hold is not known when the plan is built", hint)
	case reflect.Chan, reflect.Func:
		b.refuse(t, path, "a "+t.Kind().String()+" lives in one process only", "leave it out of the data and keep it in the step that uses it")
	default: // uintptr, unsafe.Pointer
		b.refuse(t, path, "an address means nothing in another process", "use a uint64 if it is a number")
	}
}

// structure derives the node of a struct: an instant, its own marshalling, or its fields. Only
// structs are asked for their own marshalling: a [16]byte with a text form is smaller and more exact
// as it stands.
func (b *builder) structure(n *node, t reflect.Type, r role, path string) {
	if t.ConvertibleTo(timeType) {
		if r == asMapKey {
			b.refuse(t, path, "a map can hold one instant twice, in two zones", "use t.UnixMicro() as the map's key")
		}
		timeNode(n)
		return
	}
	if marshallingOf(t) != none {
		b.custom(n, t, r, path)
		return
	}
	n.open, n.close = "struct{", "}"
	var fields []field
	hidden := ""
	for f := range fieldsOf(t) {
		if !f.IsExported() && !(f.Anonymous && f.Type.Kind() == reflect.Struct) {
			if hidden == "" {
				hidden = f.Name
			}
			continue
		}
		fn := b.node(f.Type, r, path+"."+f.Name)
		label := f.Name + ":"
		if len(fields) > 0 {
			label = "," + label
		}
		n.parts = append(n.parts, part{label, fn})
		fields = append(fields, field{node: fn, off: f.Offset, step: "." + f.Name})
	}
	if hidden != "" {
		b.refuse(t, path, "its field "+strconv.Quote(hidden)+" is unexported",
			"export its fields, or implement encoding.BinaryMarshaler and BinaryUnmarshaler on the type itself (methods of an embedded field do not count: they would lose the other fields)")
		return
	}
	structNode(n, fields)
}

// fieldsOf yields the fields that carry a value: all but the blank ones, which == ignores too.
func fieldsOf(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for f := range t.Fields() {
			if f.Name != "_" && !yield(f) {
				return
			}
		}
	}
}

// custom derives the node of a type that marshals itself.
func (b *builder) custom(n *node, t reflect.Type, r role, path string) {
	if r != asValue && addressed(t, map[reflect.Type]bool{}) {
		b.refuse(t, path, "it is compared by the addresses that it holds, but marshals what they lead to",
			"use a key made of plain values, its text for instance")
		return
	}
	customNode(n, t, r != asValue)
}

// addressed reports whether == of a type compares addresses. A unique.Handle is one that stands for
// a value, so that netip.Addr is a good key.
func addressed(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || t.PkgPath() == "unique" {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		return true
	case reflect.Array:
		return addressed(t.Elem(), seen)
	case reflect.Struct:
		for f := range fieldsOf(t) {
			if addressed(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
