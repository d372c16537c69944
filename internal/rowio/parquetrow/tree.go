package parquetrow

import (
	"fmt"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/strandline-stream/strandline/internal/record"
)

// shape is what a node makes of its columns.
type shape uint8

const (
	scalar shape = iota
	group        // a struct of its children
	list         // its one child, as often as there is one
	absent       // null: this file has no such field
)

// node is a value of rows: how it lies in columns, and what it is called.
type node struct {
	name     string
	shape    shape
	optional bool // it may be null
	def      int  // the definition level from which on it is not null
	items    int  // of a list: the definition level from which on there is an item
	rep      int  // of a list: the repetition level of items after the first
	children []*node
	names    []string // of the children of a group

	leaf  leaf
	index int  // of a scalar: its column
	flat  bool // of a scalar: a row has just one value

	first   *cursor   // of the columns below
	cursors []*cursor // all of them
}

// element is a schema element with its children.
type element struct {
	*format.SchemaElement
	column   int
	children []*element
}

const maxDepth = 200

// treeOf makes the tree of a schema, which lists elements before their children.
func treeOf(list []format.SchemaElement) (*node, error) {
	at, columns := 0, 0
	var next func(depth int) (*element, error)
	next = func(depth int) (*element, error) {
		if at >= len(list) || depth > maxDepth {
			return nil, fmt.Errorf("%w: its schema lacks elements, or is nested deeper than %d", ErrDamaged, maxDepth)
		}
		e := &element{SchemaElement: &list[at]}
		at++
		if e.Type.Valid {
			e.column = columns
			columns++
			return e, nil
		}
		for n := e.NumChildren.V; n > 0; n-- {
			child, err := next(depth + 1)
			if err != nil {
				return nil, err
			}
			e.children = append(e.children, child)
		}
		return e, nil
	}
	root, err := next(0)
	if err != nil {
		return nil, err
	}
	if root.Type.Valid {
		return nil, fmt.Errorf("%w: its schema is no list of fields", ErrDamaged)
	}
	return root.group(0, 0)
}

func (e *element) is(r format.FieldRepetitionType) bool {
	return e.RepetitionType.Valid && e.RepetitionType.V == r
}

func (e *element) converted(t deprecated.ConvertedType) bool {
	return e.ConvertedType.Valid && e.ConvertedType.V == t
}

// node makes a node of an element that lies at these levels. One that is repeated without
// being in a list is a list of its own.
func (e *element) node(def, rep int) (n *node, err error) {
	switch {
	case e.is(format.Optional):
		if n, err = e.body(def+1, rep); err == nil {
			n.optional = true
		}
	case e.is(format.Repeated):
		var item *node
		if item, err = e.body(def+1, rep+1); err == nil {
			n = &node{shape: list, def: def, items: def + 1, rep: rep + 1, children: []*node{item}}
		}
	default:
		n, err = e.body(def, rep)
	}
	if err == nil {
		n.name = e.Name
	}
	return n, err
}

// body is the node apart from whether it is optional or repeated.
func (e *element) body(def, rep int) (*node, error) {
	if e.Type.Valid {
		leaf, err := leafOf(e.SchemaElement)
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", e.Name, err)
		}
		return &node{shape: scalar, def: def, leaf: leaf, index: e.column, flat: rep == 0}, nil
	}
	_, isList := e.LogicalType.Value.(*format.ListType)
	_, isMap := e.LogicalType.Value.(*format.MapType)
	if len(e.children) == 1 && e.children[0].is(format.Repeated) {
		switch {
		case isList || e.converted(deprecated.List):
			return e.list(def, rep)
		case isMap || e.converted(deprecated.Map) || e.converted(deprecated.MapKeyValue):
			return e.entries(def, rep)
		}
	}
	return e.group(def, rep)
}

func (e *element) group(def, rep int) (*node, error) {
	if len(e.children) == 0 {
		return nil, fmt.Errorf("%w: the group %q has no fields", ErrUnsupported, e.Name)
	}
	n := &node{shape: group, def: def}
	seen := map[string]bool{}
	for _, c := range e.children {
		child, err := c.node(def, rep)
		if err != nil {
			return nil, err
		}
		if seen[c.Name] {
			return nil, fmt.Errorf("%w: two fields are named %q", ErrUnsupported, c.Name)
		}
		seen[c.Name] = true
		n.children, n.names = append(n.children, child), append(n.names, c.Name)
	}
	return n, nil
}

// list is a list by the rules of the Parquet format, those for old writers included: its one
// child repeats, and is the item itself unless it is a group of just one field.
func (e *element) list(def, rep int) (*node, error) {
	c := e.children[0]
	var item *node
	var err error
	inner := len(c.children) == 1 && !c.children[0].is(format.Repeated) && c.Name != "array" && c.Name != e.Name+"_tuple"
	if inner {
		item, err = c.children[0].node(def+1, rep+1)
	} else {
		item, err = c.body(def+1, rep+1)
	}
	return &node{shape: list, def: def, items: def + 1, rep: rep + 1, children: []*node{item}}, err
}

// entries is a map: a list of keys with values, whatever the file calls them.
func (e *element) entries(def, rep int) (*node, error) {
	item, err := e.children[0].body(def+1, rep+1)
	if err != nil {
		return nil, err
	}
	if item.shape == group && len(item.names) <= 2 {
		item.names = []string{"key", "value"}[:len(item.names)]
	}
	return &node{shape: list, def: def, items: def + 1, rep: rep + 1, children: []*node{item}}, nil
}

// typ is the type of the node's values.
func (n *node) typ() record.Type {
	t := record.Type{Nullable: n.optional}
	switch n.shape {
	case scalar:
		t.Kind = n.leaf.kind()
		t.Nullable = t.Nullable || t.Kind == record.Any
	case list:
		item := n.children[0].typ()
		t.Kind, t.Elem = record.List, &item
	case group:
		t.Kind = record.Struct
		for i, c := range n.children {
			t.Fields = append(t.Fields, record.Field{Name: n.names[i], Type: c.typ()})
		}
	}
	return t
}

// as gives the node changed so that its values are of type t, which is the union of its own
// with others.
func (n *node) as(t record.Type) (*node, error) {
	to := *n
	switch {
	case t.Kind == record.Any:
	case n.shape == scalar && (t.Kind == n.leaf.kind() || n.leaf.op == opNull):
	case n.shape == scalar && t.Kind == record.Float && n.leaf.kind() == record.Int:
		to.leaf.float = true
	case n.shape == list && t.Kind == record.List && t.Elem != nil:
		item, err := n.children[0].as(*t.Elem)
		if err != nil {
			return nil, err
		}
		to.children = []*node{item}
	case n.shape == group && t.Kind == record.Struct:
		to.children, to.names = nil, nil
		for _, f := range t.Fields {
			child := &node{shape: absent, name: f.Name}
			for i, name := range n.names {
				if name == f.Name {
					var err error
					if child, err = n.children[i].as(f.Type); err != nil {
						return nil, err
					}
				}
			}
			to.children, to.names = append(to.children, child), append(to.names, f.Name)
		}
	default:
		return nil, fmt.Errorf("field %q is %v here, and %v is expected", n.name, n.typ(), t)
	}
	return &to, nil
}

// columns gives the node its cursors.
func (n *node) columns(of func(*node) *cursor) []*cursor {
	if n.shape == scalar {
		n.cursors = []*cursor{of(n)}
	}
	for _, c := range n.children {
		n.cursors = append(n.cursors, c.columns(of)...)
	}
	if len(n.cursors) > 0 {
		n.first = n.cursors[0]
	}
	return n.cursors
}
