package expr

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/strandline-stream/strandline/internal/record"
)

// checker checks and compiles a tree from its leaves up, and notes all mistakes.
type checker struct {
	text   string
	schema record.Schema
	reads  []bool // by field
	errors Errors

	patterns int // regular expressions
}

// wrong notes a mistake of a node, and gives its code.
func (c *checker) wrong(n *node, hint, format string, args ...any) code {
	c.errors = append(c.errors, &Error{n.off, n.end - n.off, fmt.Sprintf(format, args...), hint})
	return bad(n)
}

// wrongName is wrong for the name or operator of the node.
func (c *checker) wrongName(n *node, hint, format string, args ...any) code {
	c.errors = append(c.errors, &Error{n.nameOff, n.nameEnd - n.nameOff, fmt.Sprintf(format, args...), hint})
	return bad(n)
}

// source is the text of a node, shortened if it is long.
func (c *checker) source(n *node) string {
	const most = 60
	s := c.text[n.off:min(n.end, n.off+10*most)] // of more nothing is seen, and chains have many such nodes
	whole := n.off+len(s) == n.end
	s = strings.Join(strings.Fields(s), " ")
	if whole && len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:min(most, len(s))], "") + "..."
}

// fault makes the fault of a node that is always the same.
func (c *checker) fault(n *node, what string) *fault { return &fault{c.source(n), what} }

func (c *checker) check(n *node) code {
	if len(c.errors) >= maxErrors {
		return bad(n) // no more are told
	}
	switch n.op {
	case opNull:
		return literalCode(n, record.Value{})
	case opBool:
		return literalCode(n, record.OfBool(n.text == "true"))
	case opInt:
		return c.integer(n)
	case opFloat:
		return c.float(n)
	case opString:
		return literalCode(n, record.OfString(n.text))
	case opList:
		return c.list(n)
	case opObject:
		return c.object(n)
	case opName:
		return c.name(n)
	case opMember:
		return c.member(n, c.check(n.args[0]), n.text)
	case opIndex:
		return c.index(n)
	case opSlice:
		return c.slice(n)
	case opCall, opMethod:
		return c.call(n)
	case opSign:
		return c.sign(n)
	case opArith:
		return c.arith(n)
	case opCompare:
		return c.compare(n)
	case opIsNull, opIsNotNull:
		return c.isNull(n, c.check(n.args[0]), n.op == opIsNull)
	case opNot:
		return c.not(n)
	case opAnd, opOr:
		return c.logic(n)
	default:
		return c.conditional(n)
	}
}

func (c *checker) all(ns []*node) []code {
	cs := make([]code, len(ns))
	for i, n := range ns {
		cs[i] = c.check(n)
	}
	return cs
}

func (c *checker) integer(n *node) code {
	i, err := strconv.ParseInt(strings.Replace(n.text, "_", "", -1), base(n.text), 64)
	if err != nil {
		return c.wrong(n, "write it with a point if it may be rounded", "%s is too large for an integer of 64 bits", c.source(n))
	}
	return literalCode(n, record.OfInt(i))
}

// base is 0 for ParseInt to see a prefix such as 0x; 10 where zeros mean nothing.
func base(text string) int {
	if isPrefixed(strings.TrimPrefix(text, "-")) {
		return 0
	}
	return 10
}

func (c *checker) float(n *node) code {
	f, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		return c.wrong(n, "", "%s is too large for a number of 64 bits", c.source(n))
	}
	return literalCode(n, record.OfFloat(f))
}

func (c *checker) list(n *node) code {
	cs := c.all(n.args)
	if anyBad(cs) {
		return bad(n)
	}
	if len(cs) == 0 {
		return literalCode(n, record.OfList(nil))
	}
	elem, ok := c.unify(cs, "a list holds values of one type, not %s and %s")
	if !ok {
		return bad(n)
	}
	literal := true
	fs := make([]valueFn, len(cs))
	for i := range cs {
		literal = literal && cs[i].literal
		fs[i] = cs[i].as(elem).val()
	}
	f := func(r record.Row) (record.Value, *fault) {
		vs := make([]record.Value, len(fs))
		for i, f := range fs {
			v, err := f(r)
			if err != nil {
				return record.Value{}, err
			}
			vs[i] = v
		}
		return record.OfList(vs), nil
	}
	made := valueCode(n, record.Type{Kind: record.List, Elem: &elem}, f)
	if literal {
		v, err := f(nil)
		if err != nil {
			return c.wrong(n, "", "%s", err.what)
		}
		made.literal, made.value = true, v
		made.v = func(record.Row) (record.Value, *fault) { return v, nil }
	}
	return made
}

// object makes an object of values.
func (c *checker) object(n *node) code {
	cs := c.all(n.args)
	if anyBad(cs) {
		return bad(n)
	}
	fields, fs := make([]record.Field, len(cs)), make([]valueFn, len(cs))
	for i, x := range cs {
		fields[i], fs[i] = record.Field{Name: n.ops[i], Type: x.typ}, x.val()
	}
	names := n.ops
	return valueCode(n, record.Type{Kind: record.Struct, Fields: fields}, func(r record.Row) (record.Value, *fault) {
		vs := make([]record.Value, len(fs))
		for i, f := range fs {
			v, err := f(r)
			if err != nil {
				return record.Value{}, err
			}
			vs[i] = v
		}
		return record.OfStruct(names, vs), nil
	})
}

// unify gives the type of values that can each be the value of one expression.
func (c *checker) unify(cs []code, message string) (record.Type, bool) {
	t := cs[0].typ
	for i, next := range cs[1:] {
		both := record.Union(t, next.typ)
		if mixes(both, t, next.typ) {
			c.wrong(next.n, c.unifyHint(cs[i], next), message, c.describe(t), c.describe(next.typ))
			return t, false
		}
		t = both
	}
	for i := range cs {
		cs[i].rounded = c.source(cs[i].n)
	}
	return t, true
}

// mixes says whether a union lost what its parts were.
func mixes(both, t, u record.Type) bool {
	switch both.Kind {
	case record.Any:
		return t.Kind != record.Any && u.Kind != record.Any || t.Kind != u.Kind && t.Kind != record.Null && u.Kind != record.Null
	case record.List:
		return t.Elem != nil && u.Elem != nil && t.Kind == u.Kind && mixes(*both.Elem, *t.Elem, *u.Elem)
	case record.Struct:
		if t.Kind != u.Kind {
			return false
		}
		for _, f := range both.Fields {
			i, j := record.Schema(t.Fields).Index(f.Name), record.Schema(u.Fields).Index(f.Name)
			if i >= 0 && j >= 0 && mixes(f.Type, t.Fields[i].Type, u.Fields[j].Type) {
				return true
			}
		}
	}
	return false
}

// describe names a type as in "an integer".
func (c *checker) describe(t record.Type) string {
	switch t.Kind {
	case record.List, record.Struct:
		t.Nullable = false
		if s := t.String(); len(s) <= 60 {
			return "an " + map[bool]string{true: s, false: "object " + s}[t.Kind == record.List]
		}
	case record.Any:
		return "a value of any type"
	}
	return withArticle(t.Kind)
}

func (c *checker) name(n *node) code {
	i := c.schema.Index(n.text)
	if i >= 0 {
		c.reads[i] = true
		return fieldCode(n, i, c.schema[i].Type, n.text)
	}
	hint := ""
	names := c.schema.Names()
	if to, ok := instead[n.text]; ok {
		hint = to
	} else if r, ok := refused[n.text]; ok && r[1] != "" {
		hint = r[1]
	} else if near := nearest(n.text, names); near != "" {
		hint = "did you mean " + quoteName(near) + "?"
	} else if is, ok := otherLiterals[strings.ToLower(n.text)]; ok {
		hint = "write " + is
	} else if f := functionNamed(n.text); f != nil {
		hint = "there is a function " + f.Signature
	} else if len(names) == 0 {
		hint = "the rows have no fields"
	} else if len(names) <= 12 {
		quoted := make([]string, len(names))
		for i, name := range names {
			quoted[i] = quoteName(name)
		}
		hint = "the fields are " + strings.Join(quoted, ", ")
	}
	return c.wrong(n, hint, "there is no field %s", quoteName(n.text))
}

var otherLiterals = map[string]string{"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null", "nan": "float('nan')", "inf": "float('inf')"}

// quoteName writes the name of a field as an expression must.
func quoteName(name string) string {
	if n := nameLength(name); n == 0 || n < len(name) || isWord(name) {
		return "`" + strings.ReplaceAll(name, "`", "``") + "`"
	}
	return name
}

// isWord says whether a name is one of the language.
func isWord(name string) bool {
	switch name {
	case "true", "false", "True", "False", "null", "None", "if", "else", "and", "or", "not", "in", "is":
		return true
	}
	return false
}
