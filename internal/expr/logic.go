package expr

import (
	"github.com/strandline-stream/strandline/internal/record"
)

func conditionFunctions() []Function {
	return []Function{
		// The parser makes if a conditional.
		{Name: "if", params: params(in("condition", boolean), in("x", anything), in("y", anything)), result: "any",
			Doc: "x if the condition is true, y if it is false or null; the same as x if condition else y.", Example: "if(2 > 1, 'yes', 'no')", Result: `"yes"`},
		{Name: "coalesce", params: params(in("a", anything), rest("more", anything)), result: "any",
			Doc: "The first argument that is not null.", Example: "coalesce(null, 'unknown')", Result: `"unknown"`,
			build: func(c *checker, k *call) code { return c.coalesce(k) }},
		{Name: "isNull", params: params(in("x", anything)), result: "boolean",
			Doc: "Whether the value is null; the same as x is None.", Example: "isNull(1)", Result: "false",
			build: func(c *checker, k *call) code { return c.isNull(k.n, k.args[0], true) }},
	}
}

// condition checks that a code is a boolean; what names where it stands.
func (c *checker) condition(x code, what string) bool {
	if x.bad || x.typ.Kind == record.Bool {
		return !x.bad
	}
	hint := ""
	source := c.source(x.n)
	switch x.typ.Kind {
	case record.String:
		hint = "write " + source + " != ''"
		if what == "or" {
			hint += ", or coalesce(" + source + ", x) for a value instead of null"
		}
	case record.Int, record.Float:
		hint = "write " + source + " != 0"
	case record.List:
		hint = "write len(" + source + ") > 0"
	case record.Null:
		hint = ""
	case record.Any:
		hint = castTo(c, x, "bool")
	default:
		hint = "write " + source + " is not None"
	}
	c.wrong(x.n, hint, "%s needs a condition, not %s", what, c.describe(x.typ))
	return false
}

func (c *checker) not(n *node) code {
	x := c.check(n.args[0])
	if !c.condition(x, n.text) {
		return bad(n)
	}
	b := x.b
	return boolCode(n, x.typ.Nullable, func(r record.Row) (bool, *fault) {
		v, err := b(r)
		return !v && err == nil, err
	})
}

// logic is and and or, of three values: false and null is false, true or null is true, and else
// null makes null. What decides ends it: what is behind is not computed.
func (c *checker) logic(n *node) code {
	cs := c.all(n.args)
	for _, x := range cs {
		if !c.condition(x, n.text) {
			return bad(n)
		}
	}
	decides := n.op == opOr // the value that does
	if len(cs) == 2 {
		return boolCode(n, nullable(cs...), logicOfTwo(cs[0].b, cs[1].b, decides))
	}
	fs := make([]boolFn, len(cs))
	for i, x := range cs {
		fs[i] = x.b
	}
	return boolCode(n, nullable(cs...), func(r record.Row) (bool, *fault) {
		var unknown *fault
		for _, f := range fs {
			v, err := f(r)
			switch {
			case err == nil && v == decides:
				return decides, nil
			case err == null:
				unknown = null
			case err != nil:
				return false, err
			}
		}
		return !decides && unknown == nil, unknown
	})
}

func logicOfTwo(x, y boolFn, decides bool) boolFn {
	return func(r record.Row) (bool, *fault) {
		v, unknown := x(r)
		if unknown == nil {
			if v == decides {
				return v, nil
			}
		} else if unknown != null {
			return false, unknown
		}
		w, err := y(r)
		switch {
		case err != nil && err != null:
			return false, err
		case err == nil && w == decides:
			return w, nil
		case unknown != nil || err != nil:
			return false, null
		}
		return w, nil
	}
}

func (c *checker) isNull(n *node, x code, is bool) code {
	if x.bad {
		return bad(n)
	}
	v := x.val()
	return boolCode(n, false, func(r record.Row) (bool, *fault) {
		v, err := v(r)
		if err != nil {
			return false, err
		}
		return v.IsNull() == is, nil
	})
}

// conditional is x if c else y. Where the condition is null, it is y.
func (c *checker) conditional(n *node) code {
	cs := c.all(n.args)
	ok := c.condition(cs[0], "if")
	if !ok || anyBad(cs) {
		return bad(n)
	}
	t, ok := c.unify(cs[1:], "the branches are of two types, %s and %s")
	if !ok {
		return bad(n)
	}
	b, x, y := cs[0].b, cs[1].as(t), cs[2].as(t)
	made := code{n: n, typ: t, field: -1}
	switch t.Kind {
	case record.Bool:
		made.b = choose(b, x.b, y.b)
	case record.Int, record.Time:
		made.i = choose(b, x.i, y.i)
	case record.Float:
		made.f = choose(b, x.f, y.f)
	case record.String:
		made.s = choose(b, x.s, y.s)
	default:
		made.v = choose(b, x.v, y.v)
	}
	return made
}

func choose[T any](b boolFn, x, y func(record.Row) (T, *fault)) func(record.Row) (T, *fault) {
	return func(r record.Row) (T, *fault) {
		v, err := b(r)
		if err != nil && err != null {
			var none T
			return none, err
		}
		if v && err == nil {
			return x(r)
		}
		return y(r)
	}
}

// coalesce is the first argument that is not null.
func (c *checker) coalesce(k *call) code {
	t, ok := c.unify(k.args, "coalesce gives a value of one type, not %s or %s")
	if !ok {
		return bad(k.n)
	}
	t.Nullable = true
	fs := make([]valueFn, len(k.args))
	for i, x := range k.args {
		fs[i] = x.as(t).val()
		t.Nullable = t.Nullable && x.typ.Nullable
	}
	return valueCode(k.n, t, func(r record.Row) (record.Value, *fault) {
		for _, f := range fs {
			v, err := f(r)
			if err != nil || !v.IsNull() {
				return v, err
			}
		}
		return record.Value{}, nil
	})
}
