package csv_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/csv"
	"github.com/strandline-stream/strandline/connector/timestamp"
)

type reading struct {
	Sensor string  `csv:"sensor"`
	Value  float64 `csv:"value"`
	Count  int64   `csv:"count"`
}

// result is all that a source gives.
type result[T any] struct {
	values    []T
	times     []int64
	malformed []string // position, reason
	raw       []string
	err       error
}

func read[T any](t testing.TB, s connector.Source[T]) (got result[T]) {
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

// from reads text, whose lines are given.
func from[T any](lines ...string) csv.Source[T] {
	return csv.Reader[T]("in", strings.NewReader(strings.Join(lines, "\n"))).Ends()
}

func TestCSVKeepsTheContract(t *testing.T) {
	t.Chdir(t.TempDir())
	var want []reading
	for file := range 3 {
		// Each file has its columns in an order of its own, and one that nobody asks for.
		var text strings.Builder
		order := [][3]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}[file]
		put := func(fields ...string) {
			fmt.Fprintf(&text, "%s,%s,x,%s\r\n", fields[order[0]], fields[order[1]], fields[order[2]])
		}
		put("sensor", "value", "count")
		for i := range 1500 {
			v := reading{Sensor: fmt.Sprintf("s%d", i), Value: float64(i) / 4, Count: int64(i)}
			switch i % 3 {
			case 0:
				put(v.Sensor, fmt.Sprint(v.Value), fmt.Sprint(i))
			case 1:
				put(`"`+v.Sensor+`"`, fmt.Sprintf(`"%v"`, v.Value), fmt.Sprint(i, ".0")[:len(fmt.Sprint(i))]+".0")
			case 2:
				v.Sensor = fmt.Sprintf("a \"quoted\",\r\nname %d", i)
				put(`"`+strings.ReplaceAll(v.Sensor, `"`, `""`)+`"`, fmt.Sprint(v.Value), fmt.Sprint(i))
			}
			if want = append(want, v); i%100 == 0 {
				text.WriteString("broken\n\n")
			}
		}
		if err := os.WriteFile(fmt.Sprintf("%d.csv", file), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, s := range map[string]csv.Source[reading]{
		"one split":       csv.File[reading]("*.csv"),
		"a split a file":  csv.File[reading]("*.csv").SplitPerFile(),
		"with event time": csv.File[reading]("*.csv").EventTime("count", timestamp.Seconds),
		"parallel":        csv.File[reading]("*.csv").Parallel(3),
	} {
		t.Run(name, func(t *testing.T) {
			connectortest.ExerciseSource(t, func(*testing.T) connector.Source[reading] { return s }, want)
		})
	}
	t.Run("live", func(t *testing.T) {
		connectortest.ExerciseSource(t, func(t *testing.T) connector.Source[reading] {
			in, out := io.Pipe()
			text, err := os.ReadFile("0.csv")
			if err != nil {
				t.Fatal(err)
			}
			go out.Write(text) // fails once the reader is closed
			t.Cleanup(func() { in.Close() })
			return csv.Reader[reading]("pipe", in)
		}, want[:1500])
	})
	t.Run("tail", func(t *testing.T) {
		connectortest.ExerciseSource(t, func(t *testing.T) connector.Source[reading] { return csv.Tail[reading]("0.csv") }, want[:1500])
	})
}

type all struct {
	Text    string
	Bytes   []byte
	Bool    bool
	I8      int8
	U64     uint64
	F32     float32
	At      time.Time
	For     time.Duration
	Address netip.Addr // a TextUnmarshaler
	MaybeI  *int32
	MaybeS  *string
	MaybeT  *time.Time
	SQL     sql.NullInt64
	Null    combine.Null[string]
	Where   struct {
		Room  string `csv:"room"`
		Floor *int
	} `csv:"where"`
	part
	Hidden map[string]int `csv:"-"`
}

type part struct {
	Extra float64 `csv:"extra,optional"`
}

const allColumns = "Text,Bytes,Bool,I8,U64,F32,At,For,Address,MaybeI,MaybeS,MaybeT,SQL,Null,where.room,where.Floor"

func TestFieldsAreTyped(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 500_000_000, time.UTC)
	empty, one, floor := "", int32(1), -2
	full := all{
		Text: "tëxt", Bytes: []byte("b\xff"), Bool: true, I8: -128, U64: math.MaxUint64, F32: 0.5, At: at, For: 90 * time.Second,
		Address: netip.MustParseAddr("::1"), MaybeI: &one, MaybeS: &empty, MaybeT: &at, SQL: sql.NullInt64{Int64: 7, Valid: true}, Null: combine.Some(""),
	}
	full.Where.Room, full.Where.Floor = "r", &floor
	got := read(t, from[all](allColumns,
		"tëxt,b\xff,TRUE,-128,18446744073709551615,0.5,2026-03-01T12:00:00.5Z,1m30s,::1,1,\"\",2026-03-01T12:00:00.5Z,7,\"\",r,-2",
		",,,,,,,,,,,,,,,",
	))
	if got.err != nil || len(got.malformed) > 0 || !reflect.DeepEqual(got.values, []all{full, {}}) {
		t.Errorf("got %+v\nwant %+v", got, full)
	}
	got = read(t, from[all](allColumns+",extra", strings.Repeat(",", 16)+"-inf"))
	if got.err != nil || len(got.values) != 1 || !math.IsInf(got.values[0].Extra, -1) {
		t.Errorf("an optional column: got %+v", got)
	}
}

func TestGoodRecords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []reading
	}{
		{"plain", "a,1.5,2\n", []reading{{"a", 1.5, 2}}},
		{"without an end", "a,1.5,2", []reading{{"a", 1.5, 2}}},
		{"CR LF", "a,1.5,2\r\nb,1,1\r\n", []reading{{"a", 1.5, 2}, {"b", 1, 1}}},
		{"lines without bytes are no records", "\n\r\na,1.5,2\n\n", []reading{{"a", 1.5, 2}}},
		{"null is zero", ",,\n", []reading{{}}},
		{"blanks are text", " a ,1,1\n", []reading{{" a ", 1, 1}}},
		{"quoted", `"a","1.5","2"` + "\n", []reading{{"a", 1.5, 2}}},
		{"a delimiter within quotes", `"a,b",1,1`, []reading{{"a,b", 1, 1}}},
		{"doubled quotes", `"""a""",1,1` + "\n" + `"""",1,1` + "\n" + `"a""""b",1,1`, []reading{{`"a"`, 1, 1}, {`"`, 1, 1}, {`a""b`, 1, 1}}},
		{"two fields with doubled quotes", "\"a\"\"b\",\"1\",\"2\"\n", []reading{{`a"b`, 1, 2}}},
		{"lines within quotes", "\"a\nb\",1,1\n\"\n\n\",2,2\r\n\"\r\n\",3,3", []reading{{"a\nb", 1, 1}, {"\n\n", 2, 2}, {"\r\n", 3, 3}}},
		{"a quote closed on a line of its own", "\"a\n\",1,1\n\"b\n\"\"\n\",2,2\n", []reading{{"a\n", 1, 1}, {"b\n\"\n", 2, 2}}},
		{"a whole number with a point", "a,1,12.0\na,1,1e3", []reading{{"a", 1, 12}, {"a", 1, 1000}}},
		{"signs and zeros", "a,+1,007\na,-.5,-0", []reading{{"a", 1, 7}, {"a", -0.5, 0}}},
	} {
		for name, s := range map[string]csv.Source[reading]{
			"header":             csv.Reader[reading]("in", strings.NewReader("sensor,value,count\n"+c.text)),
			"header with quotes": csv.Reader[reading]("in", strings.NewReader("\xef\xbb\xbf\"sensor\",\"value\",\"count\"\r\n"+c.text)),
			"declared":           csv.Reader[reading]("in", strings.NewReader(c.text)).Columns("sensor", "value", "count"),
			"byte order mark":    csv.Reader[reading]("in", strings.NewReader("\xef\xbb\xbf"+c.text)).Columns("sensor", "value", "count"),
		} {
			if got := read(t, s.Ends()); got.err != nil || len(got.malformed) > 0 || !reflect.DeepEqual(got.values, c.want) {
				t.Errorf("%s, %s: %q = %+v, want %+v", c.name, name, c.text, got, c.want)
			}
		}
	}
}

func TestMalformedRecords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       error
		says       string
	}{
		{"too few fields", "a,1", csv.ErrFields, "wrong number of fields: 2, and the header names 3"},
		{"too many fields", "a,1,1,", csv.ErrFields, "wrong number of fields: 4, and the header names 3"},
		{"too many fields, one quoted", `a,1,1,"x"`, csv.ErrFields, "wrong number of fields: 4, and the header names 3"},
		{"a blank", " ", csv.ErrFields, "wrong number of fields: 1, and the header names 3"},
		{"the number counts more than what is in it", "a,x", csv.ErrFields, "wrong number of fields: 2, and the header names 3"},
		{"no number", "a,x,1", csv.ErrNumber, `column "value": "x" does not fit a Go float64: not a number`},
		{"a blank before a number", "a, 1,1", csv.ErrNumber, `column "value": " 1" does not fit a Go float64: not a number`},
		{"empty text for a number", `a,"",1`, csv.ErrNumber, `column "value": "" does not fit a Go float64: not a number`},
		{"a decimal comma", `a,"1,5",1`, csv.ErrNumber, `column "value": "1,5" does not fit a Go float64: not a number`},
		{"too great for a float", "a,1e400,1", csv.ErrNumber, `column "value": "1e400" does not fit a Go float64: out of range`},
		{"rounded", "a,9007199254740993,1", csv.ErrNumber, `column "value": "9007199254740993" does not fit a Go float64: it would be rounded`},
		{"a fraction for an integer", "a,1,1.5", csv.ErrNumber, `column "count": "1.5" does not fit a Go int64: not a whole number`},
		{"too great", "a,1,9223372036854775808", csv.ErrNumber, `column "count": "9223372036854775808" does not fit a Go int64: out of range`},
		{"hexadecimal", "a,1,0x10", csv.ErrNumber, `column "count": "0x10" does not fit a Go int64: not a number`},
		{"not UTF-8", "caf\xe9,1,1", csv.ErrType, `column "sensor": "caf\xe9" does not fit a Go string: not UTF-8`},
		{"text after a quote", `"a"b,1,1`, csv.ErrQuote, "misplaced quote: in field 1 something follows its closing quote"},
		{"a blank after a quote", `"a" ,1,1`, csv.ErrQuote, "misplaced quote: in field 1 something follows its closing quote"},
		{"a quote within a field", `a,1"2,1`, csv.ErrQuote, "misplaced quote: in field 2 there is a quote in it, and it does not begin with one"},
		{"a blank before a quote", `a, "1",1`, csv.ErrQuote, "misplaced quote: in field 2 there is a quote in it, and it does not begin with one"},
		{"never closed", `a,1,"1`, csv.ErrQuote, "misplaced quote: in field 3 its quote is not closed"},
		{"wrong in a column that nobody uses", `a,1,1"`, csv.ErrQuote, "misplaced quote: in field 3 there is a quote in it, and it does not begin with one"},
	} {
		got := read(t, from[reading]("sensor,value,count", "before,1,1", c.text, "after,2,2"))
		if got.err != nil || len(got.values) != 2 || len(got.malformed) != 1 || got.malformed[0] != "in:3: "+c.says || got.raw[0] != c.text {
			t.Errorf("%s: got %+v, want one malformed: %s", c.name, got, c.says)
			continue
		}
		if want := []reading{{"before", 1, 1}, {"after", 2, 2}}; !reflect.DeepEqual(got.values, want) {
			t.Errorf("%s: the records around it are %+v", c.name, got.values)
		}
		if err := reason(t, from[reading]("sensor,value,count", c.text)); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v is not %v", c.name, err, c.kind)
		}
	}
	type others struct {
		B bool
		D time.Duration
		T time.Time
		A netip.Addr
	}
	got := read(t, from[others]("B,D,T,A", "yes,,,", ",5,,", ",,yesterday,", ",,,1.2.3", "t,5s,2026-03-01T00:00:00Z,1.2.3.4"))
	want := []string{
		`in:2: column "B": "yes" does not fit a Go bool: not true or false`, `in:3: column "D": "5" does not fit a Go time.Duration: not a duration such as 1m30s`,
		`in:4: column "T": "yesterday" does not fit a Go time.Time: not a time such as 2026-03-29T01:30:00Z`,
		`in:5: column "A": "1.2.3" does not fit a Go netip.Addr: ParseAddr("1.2.3"): IPv4 address too short`,
	}
	if !reflect.DeepEqual(got.malformed, want) || len(got.values) != 1 {
		t.Errorf("got %+v", got)
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

// From the field: csv-stream#51.
func TestAnUnbalancedQuoteCostsOneRecordAndNotTheRestOfTheFile(t *testing.T) {
	const rows = 100_000
	var plain, quoted strings.Builder
	plain.WriteString("sensor,value,count\n")
	quoted.WriteString("sensor,value,count\n")
	for i := range rows {
		if i == 1000 {
			plain.WriteString("\"a,1,1\n")
			quoted.WriteString("\"a,1,1\n")
		}
		fmt.Fprintf(&plain, "s%d,1,%d\n", i, i)
		fmt.Fprintf(&quoted, "\"s%d\",\"1\",\"%d\"\n", i, i)
	}
	for name, text := range map[string]string{"no other quotes": plain.String(), "quotes everywhere": quoted.String()} {
		for _, n := range []int{1, 3} {
			got := read(t, csv.Reader[reading]("in", strings.NewReader(text)).Ends().Parallel(n))
			if got.err != nil || len(got.values) != rows || len(got.malformed) != 1 || got.raw[0] != `"a,1,1` || !strings.HasPrefix(got.malformed[0], "in:1002: misplaced quote: in field 1") {
				t.Errorf("%s: %d values, %q, %v", name, len(got.values), got.malformed, got.err)
			}
			for i, v := range got.values {
				if v.Count != int64(i) {
					t.Fatalf("%s: row %d is %+v", name, i, v)
				}
			}
		}
	}
}

func TestWhatABadRecordOfSeveralLinesCosts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		values     int
		malformed  []string
	}{
		{"its lines up to the closing quote", "\"a\nb\",1\nc,2,2\n", 1, []string{"in:2: wrong number of fields: 2, and the header names 3"}},
		{"but not a record among them", "\"a\nb,1,1\nc\",d\ne,2,2\n", 2, []string{
			"in:2: misplaced quote: in field 1 its quote is not closed", "in:4: misplaced quote: in field 1 there is a quote in it, and it does not begin with one"}},
		{"nor the beginning of one", "\"a\n\"b\nc\",1,1\n", 1, []string{"in:2: misplaced quote: in field 1 its quote is not closed"}},
		{"with a quote that opens again", "\"a\nb\",\"1\nx\"2,3\nc,2,2\n", 1, []string{"in:2: misplaced quote: in field 2 something follows its closing quote"}},
		{"two of them", "\"a\nb\",1\n\"a\nb\",1\n", 0, []string{"in:2: wrong number of fields: 2, and the header names 3", "in:4: wrong number of fields: 2, and the header names 3"}},
		{"one that is right but for a number", "\"a\nb\",x,1\nc,2,2\n", 1, []string{`in:2: column "value": "x" does not fit a Go float64: not a number`}},
	} {
		got := read(t, csv.Reader[reading]("in", strings.NewReader("sensor,value,count\n"+c.text)).Ends())
		if got.err != nil || len(got.values) != c.values || !reflect.DeepEqual(got.malformed, c.malformed) {
			t.Errorf("%s: got %+v", c.name, got)
		}
	}
}

func TestARecordBeyondTheLimitIsMalformed(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		name, text string
		values     int
		says       []string
	}{
		{"a line", long + ",1,1", 0, []string{"in:3: line is too long: more than 50 bytes"}},
		{"a line with quotes", `"` + long + `",1,1`, 0, []string{"in:3: line is too long: more than 50 bytes"}},
		{"lines within quotes", "\"" + strings.Repeat("12345678\n", 10) + `",1,1`, 0, []string{
			"in:3: misplaced quote: in field 1 its quote is not closed", "in:4: wrong number of fields: 1, and the header names 3"}},
		{"just within the limit", "\"" + strings.Repeat("1234567\n", 5) + "1234\",1,1", 1, nil}, // 1 + 40 + 9
		{"one beyond it", "\"" + strings.Repeat("1234567\n", 5) + "12345\",1,1", 0, []string{"in:3: misplaced quote: in field 1 its quote is not closed"}},
	} {
		got := read(t, from[reading]("sensor,value,count", "before,1,1", c.text, "after,2,2").MaxRecord(50))
		if got.err != nil || len(got.values) != c.values+2 || len(got.malformed) < len(c.says) || !slices.Equal(got.malformed[:len(c.says)], c.says) {
			t.Errorf("%s: got %+v", c.name, got)
		}
		for _, raw := range got.raw {
			if len(raw) > 50 {
				t.Errorf("%s: %d raw bytes", c.name, len(raw))
			}
		}
	}
}

func TestNull(t *testing.T) {
	type row struct {
		S *string
		N combine.Null[float64]
		I int
	}
	s, none := "x", ""
	got := read(t, from[row]("S,N,I", "x,1,1", `"",,`, ",,2").Require("S"))
	want := []row{{&s, combine.Some(1.0), 1}, {&none, combine.Null[float64]{}, 0}}
	if !reflect.DeepEqual(got.values, want) || !reflect.DeepEqual(got.malformed, []string{`in:4: column "S" is empty`}) {
		t.Errorf("got %+v", got)
	}
	if err := reason(t, from[row]("S,N,I", ",,").Require("I")); !errors.Is(err, csv.ErrMissing) {
		t.Errorf("got %v", err)
	}
}

func TestDelimitersAndComments(t *testing.T) {
	got := read(t, from[reading]("# made by hand", "", "count\tsensor\tvalue", "1\ta,b\t1.5", "# not 5", "2\t\"#\"\t2", "3\t#\t3").Delimiter('\t').Comment('#'))
	if want := []reading{{"a,b", 1.5, 1}, {"#", 2, 2}, {"#", 3, 3}}; got.err != nil || !reflect.DeepEqual(got.values, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got = read(t, from[reading](`# "`, "a,1,1", `# ","`, "\"x\n# no comment\",2,2").Columns("sensor", "value", "count").Comment('#'))
	if want := []reading{{"a", 1, 1}, {"x\n# no comment", 2, 2}}; got.err != nil || !reflect.DeepEqual(got.values, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAHeaderThatDoesNotFitEndsTheRunAndSaysWhy(t *testing.T) {
	for _, c := range []struct {
		name string
		s    csv.Source[reading]
		says string
	}{
		{"a column is missing", from[reading]("sensor,count", "a,1"), `in:1: the header names no column "value", but "sensor", "count"`},
		{"two are", from[reading]("", "value"), `in:2: the header names no column "sensor", "count", but "value"; is ',' the right delimiter?`},
		{"another delimiter", from[reading]("sensor;value;count"), `in:1: the header names no column "sensor", "value", "count", but "sensor;value;count"; is ',' the right delimiter?`},
		{"a blank in a name", from[reading]("sensor, value,count"), `in:1: the header names no column "value", but "sensor", " value", "count"`},
		{"a name given twice", from[reading]("sensor,value,count,value"), `in:1: the header names twice: "value"`},
		{"that of the event time is missing", from[reading]("sensor,value,count").EventTime("at", timestamp.Seconds), `in:1: the header names no column "at", but "sensor", "value", "count"`},
		{"a required one is", from[reading]("sensor,value,count").Require("id"), `in:1: the header names no column "id", but "sensor", "value", "count"`},
		{"a misplaced quote", from[reading](`sensor,"value"x,count`), "in:1: the header cannot be read: misplaced quote: in field 2 something follows its closing quote"},
		{"too long", from[reading](strings.Repeat("x", 100)).MaxRecord(50), "in:1: line is too long: more than 50 bytes"},
		{"declared", from[reading]("a").Columns("sensor", "value"), `csv: there are declared no column "count", but "sensor", "value"`},
	} {
		if got := read(t, c.s); got.err == nil || got.err.Error() != c.says || len(got.values)+len(got.malformed) > 0 {
			t.Errorf("%s: got %v\nwant %s", c.name, got.err, c.says)
		}
	}
	if got := read(t, from[reading]("sensor,x", "x").Parallel(2)); !errors.Is(got.err, csv.ErrHeader) {
		t.Errorf("got %v", got.err)
	}
	if got := read(t, from[reading]("x,count,sensor,value,x", "1,2,a,3,4")); len(got.values) != 1 || got.values[0] != (reading{"a", 3, 2}) {
		t.Errorf("a name given twice of no use: %+v", got)
	}
	if got := read(t, from[reading]()); got.err != nil || len(got.values)+len(got.malformed) > 0 {
		t.Errorf("nothing at all: %+v", got)
	}
	got := read(t, from[reading]("\"sensor\",\"a\nb\",value,count", "x,y,1,2", "bad"))
	if len(got.values) != 1 || len(got.malformed) != 1 || !strings.HasPrefix(got.malformed[0], "in:4: ") {
		t.Errorf("a header of two lines: %+v", got)
	}
}

func TestTypesThatAreNoRecordsAreRefusedAtTheStart(t *testing.T) {
	type untyped struct{ X any }
	type nested struct{ In untyped }
	type twice struct {
		A int `csv:"x"`
		B int `csv:"x"`
	}
	type tagged struct {
		x int `csv:"x"`
	}
	type option struct {
		A int `csv:"x,omitempty"`
	}
	type part struct {
		R reading `csv:",optional"`
	}
	_ = tagged{x: 1}
	for want, err := range map[string]error{
		"csv: records are structs with a field for each column, and int is none":                                             splits(t, from[int]()),
		"csv: records are structs with a field for each column, and time.Time is none":                                       splits(t, from[time.Time]()),
		"csv: field X of csv_test.untyped: a column cannot be read into a Go interface {}":                                   splits(t, from[nested]()),
		`csv: csv_test.twice has two fields for the column "x"`:                                                              splits(t, from[twice]()),
		"csv: field x of csv_test.tagged has a csv tag, and is not exported":                                                 splits(t, from[tagged]()),
		`csv: field A of csv_test.option: there is no option "omitempty", only optional`:                                     splits(t, from[option]()),
		"csv: field R of csv_test.part: optional is for columns, and a struct is none":                                       splits(t, from[part]()),
		"csv: Delimiter('\"'): an ASCII character that is no quote, end of a line, or zero":                                  splits(t, from[reading]().Delimiter('"')),
		"csv: Comment(','): an ASCII character that is no quote, end of a line, or delimiter":                                splits(t, from[reading]().Comment(',')),
		"csv: EventTime needs the name of a column\nMaxRecord(0): a record has a byte at least\nParallel(0): from 1 to 1024": splits(t, from[reading]().EventTime("", timestamp.Seconds).MaxRecord(0).Parallel(0)),
	} {
		if fmt.Sprint(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func splits[T any](t *testing.T, s csv.Source[T]) error {
	_, err := s.Splits(t.Context())
	return err
}

func TestEventTimes(t *testing.T) {
	const second = 1_000_000
	got := read(t, from[reading]("sensor,value,count,at", "a,1,1,1.0000019", "a,1,1,", `a,1,1,"-1"`, "a,1,1,soon", "a,x,1,5").EventTime("at", timestamp.Seconds))
	want := []string{
		`in:3: column "at" is empty`, `in:5: event time cannot be read: column "at": "soon" is not a number`, `in:6: column "value": "x" does not fit a Go float64: not a number`,
	}
	if got.err != nil || !reflect.DeepEqual(got.times, []int64{second + 1, -second}) || !reflect.DeepEqual(got.malformed, want) {
		t.Errorf("got %+v", got)
	}
	got = read(t, from[reading]("at,sensor,value,count", "2.1.1970,a,1,1").EventTime("at", timestamp.Format("2.1.2006", nil)))
	if !reflect.DeepEqual(got.times, []int64{86400 * second}) {
		t.Errorf("got %+v", got)
	}
	if s := from[reading](); s.Timed() || !s.EventTime("at", timestamp.Seconds).Timed() {
		t.Error("a source does not know whether it is timed")
	}
	for err, s := range map[error]csv.Source[reading]{
		csv.ErrMissing: from[reading]("at,sensor,value,count", ",a,1,1").EventTime("at", timestamp.RFC3339),
		csv.ErrTime:    from[reading]("at,sensor,value,count", "x,a,1,1").EventTime("at", timestamp.RFC3339),
	} {
		if got := reason(t, s); !errors.Is(got, err) {
			t.Errorf("%v is not %v", got, err)
		}
	}
}

func TestAWrongUnitStopsTheRunAtItsStart(t *testing.T) {
	lines := []string{"sensor,value,count,at"}
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("a,1,1,%d", 1_700_000_000+i))
	}
	for _, n := range []int{1, 3} {
		got := read(t, from[reading](lines...).EventTime("at", timestamp.Millis).Parallel(n))
		const want = `in: event time "at": unlikely event times: the median of the first 100 is 1700000050, as milliseconds 1970-01-20T16:13:20.05Z: ` +
			`these look like seconds read as milliseconds (declare that unit in EventTime, or accept the times with AcceptUnlikelyTimes)`
		if !errors.Is(got.err, csv.ErrUnlikelyTimes) || got.err.Error() != want || len(got.values) > 0 {
			t.Errorf("got %v and %d records\nwant %s", got.err, len(got.values), want)
		}
		got = read(t, from[reading](lines...).EventTime("at", timestamp.Millis).AcceptUnlikelyTimes().Parallel(n))
		if got.err != nil || len(got.values) != 5000 {
			t.Errorf("accepted: %v and %d records", got.err, len(got.values))
		}
	}
}

func TestFilesHaveHeadersOfTheirOwnAndPositions(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.csv": "sensor,value,count\nbad\na,1,1", "b.csv": "count,sensor,value\n2,b,2\n\"x\ny\",\nbad\n", "c.csv": "", "d.csv": "sensor,value,count"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []int{1, 2} {
		got := read(t, csv.File[reading]("*.csv").Parallel(n))
		var where []string
		for _, m := range got.malformed {
			where = append(where, m[:strings.Index(m, ": ")])
		}
		if want := []string{"a.csv:2", "b.csv:3", "b.csv:5"}; !reflect.DeepEqual(where, want) || !reflect.DeepEqual(got.values, []reading{{"a", 1, 1}, {"b", 2, 2}}) {
			t.Errorf("got %+v", got)
		}
	}
	if got := read(t, csv.File[reading]("gone.csv")); got.err == nil || !strings.HasPrefix(got.err.Error(), "csv: gone.csv: no such file") {
		t.Errorf("got %v", got.err)
	}
	if _, err := csv.File[reading]("a.csv").Poll(time.Second).Splits(context.Background()); err == nil || err.Error() != "csv: Poll(1s): a.csv is not followed: use Tail" {
		t.Errorf("got %v", err)
	}
}
