package expr

import (
	"fmt"
	"strings"
)

// parser reads tokens by recursive descent, one function a level of precedence, which are
// those of Python:
//
//	x if c else y;  or ||;  and &&;  not;  == != < <= > >= in is;  + -;  * / // %;  -x +x !x;  **;  a.b a[i] f(x)
//
// The first mistake in the grammar ends it, by a panic with the *Error that parse recovers.
type parser struct {
	text   string
	tokens []token
	at     int
	depth  int
	nodes  int
}

// parse gives the tree of a text.
func parse(text string) (root *node, err *Error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			root, err = nil, e
		}
	}()
	p := &parser{text: text, tokens: tokens}
	if p.peek().kind == atEnd {
		return nil, &Error{0, 0, "the expression is empty", "write a field or a value"}
	}
	root = p.conditional()
	if t := p.peek(); t.kind != atEnd {
		p.unexpected(t)
	}
	return root, nil
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != atEnd {
		p.at++
	}
	return t
}

// is says whether the next token is that operator or word.
func (p *parser) is(text string) bool {
	t := p.peek()
	return (t.kind == anOperator || t.kind == aName) && t.text == text
}

// isAny says which of the operators or words is next, "" if none.
func (p *parser) isAny(texts ...string) string {
	for _, s := range texts {
		if p.is(s) {
			return s
		}
	}
	return ""
}

// accept takes the operator or word if it is next.
func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

// want takes the operator or word, which must come; open is what began before.
func (p *parser) want(text string, open token) token {
	t := p.peek()
	if p.accept(text) {
		return t
	}
	if t.kind == atEnd {
		p.fail(open.off, open.end, fmt.Sprintf("there is no %s for this %s", text, open.text), "")
	}
	p.unexpected(t)
	return t
}

func (p *parser) fail(off, end int, message, hint string) {
	panic(&Error{off, end - off, message, hint})
}

// make gives a node, and counts it.
func (p *parser) make(o op, off, end int, text string, args ...*node) *node {
	if p.nodes++; p.nodes > maxNodes {
		p.fail(off, end, fmt.Sprintf("the expression has more than %d parts", maxNodes), "compute some of it in a step before")
	}
	return &node{op: o, off: off, end: end, text: text, args: args}
}

// deeper counts what is within each other; the caller calls the result when it leaves.
func (p *parser) deeper() (leave func()) {
	if p.depth++; p.depth > maxDepth {
		t := p.peek()
		p.fail(t.off, t.end, fmt.Sprintf("the expression is nested deeper than %d", maxDepth), "compute some of it in a step before")
	}
	return func() { p.depth-- }
}

func (p *parser) conditional() *node {
	x := p.or()
	if !p.is("if") {
		return x
	}
	word := p.take()
	c := p.or()
	if t := p.peek(); !p.accept("else") {
		p.fail(t.off, t.end, `"if" needs "else"`, "write x if condition else y")
	}
	y := p.conditional()
	n := p.make(opIf, x.off, y.end, "if", c, x, y)
	n.nameOff, n.nameEnd = word.off, word.end
	return n
}

func (p *parser) or() *node { return p.logic(opOr, p.and, "or", "||") }

func (p *parser) and() *node { return p.logic(opAnd, p.not, "and", "&&") }

func (p *parser) logic(o op, operand func() *node, words ...string) *node {
	x := operand()
	if p.isAny(words...) == "" {
		return x
	}
	args := []*node{x}
	for p.isAny(words...) != "" {
		p.at++
		args = append(args, operand())
	}
	return p.make(o, x.off, args[len(args)-1].end, words[0], args...)
}

func (p *parser) not() *node {
	if !p.is("not") {
		return p.comparison()
	}
	defer p.deeper()()
	t := p.take()
	x := p.not()
	return p.make(opNot, t.off, x.end, "not", x)
}

func (p *parser) comparison() *node {
	x := p.sum()
	var ops []string
	args := []*node{x}
	var word token
	asked := false // by "is"
	for {
		t := p.peek()
		o := p.isAny("==", "!=", "<", "<=", ">", ">=", "in")
		switch {
		case o != "":
			p.at++
		case p.is("not"):
			p.at++
			if !p.accept("in") {
				p.unexpected(p.peek())
			}
			o = "not in"
		case p.is("is"):
			if len(ops) > 0 {
				p.fail(t.off, t.end, `"is" after another comparison is not supported`, "put the comparison in parentheses")
			}
			if asked {
				p.fail(t.off, t.end, `"is" after "is" is not supported`, "")
			}
			args[0] = p.isNull(x)
			asked = true
			continue
		default:
			if len(ops) == 0 {
				return args[0]
			}
			n := p.make(opCompare, args[0].off, args[len(args)-1].end, ops[0], args...)
			n.ops, n.nameOff, n.nameEnd = ops, word.off, word.end
			return n
		}
		if asked {
			p.fail(t.off, t.end, `a comparison after "is" is not supported`, "put one of them in parentheses")
		}
		if len(ops) == 0 {
			word = t
		}
		ops = append(ops, o)
		args = append(args, p.sum())
	}
}

// isNull reads what follows x: is None, is not None, is null, is not null.
func (p *parser) isNull(x *node) *node {
	word := p.take()
	o := opIsNull
	if p.accept("not") {
		o = opIsNotNull
	}
	t := p.peek()
	if p.isAny("None", "null", "NULL") == "" {
		p.fail(word.off, max(word.end, t.end), `"is" only asks for null: x is None, x is not None`, "compare values with == and !=")
	}
	p.at++
	return p.make(o, x.off, t.end, "is", x)
}

func (p *parser) sum() *node { return p.arith(p.product, "+", "-") }

func (p *parser) product() *node { return p.arith(p.sign, "*", "/", "//", "%") }

func (p *parser) arith(operand func() *node, ops ...string) *node {
	x := operand()
	for p.isAny(ops...) != "" {
		t := p.take()
		y := operand()
		x = p.binary(t, x, y)
	}
	return x
}

func (p *parser) binary(t token, x, y *node) *node {
	n := p.make(opArith, x.off, y.end, t.text, x, y)
	n.nameOff, n.nameEnd = t.off, t.end
	return n
}

func (p *parser) sign() *node {
	o := p.isAny("-", "+", "!")
	if o == "" {
		return p.power()
	}
	defer p.deeper()()
	t := p.take()
	x := p.sign()
	switch {
	case o == "!":
		return p.make(opNot, t.off, x.end, "!", x)
	case o == "-" && (x.op == opInt || x.op == opFloat) && !strings.HasPrefix(x.text, "-") && p.tokens[p.at-1].off == x.off:
		x.off, x.text = t.off, "-"+x.text
		return x
	}
	n := p.make(opSign, t.off, x.end, o, x)
	n.nameOff, n.nameEnd = t.off, t.end
	return n
}

func (p *parser) power() *node {
	x := p.postfix()
	if !p.is("**") {
		return x
	}
	defer p.deeper()()
	t := p.take()
	return p.binary(t, x, p.sign())
}
