package expr

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/record"
)

// member is the part of an object.
func (c *checker) member(n *node, x code, name string) code {
	if x.bad {
		return bad(n)
	}
	get := x.v
	switch x.typ.Kind {
	case record.Any:
		kind := func(v record.Value) *fault {
			return &fault{c.source(n), fmt.Sprintf("%s is %s, not an object", c.source(x.n), withArticle(v.Kind()))}
		}
		return valueCode(n, record.Type{Kind: record.Any, Nullable: true}, func(r record.Row) (record.Value, *fault) {
			v, err := get(r)
			if err != nil || v.IsNull() {
				return record.Value{}, err
			}
			if v.Kind() != record.Struct {
				return record.Value{}, kind(v)
			}
			return v.Struct().Get(name), nil
		})
	case record.Struct:
		fields := record.Schema(x.typ.Fields)
		i := fields.Index(name)
		if i < 0 {
			hint := ""
			if near := nearest(name, fields.Names()); near != "" {
				hint = "did you mean " + quoteName(near) + "?"
			} else if len(fields) <= 12 {
				hint = "it has " + strings.Join(fields.Names(), ", ")
			}
			return c.wrongName(n, hint, "%s has no part %s", c.source(x.n), quoteName(name))
		}
		t := fields[i].Type
		where := c.source(n)
		t.Nullable = t.Nullable || x.typ.Nullable
		return valueCode(n, t, func(r record.Row) (record.Value, *fault) {
			v, err := get(r)
			if err != nil || v.IsNull() {
				return record.Value{}, err
			}
			nested := v.Struct()
			if i < len(nested.Names) && nested.Names[i] == name {
				return conform(nested.Values[i], t, where)
			}
			return conform(nested.Get(name), t, where)
		})
	}
	hint := ""
	if f := functionNamed(name); f != nil {
		hint = fmt.Sprintf("write %s(%s)", f.Name, c.source(x.n))
	}
	return c.wrongName(n, hint, "%s is %s: it has no part %s", c.source(x.n), c.describe(x.typ), quoteName(name))
}

// conform checks a value from within a row against the type that the schema gives it.
func conform(v record.Value, t record.Type, where string) (record.Value, *fault) {
	switch k := v.Kind(); {
	case k == t.Kind || k == record.Null || t.Kind == record.Any:
		return v, nil
	case k == record.Int && t.Kind == record.Float:
		return record.OfFloat(float64(v.Int())), nil
	}
	return record.Value{}, &fault{where, fmt.Sprintf("the record has %s here, its schema says %s", withArticle(v.Kind()), withArticle(t.Kind))}
}

// index is an element of a list, a character of a string, or a part of an object.
func (c *checker) index(n *node) code {
	cs := c.all(n.args)
	if anyBad(cs) {
		return bad(n)
	}
	x, at := cs[0], cs[1]
	if at.literal && at.typ.Kind == record.String && (x.typ.Kind == record.Struct || x.typ.Kind == record.Any) {
		n.nameOff, n.nameEnd = at.n.off, at.n.end
		return c.member(n, x, at.value.Str())
	}
	switch {
	case x.typ.Kind == record.Struct:
		return c.wrong(at.n, "write the name as a string: a['b']", "the part of an object must be named")
	case x.typ.Kind != record.List && x.typ.Kind != record.Any && x.typ.Kind != record.String:
		return c.wrong(n.args[0], "lists, strings and objects have", "%s is %s: it has no elements", c.source(x.n), c.describe(x.typ))
	case at.typ.Kind != record.Int:
		return c.wrong(at.n, "the first is 0, the last -1", "the number of an element is an integer, not %s", c.describe(at.typ))
	}
	i := at.i
	outside := func(i int64, size int) *fault {
		return &fault{c.source(n), fmt.Sprintf("there is no element %d: the length is %d", i, size)}
	}
	if x.typ.Kind == record.String {
		s := x.s
		return strCode(n, nullable(cs...), func(r record.Row) (string, *fault) {
			v, err := s(r)
			if err != nil {
				return "", err
			}
			at, err := i(r)
			if err != nil {
				return "", err
			}
			size := utf8.RuneCountInString(v)
			from, ok := element(at, size)
			if !ok {
				return "", outside(at, size)
			}
			return runes(v, from, from+1), nil
		})
	}
	get, where := x.v, c.source(n)
	t := record.Type{Kind: record.Any, Nullable: true}
	if x.typ.Kind == record.List && x.typ.Elem != nil {
		t = *x.typ.Elem
		t.Nullable = t.Nullable || nullable(cs...)
	}
	return valueCode(n, t, func(r record.Row) (record.Value, *fault) {
		v, err := get(r)
		if err != nil || v.IsNull() {
			return record.Value{}, err
		}
		if v.Kind() != record.List {
			return record.Value{}, &fault{where, fmt.Sprintf("%s is %s, not an array", c.source(x.n), withArticle(v.Kind()))}
		}
		at, err := i(r)
		if err != nil {
			return record.Value{}, real(err)
		}
		vs := v.List()
		k, ok := element(at, len(vs))
		if !ok {
			return record.Value{}, outside(at, len(vs))
		}
		return conform(vs[k], t, where)
	})
}

// element is where the element with a number is; negative ones count from the end.
func element(i int64, size int) (at int, ok bool) {
	if i < 0 {
		i += int64(size)
	}
	return int(i), 0 <= i && i < int64(size)
}

// slice is x[from:to] of a string or list, as in Python: what lies outside is cut off.
func (c *checker) slice(n *node) code {
	x := c.check(n.args[0])
	bounds := [2]intFn{}
	null := x.typ.Nullable
	failed := x.bad
	for i, arg := range n.args[1:] {
		if arg == nil {
			continue
		}
		b := c.check(arg)
		if !b.bad && b.typ.Kind != record.Int {
			b = c.wrong(arg, "", "the bounds of a slice are integers, not %s", c.describe(b.typ))
		}
		failed = failed || b.bad
		null = null || b.typ.Nullable
		bounds[i] = b.i
	}
	if failed {
		return bad(n)
	}
	// span gives the bounds for a size, from <= to.
	span := func(r record.Row, size int) (from, to int, err *fault) {
		ends := [2]int64{0, int64(size)}
		for i, b := range bounds {
			if b == nil {
				continue
			}
			v, err := b(r)
			if err != nil {
				return 0, 0, err
			}
			if v < 0 {
				v += int64(size)
			}
			ends[i] = min(max(v, 0), int64(size))
		}
		return int(ends[0]), int(max(ends[0], ends[1])), nil
	}
	switch x.typ.Kind {
	case record.String:
		s := x.s
		return strCode(n, null, func(r record.Row) (string, *fault) {
			v, err := s(r)
			if err != nil {
				return "", err
			}
			from, to, err := span(r, utf8.RuneCountInString(v))
			if err != nil {
				return "", err
			}
			return runes(v, from, to), nil
		})
	case record.List:
		get, t := x.v, x.typ
		t.Nullable = null
		return valueCode(n, t, func(r record.Row) (record.Value, *fault) {
			v, err := get(r)
			if err != nil || v.IsNull() {
				return v, err
			}
			from, to, err := span(r, len(v.List()))
			if err != nil {
				return record.Value{}, real(err)
			}
			return record.OfList(v.List()[from:to:to]), nil
		})
	}
	return c.wrong(n.args[0], castTo(c, x, "str"), "%s is %s: only strings and lists have slices", c.source(x.n), c.describe(x.typ))
}

// runes gives the characters from to to, which s has.
func runes(s string, from, to int) string {
	if len(s) == utf8.RuneCountInString(s) {
		return s[from:to]
	}
	start, end, i := len(s), len(s), 0
	for at := range s {
		if i == from {
			start = at
		}
		if i == to {
			end = at
			break
		}
		i++
	}
	if from == to {
		return ""
	}
	return s[start:end]
}
