package rowio_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
)

func TestRowsOfCSVKeepTheContract(t *testing.T) {
	t.Chdir(t.TempDir())
	var want []record.Row
	for file := range 2 {
		var text strings.Builder
		text.WriteString("sensor,n,at\n")
		for i := range 1500 {
			fmt.Fprintf(&text, "s%d,%d,%d\n", i, i, i)
			want = append(want, record.Row{record.OfInt(int64(i)), record.OfString(fmt.Sprint("s", i))})
			if i%100 == 0 {
				text.WriteString("broken\n\n")
			}
		}
		if err := os.WriteFile(fmt.Sprintf("%d.csv", file), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]rowio.Config{
		"inferred":       {},
		"declared":       {Schema: types("n:integer", "sensor:string")},
		"a split a file": {SplitPerFile: true},
		"timed":          {Time: &rowio.TimeField{Field: "at", Layout: timestamp.Seconds}},
		"in parallel":    {Parallel: 3},
	} {
		t.Run(name, func(t *testing.T) {
			c.Format, c.Paths = "csv", []string{"*.csv"}
			table := open(t, c)
			connectortest.ExerciseSource(t, func(*testing.T) connector.Source[record.Row] {
				return table.Source("", []string{"n", "sensor"})
			}, want)
		})
	}
}

func TestCSVTypesAreInferred(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ lines, want string }{
		{"a 1 2", "{a: integer?}"},
		{"a 1 2.5", "{a: number?}"},
		{"a 1 NaN", "{a: number?}"},
		{"a,b 1, 2,", "{a: integer?, b: string?}"},
		{"a true False", "{a: boolean?}"},
		{"a true 1", "{a: string?}"},
		{"a 1 x", "{a: string?}"},
		{"a 01234 5", "{a: string?}"},
		{"a -0.5 0", "{a: number?}"},
		{`a "1" 2`, "{a: integer?}"},
		{`a,b 1,"" 2,3`, "{a: integer?, b: string?}"},
		{"a 2026-01-01T00:00:00Z", "{a: string?}"},
		{"a 9223372036854775808", "{a: string?}"}, // perhaps an identifier
	} {
		path := put(t, "a.csv", strings.Fields(c.lines)...)
		if got := open(t, rowio.Config{Format: "csv", Paths: []string{path}}).Schema().String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.lines, got, c.want)
		}
	}
}

func TestCSVRecords(t *testing.T) {
	t.Chdir(t.TempDir())
	path := put(t, "a.csv",
		"\xef\xbb\xbfs;n;x;ok",
		`a;1;0.5;true`,
		`;;;`,
		`"";12.0;1e3;0`,
		`"b;""`,
		`c";-3;NaN;F`,
		`#;1;1;1`,
		`d;1.5;1;true`,
		`e;1;x;true`,
		`f;1;1;yes`,
		`g;1`,
		`h";1;1;1`,
		`"i;1;1;1`,
		"\xff;1;1;1",
		`j;2;2;1`,
	)
	table := open(t, rowio.Config{Format: "csv", Paths: []string{path}, Delimiter: ';', Comment: '#', Schema: types("s:string?", "n:integer?", "x:number?", "ok:boolean?")})
	got := read(t, table.Source("", []string{"ok", "s", "n", "x"}))
	want := result{
		rows: []string{
			`true "a" 1 0.5`, `null null null null`, `false "" 12 1000`, `false "b;\"\nc" -3 "NaN"`, `true "j" 2 2`,
		},
		malformed: []string{
			`a.csv:8: column "n": "1.5" does not fit integer: not a whole number`,
			`a.csv:9: column "x": "x" does not fit number: not a number`,
			`a.csv:10: column "ok": "yes" does not fit boolean: not true or false`,
			`a.csv:11: wrong number of fields: 2, and the header names 4`,
			`a.csv:12: misplaced quote: in field 1 there is a quote in it, and it does not begin with one`,
			`a.csv:13: misplaced quote: in field 1 its quote is not closed`,
			`a.csv:14: column "s": "\xff" does not fit string: not UTF-8`,
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestColumnsMayBeDeclared(t *testing.T) {
	t.Chdir(t.TempDir())
	path := put(t, "a.csv", "x,y", "1,2")
	yes, no := true, false
	for _, c := range []struct {
		name   string
		config rowio.Config
		want   []string
	}{
		{"a header", rowio.Config{}, []string{"2 1"}},
		{"columns instead", rowio.Config{Columns: []string{"x", "y"}}, []string{`"y" "x"`, `"2" "1"`}},
		{"columns instead, by a schema", rowio.Config{Header: &no, Schema: types("x:string", "y:string")}, []string{`"y" "x"`, `"2" "1"`}},
		{"columns and a header", rowio.Config{Header: &yes, Columns: []string{"y", "x"}}, []string{"1 2"}},
	} {
		c.config.Format, c.config.Paths = "csv", []string{path}
		if got := read(t, open(t, c.config).Source("", []string{"y", "x"})); !reflect.DeepEqual(got.rows, c.want) || got.err != nil {
			t.Errorf("%s: got %+v, want %q", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		config rowio.Config
		want   string
	}{
		{rowio.Config{Header: &no}, "files without a header need the names of their columns"},
		{rowio.Config{Columns: []string{"a", "a"}}, `there are two columns "a"`},
		{rowio.Config{Header: &yes, Columns: []string{"x"}}, "a.csv:1: the header names 2 columns, and there are declared 1"},
		{rowio.Config{Delimiter: '"'}, "Delimiter('\"'): an ASCII character that is no quote, end of a line, or zero"},
		{rowio.Config{Delimiter: 'ä'}, "an ASCII character that is no quote, end of a line, or zero"},
	} {
		c.config.Format, c.config.Paths = "csv", []string{path}
		if _, err := rowio.Open(t.Context(), c.config); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestAColumnThatAFileHasNotEndsTheRun(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "1.csv", "a,b", "1,2")
	put(t, "2.csv", "a;b", "3;4")
	table := open(t, rowio.Config{Format: "csv", Paths: []string{"1.csv", "2.csv"}, Schema: types("a:integer", "b:integer")})
	got := read(t, table.Source("", []string{"a", "b"}))
	want := `2.csv:1: the header names no column "a", "b", but "a;b"; is ',' the right delimiter?`
	if len(got.rows) != 1 || !errors.Is(got.err, rowio.ErrHeader) || got.err.Error() != want {
		t.Errorf("got %+v, want %s", got, want)
	}
}
