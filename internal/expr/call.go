package expr

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/strandline-stream/strandline/internal/record"
)

// The limits of what an expression makes of one record.
const (
	maxBytes    = 1 << 20       // of a string
	maxElements = maxBytes / 24 // of a list, whose values have 24 bytes each
)

func (c *checker) tooLong(n *node) *fault {
	return c.fault(n, fmt.Sprintf("the result is longer than %d bytes", maxBytes))
}

// Function is a function of expressions: the table of them checks calls, and is documented.
type Function struct {
	// Name is how it is called, Aliases are other names for it.
	Name    string
	Aliases []string
	// Group is what it is about: text, numbers, conversion, null, times.
	Group string
	// Signature is like substr(text string, start integer, [length integer]) string.
	Signature string
	// Doc says what it gives, in a sentence or two.
	Doc string
	// Example is an expression without fields, Result its value as text.
	Example, Result string
	// Method says that it may also be written behind its first argument: text.lower().
	Method bool

	params []param
	result string
	build  func(c *checker, k *call) code
}

// kinds is a set of kinds.
type kinds uint16

const (
	text     kinds = 1 << record.String
	integer  kinds = 1 << record.Int
	numeric  kinds = 1<<record.Int | 1<<record.Float
	boolean  kinds = 1 << record.Bool
	instant  kinds = 1 << record.Time
	lists    kinds = 1 << record.List
	anyKind  kinds = 1 << record.Any
	nothing  kinds = 1 << record.Null
	anything kinds = 1<<(record.Any+1) - 1
)

func (ks kinds) has(k record.Kind) bool { return ks&(1<<k) != 0 }

// String names the set in signatures and messages.
func (ks kinds) String() string {
	switch {
	case ks|nothing|anyKind == anything:
		return "any"
	case ks == numeric:
		return "number"
	}
	var names []string
	for k := record.Bool; k <= record.Struct; k++ {
		if ks.has(k) && !(k == record.Int && ks.has(record.Float)) {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, " or ")
}

// param is a parameter.
type param struct {
	name     string
	kinds    kinds
	optional bool
	rest     bool // and any number after it
	literal  bool // must be written out, so that it is checked and prepared once
}

func in(name string, ks kinds) param  { return param{name: name, kinds: ks} }
func opt(name string, ks kinds) param { return param{name: name, kinds: ks, optional: true} }
func rest(name string, ks kinds) param {
	return param{name: name, kinds: ks, optional: true, rest: true}
}
func fixed(name string) param { return param{name: name, kinds: text, literal: true} }
func optFixed(name string) param {
	return param{name: name, kinds: text, literal: true, optional: true}
}
func params(ps ...param) []param { return ps }

func (p param) String() string {
	s := p.name + " " + p.kinds.String()
	switch {
	case p.rest:
		return p.name + "..."
	case p.optional:
		return "[" + s + "]"
	}
	return s
}

// Functions lists all functions in the order of their groups.
func Functions() []Function { return slices.Clone(functions()) }

var functions = sync.OnceValue(func() []Function {
	all := slices.Concat(
		group("text", textFunctions()), group("numbers", numberFunctions()), group("conversion", castFunctions()),
		group("null", nullFunctions()), group("times", timeFunctions()))
	for i := range all {
		words := make([]string, len(all[i].params))
		for j, p := range all[i].params {
			words[j] = p.String()
		}
		all[i].Signature = all[i].Name + "(" + strings.Join(words, ", ") + ") " + all[i].result
	}
	return all
})

// group puts functions into a group.
func group(name string, fs []Function) []Function {
	for i := range fs {
		fs[i].Group = name
	}
	return fs
}

var functionIndex = sync.OnceValue(func() map[string]*Function {
	index := make(map[string]*Function)
	for i := range functions() {
		f := &functions()[i]
		index[f.Name] = f
		for _, name := range f.Aliases {
			index[name] = f
		}
	}
	return index
})

// functionNamed is the function of that name or alias, nil if there is none.
func functionNamed(name string) *Function { return functionIndex()[name] }

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
	"map": "expressions have no loops", "filter": "expressions have no loops", "list": "write [a, b]", "dict": "a step with several fields makes an object",
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
		c.wrong(n.args[most], "it is "+f.Signature, "%s has at most %d %s", n.text, most, plural("argument", most))
	default:
		return true
	}
	return false
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
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

// The shapes of functions. Null makes null, and nothing is computed.

func str1(k *call, f func(string) string) code {
	a := k.args[0].s
	return strCode(k.n, k.nullable, func(r record.Row) (string, *fault) {
		v, err := a(r)
		if err != nil {
			return "", err
		}
		return f(v), nil
	})
}

func strTest(k *call, f func(s, t string) bool) code {
	a, b := k.args[0].s, k.args[1].s
	return boolCode(k.n, k.nullable, func(r record.Row) (bool, *fault) {
		v, err := a(r)
		if err != nil {
			return false, err
		}
		w, err := b(r)
		if err != nil {
			return false, err
		}
		return f(v, w), nil
	})
}

// float1 is for functions that are not defined everywhere: they say what is wrong.
func float1(c *checker, k *call, f func(float64) (v float64, wrong string)) code {
	a, source := k.args[0].float(), c.source(k.n)
	return floatCode(k.n, k.nullable, func(r record.Row) (float64, *fault) {
		v, err := a(r)
		if err != nil {
			return 0, err
		}
		v, wrong := f(v)
		if wrong != "" {
			return 0, &fault{source, wrong}
		}
		return v, nil
	})
}

// general is for the other functions: of values that are not null.
func general(k *call, t record.Type, f func(vs []record.Value) (record.Value, *fault)) code {
	fs := make([]valueFn, len(k.args))
	for i, x := range k.args {
		fs[i] = x.val()
	}
	return valueCode(k.n, t, func(r record.Row) (record.Value, *fault) {
		var few [4]record.Value
		vs := few[:0]
		for _, f := range fs {
			v, err := f(r)
			if err != nil || v.IsNull() {
				return record.Value{}, err
			}
			vs = append(vs, v)
		}
		return f(vs)
	})
}
