package expr

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/strandline-stream/strandline/internal/record"
)

// writer writes random expressions that Python understands as well.
type writer struct {
	*rand.Rand
	depth int
}

func (w *writer) pick(of ...string) string { return of[w.IntN(len(of))] }

// in writes a pattern in which I, F, N, S, B, L and T stand for expressions: an integer, a
// float, a number, a string, a boolean, a list of integers and a list of strings; ∅ is None.
func (w *writer) in(patterns ...string) string {
	w.depth--
	defer func() { w.depth++ }()
	var b strings.Builder
	for _, r := range w.pick(patterns...) {
		switch r {
		case 'I':
			b.WriteString(w.integer())
		case 'F':
			b.WriteString(w.float())
		case 'N':
			b.WriteString(w.number())
		case 'S':
			b.WriteString(w.text())
		case 'B':
			b.WriteString(w.boolean())
		case 'L':
			b.WriteString(w.list())
		case 'T':
			b.WriteString(w.texts())
		case '∅':
			b.WriteString("None")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (w *writer) number() string {
	if w.IntN(2) == 0 {
		return w.integer()
	}
	return w.float()
}

func (w *writer) integer() string {
	if w.depth <= 0 || w.IntN(6) == 0 {
		return w.pick("i", "j", "k", strconv.Itoa(w.IntN(20)), strconv.Itoa(w.IntN(2000)-1000), "9007199254740993", "0", "1")
	}
	return w.in("(I + I)", "(I - I)", "(I * I)", "(I // I)", "(I % I)", "I + I * I", "I - I - I", "-I", "(-I)", "+I", "I // I % I", "(I ** 2)", "-(I) ** 3",
		"abs(I)", "round(F)", "round(I, (I) % 5 - 3)", "floor(N)", "ceil(N)", "int(F)", "int(S)", "int(str(I))", "int(B)", "len(S)", "len(L)", "len(T)", "(L)[I]", "(L)[I % 3]",
		"min(I, I)", "max(I, I, I)", "(S).find(S)", "(I if B else I)", "(I if B else I if B else I)")
}

func (w *writer) float() string {
	if w.depth <= 0 || w.IntN(6) == 0 {
		return w.pick("f", "g", "h", "0.1", "2.5", "-1.5", "1e16", "1e-7", "0.0", "3.0", strconv.FormatFloat(w.NormFloat64()*100, 'g', 5, 64)+"e0")
	}
	return w.in("(F + N)", "(N - F)", "(F * N)", "(N / N)", "(F // N)", "(N // F)", "(F % N)", "(N % F)", "F + F * F", "N / N / N", "-F", "abs(F)", "round(F, (I) % 7 - 3)",
		"float(I)", "float(str(F))", "float(S)", "sqrt(N)", "min(F, F)", "max(F, F)", "(F if B else F)", "(F - F) + F")
}

func (w *writer) text() string {
	if w.depth <= 0 || w.IntN(6) == 0 {
		return w.pick("s", "t", "u", "'a'", `"it's"`, "''", "' '", "'12'", "' -7 '", "'1.5'", "'ÄÖ ß'", `'\u01f0x\n'`, "'😀é'", "'a,b,,c'", "','")
	}
	return w.in("(S + S)", "S + S + S", "S.lower()", "S.upper()", "S.title()", "S.capitalize()", "S.strip()", "S.strip(S)", "S.lstrip()", "S.rstrip()", "S.replace(S, S)", "str(I)", "str(F)", "str(B)", "S[I]", "S[0]",
		"S[I:I]", "S[I:]", "S[:I]", "S.join(T)", "(T)[I]", "(S if B else S)", "min(S, S)", "max(S, S)", "S[I % 5 - 2:I % 7]")
}

func (w *writer) boolean() string {
	if w.depth <= 0 || w.IntN(8) == 0 {
		return w.pick("b", "n", "True", "False")
	}
	return w.in("N < N", "N <= N", "N > N", "N >= N", "N == N", "N != N", "S < S", "S == S", "S != S", "((B) == (B))", "(L) == (L)", "(T) != (T)", "N < N < N", "I <= N == N", "N in L", "I not in L",
		"S in T", "S in S", "S not in S", "(B and B)", "(B or B)", "B and B or B", "not B", "(not B)", "(B if B else B)", "(S).startswith(S)", "(S).endswith(S)", "bool(N)", "I is ∅", "S is not ∅",
		"I in [N, N]", "S in [S, S, S]", "I in [1, 2, 3, 4, 5, 6, 7, 8, 9]", "S < S <= S")
}

func (w *writer) list() string {
	if w.depth <= 0 || w.IntN(4) == 0 {
		return w.pick("xs", "[1, 2, 3]", "[0]", "[i, j]")
	}
	return w.in("[I, I]", "[I]", "L + L", "L[I:I]", "L[1:]", "L[:I]", "(L if B else L)")
}

func (w *writer) texts() string {
	if w.depth <= 0 || w.IntN(4) == 0 {
		return w.pick("ss", "['a', 'b']", "['']", "[s, t]")
	}
	return w.in("[S, S]", "(S).split()", "(S).split(S)", "(S).split(',')", "(S).split(' ', I % 4)", "T + T", "T[I:]")
}

// values gives fields for the expressions, some of them odd.
func (w *writer) values() (record.Schema, record.Row, map[string]any) {
	schema, row := record.Schema{}, record.Row{}
	names := map[string]any{}
	add := func(name string, v record.Value, python any) {
		schema, row = append(schema, record.Field{Name: name, Type: record.TypeOf(v)}), append(row, v)
		names[name] = python
	}
	integers := []int64{0, 1, -1, 2, 7, -12, 100, math.MaxInt64, math.MinInt64, 1 << 53, w.Int64(), -w.Int64N(1000), w.Int64N(1000)}
	for _, name := range []string{"i", "j", "k"} {
		v := integers[w.IntN(len(integers))]
		add(name, record.OfInt(v), v)
	}
	floats := []float64{0, math.Copysign(0, -1), 1, -1.5, 0.1, 2.675, 1e16, 1e-5, 123456789.125, 5e-324, math.MaxFloat64, math.Inf(1), math.NaN(), w.NormFloat64(), w.NormFloat64() * 1e6}
	for _, name := range []string{"f", "g", "h"} {
		v := floats[w.IntN(len(floats))]
		add(name, record.OfFloat(v), map[string]any{"float": strconv.FormatFloat(v, 'g', -1, 64)})
	}
	texts := []string{"", " ", "a", "Strandline", "äÖß ΑΣ", "12", "-3.5", "1e3", " x y  z ", "a,b;c", "\u00a0\t\x1c", "😀a\u0301", "It's \"so\"\\", "ﬁŉ", "İ"}
	for _, name := range []string{"s", "t", "u"} {
		v := texts[w.IntN(len(texts))]
		add(name, record.OfString(v), v)
	}
	add("b", record.OfBool(true), true)
	add("n", record.OfBool(false), false)
	add("xs", record.OfList([]record.Value{record.OfInt(3), record.OfInt(-1), record.OfInt(2)}), []int{3, -1, 2})
	add("ss", record.OfList([]record.Value{record.OfString("a"), record.OfString("B c")}), []string{"a", "B c"})
	return schema, row, names
}

// differs says why two answers are not the same, "" if they are or must not be: Python's integers
// have no end, so an overflow here may be a value there.
func differs(text, here, why, python string) string {
	switch {
	case agree(text, here, python):
		return ""
	case here == "error" && (strings.Contains(why, "64 bits") && !strings.Contains(why, "is not an integer of 64 bits") || strings.Contains(why, "longer than")):
		return ""
	case here == "refused" && strings.Contains(why, "too large"), here == "refused" && strings.Contains(why, "separator of split is empty"):
		return ""
	case strings.HasPrefix(here, "number ") && strings.HasPrefix(python, "integer "):
		// A type is one for all records, so an integer beside a number is one.
		f, _ := strconv.ParseFloat(strings.TrimPrefix(here, "number "), 64)
		i, err := strconv.ParseInt(strings.TrimPrefix(python, "integer "), 10, 64)
		if err == nil && f == float64(i) {
			return ""
		}
	}
	return fmt.Sprintf("%s is %s (%s), Python says %s", text, here, why, python)
}

func TestRandomExpressionsAreWhatPythonSays(t *testing.T) {
	oracle := startPython(t)
	cases, first := 20_000, uint64(1)
	if testing.Short() {
		cases = 2000
	}
	number := func(name string, to func(int)) {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			to(n)
		}
	}
	number("STRANDLINE_CASES", func(n int) { cases = n })
	number("STRANDLINE_SEED", func(n int) { first, cases = uint64(n), 1 })
	values, overflows := 0, 0
	const batch = 500
	for from := 0; from < cases && !t.Failed(); from += batch {
		var questions []question
		var here, why []string
		for i := from; i < min(from+batch, cases); i++ {
			seed := first + uint64(i)
			w := &writer{rand.New(rand.NewPCG(seed, 7)), 1 + int(seed%5)}
			schema, row, names := w.values()
			text := w.in("I", "F", "S", "B", "L", "T", "B", "I", "F", "S")
			value, reason := ours(text, schema, row)
			questions, here, why = append(questions, question{text, names}), append(here, value), append(why, reason)
		}
		for i, python := range oracle.evalAll(t, questions) {
			if d := differs(questions[i].Text, here[i], why[i], python); d != "" {
				t.Errorf("STRANDLINE_SEED=%d go test -run %s ./internal/expr\n%s\nwith %v", first+uint64(from+i), t.Name(), d, questions[i].Fields)
			}
			if here[i] != "error" && here[i] != "refused" {
				values++
			} else if !strings.HasPrefix(python, "error") {
				overflows++
			}
		}
	}
	t.Attr("cases", strconv.Itoa(cases))
	t.Logf("%d expressions, of which %d had a value, and %d an overflow here and none in Python", cases, values, overflows)
	if cases >= 1000 && values < cases/2 {
		t.Errorf("only %d of %d expressions had a value", values, cases)
	}
}

// All letters with a case, so that the tables of full mappings are checked as a whole. Python's
// Unicode may be older: what it does not know it leaves as it is.
func TestCapitalAndSmallLettersArePythons(t *testing.T) {
	oracle := startPython(t)
	var questions []question
	var letters []rune
	for r := rune('A'); r <= unicode.MaxRune; r++ {
		if unicode.ToUpper(r) == r && unicode.ToLower(r) == r && unicode.ToTitle(r) == r && manyCapitals[r] == "" && manyTitles[r] == "" {
			continue
		}
		for _, method := range []string{"upper", "lower", "title", "capitalize"} {
			questions = append(questions, question{fmt.Sprintf(`'\U%08x'.%s()`, r, method), map[string]any{}})
			letters = append(letters, r)
		}
	}
	for i, python := range oracle.evalAll(t, questions) {
		here, _ := ours(questions[i].Text, nil, nil)
		if unchanged := answer(record.OfString(string(letters[i]))); here != python && python != unchanged {
			t.Errorf("%s (%c) is %s, Python says %s", questions[i].Text, letters[i], here, python)
		}
	}
	t.Attr("cases", strconv.Itoa(len(questions)))
}
