package expr

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/strandline-stream/strandline/internal/prose"
	"github.com/strandline-stream/strandline/internal/record"
)

// The limits of regular expressions. The time that one takes is at most the length of the text
// times its instructions.
const (
	maxPattern      = 1000 // bytes of one
	maxInstructions = 2000 // of one, as repetitions are written out
	maxPatterns     = 100  // in an expression
)

// pattern compiles the regular expression that is an argument.
func (c *checker) pattern(x code) *regexp.Regexp {
	s := x.value.Str()
	if len(s) > maxPattern {
		c.wrong(x.n, fmt.Sprintf("at most %d bytes are allowed", maxPattern), "the regular expression has %d bytes", len(s))
		return nil
	}
	if c.patterns++; c.patterns > maxPatterns {
		c.wrong(x.n, "compute some of it in a step before", "the expression has more than %d regular expressions", maxPatterns)
		return nil
	}
	tree, err := syntax.Parse(s, syntax.Perl)
	if err != nil {
		why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		hint := ""
		if strings.Contains(why, "(?") || strings.Contains(why, `\1`) {
			hint = "RE2 has no look-around and no references back"
		}
		c.wrong(x.n, hint, "the regular expression has a mistake (%s)", why)
		return nil
	}
	if program, err := syntax.Compile(tree.Simplify()); err != nil || len(program.Inst) > maxInstructions {
		c.wrong(x.n, "make its repetitions smaller", "the regular expression has more than %d instructions", maxInstructions)
		return nil
	}
	return regexp.MustCompile(s) // which has parsed and compiled it just so
}

func matches(c *checker, k *call) code {
	re := c.pattern(k.args[1])
	if re == nil {
		return bad(k.n)
	}
	a := k.args[0].s
	return boolCode(k.n, k.nullable, func(r record.Row) (bool, *fault) {
		v, err := a(r)
		if err != nil {
			return false, err
		}
		return re.MatchString(v), nil
	})
}

func extract(c *checker, k *call) code {
	re := c.pattern(k.args[1])
	if re == nil {
		return bad(k.n)
	}
	group := min(re.NumSubexp(), 1)
	if x, ok := k.arg(2); ok {
		switch {
		case !x.literal:
			return c.wrong(x.n, "write it out", "group of extract must be the same for all records")
		case x.value.Int() < 0 || x.value.Int() > int64(re.NumSubexp()):
			return c.wrong(x.n, "0 is all of it", "the regular expression has %d %s", re.NumSubexp(), prose.Plural("group", re.NumSubexp()))
		}
		group = int(x.value.Int())
	}
	a := k.args[0].s
	return strCode(k.n, true, func(r record.Row) (string, *fault) {
		v, err := a(r)
		if err != nil {
			return "", err
		}
		m := re.FindStringSubmatchIndex(v)
		if m == nil || m[2*group] < 0 {
			return "", null
		}
		return v[m[2*group]:m[2*group+1]], nil
	})
}

// findAll gives what re.findall of Python gives, for patterns with at most one group: with more
// of them Python gives tuples.
func findAll(c *checker, k *call) code {
	re := c.pattern(k.args[1])
	if re == nil {
		return bad(k.n)
	}
	group := re.NumSubexp()
	if group > 1 {
		return c.wrong(k.args[1].n, "write (?:...) for a group that is not wanted", "findAll takes a regular expression with one group at most, and this one has %d", group)
	}
	elem := scalar(record.String, false)
	t := record.Type{Kind: record.List, Nullable: k.nullable, Elem: &elem}
	long := c.tooLong(k.n)
	return general(k, t, func(vs []record.Value) (record.Value, *fault) {
		s := vs[0].Str()
		found := re.FindAllStringSubmatchIndex(s, maxElements+1)
		if len(found) > maxElements {
			return record.Value{}, long
		}
		list := make([]record.Value, len(found))
		for i, m := range found {
			if list[i] = record.OfString(""); m[2*group] >= 0 {
				list[i] = record.OfString(s[m[2*group]:m[2*group+1]])
			}
		}
		return record.OfList(list), nil
	})
}
