package rowio_test

import (
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

func TestRowsOfJSONLinesKeepTheContract(t *testing.T) {
	t.Chdir(t.TempDir())
	var want []record.Row
	for file := range 3 {
		var text strings.Builder
		for i := range 1500 {
			fmt.Fprintf(&text, `{"other":[{"n":%d}],"sensor":"s%d","n":%d,"at":%d}`+"\n", i, i, i, i)
			want = append(want, record.Row{record.OfInt(int64(i)), record.OfString(fmt.Sprint("s", i))})
			if i%100 == 0 {
				text.WriteString("broken\n\n")
			}
		}
		if err := os.WriteFile(fmt.Sprintf("%d.json", file), []byte(text.String()), 0o666); err != nil {
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
			c.Format, c.Paths = "json", []string{"*.json", "1.json"}
			table := open(t, c)
			connectortest.ExerciseSource(t, func(*testing.T) connector.Source[record.Row] {
				return table.Source("", []string{"n", "sensor"})
			}, want)
		})
	}
}

func TestJSONTypesAreInferred(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ lines, want string }{
		{`{"a":1} {"a":2}`, `{a: integer?}`},
		{`{"a":1} {"a":2.5}`, `{a: number?}`},
		{`{"a":1.0} {"a":2}`, `{a: number?}`},
		{`{"a":"2026-01-01T00:00:00Z"} {"b":true}`, `{a: string?, b: boolean?}`},
		{`{"a":null} {"a":1}`, `{a: integer?}`},
		{`{"a":null}`, `{a: any}`},
		{`{"a":1} {"a":"x"}`, `{a: any}`},
		{`{"a":[1,2.5]} {"a":[]}`, `{a: array[number?]?}`},
		{`{"a":[]}`, `{a: array[any]?}`},
		{`{"a":{"b":1}} {"a":{"c":"x"}}`, `{a: {b: integer?, c: string?}?}`},
		{`{"a":9007199254740993} {"a":18446744073709551616}`, `{a: number?}`},
	} {
		path := put(t, "a.json", strings.Fields(c.lines)...)
		if got := open(t, rowio.Config{Format: "json", Paths: []string{path}}).Schema().String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.lines, got, c.want)
		}
	}
}

func TestValuesThatDoNotFitAreMalformed(t *testing.T) {
	t.Chdir(t.TempDir())
	path := put(t, "a.json",
		`{"n":1,"s":"x","x":0.5,"ok":true}`,
		`{"n":12.0,"s":"x","x":1,"ok":false}`,
		`{"n":1e3}`,
		`{"n":9007199254740993}`,
		`{"n":9223372036854775808}`,
		`{"n":1.5}`,
		`{"n":"1"}`,
		`{"x":9007199254740993}`,
		`{"x":1e400}`,
		`{"s":1}`,
		`{"s":"a","n":1,"s":"b"}`,
		`{"other":1,"other":2,"n":2}`,
		`{"n":1`,
		`[1]`,
		`{"s":"\ud800"}`,
		"{\"s\":\"\xff\"}",
		`{"other":`+strings.Repeat("[", 128)+strings.Repeat("]", 128)+`}`,
	)
	table := open(t, rowio.Config{Format: "json", Paths: []string{path}, Schema: types("n:integer?", "s:string?", "x:number?", "ok:boolean?")})
	got := read(t, table.Source("", []string{"n", "s", "x", "ok"}))
	want := result{
		rows: []string{`1 "x" 0.5 true`, `12 "x" 1 false`, `1000 null null null`, `9007199254740993 null null null`, `2 null null null`},
		malformed: []string{
			`a.json:5: field "n": 9223372036854775808 does not fit integer: out of range`,
			`a.json:6: field "n": 1.5 does not fit integer: not a whole number`,
			`a.json:7: field "n" is the text "1", and the schema says integer?`,
			`a.json:8: field "x": 9007199254740993 does not fit number: it would be rounded`,
			`a.json:9: field "x": 1e400 does not fit number: out of range`,
			`a.json:10: field "s" is the number 1, and the schema says string?`,
			`a.json:11: key "s" is given twice`,
			`a.json:13: not valid JSON: unexpected EOF after 6 bytes`,
			`a.json:14: the record is an array, and no object`,
			"a.json:15: not valid JSON: invalid surrogate pair `\\ud800\"}` in string after 6 bytes",
			`a.json:16: not valid JSON: invalid UTF-8 after 6 bytes`,
			`a.json:17: nested deeper than 128 levels`,
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
		for i := range min(len(got.malformed), len(want.malformed)) {
			if got.malformed[i] != want.malformed[i] {
				t.Errorf("got %s, want %s", got.malformed[i], want.malformed[i])
			}
		}
	}
}
