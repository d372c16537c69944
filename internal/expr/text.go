package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/record"
)

func textFunctions() []Function {
	return []Function{
		{Name: "lower", Method: true, params: params(in("text", text)), result: "string",
			Doc: "The text in small letters.", Example: "lower('ABC')", Result: `"abc"`,
			build: func(c *checker, k *call) code { return grown(c, k, lower) }},
		{Name: "upper", Method: true, params: params(in("text", text)), result: "string",
			Doc: "The text in capital letters.", Example: "upper('straße')", Result: `"STRASSE"`,
			build: func(c *checker, k *call) code { return grown(c, k, upper) }},
		{Name: "title", Method: true, params: params(in("text", text)), result: "string",
			Doc: "The text with a capital letter at the start of each word, and small ones elsewhere.", Example: "title('king LEAR')", Result: `"King Lear"`,
			build: func(c *checker, k *call) code { return grown(c, k, title) }},
		{Name: "capitalize", Method: true, params: params(in("text", text)), result: "string",
			Doc: "The text with a capital letter at its start, and small ones elsewhere.", Example: "capitalize('king LEAR')", Result: `"King lear"`,
			build: func(c *checker, k *call) code { return grown(c, k, capitalize) }},
		{Name: "trim", Aliases: []string{"strip"}, Method: true, params: params(in("text", text), opt("characters", text)), result: "string",
			Doc: "The text without white space, or the given characters, at both ends.", Example: "trim('  a b ')", Result: `"a b"`,
			build: func(_ *checker, k *call) code { return trim(k, strings.TrimFunc) }},
		{Name: "trimStart", Aliases: []string{"lstrip"}, Method: true, params: params(in("text", text), opt("characters", text)), result: "string",
			Doc: "The text without white space, or the given characters, at its start.", Example: "trimStart('007', '0')", Result: `"7"`,
			build: func(_ *checker, k *call) code { return trim(k, strings.TrimLeftFunc) }},
		{Name: "trimEnd", Aliases: []string{"rstrip"}, Method: true, params: params(in("text", text), opt("characters", text)), result: "string",
			Doc: "The text without white space, or the given characters, at its end.", Example: "trimEnd('a\\n')", Result: `"a"`,
			build: func(_ *checker, k *call) code { return trim(k, strings.TrimRightFunc) }},
		{Name: "substr", Method: true, params: params(in("text", text), in("start", integer), opt("length", integer)), result: "string",
			Doc:     "The part of the text from a character on, counted from 0, or from the end if it is negative; up to so many characters.",
			Example: "substr('strandline', 0, 6)", Result: `"strand"`, build: substr},
		{Name: "split", Method: true, params: params(in("text", text), opt("separator", text), opt("most", integer)), result: "array[string]",
			Doc:     "The parts between separators, cut at most so many times; without a separator the words between white space.",
			Example: "split('a,b', ',')", Result: `["a","b"]`, build: split},
		{Name: "join", Method: true, params: params(in("list", lists), in("separator", text)), result: "string",
			Doc:     "The strings of a list with the separator between them. As a method it stands behind the separator: ', '.join(list).",
			Example: "join(['a', 'b'], '-')", Result: `"a-b"`, build: joinList},
		{Name: "concat", params: params(in("text", text), rest("more", text)), result: "string",
			Doc: "The strings one after the other.", Example: "concat('a', 'b', 'c')", Result: `"abc"`, build: concat},
		{Name: "replace", Method: true, params: params(in("text", text), in("old", text), in("new", text)), result: "string",
			Doc: "The text with each old replaced by new.", Example: "replace('a-b-c', '-', '+')", Result: `"a+b+c"`, build: replace},
		{Name: "contains", Method: true, params: params(in("text", text|lists), in("part", anything&^nothing&^anyKind)), result: "boolean",
			Doc: "Whether the part is in the text, or the value in the list; the same as part in text.", Example: "contains('strandline', 'and')", Result: "true",
			build: func(c *checker, k *call) code {
				at := *k.n
				before := len(c.errors)
				if c.containable(&at, "contains", k.args[1], k.args[0]); len(c.errors) > before {
					return bad(k.n)
				}
				return c.in(k.n, k.args[1], k.args[0], false)
			}},
		{Name: "startsWith", Aliases: []string{"startswith"}, Method: true, params: params(in("text", text), in("start", text)), result: "boolean",
			Doc: "Whether the text begins with the start.", Example: "startsWith('strandline', 'st')", Result: "true",
			build: func(_ *checker, k *call) code { return strTest(k, strings.HasPrefix) }},
		{Name: "endsWith", Aliases: []string{"endswith"}, Method: true, params: params(in("text", text), in("end", text)), result: "boolean",
			Doc: "Whether the text ends with the end.", Example: "endsWith('strandline', 'line')", Result: "true",
			build: func(_ *checker, k *call) code { return strTest(k, strings.HasSuffix) }},
		{Name: "find", Method: true, params: params(in("text", text), in("part", text)), result: "integer",
			Doc: "Where the part is in the text first, in characters from 0; -1 if it is not there.", Example: "find('strandline', 'line')", Result: "6",
			build: find},
		{Name: "matches", Method: true, params: params(in("text", text), fixed("pattern")), result: "boolean",
			Doc:     "Whether the regular expression (RE2) is found anywhere in the text; ^ and $ tie it to the ends.",
			Example: "matches('line 12', '[0-9]+$')", Result: "true", build: matches},
		{Name: "extract", Method: true, params: params(in("text", text), fixed("pattern"), opt("group", integer)), result: "string",
			Doc:     "What the regular expression (RE2) finds first: the given group, else the first group if there is one, else all of it. Null if it finds nothing.",
			Example: "extract('order 12', '([0-9]+)')", Result: `"12"`, build: extract},
		{Name: "findAll", Method: true, params: params(in("text", text), fixed("pattern")), result: "array[string]",
			Doc:     "All that the regular expression (RE2) finds, one behind the other: what its group found if it has one, else all of it.",
			Example: "findAll('be wise, be', '[a-z]+')", Result: `["be","wise","be"]`, build: findAll},
		{Name: "len", Aliases: []string{"length"}, Method: false, params: params(in("value", text|lists|1<<record.Bytes)), result: "integer",
			Doc: "How many characters a text, values a list or bytes a byte string has.", Example: "len('straße')", Result: "6", build: length},
	}
}

// grown is str1 for functions whose result may be longer.
func grown(c *checker, k *call, f func(string) string) code {
	a, long := k.args[0].s, c.tooLong(k.n)
	return strCode(k.n, k.nullable, func(r record.Row) (string, *fault) {
		v, err := a(r)
		if err != nil {
			return "", err
		}
		if v = f(v); len(v) > maxBytes {
			return "", long
		}
		return v, nil
	})
}

func trim(k *call, cut func(string, func(rune) bool) string) code {
	set, ok := k.arg(1)
	if !ok {
		return str1(k, func(s string) string { return cut(s, isBlank) })
	}
	a, b := k.args[0].s, set.s
	return strCode(k.n, k.nullable, func(r record.Row) (string, *fault) {
		v, err := a(r)
		if err != nil {
			return "", err
		}
		w, err := b(r)
		if err != nil {
			return "", err
		}
		return cut(v, func(r rune) bool { return strings.ContainsRune(w, r) }), nil
	})
}

func substr(c *checker, k *call) code {
	negative := c.fault(k.n, "the length is negative")
	return general(k, scalar(record.String, k.nullable), func(vs []record.Value) (record.Value, *fault) {
		s := vs[0].Str()
		size := int64(utf8.RuneCountInString(s))
		from, length := vs[1].Int(), size
		if len(vs) > 2 {
			if length = vs[2].Int(); length < 0 {
				return record.Value{}, negative
			}
		}
		if from < 0 {
			from = max(from+size, 0)
		}
		from = min(from, size)
		to := from + min(length, size-from)
		return record.OfString(runes(s, int(from), int(to))), nil
	})
}

func split(c *checker, k *call) code {
	elem := scalar(record.String, false)
	t := record.Type{Kind: record.List, Nullable: k.nullable, Elem: &elem}
	if sep, ok := k.arg(1); ok && sep.literal && sep.value.Str() == "" {
		return c.wrong(sep.n, "write text.split() for the words between white space", "the separator of split is empty")
	}
	empty, long := c.fault(k.n, "the separator is empty"), c.tooLong(k.n)
	return general(k, t, func(vs []record.Value) (record.Value, *fault) {
		s := vs[0].Str()
		var parts []string
		if len(vs) == 1 {
			if len(s)/2 > maxElements && len(strings.FieldsFunc(s[:2*maxElements], isBlank)) >= maxElements {
				return record.Value{}, long
			}
			parts = strings.FieldsFunc(s, isBlank)
		} else {
			sep, most := vs[1].Str(), -1
			if sep == "" {
				return record.Value{}, empty
			}
			if len(vs) > 2 && vs[2].Int() >= 0 {
				most = int(min(vs[2].Int(), maxElements)) + 1
			}
			if most < 0 && len(s) > maxElements && strings.Count(s, sep) >= maxElements {
				return record.Value{}, long
			}
			parts = strings.SplitN(s, sep, most)
		}
		if len(parts) > maxElements {
			return record.Value{}, long
		}
		list := make([]record.Value, len(parts))
		for i, p := range parts {
			list[i] = record.OfString(p)
		}
		return record.OfList(list), nil
	})
}

func joinList(c *checker, k *call) code {
	if e := k.args[0].typ.Elem; e != nil && e.Kind != record.String {
		return c.wrong(k.args[0].n, "", "join needs a list of strings, not %s", c.describe(k.args[0].typ))
	}
	long, null := c.tooLong(k.n), c.fault(k.n, "there is a null in the list")
	return general(k, scalar(record.String, k.nullable), func(vs []record.Value) (record.Value, *fault) {
		list, sep := vs[0].List(), vs[1].Str()
		size := len(sep) * max(len(list)-1, 0)
		for _, v := range list {
			if v.Kind() != record.String {
				return record.Value{}, null
			}
			if size += len(v.Str()); size > maxBytes {
				return record.Value{}, long
			}
		}
		var b strings.Builder
		for i, v := range list {
			if i > 0 {
				b.WriteString(sep)
			}
			b.WriteString(v.Str())
		}
		return record.OfString(b.String()), nil
	})
}

func concat(c *checker, k *call) code {
	fs := make([]strFn, len(k.args))
	for i, x := range k.args {
		fs[i] = x.s
	}
	long := c.tooLong(k.n)
	return strCode(k.n, k.nullable, func(r record.Row) (string, *fault) {
		var few [8]string
		parts, size := few[:0], 0
		for _, f := range fs {
			s, err := f(r)
			if err != nil {
				return "", err
			}
			if size += len(s); size > maxBytes {
				return "", long
			}
			parts = append(parts, s)
		}
		return strings.Join(parts, ""), nil
	})
}

func replace(c *checker, k *call) code {
	long := c.tooLong(k.n)
	return general(k, scalar(record.String, k.nullable), func(vs []record.Value) (record.Value, *fault) {
		s, old, new := vs[0].Str(), vs[1].Str(), vs[2].Str()
		if grows := len(new) - len(old); grows > 0 && len(s)+strings.Count(s, old)*grows > maxBytes {
			return record.Value{}, long
		}
		return record.OfString(strings.ReplaceAll(s, old, new)), nil
	})
}

func find(_ *checker, k *call) code {
	return general(k, scalar(record.Int, k.nullable), func(vs []record.Value) (record.Value, *fault) {
		s := vs[0].Str()
		at := strings.Index(s, vs[1].Str())
		if at > 0 {
			at = utf8.RuneCountInString(s[:at])
		}
		return record.OfInt(int64(at)), nil
	})
}

func length(_ *checker, k *call) code {
	x := k.args[0]
	if x.typ.Kind == record.String {
		s := x.s
		return intCode(k.n, k.nullable, func(r record.Row) (int64, *fault) {
			v, err := s(r)
			return int64(utf8.RuneCountInString(v)), err
		})
	}
	return general(k, scalar(record.Int, k.nullable), func(vs []record.Value) (record.Value, *fault) {
		if vs[0].Kind() == record.Bytes {
			return record.OfInt(int64(len(vs[0].Bytes()))), nil
		}
		return record.OfInt(int64(len(vs[0].List()))), nil
	})
}
