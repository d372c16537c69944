package expr

import (
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
)

// mistake gives the first mistake of a text, which must have one.
func mistake(t *testing.T, text string, schema record.Schema) *Error {
	t.Helper()
	_, errs := Compile(text, schema)
	if errs == nil {
		t.Fatalf("a text of %d bytes has no mistake", len(text))
	}
	return errs[0]
}

func TestATextHasLimits(t *testing.T) {
	long := func(n int) string { return "1 +" + strings.Repeat(" ", n-4) + "1" }
	if _, errs := Compile(long(maxText), nil); errs != nil {
		t.Error(errs)
	}
	if e := mistake(t, long(maxText+1), nil); e.Error() != "the expression has 65537 bytes: at most 65536 are allowed" {
		t.Error(e)
	}
	for _, nest := range [][2]string{{"(", ")"}, {"[", "]"}, {"abs(", ")"}, {"-", ""}, {"not ", ""}, {"!", ""}, {"xs[", "]"}, {"2 ** ", ""}} {
		inner := map[string]string{"not ": "true", "!": "true", "xs[": "0"}[nest[0]]
		if inner == "" {
			inner = "1"
		}
		schema := record.Schema{{Name: "xs", Type: record.Type{Kind: record.List, Elem: &record.Type{Kind: record.Int}}}}
		deep := func(n int) string { return strings.Repeat(nest[0], n) + inner + strings.Repeat(nest[1], n) }
		if _, errs := Compile(deep(maxDepth), schema); errs != nil {
			t.Errorf("%d of %s: %v", maxDepth, nest[0], errs)
		}
		if e := mistake(t, deep(maxDepth+1), schema); !strings.Contains(e.Message, "nested deeper than 100") {
			t.Errorf("%s: %v", nest[0], e)
		}
		mistake(t, strings.Repeat(nest[0], 60_000/len(nest[0])), schema)
	}
	for _, chain := range []string{"1+", "1,", "1<", "true and ", "1 if true else "} {
		many := "[" + strings.Repeat(chain, maxNodes/4) + map[bool]string{true: "true", false: "1"}[chain == "true and "] + "]"
		if _, errs := Compile(many, nil); errs != nil {
			t.Errorf("%d of %s: %v", maxNodes/4, chain, errs)
		}
	}
	if e := mistake(t, strings.Repeat("1+", maxNodes)+"1", nil); !strings.Contains(e.Message, "more than 10000 parts") {
		t.Error(e)
	}
	if _, errs := Compile("0"+strings.Repeat("+(1)", maxNodes/2-1), nil); errs != nil { // also in no time, which the fuzzer found
		t.Error(errs)
	}
	if _, errs := Compile(strings.Repeat("a+", 500)+"a", nil); len(errs) != maxErrors {
		t.Errorf("%d mistakes are told, want %d", len(errs), maxErrors)
	}
}

// A chain of comparisons within the middle of another must not be computed twice, and so twice
// as often with each level.
func TestChainsWithinChainsTakeLinearTime(t *testing.T) {
	text := "b"
	for range 40 {
		text = "(b == " + text + " == b)"
	}
	p, errs := Compile(text, record.Schema{{Name: "b", Type: record.Type{Kind: record.Bool}}})
	if errs != nil {
		t.Fatal(errs)
	}
	if v, err := p.Bool(record.Row{record.OfBool(true)}); !v || err != nil {
		t.Error(v, err)
	}
}

func TestWhatARecordMakesHasALimit(t *testing.T) {
	s := record.OfString(strings.Repeat("x,", 300_000))
	var many []record.Value
	for range 30_000 {
		many = append(many, record.OfString("x"))
	}
	schema := record.Schema{{Name: "s", Type: record.Type{Kind: record.String}}, {Name: "xs", Type: record.Type{Kind: record.List, Elem: &record.Type{Kind: record.String}}}}
	for _, text := range []string{
		"s + s", "concat(s, s)", "replace(s, 'x', 'yyy')", "s.split(',')", "s.replace(',', ' ').split()", "xs + xs", "s.join([s, s])", "join(xs, '" + strings.Repeat("-", 50) + "')", "json(xs + xs)",
		"upper(replace(s, 'x', 'ΐ'))", "json([s, s])",
	} {
		p, errs := Compile(text, schema)
		if errs != nil {
			t.Fatal(errs)
		}
		if _, err := p.Eval(record.Row{s, record.OfList(many)}); err == nil || !strings.Contains(err.Error(), "the result is longer than 1048576 bytes") {
			t.Errorf("%.30s: %v", text, err)
		}
	}
}

func TestARegularExpressionHasALimit(t *testing.T) {
	for pattern, want := range map[string]string{
		strings.Repeat("a", 1001):   "the regular expression has 1001 bytes",
		"(((a{1000}){1000}){1000})": "the regular expression has a mistake",
		"(abcdef){1000}":            "the regular expression has more than 2000 instructions",
	} {
		if e := mistake(t, "matches('a', '"+pattern+"')", nil); !strings.Contains(e.Message, want) {
			t.Error(e)
		}
	}
	if e := mistake(t, "["+strings.Repeat("matches('a', 'b'), ", maxPatterns+1)+"]", nil); e.Message != "the expression has more than 100 regular expressions" {
		t.Error(e)
	}
}

func TestAFrameShowsTheLineOfTheMistake(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1 +\n\tfoo + 2", "\tfoo + 2\n\t^^^"},
		{"'ä' + foo", "'ä' + foo\n      ^^^"},
		{strings.Repeat("1 + ", 50) + "foo" + strings.Repeat(" + 1", 50),
			"...+ " + strings.Repeat("1 + ", 12) + "foo" + strings.Repeat(" + 1", 12)[:47] + "...\n" + strings.Repeat(" ", 53) + "^^^"},
		{"(1 +\n2", "(1 +\n^"},
		{"", "\n^"},
	} {
		if got := mistake(t, c.text, nil).Frame(c.text); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
	// Places that are not of the text are no panic.
	for _, e := range []*Error{{Offset: -5, Length: 3}, {Offset: 10, Length: 3}, {Offset: 1, Length: 100}, {Offset: 1, Length: -1}} {
		e.Frame("äö")
	}
}
