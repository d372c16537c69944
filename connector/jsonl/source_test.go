package jsonl_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/jsonl"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

type reading struct {
	Sensor string  `json:"sensor"`
	Value  float64 `json:"value"`
	Count  int64   `json:"count"`
	Level  uint8   `json:"level"`
	Tags   []string
	Extra  any
}

// result is all that a source gives.
type result[T any] struct {
	values    []T
	times     []int64
	malformed []string // position, reason
	raw       []string
	err       error
}

func read[T any](t *testing.T, s connector.Source[T]) (got result[T]) {
	t.Helper()
	splits, err := s.Splits(t.Context())
	if err != nil {
		return result[T]{err: err}
	}
	for _, split := range splits {
		r, err := split.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for got.err == nil {
			var b connector.Batch[T]
			got.err = r.Read(t.Context(), &b)
			got.values = append(got.values, b.Values...)
			got.times = append(got.times, b.Times...)
			for _, m := range b.Malformed {
				got.malformed = append(got.malformed, m.String())
				got.raw = append(got.raw, string(m.Raw))
			}
		}
		if got.err == io.EOF {
			got.err = nil
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	return got
}

func from[T any](lines ...string) jsonl.Source[T] {
	return jsonl.Reader[T]("in", strings.NewReader(strings.Join(lines, "\n"))).Ends()
}

func TestJSONLinesKeepTheContract(t *testing.T) {
	t.Chdir(t.TempDir())
	var want []reading
	for file := range 3 {
		var text strings.Builder
		for i := range 1500 {
			v := reading{Sensor: fmt.Sprint("s", i), Count: int64(i), Tags: []string{"a", fmt.Sprint(i)}, Extra: map[string]any{"i": float64(i)}}
			want = append(want, v)
			fmt.Fprintf(&text, `{"sensor":%q,"count":%d,"Tags":["a","%d"],"Extra":{"i":%d}}`+"\n", v.Sensor, i, i, i)
			if i%100 == 0 {
				text.WriteString("broken\n\n")
			}
		}
		if err := os.WriteFile(fmt.Sprintf("%d.jsonl", file), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, s := range map[string]jsonl.Source[reading]{
		"one split":       jsonl.File[reading]("*.jsonl"),
		"a split a file":  jsonl.File[reading]("*.jsonl").SplitPerFile(),
		"with event time": jsonl.File[reading]("*.jsonl").EventTime("count", timestamp.Seconds),
	} {
		t.Run(name, func(t *testing.T) {
			connectortest.ExerciseSource(t, func(*testing.T) connector.Source[reading] { return s }, want)
		})
	}
	t.Run("live", func(t *testing.T) {
		connectortest.ExerciseSource(t, func(t *testing.T) connector.Source[reading] {
			in, out := io.Pipe()
			text, err := os.ReadFile("0.jsonl")
			if err != nil {
				t.Fatal(err)
			}
			go out.Write(text) // fails once the reader is closed
			t.Cleanup(func() { in.Close() })
			return jsonl.Reader[reading]("pipe", in)
		}, want[:1500])
	})
}

func TestGoodRecords(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       reading
	}{
		{"plain", `{"sensor":"a","value":1.5,"count":2}`, reading{Sensor: "a", Value: 1.5, Count: 2}},
		{"blanks around", "  {\"sensor\" : \"a\"}\t", reading{Sensor: "a"}},
		{"unknown fields are passed over", `{"x":[1,{"y":null}],"sensor":"a"}`, reading{Sensor: "a"}},
		{"a missing field is zero", `{}`, reading{}},
		{"null is zero", `{"sensor":null,"count":null}`, reading{}},
		{"a whole number with a point", `{"count":12.0}`, reading{Count: 12}},
		{"a whole number with an exponent", `{"count":1e3,"level":25.5e1}`, reading{Count: 1000, Level: 255}},
		{"a whole number with a negative exponent", `{"count":-12000e-3}`, reading{Count: -12}},
		{"the greatest, with a point", `{"count":9223372036854775807.000}`, reading{Count: 9223372036854775807}},
		{"the smallest, with an exponent", `{"count":-9.223372036854775808e18}`, reading{Count: -9223372036854775808}},
		{"zero in many forms", `{"count":0e999999999999,"level":-0.0}`, reading{}},
		{"a fraction is rounded to a float", `{"value":0.1}`, reading{Value: 0.1}},
		{"many digits of a fraction are", `{"value":0.1000000000000000055511151231257827}`, reading{Value: 0.1}},
		{"a great whole number that a float holds", `{"value":9007199254740992}`, reading{Value: 1 << 53}},
		{"a very great one", `{"value":18446744073709551616}`, reading{Value: 1 << 64}},
		{"a great one in an integer", `{"count":9007199254740993}`, reading{Count: 1<<53 + 1}},
		{"a great one in text", `{"sensor":"9007199254740993"}`, reading{Sensor: "9007199254740993"}},
		{"a great one with an exponent is meant roughly", `{"value":90071992547409930e-1}`, reading{Value: 9007199254740993}},
		{"escapes", `{"sensor":"\u00e9\n\u0000\ud83d\ude00"}`, reading{Sensor: "é\n\x00😀"}},
		{"nested as deep as allowed", `{"x":` + strings.Repeat("[", 127) + strings.Repeat("]", 127) + `}`, reading{}},
		{"brackets in text are no nesting", `{"sensor":"` + strings.Repeat("[{", 100) + `"}`, reading{Sensor: strings.Repeat("[{", 100)}},
	} {
		got := read(t, from[reading](c.line))
		if got.err != nil || len(got.malformed) > 0 || len(got.values) != 1 || !reflect.DeepEqual(got.values[0], c.want) {
			t.Errorf("%s: %s = %+v, want %+v", c.name, c.line, got, c.want)
		}
	}
}

func TestMalformedRecords(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	for _, c := range []struct {
		name, line string
		kind       error
		says       string
	}{
		{"no JSON", `nonsense`, jsonl.ErrSyntax, "not valid JSON: invalid character 'o' in literal null (expecting 'u') after 1 bytes"},
		{"cut off", `{"sensor":"a`, jsonl.ErrSyntax, "not valid JSON: unexpected EOF after 12 bytes"},
		{"two values", `{"sensor":"a"} {}`, jsonl.ErrSyntax, "not valid JSON: invalid character '{' after top-level value after 15 bytes"},
		{"not UTF-8", "{\"sensor\":\"a\xff\"}", jsonl.ErrSyntax, "not valid JSON: invalid UTF-8 after 12 bytes"},
		{"not UTF-8 in an unknown field", "{\"x\":\"\xc3\"}", jsonl.ErrSyntax, "not valid JSON: invalid UTF-8 after 6 bytes"},
		{"NUL in text", "{\"sensor\":\"a\x00b\"}", jsonl.ErrSyntax, `not valid JSON: invalid character '\x00' in string (expecting non-control character) after 12 bytes`},
		{"NUL alone", "\x00", jsonl.ErrSyntax, `not valid JSON: invalid character '\x00' at start of value after 0 bytes`},
		{"a key given twice", `{"sensor":"a","sensor":"b"}`, jsonl.ErrDuplicateKey, `key "sensor" is given twice`},
		{"an unknown key given twice", `{"x":{"y":1,"y":1}}`, jsonl.ErrDuplicateKey, `key "y" is given twice`},
		{"an array", `[]`, jsonl.ErrType, "the record: JSON array is no Go jsonl_test.reading"},
		{"null", ` null`, jsonl.ErrType, "the record is null"},
		{"text for a number", `{"count":"1"}`, jsonl.ErrType, "field count: JSON string is no Go int64"},
		{"a number for text", `{"sensor":1}`, jsonl.ErrType, "field sensor: JSON number is no Go string"},
		{"wrong within", `{"Tags":["a",2]}`, jsonl.ErrType, "field Tags.1: JSON number is no Go string"},
		{"NaN", `{"value":NaN}`, jsonl.ErrSyntax, "not valid JSON: invalid character 'N' at start of value after 9 bytes"},
		{"a fraction for an integer", `{"count":1.5}`, jsonl.ErrNumber, "field count: 1.5 does not fit a Go int64: not a whole number"},
		{"a tiny fraction for an integer", `{"count":1e-3}`, jsonl.ErrNumber, "field count: 1e-3 does not fit a Go int64: not a whole number"},
		{"too great for an integer", `{"count":9223372036854775808}`, jsonl.ErrNumber, "field count: 9223372036854775808 does not fit a Go int64: out of range"},
		{"too great, with a point", `{"count":9223372036854775808.0}`, jsonl.ErrNumber, "field count: 9223372036854775808.0 does not fit a Go int64: out of range"},
		{"far too great", `{"count":1e999999999}`, jsonl.ErrNumber, "field count: 1e999999999 does not fit a Go int64: out of range"},
		{"beyond a byte", `{"level":256}`, jsonl.ErrNumber, "field level: 256 does not fit a Go uint8: out of range"},
		{"negative for unsigned", `{"level":-1.0}`, jsonl.ErrNumber, "field level: -1.0 does not fit a Go uint8: out of range"},
		{"nothing", `{"value":1e400}`, jsonl.ErrNumber, "field value: 1e400 does not fit a Go float64: out of range"},
		{"nothing in any", `{"Extra":[1e400]}`, jsonl.ErrNumber, "field Extra.0: 1e400 does not fit a Go float64: out of range"},
		{"rounded in a float", `{"value":9007199254740993}`, jsonl.ErrNumber, "field value: 9007199254740993 does not fit a Go float64: it would be rounded"},
		{"rounded in any", `{"Extra":{"id":-12345678901234567890}}`, jsonl.ErrNumber, "field Extra.id: -12345678901234567890 does not fit a Go float64: it would be rounded"},
		{"10^5 deep", deep, jsonl.ErrTooDeep, "nested deeper than 128 levels"},
		{"10^5 deep in a field", `{"x":` + deep, jsonl.ErrTooDeep, "nested deeper than 128 levels"},
		{"a level too deep", `{"x":` + strings.Repeat("[", 128) + strings.Repeat("]", 128) + `}`, jsonl.ErrTooDeep, "nested deeper than 128 levels"},
	} {
		s := from[reading](`{"sensor":"before"}`, c.line, `{"sensor":"after"}`)
		got := read(t, s)
		if got.err != nil || len(got.values) != 2 || len(got.malformed) != 1 || got.malformed[0] != "in:2: "+c.says || got.raw[0] != c.line {
			t.Errorf("%s: got %d records, %.300q, %v; want one malformed: %s", c.name, len(got.values), got.malformed, got.err, c.says)
			continue
		}
		if got.values[0].Sensor != "before" || got.values[1].Sensor != "after" || got.values[1].Count != 0 {
			t.Errorf("%s: the records around it are %+v", c.name, got.values)
		}
		if err := reason(t, from[reading](c.line)); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v is not %v", c.name, err, c.kind)
		}
	}
}

// reason gives why the one record is malformed.
func reason[T any](t *testing.T, s connector.Source[T]) error {
	t.Helper()
	splits, err := s.Splits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r, err := splits[0].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		var b connector.Batch[T]
		if err := r.Read(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if len(b.Malformed) > 0 {
			return b.Malformed[0].Reason
		}
	}
}

func TestNumbersInTypesOfTheUsersOwn(t *testing.T) {
	type ID int32
	type Celsius float32
	type row struct {
		ID      ID
		Celsius Celsius
		IDs     []ID
		Quoted  int `json:",string"`
		At      time.Time
	}
	got := read(t, from[row](
		`{"ID":7.0,"Celsius":21.5,"IDs":[1,2.0,3e0],"Quoted":"5","At":"2026-01-01T00:00:00Z"}`,
		`{"ID":7.0,"Celsius":16777217}`,
		`{"ID":2147483648.0}`,
		`{"ID":7.0,"Quoted":5}`,
	))
	want := []row{{7, 21.5, []ID{1, 2, 3}, 5, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}}
	if got.err != nil || !reflect.DeepEqual(got.values, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for i, says := range []string{
		"in:2: field Celsius: 16777217 does not fit a Go jsonl_test.Celsius: it would be rounded",
		"in:3: field ID: 2147483648.0 does not fit a Go jsonl_test.ID: out of range",
		"in:4: field Quoted: JSON number is no Go int",
	} {
		if i >= len(got.malformed) || got.malformed[i] != says {
			t.Errorf("got %q, want %q", got.malformed, says)
		}
	}
}

func TestBlankLinesAreNoRecords(t *testing.T) {
	got := read(t, jsonl.Reader[reading]("in", strings.NewReader("\xef\xbb\xbf\r\n{\"count\":1}\r\n\n  \t\n{\"count\":2}")).Ends())
	if len(got.values) != 2 || len(got.malformed) > 0 || got.err != nil {
		t.Errorf("got %+v", got)
	}
	for _, text := range []string{"", "\n", "\xef\xbb\xbf"} {
		if got := read(t, jsonl.Reader[reading]("in", strings.NewReader(text)).Ends()); len(got.values)+len(got.malformed) > 0 || got.err != nil {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}

func TestALineBeyondTheLimitIsOneMalformedRecord(t *testing.T) {
	long := `{"sensor":"` + strings.Repeat("x", 64<<20) + `"}`
	got := read(t, from[reading](`{"count":1}`, long, `{"count":2}`))
	if got.err != nil || len(got.values) != 2 || len(got.malformed) != 1 || got.malformed[0] != "in:2: line is too long: more than 16777216 bytes" || len(got.raw[0]) != 16<<20 {
		t.Errorf("got %d records, %q, %v", len(got.values), got.malformed, got.err)
	}
	got = read(t, from[reading](long).MaxLine(65<<20))
	if got.err != nil || len(got.values) != 1 || len(got.values[0].Sensor) != 64<<20 {
		t.Errorf("allowed: %d records, %q, %v", len(got.values), got.malformed, got.err)
	}
	if err := reason(t, from[reading](`{"count":1}`).MaxLine(5)); !errors.Is(err, jsonl.ErrTooLong) {
		t.Errorf("got %v", err)
	}
}

func TestRequiredFields(t *testing.T) {
	s := from[reading](
		`{"sensor":"a","site":{"name":"x"}}`,
		`{"sensor":"a","site":{}}`,
		`{"site":{"name":"x"}}`,
		`{"sensor":null,"site":{"name":"x"}}`,
		`{"sensor":"a","site":7}`,
	).Require("sensor").Require("site.name")
	got := read(t, s)
	want := []string{`in:2: field "site.name" is missing`, `in:3: field "sensor" is missing`, `in:4: field "sensor" is null`, `in:5: field "site.name" is missing`}
	if got.err != nil || len(got.values) != 1 || !reflect.DeepEqual(got.malformed, want) {
		t.Errorf("got %+v", got)
	}
	if err := reason(t, from[reading](`{}`).Require("sensor")); !errors.Is(err, jsonl.ErrMissing) {
		t.Errorf("got %v", err)
	}
}

func TestEventTimes(t *testing.T) {
	const second = 1_000_000
	for _, c := range []struct {
		name   string
		field  string
		layout timestamp.Layout
		line   string
		want   int64
	}{
		{"seconds", "at", timestamp.Seconds, `{"at":1.0000019}`, second + 1},
		{"before 1970", "at", timestamp.Millis, `{"at": -0.0001 }`, -1},
		{"as text", "at", timestamp.RFC3339, `{"at":"1970-01-01t00:00:01z"}`, second},
		{"in a layout", "at", timestamp.Format("2.1.2006", nil), `{"at":"2.1.1970"}`, 86400 * second},
		{"within an object", "meta.at", timestamp.Seconds, `{"at":5,"meta":{"x":[{"at":6}],"at":1},"z":{}}`, second},
		{"a field of the whole name comes first", "meta.at", timestamp.Seconds, `{"meta":{"at":5},"meta.at":1}`, second},
		{"also before", "meta.at", timestamp.Seconds, `{"meta.at":1,"meta":{"at":5}}`, second},
		{"a name with dots within an object", "a.b.c", timestamp.Seconds, `{"a":{"b.c":1}}`, second},
		{"a name with escapes", "ät", timestamp.Seconds, `{"x":"\\\"","\u00e4t":1}`, second},
		{"text with escapes", "at", timestamp.RFC3339, `{"at":"1970-01-01\u002000:00:01Z"}`, second},
		{"not the first of the name's beginning", "at", timestamp.Seconds, `{"a":5,"att":6,"at":1}`, second},
		{"small numbers pass", "at", timestamp.Seconds, `{"at":2}`, 2 * second},
	} {
		got := read(t, from[reading](c.line).EventTime(c.field, c.layout))
		if got.err != nil || len(got.times) != 1 || got.times[0] != c.want {
			t.Errorf("%s: %s = %+v, want %d", c.name, c.line, got, c.want)
		}
	}
	if got := read(t, from[reading](`{"at":1}`)); got.times != nil {
		t.Errorf("not asked for, and given: %v", got.times)
	}
}

func TestAnEventTimeThatCannotBeReadIsNeverReplaced(t *testing.T) {
	for _, c := range []struct {
		name   string
		layout timestamp.Layout
		line   string
		kind   error
		says   string
	}{
		{"missing", timestamp.Seconds, `{}`, jsonl.ErrMissing, `event time "at" is missing`},
		{"null", timestamp.Seconds, `{"at":null}`, jsonl.ErrMissing, `event time "at" is null`},
		{"text for a number", timestamp.Seconds, `{"at":"1700000000"}`, jsonl.ErrTime, `event time "at" is text, "1700000000", declared as a number of seconds`},
		{"a number for text", timestamp.RFC3339, `{"at":1700000000}`, jsonl.ErrTime, `event time "at" is the number 1700000000, declared as text: RFC 3339`},
		{"an object", timestamp.RFC3339, `{"at":{}}`, jsonl.ErrTime, `event time "at" is object, and no RFC 3339`},
		{"true", timestamp.Seconds, `{"at":true}`, jsonl.ErrTime, `event time "at" is boolean, and no seconds`},
		{"out of range", timestamp.Seconds, `{"at":1e300}`, timestamp.ErrRange, `event time cannot be read: "at": "1e300": time out of range`},
		{"second 60", timestamp.RFC3339, `{"at":"2016-12-31T23:59:60Z"}`, jsonl.ErrTime, `event time cannot be read: "at": "2016-12-31T23:59:60Z" is not a time as in RFC 3339, such as 2026-03-29T01:30:00Z`},
		{"now", timestamp.RFC3339, `{"at":"now"}`, jsonl.ErrTime, `event time cannot be read: "at": "now" is not a time as in RFC 3339, such as 2026-03-29T01:30:00Z`},
	} {
		got := read(t, from[reading](c.line).EventTime("at", c.layout))
		if got.err != nil || len(got.values)+len(got.times) > 0 || len(got.malformed) != 1 || got.malformed[0] != "in:1: "+c.says || got.raw[0] != c.line {
			t.Errorf("%s: got %+v, want malformed: %s", c.name, got, c.says)
			continue
		}
		if err := reason(t, from[reading](c.line).EventTime("at", c.layout)); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v is not %v", c.name, err, c.kind)
		}
	}
}

func TestAWrongUnitStopsTheRunAtItsStart(t *testing.T) {
	var right, wrong []string
	for i := range 150 {
		right = append(right, fmt.Sprintf(`{"at":%d}`, 1_700_000_000_000+i))
		wrong = append(wrong, fmt.Sprintf(`{"at":%d}`, 1_700_000_000+i))
	}
	got := read(t, from[reading](wrong...).EventTime("at", timestamp.Millis))
	const want = `in: event time "at": unlikely event times: the median of the first 100 is 1700000050, as milliseconds 1970-01-20T16:13:20.05Z: ` +
		`these look like seconds read as milliseconds (declare that unit in EventTime, or accept the times with AcceptUnlikelyTimes)`
	if !errors.Is(got.err, jsonl.ErrUnlikelyTimes) || got.err.Error() != want || len(got.values) > 0 {
		t.Errorf("got %v and %d records\nwant %s", got.err, len(got.values), want)
	}
	if got := read(t, from[reading](wrong[:3]...).EventTime("at", timestamp.Millis)); !errors.Is(got.err, jsonl.ErrUnlikelyTimes) || len(got.values) > 0 {
		t.Errorf("a short input: %v and %d records", got.err, len(got.values))
	}
	if got := read(t, from[reading](`{"at":1700000000000000000}`).EventTime("at", timestamp.Seconds)); !errors.Is(got.err, jsonl.ErrUnlikelyTimes) {
		t.Errorf("nanoseconds read as seconds, all out of range: %v", got.err)
	}
	for name, s := range map[string]jsonl.Source[reading]{
		"the right unit":    from[reading](right...).EventTime("at", timestamp.Millis),
		"accepted":          from[reading](wrong...).EventTime("at", timestamp.Millis).AcceptUnlikelyTimes(),
		"later is too late": from[reading](append(right[:100:100], wrong[:50]...)...).EventTime("at", timestamp.Millis),
	} {
		if got := read(t, s); got.err != nil || len(got.values) != 150 {
			t.Errorf("%s: %v and %d records", name, got.err, len(got.values))
		}
	}
}

func TestFilesThatCannotBeReadEndTheRunAtItsStart(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("data", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, says string }{
		{"readings.jsonl", "jsonl: readings.jsonl: no such file (relative paths start at " + here + ")"},
		{"data/*.jsonl", "jsonl: data/*.jsonl: no file matches (relative paths start at " + here + ")"},
		{"data", `jsonl: data: is a directory (for the files in it, write "data/*")`},
	} {
		if got := read(t, jsonl.File[reading](c.path)); got.err == nil || got.err.Error() != c.says {
			t.Errorf("%s: got %v, want %s", c.path, got.err, c.says)
		}
	}
	if got := read(t, jsonl.File[reading]("gone")); !errors.Is(got.err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", got.err)
	}
	if err := os.WriteFile("empty.jsonl", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := read(t, jsonl.File[reading]("empty.jsonl")); got.err != nil || len(got.values)+len(got.malformed) > 0 {
		t.Errorf("an empty file: %+v", got)
	}
}

func TestPositionsNameFileAndLine(t *testing.T) {
	t.Chdir(t.TempDir())
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte("{}\nbad"))
	z.Close()
	for name, text := range map[string][]byte{"a.jsonl": []byte("bad\n{}"), "b.jsonl.gz": zipped.Bytes()} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := read(t, jsonl.File[reading]("*"))
	var where []string
	for _, m := range got.malformed {
		where = append(where, m[:strings.Index(m, ": ")])
	}
	if want := []string{"a.jsonl:1", "b.jsonl.gz:2"}; !reflect.DeepEqual(where, want) || len(got.values) != 2 || got.err != nil {
		t.Errorf("got %q, %v, want %q", where, got.err, want)
	}
	if err := os.WriteFile("b.jsonl.gz", zipped.Bytes()[:zipped.Len()-4], 0o666); err != nil {
		t.Fatal(err)
	}
	if got := read(t, jsonl.File[reading]("b.jsonl.gz")); got.err == nil || got.err.Error() != "b.jsonl.gz:2: the gzip data is cut off: unexpected EOF" || len(got.values) != 1 {
		t.Errorf("cut off: %v after %d records", got.err, len(got.values))
	}
}

func TestAllWrongOptionsAreReportedAtOnce(t *testing.T) {
	_, err := jsonl.File[reading]("x").EventTime("", timestamp.Format("15:04", nil)).MaxLine(0).MaxDepth(20_000).Splits(context.Background())
	for _, want := range []string{"needs the name of a field", "has no year", "MaxLine(0)", "MaxDepth(20000)"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}

func TestOptionsGiveCopies(t *testing.T) {
	plain := from[reading](`{}`)
	a, b := plain.Require("a"), plain.Require("b")
	if got := read(t, a); len(got.malformed) != 1 || !strings.Contains(got.malformed[0], `"a"`) {
		t.Errorf("got %+v, and b is %v", got, b)
	}
	if s := jsonl.File[reading](filepath.Join("data", "x.jsonl")); s.Name() != "x.jsonl" || !s.Bounded() {
		t.Errorf("%s, bounded %v", s.Name(), s.Bounded())
	}
	if s := jsonl.Stdin[reading](); s.Name() != "stdin" || s.Bounded() || !s.Ends().Bounded() {
		t.Errorf("%s, bounded %v", s.Name(), s.Bounded())
	}
}
