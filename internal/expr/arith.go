package expr

import (
	"math"
	"math/bits"

	"github.com/strandline-stream/strandline/internal/record"
)

func number(k record.Kind) bool { return k == record.Int || k == record.Float }

func (c *checker) sign(n *node) code {
	x := c.check(n.args[0])
	switch {
	case x.bad:
		return bad(n)
	case !number(x.typ.Kind):
		return c.wrong(n, castTo(c, x, "float"), "%s needs a number, not %s", n.text, c.describe(x.typ))
	case n.text == "+" && x.typ.Kind == record.Int:
		return intCode(n, x.typ.Nullable, x.i)
	case n.text == "+":
		return floatCode(n, x.typ.Nullable, x.f)
	case x.typ.Kind == record.Float:
		f := x.f
		return floatCode(n, x.typ.Nullable, func(r record.Row) (float64, *fault) {
			v, err := f(r)
			return -v, err
		})
	}
	i, over := x.i, c.overflow(n)
	return intCode(n, x.typ.Nullable, func(r record.Row) (int64, *fault) {
		v, err := i(r)
		if v == math.MinInt64 && err == nil {
			err = over
		}
		return -v, err
	})
}

func (c *checker) overflow(n *node) *fault {
	return c.fault(n, "the result is too large for an integer of 64 bits")
}

// verbs say what an operator does, for messages.
var verbs = map[string]string{
	"+": "+ adds two numbers or joins two strings or lists", "-": "- needs two numbers", "*": "* needs two numbers",
	"/": "/ needs two numbers", "//": "// needs two numbers", "%": "% needs two numbers", "**": "** needs two numbers",
}

func (c *checker) arith(n *node) code {
	cs := c.all(n.args)
	if anyBad(cs) {
		return bad(n)
	}
	x, y := cs[0], cs[1]
	j, k := x.typ.Kind, y.typ.Kind
	null := nullable(cs...)
	switch {
	case j == record.Null || k == record.Null:
		return c.wrongName(n, "write coalesce(x, 0) for a value instead of null", "%s with null is always null", n.text)
	case number(j) && number(k):
	case n.text == "+" && j == record.String && k == record.String:
		return c.join(n, null, x.s, y.s)
	case n.text == "+" && j == record.List && k == record.List:
		return c.append(n, cs)
	default:
		return c.wrongName(n, c.arithHint(n, x, y), "%s, not %s and %s", verbs[n.text], c.describe(x.typ), c.describe(y.typ))
	}
	if n.text == "/" {
		return c.divide(n, x, y)
	}
	if n.text == "**" {
		return c.power(n, x, y)
	}
	if j == record.Int && k == record.Int {
		return intCode(n, null, c.intArith(n, x, y))
	}
	return floatCode(n, null, c.floatArith(n, x, y))
}

func (c *checker) join(n *node, null bool, x, y strFn) code {
	long := c.tooLong(n)
	return strCode(n, null, func(r record.Row) (string, *fault) {
		a, err := x(r)
		if err != nil {
			return "", err
		}
		b, err := y(r)
		if err != nil {
			return "", err
		}
		if len(a)+len(b) > maxBytes {
			return "", long
		}
		return a + b, nil
	})
}

func (c *checker) append(n *node, cs []code) code {
	t, ok := c.unify(cs, "a list holds values of one type: %s and %s cannot be joined")
	if !ok {
		return bad(n)
	}
	x, y, long := cs[0].as(t).v, cs[1].as(t).v, c.tooLong(n)
	return valueCode(n, t, func(r record.Row) (record.Value, *fault) {
		a, err := x(r)
		if err != nil || a.IsNull() {
			return a, err
		}
		b, err := y(r)
		if err != nil || b.IsNull() {
			return b, err
		}
		if len(a.List())+len(b.List()) > maxElements {
			return record.Value{}, long
		}
		both := make([]record.Value, 0, len(a.List())+len(b.List()))
		return record.OfList(append(append(both, a.List()...), b.List()...)), nil
	})
}

// intArith is + - * // % of integers. What does not fit is a fault, never another number.
func (c *checker) intArith(n *node, x, y code) intFn {
	a, b := x.i, y.i
	over := c.overflow(n)
	if y.literal && (n.text == "+" || n.text == "-") && y.value.Int() != math.MinInt64 {
		k := y.value.Int()
		if n.text == "-" {
			k = -k
		}
		return func(r record.Row) (int64, *fault) {
			v, err := a(r)
			if err != nil {
				return 0, err
			}
			s := v + k
			if (s > v) != (k > 0) && k != 0 {
				return 0, over
			}
			return s, nil
		}
	}
	switch n.text {
	case "+":
		return func(r record.Row) (int64, *fault) {
			v, err := a(r)
			if err != nil {
				return 0, err
			}
			w, err := b(r)
			if err != nil {
				return 0, err
			}
			s := v + w
			if (v^s)&(w^s) < 0 {
				return 0, over
			}
			return s, nil
		}
	case "-":
		return func(r record.Row) (int64, *fault) {
			v, err := a(r)
			if err != nil {
				return 0, err
			}
			w, err := b(r)
			if err != nil {
				return 0, err
			}
			d := v - w
			if (v^w)&(v^d) < 0 {
				return 0, over
			}
			return d, nil
		}
	case "*":
		return func(r record.Row) (int64, *fault) {
			v, err := a(r)
			if err != nil {
				return 0, err
			}
			w, err := b(r)
			if err != nil {
				return 0, err
			}
			p, ok := multiply(v, w)
			if !ok {
				return 0, over
			}
			return p, nil
		}
	}
	zero, whole := c.fault(n, "division by zero"), n.text == "//"
	return func(r record.Row) (int64, *fault) {
		v, err := a(r)
		if err != nil {
			return 0, err
		}
		w, err := b(r)
		if err != nil {
			return 0, err
		}
		switch {
		case w == 0:
			return 0, zero
		case w == -1 && whole && v == math.MinInt64:
			return 0, over
		}
		q, m := v/w, v%w
		if m != 0 && (m < 0) != (w < 0) {
			q, m = q-1, m+w
		}
		if whole {
			return q, nil
		}
		return m, nil
	}
}

// multiply gives v*w; ok is false if 64 bits do not hold it.
func multiply(v, w int64) (p int64, ok bool) {
	if int64(int32(v)) == v && int64(int32(w)) == w {
		return v * w, true
	}
	high, low := bits.Mul64(magnitude(v), magnitude(w))
	if negative := (v < 0) != (w < 0); negative {
		return -int64(low), high == 0 && low <= 1<<63
	}
	return int64(low), high == 0 && low < 1<<63
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// floatArith is + - * // % where a float takes part.
func (c *checker) floatArith(n *node, x, y code) floatFn {
	a, b := x.float(), y.float()
	if y.literal {
		k := numberOf(y.value)
		if n.text == "-" {
			k = -k // v - k is v + -k for all floats
		}
		switch n.text {
		case "+", "-":
			return func(r record.Row) (float64, *fault) {
				v, err := a(r)
				return v + k, err
			}
		case "*":
			return func(r record.Row) (float64, *fault) {
				v, err := a(r)
				return v * k, err
			}
		}
	}
	switch n.text {
	case "+":
		return func(r record.Row) (float64, *fault) {
			v, err := a(r)
			if err != nil {
				return 0, err
			}
			w, err := b(r)
			return v + w, err
		}
	case "-":
		return func(r record.Row) (float64, *fault) {
			v, err := a(r)
			if err != nil {
				return 0, err
			}
			w, err := b(r)
			return v - w, err
		}
	case "*":
		return func(r record.Row) (float64, *fault) {
			v, err := a(r)
			if err != nil {
				return 0, err
			}
			w, err := b(r)
			return v * w, err
		}
	}
	zero, whole := c.fault(n, "division by zero"), n.text == "//"
	return func(r record.Row) (float64, *fault) {
		v, err := a(r)
		if err != nil {
			return 0, err
		}
		w, err := b(r)
		if err != nil {
			return 0, err
		}
		if w == 0 {
			return 0, zero
		}
		q, m := floorDivide(v, w)
		if whole {
			return q, nil
		}
		return m, nil
	}
}

func numberOf(v record.Value) float64 {
	f, _ := v.Number()
	return f
}

// divide is the true quotient of two numbers, a float.
func (c *checker) divide(n *node, x, y code) code {
	null, zero := nullable(x, y), c.fault(n, "division by zero")
	if x.typ.Kind == record.Int && y.typ.Kind == record.Int {
		a, b := x.i, y.i
		return floatCode(n, null, func(r record.Row) (float64, *fault) {
			v, err := a(r)
			if err != nil {
				return 0, err
			}
			w, err := b(r)
			if err != nil {
				return 0, err
			}
			if w == 0 {
				return 0, zero
			}
			return quotient(v, w), nil
		})
	}
	a, b := x.float(), y.float()
	return floatCode(n, null, func(r record.Row) (float64, *fault) {
		v, err := a(r)
		if err != nil {
			return 0, err
		}
		w, err := b(r)
		if err != nil {
			return 0, err
		}
		if w == 0 {
			return 0, zero
		}
		return v / w, nil
	})
}

// power is x ** y. Of two integers it is an integer; only a negative exponent that is written
// out makes it a float, since the type must be known before.
func (c *checker) power(n *node, x, y code) code {
	null := nullable(x, y)
	integers := x.typ.Kind == record.Int && y.typ.Kind == record.Int
	if integers && !(y.literal && y.value.Int() < 0) {
		a, b, over := x.i, y.i, c.overflow(n)
		negative := c.fault(n, "a negative exponent gives no integer; write float(x) ** y")
		return intCode(n, null, func(r record.Row) (int64, *fault) {
			v, err := a(r)
			if err != nil {
				return 0, err
			}
			w, err := b(r)
			if err != nil {
				return 0, err
			}
			if w < 0 {
				return 0, negative
			}
			p, ok := intPower(v, w)
			if !ok {
				return 0, over
			}
			return p, nil
		})
	}
	a, b, source := x.float(), y.float(), c.source(n)
	return floatCode(n, null, func(r record.Row) (float64, *fault) {
		v, err := a(r)
		if err != nil {
			return 0, err
		}
		w, err := b(r)
		if err != nil {
			return 0, err
		}
		p, wrong := floatPower(v, w)
		if wrong != "" {
			return 0, &fault{source, wrong}
		}
		return p, nil
	})
}
