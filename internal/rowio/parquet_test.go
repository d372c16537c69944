package rowio_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
	"github.com/strandline-stream/strandline/internal/rowio/parquetrow"
)

// parquet is a table of files of testdata, which pyarrow made: see testdata/parquet.py, where
// their values are.
func parquet(t testing.TB, names ...string) rowio.Config {
	t.Helper()
	c := rowio.Config{Format: "parquet"}
	for _, name := range names {
		path, err := filepath.Abs(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		c.Paths = append(c.Paths, path)
	}
	return c
}

// byField reads a table field by field.
func byField(t *testing.T, table *rowio.Table) map[string][]string {
	t.Helper()
	got := map[string][]string{}
	for _, name := range table.Schema().Names() {
		r := read(t, table.Source("", []string{name}))
		if r.err != nil || r.malformed != nil {
			t.Errorf("%s: %v, %q", name, r.err, r.malformed)
		}
		got[name] = r.rows
	}
	return got
}

func compareFields(t *testing.T, got, want map[string][]string) {
	t.Helper()
	for name := range want {
		if !reflect.DeepEqual(got[name], want[name]) {
			t.Errorf("%s: got %q\nwant %q", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d fields, want %d", len(got), len(want))
	}
}

func TestParquetOfAnotherImplementationIsRead(t *testing.T) {
	want := map[string][]string{
		"b": {"true", "false", "null"}, "i8": {"-128", "127", "null"}, "i16": {"-32768", "32767", "null"},
		"i32": {"-2147483648", "2147483647", "null"}, "i64": {"-9223372036854775808", "9223372036854775807", "null"},
		"u8": {"0", "255", "null"}, "u16": {"0", "65535", "null"}, "u32": {"0", "4294967295", "null"},
		"u64": {"0", "9223372036854775807", "null"}, "f16": {"0.5", "-65504", "null"}, "f32": {"0.5", `"Infinity"`, "null"},
		"f64": {"0.1", `"NaN"`, "null"}, "s": {`"ä"`, `""`, "null"},
		"bin": {`"AP8="`, `""`, "null"}, "fix": {`"YWJj"`, `"AAEC"`, "null"},
		"d9": {`"12.50"`, `"-0.07"`, "null"}, "d18": {`"-123456789012345678"`, `"0"`, "null"},
		"d38":   {`"1234567890123456789012345678.0123456789"`, `"-0.0000000001"`, "null"},
		"date":  {`"2026-03-29T00:00:00Z"`, `"1969-12-31T00:00:00Z"`, "null"},
		"ms":    {`"2026-03-29T00:30:00.5Z"`, `"1969-12-31T23:59:59.999Z"`, "null"},
		"us":    {`"2026-03-29T00:30:00.5Z"`, `"1969-12-31T23:59:59.999Z"`, "null"},
		"ns":    {`"2026-03-29T00:30:00.5Z"`, `"1969-12-31T23:59:59.999999Z"`, "null"}, // cut towards the past
		"local": {`"2026-03-29T00:30:00.5Z"`, `"1969-12-31T23:59:59.999Z"`, "null"},
		"t32":   {`"01:30:00.5"`, `"00:00:00"`, "null"}, "t64": {`"23:59:59.999999"`, `"00:00:00"`, "null"},
		"nothing": {"null", "null", "null"},
	}
	const schema = "{b: boolean?, i8: integer?, i16: integer?, i32: integer?, i64: integer?, u8: integer?, u16: integer?, u32: integer?, u64: integer?, " +
		"f16: number?, f32: number?, f64: number?, s: string?, bin: bytes?, fix: bytes?, d9: string?, d18: string?, d38: string?, " +
		"date: timestamp?, ms: timestamp?, us: timestamp?, ns: timestamp?, local: timestamp?, t32: string?, t64: string?, nothing: any}"
	for _, file := range []string{"kinds.parquet", "kinds2.parquet"} {
		table := open(t, parquet(t, file))
		if got := table.Schema().String(); got != schema {
			t.Errorf("%s: got %s\nwant %s", file, got, schema)
		}
		compareFields(t, byField(t, table), want)
	}
}

func TestParquetOfDuckDBIsRead(t *testing.T) {
	table := open(t, parquet(t, "duck.parquet"))
	compareFields(t, byField(t, table), map[string][]string{
		"u": {"1", "null"}, "s": {`"a"`, "null"}, "id": {`"6ba7b810-9dad-11d1-80b4-00c04fd430c8"`, "null"}, "d": {`"12.50"`, "null"},
		"day": {`"2026-03-29T00:00:00Z"`, "null"}, "tz": {`"2026-03-29T00:30:00.5Z"`, "null"}, "ns": {`"2026-03-29T00:30:00.5Z"`, "null"},
		"l": {"[1,null,3]", "null"}, "o": {`{"x":"1.5","y":["p"]}`, "null"}, "m": {`[{"key":"k","value":7}]`, "null"},
		"j": {`"{\"j\": 1}"`, "null"}, "e": {`"red"`, "null"}, "h": {"1.7014118346046923e+38", "null"},
	})
}

func TestParquetHasObjectsListsAndMaps(t *testing.T) {
	want := map[string][]string{
		"id":     {"1", "2", "3", "4"},
		"point":  {`{"lat":50.5,"name":"a"}`, `{"lat":-1,"name":null}`, "null", `{"lat":0,"name":""}`},
		"tags":   {`["x",null,"y"]`, "[]", "null", `["z"]`},
		"grid":   {"[[1,2],[],null,[3]]", "null", "[]", "[[null]]"},
		"points": {`[{"lat":1,"name":"p"},null]`, "[]", `[{"lat":2,"name":null}]`, "null"},
		"attrs":  {`[{"key":"a","value":1},{"key":"b","value":null}]`, "[]", "null", `[{"key":"c","value":3}]`},
		"deep":   {`{"list":[{"m":[{"key":"k","value":[1,2]}]},{"m":null}]}`, `{"list":null}`, "null", `{"list":[]}`},
	}
	for _, file := range []string{"nested.parquet", "nested2.parquet", "oldlists.parquet"} {
		table := open(t, parquet(t, file))
		if got := table.Schema().String(); got != "{id: integer?, point: {lat: number, name: string?}?, tags: array[string?]?, grid: array[array[integer?]?]?, "+
			"points: array[{lat: number, name: string?}?]?, attrs: array[{key: string, value: integer?}]?, deep: {list: array[{m: array[{key: string, value: array[integer?]?}]?}?]?}?}" {
			t.Errorf("%s: got %s", file, got)
		}
		compareFields(t, byField(t, table), want)
	}
}

func TestParquetRowsAreInOrderOverRowGroups(t *testing.T) {
	table := open(t, parquet(t, "many.parquet"))
	got := rows(t, table.Source("", []string{"list", "text", "n", "key", "flag", "x"}))
	if len(got) != 10_000 {
		t.Fatalf("got %d rows", len(got))
	}
	for i, r := range got {
		list := []string{"[]", "[0]", "[0,1]", "[0,1,2]"}[i%4]
		flag := "null"
		if i%5 != 0 {
			flag = map[bool]string{true: "true", false: "false"}[i%3 == 0]
		}
		want := list + ` "text number ` + itoa(i) + `" ` + itoa(i) + ` "k` + itoa(i*7919%97) + `" ` + flag + " " + record.OfFloat(float64(i)/8).String()
		if got := show(r); got != want {
			t.Fatalf("row %d is %s, want %s", i, got, want)
		}
	}
	if done, of := table.BytesRead(); done != of || of == 0 {
		t.Errorf("%d bytes of %d have been read", done, of)
	}
	if got := read(t, table.Source("", nil)); got.err != nil || len(got.rows) != 10_000 {
		t.Errorf("got %d rows without fields, %v", len(got.rows), got.err)
	}
}

func itoa(i int) string { return record.OfInt(int64(i)).String() }

func TestParquetSourcesKeepTheContract(t *testing.T) {
	for _, how := range []struct {
		each     bool
		parallel int
	}{{false, 1}, {true, 1}, {false, 2}, {true, 2}} {
		c := parquet(t, "nested.parquet", "nested2.parquet")
		c.SplitPerFile, c.Parallel = how.each, how.parallel
		var want []record.Row
		for range 2 {
			for i := range 4 {
				want = append(want, record.Row{record.OfInt(int64(i + 1))})
			}
		}
		connectortest.ExerciseSource(t, func(t *testing.T) connector.Source[record.Row] {
			return open(t, c).Source("", []string{"id"})
		}, want)
	}
}

// Files follow each other, rows are malformed, and a page in the middle is damaged: all that shows
// in what comes out.
func TestDecodingParquetAheadShowsInNoResult(t *testing.T) {
	many := parquet(t, "many.parquet").Paths[0]
	whole, err := os.ReadFile(many)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)/2] ^= 0x40
	damaged := filepath.Join(t.TempDir(), "damaged.parquet")
	if err := os.WriteFile(damaged, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	kinds := parquet(t, "kinds.parquet").Paths[0]
	for name, c := range map[string]rowio.Config{
		"files":     {Paths: []string{many, many, many}, Time: &rowio.TimeField{Field: "n", Layout: timestamp.Seconds, AcceptUnlikely: true}},
		"malformed": {Paths: []string{kinds, kinds}, Time: &rowio.TimeField{Field: "ns"}},
		"unlikely":  {Paths: []string{many}, Time: &rowio.TimeField{Field: "n", Layout: timestamp.Seconds}},
		"damaged":   {Paths: []string{damaged, many}},
	} {
		var want result
		for i := range 4 {
			c.Format, c.Parallel = "parquet", 1+i%2
			table := open(t, c)
			got := readAs(t, table.Source("", table.Schema().Names()), i >= 2)
			if i == 0 {
				want = got
			}
			if !reflect.DeepEqual(got.rows, want.rows) || !reflect.DeepEqual(got.times, want.times) ||
				!reflect.DeepEqual(got.malformed, want.malformed) || fmt.Sprint(got.err) != fmt.Sprint(want.err) {
				t.Errorf("%s: got %d rows, %q, %v; want %d, %q, %v", name, len(got.rows), got.malformed, got.err, len(want.rows), want.malformed, want.err)
			}
		}
	}
}

func TestOldTimesOf96BitsAreTimestamps(t *testing.T) {
	got := read(t, open(t, parquet(t, "int96.parquet")).Source("", []string{"at", "n"}))
	want := []string{`"2026-03-29T00:30:00.5Z" 1`, `"1969-12-31T23:59:59.999999Z" 2`, "null 3", `"1677-09-21T00:12:43.145225Z" 4`}
	if got.err != nil || !reflect.DeepEqual(got.rows, want) {
		t.Errorf("got %+v", got)
	}
}

func TestAnIntegerThatDoesNotFitMakesItsRowMalformed(t *testing.T) {
	c := parquet(t, "unsigned.parquet")
	got := read(t, open(t, c).Source("", []string{"n", "u"}))
	want := result{rows: []string{"1 1", "3 2"}, malformed: []string{c.Paths[0] + `: row 2: field "u": 18446744073709551615 is out of range`}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if got := read(t, open(t, c).Source("", []string{"n"})); len(got.rows) != 3 {
		t.Errorf("a field that is not in use: got %+v", got)
	}
}

func TestSchemasOfParquetFilesAreUnited(t *testing.T) {
	table := open(t, parquet(t, "union1.parquet", "union2.parquet"))
	if got := table.Schema().String(); got != "{n: number?, a: string?, b: boolean?}" {
		t.Errorf("got %s", got)
	}
	got := read(t, table.Source("", []string{"b", "n", "a"}))
	if want := []string{`null 1 "x"`, `true 2.5 null`}; got.err != nil || !reflect.DeepEqual(got.rows, want) {
		t.Errorf("got %+v", got)
	}
	c := parquet(t, "union1.parquet", "union3.parquet")
	_, err := rowio.Open(t.Context(), c)
	if want := `read parquet: field "n" is integer? in ` + c.Paths[0] + ", and string? in " + c.Paths[1] + ": read them apart, or convert one of them"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestParquetHasEventTimes(t *testing.T) {
	for _, c := range []struct {
		file, field string
		layout      timestamp.Layout
		want        []int64
		malformed   string
	}{
		{"kinds.parquet", "ns", timestamp.RFC3339, []int64{1774744200500000, -1}, `: row 3: missing field: event time "ns" is null`},
		{"kinds.parquet", "i16", timestamp.Seconds, []int64{-32768e6, 32767e6}, `: row 3: missing field: event time "i16" is null`},
		{"nested.parquet", "point.lat", timestamp.Millis, []int64{50500, -1000, 0}, `: row 3: missing field: event time "point.lat" is null`},
	} {
		config := parquet(t, c.file)
		config.Time = &rowio.TimeField{Field: c.field, Layout: c.layout}
		for _, fields := range [][]string{nil, {"id"}, {"b"}, {"point"}, {"ns", "i16"}} {
			table := open(t, config)
			if table.Schema().Index(append(fields, table.Schema().Names()...)[0]) < 0 {
				continue
			}
			got := read(t, table.Source("", fields))
			if got.err != nil || !reflect.DeepEqual(got.times, c.want) || len(got.rows) != len(c.want) || len(got.malformed) != 1 || got.malformed[0] != config.Paths[0]+c.malformed {
				t.Errorf("%s: got %+v", c.field, got)
			}
		}
	}
	for field, want := range map[string]string{
		"x":  `kinds.parquet: event time: there is no field "x", but b, i8,`,
		"b":  `kinds.parquet: event time "b" is boolean?, declared as RFC 3339`,
		"i8": `kinds.parquet: event time "i8" is integer?, declared as RFC 3339`,
	} {
		c := parquet(t, "kinds.parquet")
		c.Time = &rowio.TimeField{Field: field}
		if _, err := open(t, c).Source("", nil).Splits(t.Context()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	c := parquet(t, "many.parquet")
	c.Time = &rowio.TimeField{Field: "n", Layout: timestamp.Seconds}
	if got := read(t, open(t, c).Source("", nil)); got.err != nil || len(got.times) != 10_000 || got.times[9_999] != 9_999e6 {
		t.Errorf("got %d times, %v", len(got.times), got.err)
	}
}

func TestWhatIsNoParquetIsExplained(t *testing.T) {
	whole, err := os.ReadFile("testdata/many.parquet")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	long := append([]byte{}, whole...)
	long[len(long)-5] = 0x7f
	for _, c := range []struct {
		text []byte
		want string
		is   error
	}{
		{nil, "not a Parquet file: it has 0 bytes only", parquetrow.ErrFormat},
		{[]byte(`{"a":1,"b":2}` + "\n"), `not a Parquet file: it begins with "{\"a\"" and not with PAR1`, parquetrow.ErrFormat},
		{whole[:len(whole)/2], "not a Parquet file: it is cut off, as its schema is at its end (copied in part, or still being written?)", parquetrow.ErrFormat},
		{long, "the file is damaged: its footer would have", parquetrow.ErrDamaged},
		{[]byte("\x1f\x8b\x08\x00 and so on"), "not a Parquet file: it is compressed as a whole", parquetrow.ErrFormat},
		{[]byte("PARE and so on PARE"), "not supported: it is encrypted", parquetrow.ErrUnsupported},
	} {
		if err := os.WriteFile("a.parquet", c.text, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := rowio.Open(t.Context(), rowio.Config{Format: "parquet", Paths: []string{"a.parquet"}})
		if !errors.Is(err, c.is) || !strings.HasPrefix(err.Error(), "read parquet: a.parquet: "+c.want) {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
		// Behind a whole file its turn comes when that has been read.
		if err := os.WriteFile("0.parquet", whole, 0o666); err != nil {
			t.Fatal(err)
		}
		got := read(t, open(t, rowio.Config{Format: "parquet", Paths: []string{"*.parquet"}}).Source("", []string{"n"}))
		if len(got.rows) != 10_000 || !errors.Is(got.err, c.is) || !strings.HasPrefix(got.err.Error(), "a.parquet: "+c.want) {
			t.Errorf("got %d rows, %v", len(got.rows), got.err)
		}
	}
}

func TestACorruptPageIsAnErrorWithItsRowGroup(t *testing.T) {
	whole, err := os.ReadFile("testdata/many.parquet")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	// The columns of a row group lie one behind another; the pages have checksums. A byte in
	// the middle of the file is in the second or third of four row groups.
	whole[len(whole)/2] ^= 0x40
	if err := os.WriteFile("a.parquet", whole, 0o666); err != nil {
		t.Fatal(err)
	}
	table := open(t, rowio.Config{Format: "parquet", Paths: []string{"a.parquet"}})
	failed := 0
	for _, name := range table.Schema().Names() {
		got := read(t, table.Source("", []string{name}))
		if got.err == nil {
			continue
		}
		failed++
		if n := len(got.rows); n < 2500 || n >= 7500 || !errors.Is(got.err, parquetrow.ErrDamaged) ||
			!strings.HasPrefix(got.err.Error(), "a.parquet: row group "+itoa(1+n/2500)+", row "+itoa(n+1)+`, column "`+name+`": the file is damaged: `) {
			t.Errorf("got %d rows, %v", n, got.err)
		}
	}
	if failed != 1 {
		t.Errorf("%d columns could not be read", failed)
	}
}

func TestParquetIsRefusedWhereItCannotBe(t *testing.T) {
	for _, c := range []struct {
		config rowio.Config
		want   string
	}{
		{rowio.Config{Paths: []string{"-"}}, "read parquet: Parquet cannot be read from the standard input, as it is read from its end: write it to a file first"},
		{rowio.Config{Paths: []string{"x"}, Follow: true}, "read parquet: a Parquet file is complete or none, and cannot be followed"},
		{rowio.Config{Paths: []string{"x"}, Schema: types("a:string")}, "read parquet: Parquet files have their schema in themselves: leave it out"},
		{rowio.Config{Paths: []string{"none.parquet"}}, "read parquet: none.parquet: no such file"},
	} {
		c.config.Format = "parquet"
		if _, err := rowio.Open(t.Context(), c.config); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if err := open(t, parquet(t, "union1.parquet")).Source("", []string{"z"}).(interface{ Validate() error }).Validate(); err == nil || err.Error() != `there is no field "z", but n, a` {
		t.Errorf("got %v", err)
	}
}
