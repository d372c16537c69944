package yaml

import (
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
)

func TestKeysAreReadAsTheyAreShown(t *testing.T) {
	schema := record.Schema{
		{Name: "s", Type: record.Type{Kind: record.String}}, {Name: "n", Type: record.Type{Kind: record.Int, Nullable: true}},
		{Name: "b", Type: record.Type{Kind: record.Bool}}, {Name: "t", Type: record.Type{Kind: record.Time}}, {Name: "f", Type: record.Type{Kind: record.Float}},
	}
	for _, c := range []struct {
		fields []int
		text   []string
		shown  string
	}{
		{nil, nil, ""},
		{[]int{0}, []string{"shop-7"}, "shop-7"},
		{[]int{0}, []string{"null"}, "null"}, // a text is a text
		{[]int{1}, []string{"-17"}, "-17"},
		{[]int{1}, []string{"null"}, "null"},
		{[]int{2}, []string{"true"}, "true"},
		{[]int{3}, []string{"2026-07-01T10:00:00+02:00"}, "2026-07-01T08:00:00Z"},
		{[]int{4}, []string{"2.5"}, "2.5"},
		{[]int{0, 1}, []string{"a, b", "3"}, "a, b, 3"},
	} {
		for _, joins := range []bool{false, true} {
			g := groupKeys{keyingOf(schema, c.fields), schema, joins}
			if joins {
				g.kind = record.Any
			}
			key, err := g.parse("Step", c.text)
			if err != nil {
				t.Errorf("%v: %v", c.text, err)
				continue
			}
			if got := g.show(key); got != c.shown {
				t.Errorf("%q is shown as %q, want %q", c.text, got, c.shown)
			}
		}
	}
	for text, want := range map[string]string{
		"x": `the key of step "Step": n: "x" is no integer`, "": `the key of step "Step": n: "" is no integer`,
	} {
		if _, err := (groupKeys{keyingOf(schema, []int{1}), schema, false}).parse("Step", []string{text}); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := (groupKeys{keyingOf(schema, []int{0, 1}), schema, false}).parse("Step", []string{"a"}); err == nil || err.Error() != `a key of step "Step" has a value for each of s, n, and is given 1` {
		t.Error(err)
	}
}

// TestAKeyThatIsReadIsTheKeyOfItsRow compares it with what groups rows.
func TestAKeyThatIsReadIsTheKeyOfItsRow(t *testing.T) {
	schema := record.Schema{{Name: "s", Type: record.Type{Kind: record.String}}, {Name: "n", Type: record.Type{Kind: record.Int}}}
	row := record.Row{record.OfString("a"), record.OfInt(3)}
	for _, fields := range [][]int{{0}, {1}, {0, 1}, {1, 0}} {
		text := []string{}
		for _, f := range fields {
			text = append(text, [...]string{"a", "3"}[f])
		}
		g := groupKeys{keyingOf(schema, fields), schema, false}
		var want any = g.text()(&row)
		if g.isScalar() {
			want = g.scalar()(&row)
		}
		if got, err := g.parse("Step", text); err != nil || got != want {
			t.Errorf("%v: %v, %v; want %v", text, got, err, want)
		}
	}
}
