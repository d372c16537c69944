package record

import (
	"slices"
	"strings"
)

// Type says what values a field may have.
type Type struct {
	Kind     Kind
	Nullable bool
	Elem     *Type   // of a List
	Fields   []Field // of a Struct
}

// Field is a named and typed part of a row.
type Field struct {
	Name string
	Type Type
}

// Schema lists the fields of a row, in order. Names are distinct.
type Schema []Field

// Index is where the field of a name is, -1 if there is none.
func (s Schema) Index(name string) int {
	return slices.IndexFunc(s, func(f Field) bool { return f.Name == name })
}

// Names lists the names of the fields.
func (s Schema) Names() []string {
	names := make([]string, len(s))
	for i, f := range s {
		names[i] = f.Name
	}
	return names
}

// String writes the schema as {name: type, ...}.
func (s Schema) String() string { return Type{Kind: Struct, Fields: s}.String() }

// String writes the type as users write and read it: integer, string?, array[number],
// {a: integer}. A question mark says that null is possible.
func (t Type) String() string {
	var b strings.Builder
	switch t.Kind {
	case List:
		b.WriteString("array[")
		if t.Elem != nil {
			b.WriteString(t.Elem.String())
		} else {
			b.WriteString("any")
		}
		b.WriteString("]")
	case Struct:
		b.WriteString("{")
		for i, f := range t.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(f.Name + ": " + f.Type.String())
		}
		b.WriteString("}")
	default:
		b.WriteString(t.Kind.String())
	}
	if t.Nullable && t.Kind != Null && t.Kind != Any {
		b.WriteString("?")
	}
	return b.String()
}

// Same says whether two types are equal.
func (t Type) Same(u Type) bool {
	if t.Kind != u.Kind || t.Nullable != u.Nullable || len(t.Fields) != len(u.Fields) || (t.Elem == nil) != (u.Elem == nil) {
		return false
	}
	for i, f := range t.Fields {
		if g := u.Fields[i]; f.Name != g.Name || !f.Type.Same(g.Type) {
			return false
		}
	}
	return t.Elem == nil || t.Elem.Same(*u.Elem)
}

// Union is the narrowest type that holds the values of both: integers and numbers are
// numbers, null makes the other nullable, objects have the fields of both, and what has
// nothing in common is any.
func Union(t, u Type) Type {
	switch {
	case t.Kind == Null:
		u.Nullable = true
		return u
	case u.Kind == Null:
		t.Nullable = true
		return t
	}
	nullable := t.Nullable || u.Nullable
	switch {
	case t.Kind == Int && u.Kind == Float, t.Kind == Float && u.Kind == Int:
		return Type{Kind: Float, Nullable: nullable}
	case t.Kind != u.Kind:
		return Type{Kind: Any, Nullable: true}
	case t.Kind == List:
		elem := t.Elem
		if elem == nil {
			elem = u.Elem
		} else if u.Elem != nil {
			both := Union(*t.Elem, *u.Elem)
			elem = &both
		}
		return Type{Kind: List, Nullable: nullable, Elem: elem}
	case t.Kind == Struct:
		return Type{Kind: Struct, Nullable: nullable, Fields: UnionFields(t.Fields, u.Fields)}
	}
	t.Nullable = nullable
	return t
}

// UnionFields are the fields of both, those of s first; what only one has may be null.
func UnionFields(s, u Schema) Schema {
	both := slices.Clone(s)
	for i, f := range both {
		if j := u.Index(f.Name); j >= 0 {
			both[i].Type = Union(f.Type, u[j].Type)
		} else {
			both[i].Type.Nullable = true
		}
	}
	for _, f := range u {
		if s.Index(f.Name) < 0 {
			f.Type.Nullable = true
			both = append(both, f)
		}
	}
	return both
}

// TypeOf is the type of one value.
func TypeOf(v Value) Type {
	switch k := v.Kind(); k {
	case List:
		var elem *Type
		for _, e := range v.List() {
			t := TypeOf(e)
			if elem != nil {
				t = Union(*elem, t)
			}
			elem = &t
		}
		return Type{Kind: List, Elem: elem}
	case Struct:
		n := v.Struct()
		fields := make([]Field, len(n.Names))
		for i, name := range n.Names {
			fields[i] = Field{name, TypeOf(n.Values[i])}
		}
		return Type{Kind: Struct, Fields: fields}
	default:
		return Type{Kind: k, Nullable: k == Null}
	}
}
