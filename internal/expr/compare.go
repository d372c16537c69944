package expr

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/record"
)

// compare checks comparisons. Of several in a row each must hold, and what is in the middle is
// computed once: a < b < c.
func (c *checker) compare(n *node) code {
	if o := n.ops[0]; len(n.ops) == 1 && (o == "in" || o == "not in") && n.args[1].op == opList && len(n.args[1].args) > 0 {
		return c.inList(n, o)
	}
	cs := c.all(n.args)
	if anyBad(cs) {
		return bad(n)
	}
	ok := true
	for i, o := range n.ops {
		ok = c.comparable(n, o, cs[i], cs[i+1]) && ok
	}
	if !ok {
		return bad(n)
	}
	if len(n.ops) > 1 {
		return c.chain(n, cs)
	}
	if o := n.ops[0]; o == "in" || o == "not in" {
		return c.in(n, cs[0], cs[1], o == "not in")
	}
	return boolCode(n, nullable(cs...), compareCodes(n.ops[0], cs[0], cs[1]))
}

// comparable checks two operands.
func (c *checker) comparable(n *node, o string, x, y code) bool {
	j, k := x.typ.Kind, y.typ.Kind
	at := n
	if len(n.ops) > 1 {
		at = &node{off: x.n.off, end: y.n.end}
		at.nameOff, at.nameEnd = at.off, at.end
	}
	before := len(c.errors)
	switch {
	case j == record.Null || k == record.Null:
		if o == "in" || o == "not in" {
			c.wrongName(at, "", "%s with null is always null", o)
			break
		}
		other := x
		if j == record.Null {
			other = y
		}
		hint := "null is not a value to compare with"
		switch o {
		case "==":
			hint = "write " + c.source(other.n) + " is None"
		case "!=":
			hint = "write " + c.source(other.n) + " is not None"
		}
		c.wrongName(at, hint, "%s with null is always null", o)
	case o == "in" || o == "not in":
		c.containable(at, o, x, y)
	case j == record.Any || k == record.Any:
		any := x
		if j != record.Any {
			any = y
		}
		c.wrongName(at, castHint(c, x, y), "%s may be of any type: it cannot be compared", c.source(any.n))
	case number(j) && number(k):
	case j != k:
		c.wrongName(at, c.compareHint(x, y), "%s cannot be compared with %s", c.describe(x.typ), c.describe(y.typ))
	case o == "==" || o == "!=":
		if both := record.Union(x.typ, y.typ); mixes(both, x.typ, y.typ) {
			c.wrongName(at, "", "%s cannot be compared with %s", c.describe(x.typ), c.describe(y.typ))
		}
	case j == record.Bool || j == record.List || j == record.Struct:
		c.wrongName(at, "write == or !=", "%s has no order", c.describe(x.typ))
	}
	return len(c.errors) == before
}

func (c *checker) containable(at *node, o string, x, y code) {
	j, k := x.typ.Kind, y.typ.Kind
	switch {
	case k == record.String && j == record.String:
	case k == record.String:
		c.wrongName(at, castTo(c, x, "str"), "a string contains only strings, not %s", c.describe(x.typ))
	case k != record.List:
		c.wrongName(at, "write x in [a, b]", "%s needs a list or a string behind it, not %s", o, c.describe(y.typ))
	case y.typ.Elem == nil:
	case j == record.Any || y.typ.Elem.Kind == record.Any:
		c.wrongName(at, "say what it is, as in int(x) or str(x)", "values of any type cannot be compared")
	case mixes(record.Union(x.typ, *y.typ.Elem), x.typ, *y.typ.Elem):
		c.wrongName(at, "", "the list holds values of type %s: %s is not among them", y.typ.Elem.Kind, c.describe(x.typ))
	}
}

// compareCodes compares two operands that are comparable.
func compareCodes(o string, x, y code) boolFn {
	j, k := x.typ.Kind, y.typ.Kind
	switch {
	case j == record.Bool:
		a, b, same := x.b, y.b, o == "=="
		return func(r record.Row) (bool, *fault) {
			v, err := a(r)
			if err != nil {
				return false, err
			}
			w, err := b(r)
			if err != nil {
				return false, err
			}
			return (v == w) == same, nil
		}
	case j == record.String:
		if y.literal {
			return compareWith(o, x.s, y.value.Str())
		}
		return compareTwo(o, x.s, y.s)
	case j == record.Time, j == record.Int && k == record.Int:
		if y.literal {
			return compareWith(o, x.i, y.value.Int())
		}
		return compareTwo(o, x.i, y.i)
	case j == record.Float && k == record.Float, j == record.Float && small(y), k == record.Float && small(x):
		if y.literal {
			return compareWith(o, x.float(), numberOf(y.value))
		}
		return compareTwo(o, x.float(), y.float())
	}
	a, b := x.val(), y.val()
	return func(r record.Row) (bool, *fault) {
		v, err := a(r)
		if err != nil {
			return false, err
		}
		w, err := b(r)
		if err != nil {
			return false, err
		}
		if v.IsNull() || w.IsNull() {
			return false, null
		}
		return holds(o, v, w), nil
	}
}

// small says whether x is a literal that a float holds exactly.
func small(x code) bool {
	return x.literal && x.typ.Kind == record.Int && -exact <= x.value.Int() && x.value.Int() <= exact
}

// compareTwo and compareWith are written out for each operator, so that a comparison is one call
// and its operands.
func compareTwo[T cmp.Ordered](o string, x, y func(record.Row) (T, *fault)) boolFn {
	both := func(compare func(a, b T) bool) boolFn {
		return func(r record.Row) (bool, *fault) {
			a, err := x(r)
			if err != nil {
				return false, err
			}
			b, err := y(r)
			if err != nil {
				return false, err
			}
			return compare(a, b), nil
		}
	}
	switch o {
	case "==":
		return both(func(a, b T) bool { return a == b })
	case "!=":
		return both(func(a, b T) bool { return a != b })
	case "<":
		return both(func(a, b T) bool { return a < b })
	case "<=":
		return both(func(a, b T) bool { return a <= b })
	case ">":
		return both(func(a, b T) bool { return a > b })
	}
	return both(func(a, b T) bool { return a >= b })
}

func compareWith[T cmp.Ordered](o string, x func(record.Row) (T, *fault), k T) boolFn {
	switch o {
	case "==":
		return func(r record.Row) (bool, *fault) {
			v, err := x(r)
			return v == k && err == nil, err
		}
	case "!=":
		return func(r record.Row) (bool, *fault) {
			v, err := x(r)
			return v != k && err == nil, err
		}
	case "<":
		return func(r record.Row) (bool, *fault) {
			v, err := x(r)
			return v < k && err == nil, err
		}
	case "<=":
		return func(r record.Row) (bool, *fault) {
			v, err := x(r)
			return v <= k && err == nil, err
		}
	case ">":
		return func(r record.Row) (bool, *fault) {
			v, err := x(r)
			return v > k && err == nil, err
		}
	}
	return func(r record.Row) (bool, *fault) {
		v, err := x(r)
		return v >= k && err == nil, err
	}
}

// holds compares two values that are not null. Numbers are compared exactly; NaN is not equal
// to anything, and neither less nor greater.
func holds(o string, v, w record.Value) bool {
	if isNaN(v) || isNaN(w) {
		return o == "!="
	}
	switch o {
	case "==":
		return record.Equal(v, w)
	case "!=":
		return !record.Equal(v, w)
	}
	order := record.Compare(v, w)
	switch o {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

func isNaN(v record.Value) bool { return v.Kind() == record.Float && math.IsNaN(v.Float()) }

// chain is a < b < c. Like and, it is false if one comparison is, else null if one is.
func (c *checker) chain(n *node, cs []code) code {
	fs := make([]valueFn, len(cs))
	for i := range cs {
		fs[i] = cs[i].val()
	}
	ops := n.ops
	return boolCode(n, nullable(cs...), func(r record.Row) (bool, *fault) {
		var unknown *fault
		v, err := fs[0](r)
		if err != nil {
			return false, err
		}
		for i, o := range ops {
			w, err := fs[i+1](r)
			if err != nil {
				return false, err
			}
			switch {
			case v.IsNull() || w.IsNull():
				unknown = null
			case !holdsOrIn(o, v, w):
				return false, nil
			}
			v = w
		}
		return unknown == nil, unknown
	})
}

func holdsOrIn(o string, v, w record.Value) bool {
	switch o {
	case "in":
		return contains(w, v)
	case "not in":
		return !contains(w, v)
	}
	return holds(o, v, w)
}

// contains says whether a list or string has v in it. Nulls of the list are not compared.
func contains(in, v record.Value) bool {
	if in.Kind() == record.String {
		return strings.Contains(in.Str(), v.Str())
	}
	return !isNaN(v) && slices.ContainsFunc(in.List(), func(e record.Value) bool { return record.Equal(e, v) })
}

// manyElements is from how many on a list that is written out is looked up, not gone through.
const manyElements = 8

func (c *checker) in(n *node, x, y code, not bool) code {
	a, b := x.val(), y.val()
	return boolCode(n, nullable(x, y), func(r record.Row) (bool, *fault) {
		v, err := a(r)
		if err != nil {
			return false, err
		}
		w, err := b(r)
		if err != nil {
			return false, err
		}
		if v.IsNull() || w.IsNull() {
			return false, null
		}
		return contains(w, v) != not, nil
	})
}

// inList is x in [a, b, ...]. The elements are compared as they are, so that integers beside
// numbers stay exact.
func (c *checker) inList(n *node, o string) code {
	x, cs := c.check(n.args[0]), c.all(n.args[1].args)
	if x.bad || anyBad(cs) {
		return bad(n)
	}
	elem, ok := c.unify(cs, "a list holds values of one type, not %s and %s")
	list := code{n: n.args[1], typ: record.Type{Kind: record.List, Elem: &elem}}
	if !ok || !c.comparable(n, o, x, list) {
		return bad(n)
	}
	var values []record.Value
	fs := make([]valueFn, len(cs))
	for i, e := range cs {
		if fs[i] = e.val(); e.literal && !e.value.IsNull() {
			values = append(values, e.value)
		}
	}
	not := o == "not in"
	if !slices.ContainsFunc(cs, func(e code) bool { return !e.literal }) {
		return boolCode(n, x.typ.Nullable, inLiteral(x, values, not))
	}
	f := x.val()
	return boolCode(n, x.typ.Nullable, func(r record.Row) (bool, *fault) {
		v, err := f(r)
		if err != nil {
			return false, err
		}
		found := false
		for _, f := range fs { // all of them: a mistake in one is one of the record
			e, err := f(r)
			if err != nil {
				return false, err
			}
			found = found || !v.IsNull() && !isNaN(v) && record.Equal(v, e)
		}
		if v.IsNull() {
			return false, null
		}
		return found != not, nil
	})
}

// inLiteral says whether x is one of values, none of which is null.
func inLiteral(x code, values []record.Value, not bool) boolFn {
	switch x.typ.Kind {
	case record.String:
		return inSet(x.s, values, record.Value.Str, not)
	case record.Int, record.Time:
		if !slices.ContainsFunc(values, func(v record.Value) bool { return v.Kind() == record.Float }) {
			return inSet(x.i, values, record.Value.Int, not)
		}
	}
	f, in := x.val(), record.OfList(values)
	return func(r record.Row) (bool, *fault) {
		v, err := f(r)
		if err != nil {
			return false, err
		}
		if v.IsNull() {
			return false, null
		}
		return contains(in, v) != not, nil
	}
}

func inSet[T comparable](x func(record.Row) (T, *fault), list []record.Value, of func(record.Value) T, not bool) boolFn {
	values := make([]T, len(list))
	for i, v := range list {
		values[i] = of(v)
	}
	if len(values) < manyElements {
		return func(r record.Row) (bool, *fault) {
			v, err := x(r)
			if err != nil {
				return false, err
			}
			return slices.Contains(values, v) != not, nil
		}
	}
	set := make(map[T]struct{}, len(values))
	for _, v := range values {
		set[v] = struct{}{}
	}
	return func(r record.Row) (bool, *fault) {
		v, err := x(r)
		if err != nil {
			return false, err
		}
		_, ok := set[v]
		return ok != not, nil
	}
}
