package expr

import (
	"fmt"

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
