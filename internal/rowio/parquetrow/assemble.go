package parquetrow

import (
	"fmt"

	"github.com/strandline-stream/strandline/internal/record"
)

// assembly makes nested values of the columns below a node, by the levels of their values: a
// definition level says how much of the path to a value is there, a repetition level which
// list on that path goes on.
type assembly struct {
	bad   error // the first value of the row that cannot be in one
	items []record.Value
}

var errLevels = fmt.Errorf("%w: its levels contradict each other", ErrDamaged)

// row makes the value of the next row.
func (a *assembly) row(n *node) (record.Value, error) {
	for _, c := range n.cursors {
		v, err := c.peek()
		switch {
		case err != nil:
			return record.Value{}, err
		case v == nil:
			return record.Value{}, errShort
		case v.RepetitionLevel() != 0:
			return record.Value{}, errLevels
		}
	}
	return a.value(n)
}

func (a *assembly) value(n *node) (record.Value, error) {
	if n.shape == absent || n.first == nil {
		return record.Value{}, nil
	}
	if n.shape == scalar {
		v, err := n.first.take()
		if err != nil || v.DefinitionLevel() < n.def || v.IsNull() {
			return record.Value{}, err
		}
		value, err := n.leaf.value(v, n.first)
		if err != nil && a.bad == nil {
			a.bad = fmt.Errorf("field %q: %w", n.first.name, err)
		}
		return value, nil
	}
	v, err := n.first.peek()
	switch {
	case err != nil:
		return record.Value{}, err
	case v == nil:
		return record.Value{}, errShort
	case v.DefinitionLevel() < n.def:
		return record.Value{}, n.skip()
	case n.shape == group:
		return a.group(n)
	case v.DefinitionLevel() < n.items:
		return record.OfList(nil), n.skip()
	}
	return a.list(n)
}

// skip passes a value of each column, which stand for null or for an empty list.
func (n *node) skip() error {
	for _, c := range n.cursors {
		if _, err := c.take(); err != nil {
			return err
		}
	}
	return nil
}

func (a *assembly) group(n *node) (record.Value, error) {
	values := make([]record.Value, len(n.children))
	for i, c := range n.children {
		var err error
		if values[i], err = a.value(c); err != nil {
			return record.Value{}, err
		}
	}
	return record.OfStruct(n.names, values), nil
}

func (a *assembly) list(n *node) (record.Value, error) {
	from := len(a.items)
	defer func() { a.items = a.items[:from] }()
	for {
		item, err := a.value(n.children[0])
		if err != nil {
			return record.Value{}, err
		}
		a.items = append(a.items, item)
		next, err := n.first.peek()
		switch {
		case err != nil:
			return record.Value{}, err
		case next == nil || next.RepetitionLevel() < n.rep:
			return record.OfList(append([]record.Value(nil), a.items[from:]...)), nil
		case next.RepetitionLevel() > n.rep:
			return record.Value{}, errLevels
		}
	}
}

// passRow passes the values of a row.
func (n *node) passRow() error {
	v, err := n.first.take()
	if err == nil && v.RepetitionLevel() != 0 {
		err = errLevels
	}
	for err == nil {
		if v, err = n.first.peek(); v == nil || v.RepetitionLevel() == 0 {
			return err
		}
		_, err = n.first.take()
	}
	return err
}

// Path is the names on the way to a field: the field of that name, or those between the dots
// if each but the last is an object. It is nil if there is none.
func Path(s record.Schema, field string) []string {
	if s.Index(field) >= 0 {
		return []string{field}
	}
	for i, c := range field {
		if c != '.' {
			continue
		}
		if k := s.Index(field[:i]); k >= 0 && s[k].Type.Kind == record.Struct {
			if rest := Path(s[k].Type.Fields, field[i+1:]); rest != nil {
				return append([]string{field[:i]}, rest...)
			}
		}
	}
	return nil
}

// TypeAt is the type at the end of a path.
func TypeAt(s record.Schema, path []string) record.Type {
	t := s[s.Index(path[0])].Type
	for _, name := range path[1:] {
		t = t.Fields[record.Schema(t.Fields).Index(name)].Type
	}
	return t
}

// just is the schema with nothing but the fields on a path.
func just(s record.Schema, path []string) record.Schema {
	f := s[s.Index(path[0])]
	if len(path) > 1 {
		f.Type.Fields = just(f.Type.Fields, path[1:])
	}
	return record.Schema{f}
}

// within is the value at the end of a path.
func within(v record.Value, path []string) record.Value {
	for _, name := range path {
		if v.Kind() != record.Struct {
			return record.Value{}
		}
		v = v.Struct().Get(name)
	}
	return v
}
