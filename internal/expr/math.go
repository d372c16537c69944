package expr

import (
	"cmp"
	"math"

	"github.com/strandline-stream/strandline/internal/record"
)

const (
	tooLarge  = "the result is too large for an integer of 64 bits"
	floatOver = "the result is too large for a number of 64 bits"
)

func numberFunctions() []Function {
	one := params(in("x", numeric))
	several := params(in("a", numeric|text|instant), in("b", numeric|text|instant), rest("more", numeric|text|instant))
	return []Function{
		{Name: "abs", params: one, result: "number", Doc: "The number without its sign; of an integer an integer.", Example: "abs(-2)", Result: "2", build: abs},
		{Name: "round", params: params(in("x", numeric), opt("digits", integer)), result: "integer or number",
			Doc:     "The nearest integer, or with digits the nearest number of so many after the point. The middle goes to the even one, as in Python.",
			Example: "round(2.5)", Result: "2", build: round},
		{Name: "floor", params: one, result: "integer", Doc: "The greatest integer that is not above x.", Example: "floor(-1.5)", Result: "-2",
			build: func(c *checker, k *call) code { return whole(c, k, math.Floor) }},
		{Name: "ceil", params: one, result: "integer", Doc: "The least integer that is not below x.", Example: "ceil(1.2)", Result: "2",
			build: func(c *checker, k *call) code { return whole(c, k, math.Ceil) }},
		{Name: "min", params: several, result: "any", Doc: "The least of several numbers, strings or timestamps.", Example: "min(3, 1, 2)", Result: "1",
			build: func(c *checker, k *call) code { return c.extreme(k, -1) }},
		{Name: "max", params: several, result: "any", Doc: "The greatest of several numbers, strings or timestamps.", Example: "max(3, 1, 2)", Result: "3",
			build: func(c *checker, k *call) code { return c.extreme(k, 1) }},
		{Name: "sqrt", params: one, result: "number", Doc: "The square root; of a negative number it is an error.", Example: "sqrt(2.25)", Result: "1.5",
			build: func(c *checker, k *call) code {
				return float1(c, k, func(x float64) (float64, string) {
					if x < 0 {
						return 0, "a negative number has no square root"
					}
					return math.Sqrt(x), ""
				})
			}},
		{Name: "exp", params: one, result: "number", Doc: "e to the power x.", Example: "exp(0)", Result: "1",
			build: func(c *checker, k *call) code {
				return float1(c, k, func(x float64) (float64, string) {
					y := math.Exp(x)
					if math.IsInf(y, 1) && !math.IsInf(x, 1) {
						return 0, floatOver
					}
					return y, ""
				})
			}},
		{Name: "log", params: params(in("x", numeric), opt("base", numeric)), result: "number",
			Doc: "The natural logarithm, or that to a base; only positive numbers have one.", Example: "log(1)", Result: "0", build: logarithm},
		{Name: "log10", params: one, result: "number", Doc: "The logarithm to the base 10.", Example: "log10(1000)", Result: "3",
			build: func(c *checker, k *call) code { return float1(c, k, positive(math.Log10)) }},
		{Name: "log2", params: one, result: "number", Doc: "The logarithm to the base 2.", Example: "log2(8)", Result: "3",
			build: func(c *checker, k *call) code { return float1(c, k, positive(math.Log2)) }},
		{Name: "pow", params: params(in("x", numeric), in("y", numeric)), result: "integer or number", Doc: "x to the power y, the same as x ** y.", Example: "pow(2, 10)", Result: "1024",
			build: func(c *checker, k *call) code { return c.power(k.n, k.args[0], k.args[1]) }},
	}
}

func positive(f func(float64) float64) func(float64) (float64, string) {
	return func(x float64) (float64, string) {
		if x <= 0 {
			return 0, "only positive numbers have a logarithm"
		}
		return f(x), ""
	}
}

func logarithm(c *checker, k *call) code {
	base, ok := k.arg(1)
	if !ok {
		return float1(c, k, positive(math.Log))
	}
	a, b, source := k.args[0].float(), base.float(), c.source(k.n)
	return floatCode(k.n, k.nullable, func(r record.Row) (float64, *fault) {
		v, err := a(r)
		if err != nil {
			return 0, err
		}
		w, err := b(r)
		if err != nil {
			return 0, err
		}
		switch {
		case v <= 0 || w <= 0:
			return 0, &fault{source, "only positive numbers have a logarithm"}
		case w == 1:
			return 0, &fault{source, "the base 1 has no logarithm"}
		}
		return math.Log(v) / math.Log(w), nil
	})
}

func abs(c *checker, k *call) code {
	x := k.args[0]
	if x.typ.Kind == record.Float {
		f := x.f
		return floatCode(k.n, k.nullable, func(r record.Row) (float64, *fault) {
			v, err := f(r)
			return math.Abs(v), err
		})
	}
	i, over := x.i, c.overflow(k.n)
	return intCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
		v, err := i(r)
		switch {
		case err != nil:
			return 0, err
		case v == math.MinInt64:
			return 0, over
		case v < 0:
			return -v, nil
		}
		return v, nil
	})
}

// whole is a function from numbers to integers.
func whole(c *checker, k *call, f func(float64) float64) code {
	x := k.args[0]
	if x.typ.Kind == record.Int {
		return intCode(k.n, k.nullable, x.i)
	}
	a, source := x.f, c.source(k.n)
	return intCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
		v, err := a(r)
		if err != nil {
			return 0, err
		}
		i, ok := toInt(f(v))
		if !ok {
			return 0, &fault{source, notInteger(v)}
		}
		return i, nil
	})
}

// notInteger says why a number has no integer.
func notInteger(v float64) string {
	if v != v || math.IsInf(v, 0) {
		return formatFloat(v) + " is not an integer"
	}
	return tooLarge
}

func round(c *checker, k *call) code {
	x := k.args[0]
	digits, ok := k.arg(1)
	if !ok {
		return whole(c, k, math.RoundToEven)
	}
	d := digits.i
	if x.typ.Kind == record.Int {
		i, over := x.i, c.overflow(k.n)
		return intCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
			v, err := i(r)
			if err != nil {
				return 0, err
			}
			n, err := d(r)
			if err != nil {
				return 0, err
			}
			v, ok := roundInt(v, n)
			if !ok {
				return 0, over
			}
			return v, nil
		})
	}
	f, source := x.f, c.source(k.n)
	return floatCode(k.n, k.nullable, func(r record.Row) (float64, *fault) {
		v, err := f(r)
		if err != nil {
			return 0, err
		}
		n, err := d(r)
		if err != nil {
			return 0, err
		}
		rounded := roundFloat(v, n)
		if math.IsInf(rounded, 0) && !math.IsInf(v, 0) {
			return 0, &fault{source, floatOver}
		}
		return rounded, nil
	})
}

// extreme is min and max: the first of those that no other is less or greater than, as in Python.
// So NaN counts where it is first only.
func (c *checker) extreme(k *call, sign int) code {
	t, ok := c.unify(k.args, k.f.Name+" compares values of one type, not %s and %s")
	if !ok {
		return bad(k.n)
	}
	t.Nullable = k.nullable
	made := code{n: k.n, typ: t, field: -1}
	switch t.Kind {
	case record.Float:
		fs := make([]floatFn, len(k.args))
		for i, x := range k.args {
			fs[i] = x.as(t).f
		}
		made.f = extremeOf(fs, sign)
	case record.String:
		fs := make([]strFn, len(k.args))
		for i, x := range k.args {
			fs[i] = x.s
		}
		made.s = extremeOf(fs, sign)
	default:
		fs := make([]intFn, len(k.args))
		for i, x := range k.args {
			fs[i] = x.i
		}
		made.i = extremeOf(fs, sign)
	}
	return made
}

func extremeOf[T cmp.Ordered, F ~func(record.Row) (T, *fault)](fs []F, sign int) F {
	return func(r record.Row) (T, *fault) {
		best, err := fs[0](r)
		for i := 1; i < len(fs) && err == nil; i++ {
			var v T
			if v, err = fs[i](r); sign < 0 && v < best || sign > 0 && v > best {
				best = v
			}
		}
		return best, err
	}
}
