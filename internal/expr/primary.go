package expr

import (
	"fmt"
	"strings"
)

// postfix reads a value and what is behind it: parts, indexes and methods.
func (p *parser) postfix() *node {
	x := p.primary()
	for {
		switch t := p.peek(); {
		case p.accept("."):
			x = p.member(x)
		case p.accept("["):
			x = p.index(x, t)
		case p.is("(") && x.op != opName:
			p.fail(t.off, t.end, "only functions and methods are called", "")
		default:
			return x
		}
	}
}

func (p *parser) member(x *node) *node {
	name := p.take()
	if name.kind != aName && name.kind != quotedName {
		p.fail(name.off, max(name.end, name.off), "a name must follow the point", "")
	}
	o, args, end := opMember, []*node{x}, name.end
	if open := p.peek(); name.kind == aName && p.accept("(") {
		var more []*node
		more, end = p.list(")", open)
		o, args = opMethod, append(args, more...)
	}
	n := p.make(o, x.off, end, name.text, args...)
	n.nameOff, n.nameEnd = name.off, name.end
	return n
}

func (p *parser) index(x *node, open token) *node {
	defer p.deeper()()
	var from, to *node
	if t := p.peek(); p.is("::") {
		p.fail(t.off, t.end, "slices with a step are not supported", "write s[from:to]")
	}
	if !p.is(":") {
		from = p.conditional()
	}
	if p.accept(":") {
		if !p.is("]") {
			to = p.conditional()
		}
		if t := p.peek(); p.is(":") {
			p.fail(t.off, t.end, "slices with a step are not supported", "write s[from:to]")
		}
		end := p.want("]", open).end
		return p.make(opSlice, x.off, end, "[:]", x, from, to)
	}
	end := p.want("]", open).end
	return p.make(opIndex, x.off, end, "[]", x, from)
}

// list reads values and commas up to the closing token.
func (p *parser) list(closing string, open token) (args []*node, end int) {
	defer p.deeper()()
	for {
		if t := p.peek(); p.accept(closing) {
			return args, t.end
		}
		args = append(args, p.conditional())
		t := p.peek()
		switch {
		case p.is("for"):
			p.fail(t.off, t.end, "list comprehensions are not supported", "expressions have no loops; use a step that explodes the list")
		case closing == ")" && p.is("="):
			p.fail(t.off, t.end, "arguments have no names", "write only the value, in its place")
		}
		if !p.accept(",") {
			return args, p.want(closing, open).end
		}
	}
}

// refused are words of Python and SQL that begin something that is not supported. They may be
// names of fields all the same, so only what cannot be read otherwise is refused for them.
var refused = map[string][2]string{
	"lambda": {"lambda is not supported, since functions cannot be defined", "write the expression itself"},
	"CASE":   {"CASE is not supported", "write if(condition, x, y) or x if condition else y"},
	"case":   {"case is not supported", "write if(condition, x, y) or x if condition else y"},
	"CAST":   {"CAST is not supported", "write int(x), float(x), str(x), bool(x) or timestamp(x)"},
	"cast":   {"cast is not supported", "write int(x), float(x), str(x), bool(x) or timestamp(x)"},
	"NOT":    {"NOT is not a word of expressions", "write not in small letters"},
	"await":  {"await is not supported", ""}, "yield": {"yield is not supported", ""}, "import": {"import is not supported", ""},
	"SELECT": {"SELECT is not supported", "write one expression"}, "select": {"select is not supported", "write one expression"},
	"def":    {"def is not supported, since functions cannot be defined", "write the expression itself"},
	"return": {"return is not supported", "write the expression itself"},
}

func (p *parser) primary() *node {
	t := p.take()
	switch t.kind {
	case anInt:
		return p.make(opInt, t.off, t.end, t.text)
	case aFloat:
		return p.make(opFloat, t.off, t.end, t.text)
	case aString:
		if s := p.peek(); s.kind == aString {
			p.fail(s.off, s.end, "a string follows a string", "join them with +")
		}
		return p.make(opString, t.off, t.end, t.text)
	case quotedName:
		return p.make(opName, t.off, t.end, t.text)
	case aName:
		return p.word(t)
	case anOperator:
		switch t.text {
		case "(":
			return p.parenthesis(t)
		case "[":
			args, end := p.list("]", t)
			return p.make(opList, t.off, end, "[]", args...)
		case "{":
			p.fail(t.off, t.end, "objects and sets are not written in braces", "write beam.Row(name=value)")
		}
	case atEnd:
		p.fail(t.off, t.end, "the expression ends too early", "a value is missing at its end")
	}
	p.unexpected(t)
	return nil
}

func (p *parser) parenthesis(open token) *node {
	defer p.deeper()()
	x := p.conditional()
	if t := p.peek(); p.is(",") {
		p.fail(t.off, t.end, "tuples are not supported", "write a list: [a, b]")
	} else if p.is("for") {
		p.fail(t.off, t.end, "generators are not supported", "expressions have no loops")
	}
	end := p.want(")", open).end
	// The parentheses belong to the value from here on: -(2) is no literal, (a < b) no chain.
	wide := *x
	wide.off, wide.end = open.off, end
	return &wide
}

// word reads what begins with a name.
func (p *parser) word(t token) *node {
	call := p.is("(")
	switch t.text {
	case "true", "false", "True", "False":
		return p.make(opBool, t.off, t.end, strings.ToLower(t.text))
	case "null", "None":
		return p.make(opNull, t.off, t.end, "null")
	case "if":
		if !call {
			p.fail(t.off, t.end, `a value must come before "if"`, "write x if condition else y, or if(condition, x, y)")
		}
	case "and", "or", "not", "in", "is", "else":
		p.unexpected(t)
	}
	if t.text == "beam" && p.is(".") && p.tokens[p.at+1].text == "Row" {
		return p.row(t)
	}
	if !call {
		n := p.make(opName, t.off, t.end, t.text)
		n.nameOff, n.nameEnd = t.off, t.end
		return n
	}
	open := p.take()
	args, end := p.list(")", open)
	n := p.make(opCall, t.off, end, t.text, args...)
	n.nameOff, n.nameEnd = t.off, t.end
	if t.text == "if" {
		if len(args) != 3 {
			p.fail(t.off, end, fmt.Sprintf("if has 3 arguments, not %d", len(args)), "write if(condition, x, y)")
		}
		n.op = opIf
	}
	return n
}

// row reads beam.Row(name=value, ...), an object of values.
func (p *parser) row(beam token) *node {
	defer p.deeper()()
	p.at += 2 // the point and Row
	open := p.peek()
	p.want("(", beam)
	n := p.make(opObject, beam.off, 0, "beam.Row")
	for {
		if t := p.peek(); p.accept(")") {
			n.end = t.end
			return n
		}
		name := p.take()
		if name.kind != aName && name.kind != quotedName || !p.accept("=") {
			p.fail(name.off, name.end, "the values of beam.Row have names", "write beam.Row(name=value)")
		}
		for _, other := range n.ops {
			if other == name.text {
				p.fail(name.off, name.end, fmt.Sprintf("beam.Row has two values named %s", quoteName(name.text)), "")
			}
		}
		n.ops, n.args = append(n.ops, name.text), append(n.args, p.conditional())
		if !p.accept(",") {
			n.end = p.want(")", open).end
			return n
		}
	}
}

// instead says what to write for a token of other languages.
var instead = map[string]string{
	"=": "write == to compare", "===": "write ==", "!==": "write !=", "<>": "write !=",
	"&": "write and", "|": "write or", "^": "write ** for powers; there are no operators of bits",
	"~": "write not; there are no operators of bits", "<<": "there are no operators of bits", ">>": "there are no operators of bits",
	"?": "write x if condition else y", ":": "write x if condition else y", "??": "write coalesce(a, b)", "?.": "a part of null is null: write a.b",
	"->": "functions cannot be defined", "=>": "functions cannot be defined; write >= to compare", ":=": "write == to compare",
	"+=": "nothing can be assigned", "-=": "nothing can be assigned", "*=": "nothing can be assigned", "/=": "nothing can be assigned",
	"::": "write int(x), float(x), str(x), bool(x) or timestamp(x)", ";": "an expression is one value", "$": "write the field's name alone",
	"AND": "write and in small letters", "OR": "write or in small letters", "NOT": "write not in small letters", "IN": "write in in small letters",
	"IS": "write is in small letters", "xor": "write a != b",
	"BETWEEN": "write low <= x and x <= high", "between": "write low <= x and x <= high",
	"LIKE": "write contains, startsWith, endsWith or matches", "like": "write contains, startsWith, endsWith or matches",
	"mod": "write %", "div": "write //", "then": "write x if condition else y",
	"AS": "cast by int(x), float(x), str(x); the name of a field is set outside of the expression", "as": "cast by int(x), float(x), str(x); the name of a field is set outside of the expression",
	"for": "expressions have no loops",
}

// unexpected is the mistake of a token that cannot stand where it does.
func (p *parser) unexpected(t token) {
	hint := ""
	if t.kind == anOperator || t.kind == aName {
		hint = instead[t.text]
	}
	if p.at > 0 && p.tokens[p.at-1].kind == aName && t.off >= p.tokens[p.at-1].end {
		before := p.tokens[p.at-1]
		if r, ok := refused[before.text]; ok {
			p.fail(before.off, before.end, r[0], r[1])
		}
	}
	switch t.kind {
	case atEnd:
		p.fail(t.off, t.end, "the expression ends too early", hint)
	case aString:
		p.fail(t.off, t.end, "a string cannot stand here", "an operator or a comma is missing before it")
	case aName, quotedName, anInt, aFloat:
		if hint == "" {
			hint = "an operator or a comma is missing before it"
		}
	}
	p.fail(t.off, t.end, fmt.Sprintf("%q cannot stand here", p.text[t.off:t.end]), hint)
}
