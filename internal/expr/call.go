package expr

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/internal/prose"
	"github.com/strandline-stream/strandline/internal/record"
)

// call is a call that is checked: its arguments are as many and of the kinds that the function
// has.
type call struct {
	n        *node
	f        *Function
	args     []code
	nullable bool // since an argument is
}

// arg gives an argument; ok is false if it was left out.
func (k *call) arg(i int) (x code, ok bool) {
	if i < len(k.args) {
		return k.args[i], true
	}
	return code{}, false
}

// foreign are functions of other languages, and what to write for them.
var foreign = map[string]string{
	"now": "expressions know no clock; use the timestamp of the record", "today": "expressions know no clock; use the timestamp of the record",
	"current_timestamp": "expressions know no clock; use the timestamp of the record", "utcnow": "expressions know no clock; use the timestamp of the record",
	"random": "expressions give the same for the same record", "rand": "expressions give the same for the same record", "uuid": "expressions give the same for the same record",
	"ifnull": "write coalesce(a, b)", "nvl": "write coalesce(a, b)", "iif": "write if(c, x, y)", "nullif": "write null if a == b else a",
	"ceiling": "write ceil(x)", "sum": "write a + b; sums over records are a step of their own", "count": "write len(x); counts of records are a step of their own",
	"format": "join strings with + and str(x)", "sprintf": "join strings with + and str(x)", "printf": "join strings with + and str(x)",
	"map": "expressions have no loops", "filter": "expressions have no loops", "list": "write [a, b]", "dict": "write beam.Row(name=value)",
	"any": "write a or b", "all": "write a and b", "datetime": "write timestamp(x) or parseTime(s, layout)", "strptime": "write parseTime(s, layout)",
	"strftime": "write formatTime(t, layout)", "mod": "write a % b", "power": "write a ** b or pow(a, b)", "sorted": "expressions do not sort",
	"range": "expressions have no loops", "type": "types are known before: see the schema", "isinstance": "types are known before: see the schema",
	"eval": "there is no evaluation of text", "exec": "there is no evaluation of text", "print": "an expression only gives a value",
}

func (c *checker) call(n *node) code {
	f := functionNamed(n.text)
	args := c.all(n.args)
	switch {
	case f == nil:
		return c.unknownFunction(n)
	case n.op == opMethod && !f.Method:
		return c.wrongName(n, "write "+f.Signature, "%s is not a method", n.text)
	}
	if f.Name == "join" && n.op == opMethod { // the separator is before the point, as in Python
		args[0], args[len(args)-1] = args[len(args)-1], args[0]
	}
	if anyBad(args) {
		return bad(n)
	}
	if !c.count(n, f, len(args)) {
		return bad(n)
	}
	k := &call{n: n, f: f, args: args, nullable: nullable(args...)}
	ok := true
	for i, x := range args {
		ok = c.argument(f, f.params[min(i, len(f.params)-1)], x) && ok
	}
	if !ok {
		return bad(n)
	}
	return f.build(c, k)
}

func (c *checker) unknownFunction(n *node) code {
	what := "function"
	if n.op == opMethod {
		what = "method"
	}
	hint, ok := foreign[strings.ToLower(n.text)]
	if !ok {
		var names []string
		for i := range functions() {
			if f := &functions()[i]; n.op == opCall || f.Method {
				names = append(append(names, f.Name), f.Aliases...)
			}
		}
		if near := nearest(n.text, names); near != "" {
			hint = "did you mean " + near + "?"
		} else if c.schema.Index(n.text) >= 0 {
			hint = "it is a field, which is not called"
		}
	}
	return c.wrongName(n, hint, "there is no %s %s", what, n.text)
}

// count checks how many arguments there are.
func (c *checker) count(n *node, f *Function, got int) bool {
	least := 0
	for _, p := range f.params {
		if !p.optional {
			least++
		}
	}
	most := len(f.params)
	if most > 0 && f.params[most-1].rest {
		most = maxNodes
	}
	switch {
	case got < least:
		c.wrong(n, "it is "+f.Signature, "%s misses the argument %s", n.text, f.params[got].name)
	case got > most:
		c.wrong(n.args[most], "it is "+f.Signature, "%s has at most %d %s", n.text, most, prose.Plural("argument", most))
	default:
		return true
	}
	return false
}

// argument checks one argument.
func (c *checker) argument(f *Function, p param, x code) bool {
	k := x.typ.Kind
	if !p.kinds.has(k) {
		hint := ""
		switch {
		case k == record.Null:
			hint = "of null, it is always null"
		case k == record.Time && p.kinds.has(record.Float):
			hint = fmt.Sprintf("write seconds(%[1]s), millis(%[1]s) or micros(%[1]s)", c.source(x.n))
		case f.Name == "str":
			hint = "write json(" + c.source(x.n) + ")"
		case p.kinds.has(record.String):
			hint = castTo(c, x, "str")
		case p.kinds == integer:
			hint = castTo(c, x, "int")
		case p.kinds == numeric:
			hint = castTo(c, x, "float")
		case p.kinds == boolean:
			hint = castTo(c, x, "bool")
		case p.kinds == instant && (k == record.String || k == record.Any):
			hint = castTo(c, x, "timestamp")
		case p.kinds == instant && number(k):
			hint = c.epochHint(x)
		}
		c.wrong(x.n, hint, "%s of %s is %s, not %s", p.name, f.Name, oneOf(p.kinds), c.describe(x.typ))
		return false
	}
	if p.literal && !x.literal {
		c.wrong(x.n, "write it out, in quotes", "%s of %s must be the same for all records", p.name, f.Name)
		return false
	}
	return true
}

func oneOf(ks kinds) string {
	s := ks.String()
	if strings.IndexByte("aeio", s[0]) >= 0 {
		return "an " + s
	}
	return "a " + s
}
