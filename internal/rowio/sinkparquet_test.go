package rowio_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

func nullable(t record.Type) record.Type { t.Nullable = true; return t }

func listOf(t record.Type) record.Type { return record.Type{Kind: record.List, Elem: &t} }

func objectOf(fields ...record.Field) record.Type {
	return record.Type{Kind: record.Struct, Fields: fields}
}

// everything is a schema with all that Parquet can hold, and rows of it.
func everything() (record.Schema, []record.Row) {
	s := types("b:boolean", "i:integer?", "x:number", "s:string?", "bin:bytes?", "at:timestamp?", "a:integer")
	point := objectOf(types("lat:number", "name:string?")...)
	s = append(s,
		record.Field{Name: "point", Type: nullable(point)},
		record.Field{Name: "tags", Type: nullable(listOf(record.Type{Kind: record.String, Nullable: true}))},
		record.Field{Name: "grid", Type: listOf(nullable(listOf(record.Type{Kind: record.Int})))},
		record.Field{Name: "deep", Type: objectOf(record.Field{Name: "points", Type: nullable(listOf(nullable(objectOf(append(types("z:boolean?", "p:number"), record.Field{Name: "l", Type: listOf(record.Type{Kind: record.Time})})...))))})},
	)
	null := record.Value{}
	str, i, list := record.OfString, record.OfInt, func(vs ...record.Value) record.Value { return record.OfList(vs) }
	pt := func(vs ...record.Value) record.Value { return record.OfStruct([]string{"lat", "name"}, vs) }
	deep := func(v record.Value) record.Value { return record.OfStruct([]string{"points"}, []record.Value{v}) }
	zpl := func(vs ...record.Value) record.Value { return record.OfStruct([]string{"z", "p", "l"}, vs) }
	return s, []record.Row{
		{record.OfBool(true), i(math.MinInt64), record.OfFloat(0.1), str("ä"), record.OfBytes([]byte{0, 255}), record.OfTime(1774744200500001), i(1),
			pt(record.OfFloat(50.5), str("x")), list(str("a"), null, str("")), list(list(i(1), i(2)), null, list(), list(i(3))), deep(list(zpl(null, record.OfFloat(1), list(record.OfTime(-1), record.OfTime(2))), null, zpl(record.OfBool(true), record.OfFloat(2), list())))},
		{record.OfBool(false), null, record.OfFloat(math.Inf(-1)), null, null, null, i(2), null, null, list(), deep(null)},
		{record.OfBool(false), i(0), record.OfFloat(math.NaN()), str(""), record.OfBytes([]byte{}), record.OfTime(-62135596800000000), i(3),
			pt(record.OfFloat(0), null), list(), list(null), deep(list())},
	}
}

// written writes a file of rows.
func written(t testing.TB, path string, schema record.Schema, rows ...[]record.Row) {
	t.Helper()
	w, err := rowio.Sink(rowio.SinkConfig{Format: "parquet", Path: path}, schema).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, batch := range rows {
		if err := w.Write(t.Context(), connectortest.NewRows(batch)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Flush(t.Context()), w.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
}

func showAll(rows []record.Row) (all []string) {
	for _, r := range rows {
		all = append(all, show(r))
	}
	return all
}

func TestWhatIsWrittenAsParquetIsReadBack(t *testing.T) {
	t.Chdir(t.TempDir())
	schema, rows := everything()
	written(t, "a.parquet", schema, rows[:1], nil, rows[1:])
	table := open(t, rowio.Config{Format: "parquet", Paths: []string{"a.parquet"}})
	if !reflect.DeepEqual(table.Schema(), schema) {
		t.Errorf("got %s\nwant %s", table.Schema(), schema)
	}
	if got := read(t, table.Source("", schema.Names())); got.err != nil || !reflect.DeepEqual(got.rows, showAll(rows)) {
		t.Errorf("got %+v\nwant %q", got, showAll(rows))
	}
	written(t, "a.parquet", schema)
	table = open(t, rowio.Config{Format: "parquet", Paths: []string{"a.parquet"}})
	if got := read(t, table.Source("", schema.Names())); got.err != nil || got.rows != nil || !reflect.DeepEqual(table.Schema(), schema) {
		t.Errorf("no rows: got %+v of %s", got, table.Schema())
	}
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 1 {
		t.Errorf("there are %v, %v", entries, err)
	}
}

// parts is a sink that ends a file at each Flush and begins another, as a Parquet file can be
// read only when it is complete.
type parts struct {
	connector.Sink
	next func() connector.Sink
}

func (p *parts) Open(ctx context.Context) (connector.Writer, error) {
	w, err := p.next().Open(ctx)
	return &partsWriter{w, p}, err
}

type partsWriter struct {
	connector.Writer
	parts *parts
}

func (w *partsWriter) Flush(ctx context.Context) error {
	err := errors.Join(w.Writer.Flush(ctx), w.Writer.Close())
	next, openErr := w.parts.next().Open(ctx)
	if openErr == nil {
		w.Writer = next
	}
	return errors.Join(err, openErr)
}

func TestParquetSinksKeepTheContract(t *testing.T) {
	schema, rows := everything()
	rows[2][2] = record.OfFloat(2) // as NaN is not equal to itself
	connectortest.ExerciseSink(t, func(t *testing.T) (connector.Sink, func() []record.Row) {
		t.Chdir(t.TempDir())
		n := 0
		next := func() connector.Sink {
			n++
			return rowio.Sink(rowio.SinkConfig{Format: "parquet", Path: fmt.Sprintf("%03d.parquet", n)}, schema)
		}
		return &parts{Sink: next(), next: next}, func() []record.Row {
			if some, _ := filepath.Glob("*.parquet"); some == nil {
				return nil
			}
			s := open(t, rowio.Config{Format: "parquet", Paths: []string{"*.parquet"}}).Source("", schema.Names())
			return readRows(t, s)
		}
	}, rows)
}

// readRows reads rows outside of a test's own context.
func readRows(t *testing.T, s connector.Source[record.Row]) []record.Row { return rows(t, s) }

func TestParquetHasWindowTimeAndPane(t *testing.T) {
	t.Chdir(t.TempDir())
	at := time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC)
	batch := connectortest.NewRows([]record.Row{{record.OfInt(1)}, {record.OfInt(2)}}).
		Set(0, at, window.Between(at, at.Add(time.Minute)), trigger.Pane{Timing: trigger.OnTime, First: true})
	c := rowio.SinkConfig{Format: "parquet", Path: "a.parquet", WindowStart: "from", WindowEnd: "to", EventTime: "at", Pane: "pane"}
	w, err := rowio.Sink(c, types("n:integer")).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(t.Context(), batch), w.Flush(t.Context()), w.Close()); err != nil {
		t.Fatal(err)
	}
	table := open(t, rowio.Config{Format: "parquet", Paths: []string{"a.parquet"}})
	want := []string{
		`1 "2026-03-29T01:30:00Z" "2026-03-29T01:31:00Z" "2026-03-29T01:30:00Z" "on time pane 0 (0), first"`,
		`2 null null "1970-01-01T00:00:00Z" "unknown pane 0 (0), first, last"`,
	}
	if got := read(t, table.Source("", table.Schema().Names())); !reflect.DeepEqual(got.rows, want) || table.Schema().String() != "{n: integer, from: timestamp?, to: timestamp?, at: timestamp, pane: string}" {
		t.Errorf("got %+v of %s", got, table.Schema())
	}
}

func TestTheOldParquetFileStaysIfARunFails(t *testing.T) {
	t.Chdir(t.TempDir())
	schema := types("n:integer")
	written(t, "a.parquet", schema, []record.Row{{record.OfInt(7)}})
	for name, run := range map[string]func(w connector.Writer, stop func()){
		"it fails":      func(connector.Writer, func()) {},
		"it is stopped": func(w connector.Writer, stop func()) { w.Flush(t.Context()); stop() },
	} {
		ctx, stop := context.WithCancel(t.Context())
		w, err := rowio.Sink(rowio.SinkConfig{Format: "parquet", Path: "a.parquet"}, schema).Open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(ctx, connectortest.NewRows([]record.Row{{record.OfInt(8)}})); err != nil {
			t.Fatal(err)
		}
		run(w, stop)
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		stop()
		got := read(t, open(t, rowio.Config{Format: "parquet", Paths: []string{"a.parquet"}}).Source("", []string{"n"}))
		if entries, _ := os.ReadDir("."); !reflect.DeepEqual(got.rows, []string{"7"}) || len(entries) != 1 {
			t.Errorf("%s: there are %v with %+v", name, entries, got)
		}
	}
}

func TestParquetIsNotWrittenWhereItCannotBe(t *testing.T) {
	schema := types("n:integer")
	for _, c := range []struct {
		config rowio.SinkConfig
		schema record.Schema
		want   string
	}{
		{rowio.SinkConfig{Path: "-"}, schema, "write stdout: Parquet is no text to be shown: name a file"},
		{rowio.SinkConfig{Path: "a", InPlace: true}, schema, "write a: a Parquet file can be read once it is complete, and this run does not end: write json or csv"},
		{rowio.SinkConfig{Path: "a.gz"}, schema, "write a.gz: Parquet compresses within itself: leave the ending that asks for it out of the name"},
		{rowio.SinkConfig{Path: "a"}, types("n:integer", "x:any"), `write a: field "x" may hold any type, and a column of Parquet has just one: cast it to one, or write JSON`},
		{rowio.SinkConfig{Path: "a"}, record.Schema{{Name: "l", Type: listOf(record.Type{Kind: record.Null})}}, `write a: field "l" may hold any type`},
		{rowio.SinkConfig{Path: "a"}, record.Schema{{Name: "o", Type: objectOf()}}, `write a: field "o" is an object without fields, which Parquet does not know: leave it out`},
		{rowio.SinkConfig{Path: "a"}, record.Schema{}, `write a: rows without fields cannot be written as Parquet`},
	} {
		c.config.Format = "parquet"
		if _, err := rowio.Sink(c.config, c.schema).Open(t.Context()); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestAValueThatDoesNotFitItsColumnIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	schema := append(types("n:integer"), record.Field{Name: "o", Type: nullable(objectOf(types("x:number?")...))})
	w, err := rowio.Sink(rowio.SinkConfig{Format: "parquet", Path: "a.parquet"}, schema).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	object := func(name string, v record.Value) record.Value {
		return record.OfStruct([]string{name}, []record.Value{v})
	}
	for _, c := range []struct {
		row  record.Row
		want string
	}{
		{record.Row{{}, {}}, `a.parquet: row {"n":null,"o":null} cannot be written: field "n" is null, and its type says that it is not`},
		{record.Row{record.OfString("x"), {}}, `a.parquet: row {"n":"x","o":null} cannot be written: field "n" is string, and its type says integer`},
		{record.Row{record.OfInt(1), object("y", record.OfInt(1))}, `a.parquet: row {"n":1,"o":{"y":1}} cannot be written: field "o" has fields that its type has not: [y]`},
	} {
		if err := w.Write(t.Context(), connectortest.NewRows([]record.Row{c.row})); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if err := w.Write(t.Context(), connectortest.NewRows([]record.Row{{record.OfInt(1), object("x", record.OfInt(2))}})); err != nil {
		t.Errorf("an integer is a number: %v", err)
	}
}
