package expr

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/record"
)

// seeds adds the expressions of the tables.
func seeds(f *testing.F, add func(text string)) {
	table, err := os.ReadFile("testdata/python.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		text, _, _ := strings.Cut(line, " => ")
		add(text)
	}
	golden, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		f.Fatal(err)
	}
	for block := range strings.SplitSeq(string(golden), "\n\n") {
		text, _, _ := strings.Cut(block, "\n")
		add(text)
	}
	for _, fn := range Functions() {
		add(fn.Example)
	}
}

// Whatever the text: no panic, and each mistake is within it and can be shown.
func FuzzCompile(f *testing.F) {
	seeds(f, func(text string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text string) {
		p, errs := Compile(text, everything)
		if (p == nil) == (errs == nil) {
			t.Fatalf("program %v and mistakes %v", p, errs)
		}
		if len(errs) > maxErrors || !slices.IsSortedFunc(errs, func(a, b *Error) int { return a.Offset - b.Offset }) {
			t.Errorf("%d mistakes, or not in order", len(errs))
		}
		for _, e := range errs {
			if e.Offset < 0 || e.Length < 0 || e.Offset+e.Length > len(text) || e.Message == "" || e.Length == 0 && e.Offset < len(text) && len(text) <= maxText && strings.TrimSpace(text) != "" && e.Offset != 0 {
				t.Errorf("%q is at %d, %d bytes, of %d", e.Message, e.Offset, e.Length, len(text))
			}
			if utf8.ValidString(text) && !utf8.ValidString(e.Error()) {
				t.Errorf("the message is not UTF-8: %q", e)
			}
			if n := strings.Count(e.Frame(text), "\n"); n != 1 {
				t.Errorf("a frame of %d lines", n+1)
			}
			if strings.Contains(e.Error(), "\n") {
				t.Errorf("the message is not one line: %q", e)
			}
		}
		if p != nil {
			for _, name := range p.Fields() {
				if everything.Index(name) < 0 {
					t.Errorf("it reads %s, which is no field", name)
				}
			}
		}
	})
}

// everything is a schema of all types, those of the tables among them.
var everything = func() record.Schema {
	schema, _, _ := tableFields()
	all := append(schema, shop...)
	nested := record.Type{Kind: record.List, Nullable: true, Elem: &record.Type{Kind: record.List, Nullable: true, Elem: &record.Type{Kind: record.Float, Nullable: true}}}
	return append(all, record.Field{Name: "nested", Type: nested},
		record.Field{Name: "deep", Type: record.Type{Kind: record.Struct, Nullable: true, Fields: []record.Field{{Name: "xs", Type: nested}, {Name: "t", Type: record.Type{Kind: record.Time, Nullable: true}}}}})
}()

// random gives a value of a type.
func random(w *rand.Rand, t record.Type) record.Value {
	if t.Nullable && w.IntN(4) == 0 {
		return record.Value{}
	}
	switch t.Kind {
	case record.Bool:
		return record.OfBool(w.IntN(2) == 0)
	case record.Int, record.Time:
		ints := []int64{0, 1, -1, 2, 10, math.MaxInt64, math.MinInt64, 1 << 53, w.Int64(), 1_700_000_000_000_000}
		if v := ints[w.IntN(len(ints))]; t.Kind == record.Int {
			return record.OfInt(v)
		} else {
			return record.OfTime(v)
		}
	case record.Float:
		floats := []float64{0, math.Copysign(0, -1), 1, -1.5, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 1e18, w.NormFloat64() * 1e3}
		return record.OfFloat(floats[w.IntN(len(floats))])
	case record.String:
		texts := []string{"", " ", "a", "12", "-1.5e3", "2026-03-29T01:30:00Z", "äöü ΑΣ", "x,y", strings.Repeat("ab ", w.IntN(2000)), "😀"}
		return record.OfString(texts[w.IntN(len(texts))])
	case record.Bytes:
		return record.OfBytes([]byte{0xff, 0, byte(w.Uint32())})
	case record.List:
		vs := make([]record.Value, w.IntN(4))
		for i := range vs {
			vs[i] = random(w, *t.Elem)
		}
		return record.OfList(vs)
	case record.Struct:
		vs := make([]record.Value, len(t.Fields))
		for i, f := range t.Fields {
			vs[i] = random(w, f.Type)
		}
		return record.OfStruct(record.Schema(t.Fields).Names(), vs)
	case record.Any:
		return random(w, everything[w.IntN(len(everything)-1)].Type)
	}
	return record.Value{}
}

// has says whether a value is one of a type.
func has(t record.Type, v record.Value) bool {
	k := v.Kind()
	switch {
	case k == record.Null:
		return t.Nullable || t.Kind == record.Null || t.Kind == record.Any
	case t.Kind == record.Any:
		return true
	case k != t.Kind:
		return false
	case k == record.String:
		return utf8.ValidString(v.Str())
	case k == record.List && t.Elem != nil:
		return !slices.ContainsFunc(v.List(), func(e record.Value) bool { return !has(*t.Elem, e) })
	case k == record.Struct:
		for i, f := range t.Fields {
			if n := v.Struct(); len(n.Names) != len(t.Fields) || n.Names[i] != f.Name || !has(f.Type, n.Values[i]) {
				return false
			}
		}
	}
	return true
}

// Whatever the text and the row: no panic, the value is one of the type of the program and the
// same for the same row, and the typed ways give it too.
func FuzzEval(f *testing.F) {
	seed := uint64(0)
	seeds(f, func(text string) { seed++; f.Add(text, seed) })
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		p, errs := Compile(text, everything)
		if errs != nil {
			return
		}
		w := rand.New(rand.NewPCG(seed, 1))
		row := make(record.Row, len(everything))
		for i, field := range everything {
			row[i] = random(w, field.Type)
		}
		v, err := p.Eval(row)
		again, err2 := p.Eval(row)
		if !record.Equal(v, again) || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("%s is %v (%v), and then %v (%v)", text, v, err, again, err2)
		}
		if err != nil {
			if !v.IsNull() || err.Error() == "" {
				t.Errorf("%v beside %q", v, err)
			}
		} else if !has(p.Type(), v) {
			t.Errorf("%s is %#v, of the type %v", text, v, p.Type())
		}
		typed(t, p, row, v, err)
		if i, ok := p.Field(); ok && (err != nil || !record.Equal(v, row[i])) {
			t.Errorf("%s is %v (%v), and the field %d, which is %v", text, v, err, i, row[i])
		}
		// A row of other values is a fault, not a panic.
		for i := range row {
			row[i] = random(w, record.Type{Kind: record.Any, Nullable: true})
		}
		p.Eval(row)
		p.Eval(row[:w.IntN(len(row))])
	})
}

func typed(t *testing.T, p *Program, row record.Row, want record.Value, failed error) {
	var v record.Value
	var null bool
	var err error
	switch p.Type().Kind {
	case record.Bool:
		var b bool
		b, err = p.Bool(row)
		v, null = record.OfBool(b), want.IsNull() && !b
	case record.Int:
		var i int64
		i, null, err = p.Int(row)
		v = record.OfInt(i)
	case record.Time:
		var i int64
		i, null, err = p.Int(row)
		v = record.OfTime(i)
	case record.Float:
		var f float64
		f, null, err = p.Float(row)
		v = record.OfFloat(f)
	case record.String:
		var s string
		s, null, err = p.Str(row)
		v = record.OfString(s)
	default:
		return
	}
	if (err == nil) != (failed == nil) || err == nil && (null != want.IsNull() || !null && !record.Equal(v, want)) {
		t.Errorf("typed it is %v (null %v, %v), else %v (%v)", v, null, err, want, failed)
	}
}
