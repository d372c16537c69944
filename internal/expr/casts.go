package expr

import (
	"fmt"
	"math"
	"strconv"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
)

func castFunctions() []Function {
	return []Function{
		{Name: "int", params: params(in("x", numeric|boolean|text|anyKind)), result: "integer",
			Doc:     "The integer of a number, cut towards zero, of a text such as '-12', or of a boolean, 1 or 0. What is no integer is an error of the record.",
			Example: "int('42')", Result: "42", build: castInt},
		{Name: "float", params: params(in("x", numeric|boolean|text|anyKind)), result: "number",
			Doc: "The number of an integer, of a text such as '1.5e3', or of a boolean, 1 or 0.", Example: "float('1.5')", Result: "1.5", build: castFloat},
		{Name: "str", Aliases: []string{"string"}, params: params(in("x", numeric|boolean|text|instant|anyKind)), result: "string",
			Doc:     "The value as Python writes it: 1, 1.0, 1e+16, True; a timestamp as RFC 3339 in UTC.",
			Example: "str(1.0)", Result: `"1.0"`, build: castStr},
		{Name: "bool", params: params(in("x", numeric|boolean|anyKind)), result: "boolean",
			Doc: "Whether a number is not zero. A text has no boolean: write text == 'true'.", Example: "bool(2)", Result: "true", build: castBool},
		{Name: "json", params: params(in("x", anything&^nothing)), result: "string",
			Doc: "The value as JSON.", Example: "json([1, 2])", Result: `"[1,2]"`, build: castJSON},
		{Name: "timestamp", params: params(in("x", numeric|text|instant|anyKind), optFixed("unit or layout"), optFixed("zone")), result: "timestamp",
			Doc: "The instant of a text in RFC 3339 or in a layout (see parseTime), local to a zone if it has none itself; or of a number of seconds, milliseconds, microseconds or " +
				"nanoseconds since 1970, whose unit must be given.",
			Example: "timestamp(1700000000, 'seconds')", Result: `"2023-11-14T22:13:20Z"`, build: castTime},
	}
}

// cast makes code of a function that has a case for each kind, for a value that is not null.
func cast(c *checker, k *call, to record.Kind, f func(v record.Value) (record.Value, string)) code {
	x := k.args[0].val()
	source := c.source(k.n)
	return valueCode(k.n, scalar(to, k.nullable), func(r record.Row) (record.Value, *fault) {
		v, err := x(r)
		if err != nil || v.IsNull() {
			return record.Value{}, err
		}
		v, wrong := f(v)
		if wrong != "" {
			return record.Value{}, &fault{source, wrong}
		}
		return v, nil
	})
}

// quote shows a value in a message, shortened if it is long.
func quote(v record.Value) string {
	if v.Kind() == record.String {
		s := v.Str()
		if len(s) > 40 {
			return fmt.Sprintf("%.40q...", s)
		}
		return strconv.Quote(s)
	}
	return withArticle(v.Kind())
}

func castInt(c *checker, k *call) code {
	switch x := k.args[0]; x.typ.Kind {
	case record.Int:
		return intCode(k.n, k.nullable, x.i)
	case record.Float:
		return whole(c, k, math.Trunc)
	case record.String:
		s, source := x.s, c.source(k.n)
		return intCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
			v, err := s(r)
			if err != nil {
				return 0, err
			}
			i, ok := parseInt(v)
			if !ok {
				return 0, &fault{source, quote(record.OfString(v)) + " is not an integer of 64 bits"}
			}
			return i, nil
		})
	}
	return cast(c, k, record.Int, func(v record.Value) (record.Value, string) {
		switch v.Kind() {
		case record.Int:
			return v, ""
		case record.Bool:
			return record.OfInt(bit(v)), ""
		case record.Float:
			if i, ok := toInt(v.Float()); ok {
				return record.OfInt(i), ""
			}
			return v, notInteger(v.Float())
		case record.String:
			if i, ok := parseInt(v.Str()); ok {
				return record.OfInt(i), ""
			}
		}
		return v, quote(v) + " is not an integer of 64 bits"
	})
}

func bit(v record.Value) int64 {
	if v.Bool() {
		return 1
	}
	return 0
}

func castFloat(c *checker, k *call) code {
	if x := k.args[0]; number(x.typ.Kind) {
		return floatCode(k.n, k.nullable, x.float())
	}
	return cast(c, k, record.Float, func(v record.Value) (record.Value, string) {
		switch v.Kind() {
		case record.Int, record.Float:
			return record.OfFloat(numberOf(v)), ""
		case record.Bool:
			return record.OfFloat(float64(bit(v))), ""
		case record.String:
			if f, ok := parseFloat(v.Str()); ok {
				return record.OfFloat(f), ""
			}
		}
		return v, quote(v) + " is not a number"
	})
}

func castStr(c *checker, k *call) code {
	switch x := k.args[0]; x.typ.Kind {
	case record.String:
		return strCode(k.n, k.nullable, x.s)
	case record.Int:
		i := x.i
		return strCode(k.n, k.nullable, func(r record.Row) (string, *fault) {
			v, err := i(r)
			if err != nil {
				return "", err
			}
			return strconv.FormatInt(v, 10), nil
		})
	case record.Float:
		f := x.f
		return strCode(k.n, k.nullable, func(r record.Row) (string, *fault) {
			v, err := f(r)
			if err != nil {
				return "", err
			}
			return formatFloat(v), nil
		})
	}
	return cast(c, k, record.String, func(v record.Value) (record.Value, string) {
		switch v.Kind() {
		case record.String:
			return v, ""
		case record.Int:
			return record.OfString(strconv.FormatInt(v.Int(), 10)), ""
		case record.Float:
			return record.OfString(formatFloat(v.Float())), ""
		case record.Bool:
			return record.OfString(map[bool]string{true: "True", false: "False"}[v.Bool()]), ""
		case record.Time:
			return record.OfString(etime.Time(v.Time()).Format("2006-01-02T15:04:05.999999Z07:00")), ""
		}
		return v, withArticle(v.Kind()) + " is not written as text: json writes it"
	})
}

func castBool(c *checker, k *call) code {
	if x := k.args[0]; x.typ.Kind == record.Bool {
		return boolCode(k.n, k.nullable, x.b)
	}
	return cast(c, k, record.Bool, func(v record.Value) (record.Value, string) {
		switch v.Kind() {
		case record.Bool:
			return v, ""
		case record.Int:
			return record.OfBool(v.Int() != 0), ""
		case record.Float:
			return record.OfBool(v.Float() != 0), ""
		}
		return v, quote(v) + " is not a boolean"
	})
}

func castJSON(c *checker, k *call) code {
	return cast(c, k, record.String, func(v record.Value) (record.Value, string) {
		b := v.AppendJSON(nil)
		if len(b) > maxBytes {
			return v, fmt.Sprintf("the result is longer than %d bytes", maxBytes)
		}
		return record.OfString(string(b)), ""
	})
}

// castTime is timestamp(x), timestamp(x, unit) and timestamp(x, layout, zone).
func castTime(c *checker, k *call) code {
	x := k.args[0]
	how, given := k.arg(1)
	if x.typ.Kind == record.Time {
		if given {
			return c.wrong(how.n, "", "%s is a timestamp already: it has no unit and no layout", c.source(x.n))
		}
		return timeCode(k.n, k.nullable, x.i)
	}
	layout, size := timestamp.RFC3339, int64(0) // a size of 0 is that of nanoseconds
	isUnit := false
	if given {
		if layout, size, isUnit = epochUnit(how.value.Str()); !isUnit {
			var ok bool
			if layout, ok = c.layout(how, k.args[2:]); !ok {
				return bad(k.n)
			}
		} else if len(k.args) > 2 {
			return c.wrong(k.args[2].n, "", "a number since 1970 has no time zone")
		}
	}
	switch {
	case number(x.typ.Kind) && !isUnit && given:
		return c.wrong(how.n, "write 'seconds', 'milliseconds', 'microseconds' or 'nanoseconds'", "a number has no layout, but a unit")
	case number(x.typ.Kind) && !isUnit:
		return c.wrong(k.n, "write timestamp("+c.source(x.n)+", 'seconds') or 'milliseconds', 'microseconds', 'nanoseconds'", "the unit of the number is missing")
	}
	return cast(c, k, record.Time, func(v record.Value) (record.Value, string) {
		switch v.Kind() {
		case record.Time:
			return v, ""
		case record.String:
			us, err := layout.ParseMicros([]byte(v.Str()))
			if err != nil {
				return v, err.Error()
			}
			return record.OfTime(us), ""
		case record.Int, record.Float:
			if !isUnit {
				return v, "a number needs a unit, as in timestamp(x, 'seconds')"
			}
			if us, ok := sinceEpoch(v, size); ok {
				return record.OfTime(us), ""
			}
			return v, "the time is out of range"
		}
		return v, quote(v) + " is not a timestamp"
	})
}

// sinceEpoch gives the instant of a number of units of that many microseconds, 0 for
// nanoseconds. Parts of a microsecond are cut towards the past; those of a float are rounded,
// since it rarely holds microseconds exactly.
func sinceEpoch(v record.Value, size int64) (us int64, ok bool) {
	if v.Kind() == record.Int {
		if size == 0 {
			return etime.FloorDiv(v.Int(), 1000), true
		}
		return multiply(v.Int(), size)
	}
	if size == 0 {
		return toInt(math.RoundToEven(v.Float() / 1000))
	}
	return toInt(math.RoundToEven(v.Float() * float64(size)))
}
