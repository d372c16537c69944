package rowio_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
)

func TestTextIsALineARow(t *testing.T) {
	t.Chdir(t.TempDir())
	path := put(t, "a.txt", "one", "", " two ", "\xff", "ä")
	want := result{rows: []string{`"one"`, `""`, `" two "`, `"ä"`}, malformed: []string{"a.txt:4: not UTF-8"}}
	if got := read(t, open(t, rowio.Config{Format: "text", Paths: []string{path}}).Source("", []string{"line"})); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAnArrayIsReadElementByElement(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		name, text string
		want       []string
		malformed  []string
		err        string
	}{
		{"one line", `[{"a":1},{"a":2}]`, []string{"1", "2"}, nil, ""},
		{"many lines", "\xef\xbb\xbf\n[\n  {\n    \"a\": 1,\r\n    \"b\": [1, {\"c\": \"],\\\\\"}]\n  },\n  {\"a\": 2}\n]\n\n", []string{"1", "2"}, nil, ""},
		{"empty", "[ ]", nil, nil, ""},
		{"a malformed element", `[{"a":1},{"a":},{"a":3},"x"]`, []string{"1", "3"},
			[]string{"a.json:2: not valid JSON: missing value after object name after 5 bytes", `a.json:4: the record is the text "x", and no object`}, ""},
		{"a line end in text", "[{\"a\":1},{\"a\":\"x\ny\"}]", []string{"1"},
			[]string{"a.json:2: not valid JSON: invalid character '\\x00' in string (expecting non-control character) after 7 bytes"}, ""},
		{"lines", "{\"a\":1}\n{\"a\":2}\n", nil, nil, `a.json:1: not a JSON array: it begins with '{' (if it has an object a line, its format is json)`},
		{"cut off", `[{"a":1},{"a":`, []string{"1"}, nil, "a.json:2: not a JSON array: it ends within element 2: unexpected EOF"},
		{"an element is missing", `[{"a":1},,{"a":3}]`, []string{"1"}, nil, "a.json:2: not a JSON array: element 2 is empty"},
		{"a comma too many", `[{"a":1},]`, []string{"1"}, nil, "a.json:2: not a JSON array: element 2 is empty"},
		{"more behind", `[{"a":1}] [`, []string{"1"}, nil, "a.json:2: not a JSON array: something follows its end"},
		{"nothing", ``, nil, nil, "a.json:1: not a JSON array: it is empty"},
	} {
		if err := os.WriteFile("a.json", []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		got := read(t, open(t, rowio.Config{Format: "jsonarray", Paths: []string{"a.json"}, Schema: types("a:any")}).Source("", []string{"a"}))
		if !reflect.DeepEqual(got.rows, c.want) || !reflect.DeepEqual(got.malformed, c.malformed) || c.err == "" != (got.err == nil) || c.err != "" && got.err.Error() != c.err {
			t.Errorf("%s: got %+v\nwant %q %q %s", c.name, got, c.want, c.malformed, c.err)
		}
	}
}

func TestAnArrayHasASchemaToo(t *testing.T) {
	t.Chdir(t.TempDir())
	path := put(t, "a.json", `[{"a":1},{"b":"x"}]`)
	if got := open(t, rowio.Config{Format: "jsonarray", Paths: []string{path}}).Schema().String(); got != "{a: integer?, b: string?}" {
		t.Errorf("got %s", got)
	}
}

// slow gives a few bytes at a time.
type slow struct{ in io.Reader }

func (s slow) Read(p []byte) (int, error) { return s.in.Read(p[:min(len(p), 7)]) }

func TestWhatTheSchemaWasInferredFromIsReadAgain(t *testing.T) {
	for name, c := range map[string]struct {
		format, text string
		fields       []string
		want         []string
	}{
		"json":      {"json", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}", []string{"a"}, []string{"1", "2", "3"}},
		"jsonarray": {"jsonarray", `[{"a":1},{"a":2}]`, []string{"a"}, []string{"1", "2"}},
		"csv":       {"csv", "a,b\n1,\"x\ny\"\n2,z\n", []string{"b", "a"}, []string{`"x\ny" 1`, `"z" 2`}},
		"text":      {"text", "x\ny", []string{"line"}, []string{`"x"`, `"y"`}},
	} {
		for _, parallel := range []int{1, 2} {
			for how, in := range map[string]func() io.Reader{
				"plain": func() io.Reader { return strings.NewReader(c.text) },
				"slow":  func() io.Reader { return slow{strings.NewReader(c.text)} },
				"gzip": func() io.Reader {
					var b bytes.Buffer
					z := gzip.NewWriter(&b)
					z.Write([]byte(c.text))
					z.Close()
					return &b
				},
			} {
				table := open(t, rowio.Config{Format: c.format, Paths: []string{"-"}, Stdin: in(), Parallel: parallel})
				if got := read(t, table.Source("", c.fields)); !reflect.DeepEqual(got.rows, c.want) || got.malformed != nil || got.err != nil {
					t.Errorf("%s, %s: got %+v, want %q", name, how, got, c.want)
				}
			}
		}
	}
}

func TestNoMoreOfTheStandardInputIsAwaitedThanTellsTheSchema(t *testing.T) {
	in, out := io.Pipe()
	go func() {
		for i := range 1001 {
			fmt.Fprintf(out, "{\"a\":%d}\n", i)
		}
		// and now it stays open
	}()
	table := open(t, rowio.Config{Format: "json", Paths: []string{"-"}, Stdin: in})
	if got := table.Schema().String(); got != "{a: integer?}" || table.Inferred() != 1000 {
		t.Errorf("got %s of %d records", got, table.Inferred())
	}
	out.Close()
}

func TestOpenObeysAContextThatIsDone(t *testing.T) {
	in, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rowio.Open(ctx, rowio.Config{Format: "json", Paths: []string{"-"}, Stdin: in}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	out.Close()
}

func TestAFollowedFileIsRead(t *testing.T) {
	t.Chdir(t.TempDir())
	path := put(t, "a.json", `{"a":1}`, `{"a":2}`)
	connectortest.ExerciseSource(t, func(t *testing.T) connector.Source[record.Row] {
		return open(t, rowio.Config{Format: "json", Paths: []string{path}, Follow: true}).Source("", []string{"a"})
	}, []record.Row{{record.OfInt(1)}, {record.OfInt(2)}})
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := rowio.Open(t.Context(), rowio.Config{Format: "json", Paths: []string{path}, Follow: true}); err == nil || err.Error() != "read json: a.json: there is nothing to infer a schema from: declare one" {
		t.Errorf("got %v", err)
	}
}

func TestEventTimesComeWithTheBatch(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.json", `{"at":"2026-03-29T01:30:00.5+01:00","meta":{"ms":1500},"n":1}`, `{"n":2}`, `{"at":null}`, `{"at":7,"meta":{}}`, `{"at":"x","meta":3}`)
	put(t, "a.csv", "at,n", "2026-03-29T00:30:00.5Z,1", ",2", "x,3")
	for _, c := range []struct {
		name      string
		config    rowio.Config
		fields    []string
		rows      []string
		times     []int64
		malformed []string
		schema    string
	}{
		{"a field that is in use", rowio.Config{Format: "json", Time: &rowio.TimeField{Field: "at"}}, []string{"n", "at"},
			[]string{`1 "2026-03-29T01:30:00.5+01:00"`}, []int64{1774744200500000}, []string{
				`a.json:2: event time "at" is missing`,
				`a.json:3: event time "at" is null`,
				`a.json:4: event time "at" is the number 7, declared as text: RFC 3339`,
				`a.json:5: timestamp cannot be read: event time "at": "x" is not a time as in RFC 3339, such as 2026-03-29T01:30:00Z`,
			}, `{at: any, meta: any, n: integer?}`},
		{"a field that is not in use, within another", rowio.Config{Format: "json", Time: &rowio.TimeField{Field: "meta.ms", Layout: timestamp.Millis}}, []string{"n"},
			[]string{"1"}, []int64{1500000}, []string{
				`a.json:2: event time "meta.ms" is missing`,
				`a.json:3: event time "meta.ms" is missing`,
				`a.json:4: event time "meta.ms" is missing`,
				`a.json:5: field "meta" is the number 3, and no object`,
			}, `{at: any, meta: any, n: integer?}`},
		{"as it is declared", rowio.Config{Format: "json", Schema: types("at:string"), Time: &rowio.TimeField{Field: "at"}}, []string{"at"},
			[]string{`"2026-03-29T01:30:00.5+01:00"`}, []int64{1774744200500000}, nil, `{at: string}`},
		{"a column", rowio.Config{Format: "csv", Time: &rowio.TimeField{Field: "at"}}, []string{"at"},
			[]string{`"2026-03-29T00:30:00.5Z"`}, []int64{1774744200500000}, []string{
				`a.csv:3: column "at" is empty, and is the event time`,
				`a.csv:4: timestamp cannot be read: column "at": "x" is not a time as in RFC 3339, such as 2026-03-29T01:30:00Z`,
			}, `{at: string?, n: integer?}`},
	} {
		c.config.Paths = []string{"a." + c.config.Format}
		table := open(t, c.config)
		if got := table.Schema().String(); got != c.schema {
			t.Errorf("%s: schema %s, want %s", c.name, got, c.schema)
		}
		got := read(t, table.Source("", c.fields))
		if !reflect.DeepEqual(got.rows, c.rows) || !reflect.DeepEqual(got.times, c.times) || c.malformed != nil && !reflect.DeepEqual(got.malformed, c.malformed) {
			t.Errorf("%s: got %+v\nwant %q %d %q", c.name, got, c.rows, c.times, c.malformed)
		}
	}
}

func TestUnlikelyEventTimesStopTheRun(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.json", `{"at":1774744200}`)
	put(t, "a.csv", "at", "1774744200")
	for _, format := range []string{"json", "csv"} {
		c := rowio.Config{Format: format, Paths: []string{"a." + format}, Time: &rowio.TimeField{Field: "at", Layout: timestamp.Millis}}
		if got := read(t, open(t, c).Source("", nil)); !errors.Is(got.err, timestamp.ErrUnlikely) {
			t.Errorf("got %+v", got)
		}
		c.Time.AcceptUnlikely = true
		if got := read(t, open(t, c).Source("", nil)); got.err != nil || !reflect.DeepEqual(got.times, []int64{1774744200000}) {
			t.Errorf("got %+v", got)
		}
	}
}

func TestSeveralReadersGiveWhatOneGives(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(1, 2))
	var text, table strings.Builder
	table.WriteString("k,n,s\n")
	for i := range 60_000 {
		switch rng.IntN(1000) {
		case 0:
			text.WriteString("{\"k\":\n")
			table.WriteString("x\n")
		case 1:
			text.WriteString("\n")
			table.WriteString("\n")
		case 2:
			fmt.Fprintf(&text, "{\"k\":\"%s\",\"n\":%d}\n", strings.Repeat("long", 5000), i)
			fmt.Fprintf(&table, "%d,%d,\"two\nlines\"\n", i%7, i)
		default:
			fmt.Fprintf(&text, "{\"k\":\"k%d\",\"skipped\":[%d,{\"k\":1}],\"n\":%d,\"s\":\"s%d\"}\n", i%7, i, i, i)
			fmt.Fprintf(&table, "k%d,%d,s%d\n", i%7, i, i)
		}
	}
	for format, text := range map[string]string{"json": text.String(), "csv": table.String()} {
		if err := os.WriteFile("a", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		c := rowio.Config{Format: format, Paths: []string{"a"}, Time: &rowio.TimeField{Field: "n", Layout: timestamp.Seconds}}
		want := read(t, open(t, c).Source("", []string{"s", "k"}))
		if len(want.rows) < 59_000 || len(want.malformed) < 10 || want.err != nil {
			t.Fatalf("%d rows, %d malformed, %v", len(want.rows), len(want.malformed), want.err)
		}
		for _, n := range []int{-1, 2, -2, 3, -3, 8, -8} { // negative: that lend their rows
			c.Parallel = max(n, -n)
			if got := readAs(t, open(t, c).Source("", []string{"s", "k"}), n < 0); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d readers: %d rows and %d malformed, %v; want %d and %d", format, n, len(got.rows), len(got.malformed), got.err, len(want.rows), len(want.malformed))
			}
		}
	}
}

func TestOneBrokenLineOfManyIsOneMalformedRecord(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := make([]string, 100_000)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"a":%d}`, i)
	}
	lines[70_000] = `{"a":7000`
	put(t, "a.json", lines...)
	got := read(t, open(t, rowio.Config{Format: "json", Paths: []string{"a.json"}, Parallel: 2}).Source("", []string{"a"}))
	if len(got.rows) != 99_999 || len(got.malformed) != 1 || got.malformed[0] != "a.json:70001: not valid JSON: unexpected EOF after 9 bytes" {
		t.Errorf("got %d rows, %q", len(got.rows), got.malformed)
	}
}

func TestATypeThatChangesLaterIsExplained(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := make([]string, 2000)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"a":%d,"b":%d}`, i, i)
	}
	lines[1500] = `{"a":"x","b":1}`
	lines[1600] = `{"a":null}`
	put(t, "a.json", lines...)
	table := open(t, rowio.Config{Format: "json", Paths: []string{"a.json"}})
	got := read(t, table.Source("", []string{"a"}))
	want := []string{`a.json:1501: field "a" is the text "x", and the schema says integer? (inferred from the first 1000 records: declare a schema)`}
	if !reflect.DeepEqual(got.malformed, want) || got.rows[1599] != "null" {
		t.Errorf("got %q and %s", got.malformed, got.rows[1599])
	}
	// Who does not use the field does not care.
	if got := read(t, table.Source("", []string{"b"})); got.malformed != nil || len(got.rows) != 2000 {
		t.Errorf("got %d rows, %q", len(got.rows), got.malformed)
	}
}

func TestOnlyTheFieldsInUseAreRead(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.json",
		`{"id":1,"user":{"name":"u","tags":["x","y"],"pos":{"lat":1.5,"lon":2}},"n":3}`,
		`{"user":{"pos":{"lon":4},"more":[{"pos":1}],"name":null},"n":5}`,
		`{"user":null,"n":6}`,
		`{"user":{"pos":{"lat":1},"pos":{"lat":2}},"n":7}`,
	)
	table := open(t, rowio.Config{Format: "json", Paths: []string{"a.json"}})
	if want := `{id: integer?, user: {name: string?, tags: array[string?]?, pos: {lat: number?, lon: integer?}?, more: array[{pos: integer?}?]?}?, n: integer?}`; table.Schema().String() != want {
		t.Fatalf("got %s", table.Schema())
	}
	for _, c := range []struct {
		fields string
		want   []string
	}{
		{"n id", []string{"3 1", "5 null", "6 null"}},
		{"user.pos.lat n", []string{"1.5 3", "null 5", "null 6"}},
		{"user.pos", []string{`{"lat":1.5,"lon":2}`, `{"lat":null,"lon":4}`, "null"}},
		{"user user.name", []string{
			`{"name":"u","tags":["x","y"],"pos":{"lat":1.5,"lon":2},"more":null} "u"`,
			`{"name":null,"tags":null,"pos":{"lat":null,"lon":4},"more":[{"pos":1}]} null`,
			"null null"}},
		{"", []string{"", "", ""}},
	} {
		got := read(t, table.Source("", strings.Fields(c.fields)))
		if c.fields == "n id" || c.fields == "" { // the last record is sound for these
			got.rows = got.rows[:len(got.rows)-1]
		}
		if !reflect.DeepEqual(got.rows, c.want) || got.err != nil {
			t.Errorf("%s: got %q, %q, %v", c.fields, got.rows, got.malformed, got.err)
		}
	}
	odd := open(t, rowio.Config{Format: "json", Paths: []string{"a.json"}, Time: &rowio.TimeField{Field: "user.at"}}).Source("x", nil)
	if err := odd.(interface{ Validate() error }).Validate(); err == nil || err.Error() != `event time: the first 3 records have no field "user.at", but id, user, n` {
		t.Errorf("got %v", err)
	}
	for fields, want := range map[string]string{
		"nobody":    `there is no field "nobody", but id, user, n`,
		"n n":       `field "n" is asked for twice`,
		"user.what": `there is no field "user.what", but id, user, n`,
	} {
		s := table.Source("x", strings.Fields(fields))
		if err := s.(interface{ Validate() error }).Validate(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if _, err := s.Splits(t.Context()); err == nil || err.Error() != "x: "+want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestADeclaredFieldThatMayNotBeNull(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.json", `{"a":1,"b":{"c":1}}`, `{"a":null,"b":{"c":2}}`, `{"b":{"c":3}}`, `{"a":4,"b":{}}`, `{"a":5}`)
	put(t, "a.csv", "a", "1", `""`, "2")
	schema := record.Schema{{Name: "a", Type: record.Type{Kind: record.Int}},
		{Name: "b", Type: record.Type{Kind: record.Struct, Nullable: true, Fields: types("c:integer")}}}
	got := read(t, open(t, rowio.Config{Format: "json", Paths: []string{"a.json"}, Schema: schema}).Source("", []string{"a", "b"}))
	want := result{rows: []string{`1 {"c":1}`, `5 null`}, malformed: []string{
		`a.json:2: field "a" is null, and the schema says integer: declare it integer? if it may be`,
		`a.json:3: field "a" is missing, and the schema says integer: declare it integer? if it may be`,
		`a.json:4: field "b.c" is missing, and the schema says integer: declare it integer? if it may be`,
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestWhatCannotBeOpenedIsExplained(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.csv", "a,b", "1,2")
	put(t, "array.json", "[", `{"a":1}`, "]")
	put(t, "empty.json")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		config rowio.Config
		want   string
		is     error
	}{
		{rowio.Config{Format: "xml"}, `read xml: there is no format "xml", but json, jsonarray, csv, text, parquet`, nil},
		{rowio.Config{Format: "json"}, `read json: no path: name files, globs such as "data/*.json", or "-" for the standard input`, nil},
		{rowio.Config{Format: "json", Paths: []string{"-", "a"}}, `read json: "-" is the standard input, and cannot be read along with files`, nil},
		{rowio.Config{Format: "json", Paths: []string{"gone.json"}}, "read json: gone.json: no such file (relative paths start at " + here + ")", fs.ErrNotExist},
		{rowio.Config{Format: "json", Paths: []string{"a.csv"}}, "read json: a.csv:1: not valid JSON: invalid character 'a' at start of value after 0 bytes (nothing at the beginning is a record: is the format json?)", nil},
		{rowio.Config{Format: "json", Paths: []string{"array.json"}}, "", nil},
		{rowio.Config{Format: "json", Paths: []string{"empty.json"}}, "read json: empty.json: there is nothing to infer a schema from: declare one", nil},
		{rowio.Config{Format: "jsonarray", Paths: []string{"a.csv"}}, "read jsonarray: a.csv:1: not a JSON array: it begins with 'a' (if it has an object a line, its format is json)", rowio.ErrArray},
		{rowio.Config{Format: "jsonarray", Paths: []string{"a.csv"}, Follow: true}, "read jsonarray: a.csv: a file of this format ends, and cannot be followed", nil},
		{rowio.Config{Format: "text", Paths: []string{"a.csv"}, Time: &rowio.TimeField{Field: "line"}}, "read text: text has no field for the event time", nil},
		{rowio.Config{Format: "json", Paths: []string{"a.csv"}, Parallel: -1, MaxLine: -1, Delimiter: ';'}, "read json: the longest line has -1 bytes: it has one at least\n-1 goroutines that decode: from 1 to 1024\ncolumns, header, delimiter and comment are options of csv, and the format is json", nil},
	} {
		_, err := rowio.Open(t.Context(), c.config)
		if c.want == "" {
			continue
		}
		if err == nil || err.Error() != c.want || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%+v:\ngot  %v\nwant %s", c.config, err, c.want)
		}
	}
}

// counter counts the bytes that are read.
type counter struct {
	in io.Reader
	n  int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += n
	return n, err
}

func TestASchemaCostsNoMoreThanTheBeginning(t *testing.T) {
	t.Chdir(t.TempDir())
	wide := strings.Repeat("x", 100_000)
	var text strings.Builder
	for i := range 300 { // 30 MB
		fmt.Fprintf(&text, "{\"a\":\"%s\",\"b%d\":1}\n", wide, i/100)
	}
	put(t, "a.json", text.String())
	for _, c := range []rowio.Config{
		{Format: "json", Paths: []string{"a.json"}},
		{Format: "json", Paths: []string{"-"}, Stdin: strings.NewReader(text.String())},
	} {
		// 11 records begin within the first MiB, and 10 end there.
		if table := open(t, c); table.Inferred() < 10 || table.Inferred() > 11 || table.Schema().String() != "{a: string?, b0: integer?}" {
			t.Errorf("%s: %s of %d records", c.Paths[0], table.Schema(), table.Inferred())
		}
	}
	in := &counter{in: strings.NewReader(text.String())}
	open(t, rowio.Config{Format: "json", Paths: []string{"-"}, Stdin: in})
	if in.n > 2<<20 {
		t.Errorf("%d bytes were read", in.n)
	}
	// One record that is longer than that is enough.
	put(t, "b.json", `{"a":"`+strings.Repeat("x", 2<<20)+`"}`)
	if got := open(t, rowio.Config{Format: "json", Paths: []string{"b.json"}}).Schema().String(); got != "{a: string?}" {
		t.Errorf("got %s", got)
	}
}

func TestAPipeIsNotReadForItsSchema(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Skip("there are no named pipes:", err)
	}
	want := "read json: pipe: is a pipe or device, which can be read once: declare a schema, or read it as the standard input"
	if _, err := rowio.Open(t.Context(), rowio.Config{Format: "json", Paths: []string{"pipe"}}); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	go os.WriteFile("pipe", []byte("{\"a\":1}\n"), 0o666)
	if got := read(t, open(t, rowio.Config{Format: "json", Paths: []string{"pipe"}, Schema: types("a:integer")}).Source("", []string{"a"})); !reflect.DeepEqual(got.rows, []string{"1"}) {
		t.Errorf("got %+v", got)
	}
}
