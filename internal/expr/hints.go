package expr

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/internal/record"
)

// arithHint is the hint for operands of an operator that do not go together.
func (c *checker) arithHint(n *node, x, y code) string {
	j, k := x.typ.Kind, y.typ.Kind
	switch {
	case j == record.Time && k == record.Time && n.text == "-":
		return fmt.Sprintf("write difference(%s, %s, 'seconds')", c.source(x.n), c.source(y.n))
	case (j == record.Time || k == record.Time) && (n.text == "-" || n.text == "+") && (number(j) || number(k)):
		return "write addTime(t, 5, 'minutes')"
	case n.text == "%" && j == record.String:
		return "join strings with +, and make values text with str(x)"
	}
	switch {
	case n.text == "+" && j == record.List:
		return "write [" + c.source(y.n) + "]"
	case n.text == "+" && j == record.String:
		return castTo(c, y, "str")
	case n.text == "+" && k == record.String:
		return castTo(c, x, "str")
	case j == record.Bool:
		return castTo(c, x, "int")
	case k == record.Bool:
		return castTo(c, y, "int")
	}
	return castHint(c, x, y)
}

// castTo is the hint to cast the value to what the function of that name makes.
func castTo(c *checker, x code, to string) string {
	s := c.source(x.n)
	if strings.HasSuffix(s, "...") {
		s = "x"
	}
	switch x.typ.Kind {
	case record.Null, record.List, record.Struct, record.Bytes:
		return ""
	case record.Time:
		if to != "str" {
			return ""
		}
	case record.String:
		switch {
		case to == "str" || to == "bool":
			return ""
		case x.literal && to != "timestamp" && isNumber(x.value.Str()):
			return "write " + x.value.Str() + " without quotes"
		case x.literal && to != "timestamp":
			return ""
		}
	}
	return fmt.Sprintf("write %s(%s)", to, s)
}

// castHint is the hint for two values that do not go together: to cast the one that is of any
// type to the type of the other, or the text to a number.
func castHint(c *checker, x, y code) string {
	j, k := x.typ.Kind, y.typ.Kind
	to := map[record.Kind]string{record.Int: "int", record.Float: "float", record.String: "str", record.Bool: "bool", record.Time: "timestamp"}
	switch {
	case j == record.Any && k == record.Any:
		return "say what they are, as in int(x) or str(x)"
	case j == record.Any && to[k] != "":
		return castTo(c, x, to[k])
	case k == record.Any && to[j] != "":
		return castTo(c, y, to[j])
	case j == record.Time && k == record.String:
		return castTo(c, y, "timestamp")
	case k == record.Time && j == record.String:
		return castTo(c, x, "timestamp")
	case j == record.String && number(k):
		return castTo(c, x, to[k])
	case k == record.String && number(j):
		return castTo(c, y, to[j])
	case j == record.Time && number(k):
		return c.epochHint(y)
	case k == record.Time && number(j):
		return c.epochHint(x)
	case j == record.Bool && number(k):
		return castTo(c, x, "int")
	case k == record.Bool && number(j):
		return castTo(c, y, "int")
	case j == record.String && k == record.Bool:
		return castTo(c, y, "str")
	case k == record.String && j == record.Bool:
		return castTo(c, x, "str")
	}
	return ""
}

// compareHint is castHint for a comparison, which is one of numbers or one of text.
func (c *checker) compareHint(x, y code) string {
	text, n := x, y
	if y.typ.Kind == record.String {
		text, n = y, x
	}
	hint := castHint(c, x, y)
	if text.typ.Kind == record.String && n.typ.Kind == record.Int && n.literal && !text.literal {
		hint += fmt.Sprintf(", or '%s' to compare text", c.source(n.n))
	}
	return hint
}

// unifyHint is castHint for values of which any can be the result: text holds them all.
func (c *checker) unifyHint(x, y code) string {
	switch {
	case x.typ.Kind == record.String && y.typ.Kind != record.Any:
		return castTo(c, y, "str")
	case y.typ.Kind == record.String && x.typ.Kind != record.Any:
		return castTo(c, x, "str")
	}
	return castHint(c, x, y)
}

// epochHint is the hint for a number where a timestamp is needed.
func (c *checker) epochHint(x code) string {
	return fmt.Sprintf("write timestamp(%s, 'seconds'), or the unit that it has", c.source(x.n))
}

func isNumber(s string) bool {
	_, ok := parseFloat(s)
	return ok && s != "" && (isDigit(s[0]) || s[0] == '-') && isDigit(s[len(s)-1])
}
