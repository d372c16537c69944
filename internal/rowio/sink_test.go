package rowio_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
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

// reading gives a schema and rows of it.
func reading() (record.Schema, []record.Row) {
	s := types("sensor:string", "n:integer?", "x:number", "tags:any")
	return s, []record.Row{
		{record.OfString("a"), record.OfInt(1), record.OfFloat(0.5), record.OfList([]record.Value{record.OfString("x"), record.OfInt(1)})},
		{record.OfString(`b,"`), record.Value{}, record.OfFloat(-1e-9), record.Value{}},
		{record.OfString(""), record.OfInt(-9007199254740993), record.OfFloat(3), record.OfBool(true)},
		{record.OfString("ä\nb"), record.OfInt(0), record.OfFloat(0.1), record.Value{}},
	}
}

func TestSinksKeepTheContract(t *testing.T) {
	schema, rows := reading()
	for _, c := range []struct {
		name string
		to   rowio.SinkConfig
		rows []record.Row
	}{
		{"json", rowio.SinkConfig{Format: "json", Path: "out"}, rows},
		{"in place", rowio.SinkConfig{Format: "json", Path: "out", InPlace: true}, rows},
		{"compressed", rowio.SinkConfig{Format: "json", Path: "out.zst"}, rows},
	} {
		t.Run(c.name, func(t *testing.T) {
			connectortest.ExerciseSink(t, func(t *testing.T) (connector.Sink, func() []record.Row) {
				t.Chdir(t.TempDir())
				return rowio.Sink(c.to, schema), func() (got []record.Row) { return readBack(t, c.to.Path, schema) }
			}, c.rows)
		})
	}
}

// readBack reads what a sink has written so far, under the name that it has so far.
func readBack(t *testing.T, path string, schema record.Schema) (got []record.Row) {
	t.Helper()
	if hidden, _ := filepath.Glob("." + path + ".*.part"); len(hidden) == 1 {
		path = hidden[0]
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil // nothing is complete
	}
	s := open(t, rowio.Config{Format: "json", Paths: []string{path}, Schema: schema}).Source("", schema.Names())
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
		var b connector.Batch[record.Row]
		if r.Read(t.Context(), &b) != nil {
			return got // at the end, or where compressed bytes are cut off
		}
		got = append(got, b.Values...)
	}
}

func TestRowsAreWritten(t *testing.T) {
	schema, rows := reading()
	for _, c := range []struct {
		config rowio.SinkConfig
		want   string
	}{
		{rowio.SinkConfig{Format: "json"}, `{"sensor":"a","n":1,"x":0.5,"tags":["x",1]}
{"sensor":"b,\"","n":null,"x":-1e-9,"tags":null}
{"sensor":"","n":-9007199254740993,"x":3,"tags":true}
{"sensor":"ä\nb","n":0,"x":0.1,"tags":null}
`},
		{rowio.SinkConfig{Format: "csv"}, `sensor,n,x,tags
a,1,0.5,"[""x"",1]"
"b,""",,-1e-09,
"",-9007199254740993,3,true
"ä
b",0,0.1,
`},
		{rowio.SinkConfig{Format: "csv", Delimiter: '\t', NoHeader: true}, "a\t1\t0.5\t\"[\"\"x\"\",1]\"\n" +
			"\"b,\"\"\"\t\t-1e-09\t\n\"\"\t-9007199254740993\t3\ttrue\n\"ä\nb\"\t0\t0.1\t\n"},
	} {
		out := &bytes.Buffer{}
		c.config.Path, c.config.Stdout = "-", out
		w, err := rowio.Sink(c.config, schema).Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write(t.Context(), connectortest.NewRows(rows)), w.Flush(t.Context()), w.Close()); err != nil {
			t.Error(err)
		}
		if out.String() != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.config.Format, out, c.want)
		}
	}
}

func TestTextIsAStringALine(t *testing.T) {
	out := &bytes.Buffer{}
	w, err := rowio.Sink(rowio.SinkConfig{Format: "text", Path: "-", Stdout: out}, types("line:string")).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows := []record.Row{{record.OfString("a b")}, {record.OfString("")}, {record.OfString("c")}}
	if err := errors.Join(w.Write(t.Context(), connectortest.NewRows(rows)), w.Flush(t.Context())); err != nil || out.String() != "a b\n\nc\n" {
		t.Errorf("got %q, %v", out, err)
	}
	for _, v := range []record.Value{record.OfString("a\nb"), record.OfInt(1), {}} {
		if err := w.Write(t.Context(), connectortest.NewRows([]record.Row{{v}})); err == nil {
			t.Errorf("%v was written", v)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

func TestWindowTimeAndPaneAreFieldsIfTheyAreNamed(t *testing.T) {
	at := time.Date(2026, 3, 29, 1, 30, 0, 500, time.UTC)
	rows := connectortest.NewRows([]record.Row{{record.OfInt(1)}, {record.OfInt(2)}}).
		Set(0, at, window.Between(at.Truncate(time.Minute), at.Truncate(time.Minute).Add(time.Minute)), trigger.Pane{Timing: trigger.OnTime, First: true})
	out := &bytes.Buffer{}
	c := rowio.SinkConfig{Format: "csv", Path: "-", Stdout: out, WindowStart: "from", WindowEnd: "to", EventTime: "at", Pane: "pane"}
	w, err := rowio.Sink(c, types("n:integer")).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(t.Context(), rows), w.Flush(t.Context()), w.Close()); err != nil {
		t.Fatal(err)
	}
	want := "n,from,to,at,pane\n" +
		`1,2026-03-29T01:30:00Z,2026-03-29T01:31:00Z,2026-03-29T01:30:00Z,"on time pane 0 (0), first"` + "\n" +
		`2,,,1970-01-01T00:00:00Z,"unknown pane 0 (0), first, last"` + "\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

func TestTheOldFileStaysIfARunFails(t *testing.T) {
	t.Chdir(t.TempDir())
	schema, rows := reading()
	const path = "out.json"
	for _, c := range []struct {
		name  string
		run   func(t *testing.T, w connector.Writer, stop func())
		whole bool
	}{
		{"it ends", func(t *testing.T, w connector.Writer, _ func()) { w.Flush(t.Context()) }, true},
		{"it fails", func(*testing.T, connector.Writer, func()) {}, false},
		{"it is stopped after a pause", func(t *testing.T, w connector.Writer, stop func()) {
			w.Flush(t.Context())
			stop()
		}, false},
		{"it fails after a pause and more", func(t *testing.T, w connector.Writer, _ func()) {
			w.Flush(t.Context())
			w.Write(t.Context(), connectortest.NewRows(rows))
		}, false},
	} {
		put(t, path, "old")
		ctx, stop := context.WithCancel(t.Context())
		w, err := rowio.Sink(rowio.SinkConfig{Format: "json", Path: path}, schema).Open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(t.Context(), connectortest.NewRows(rows)); err != nil {
			t.Fatal(err)
		}
		c.run(t, w, stop)
		if err := w.Close(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		stop()
		got, err := os.ReadFile(path)
		if whole := strings.HasPrefix(string(got), `{"sensor":"a"`); err != nil || whole != c.whole || !whole && string(got) != "old\n" {
			t.Errorf("%s: there is %q, %v", c.name, got, err)
		}
		entries, err := os.ReadDir(".")
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: there are %v, %v", c.name, entries, err)
		}
	}
}

func TestSinksThatCannotBeAreRefused(t *testing.T) {
	schema := types("a:string", "b:string")
	for _, c := range []struct {
		config rowio.SinkConfig
		want   string
	}{
		{rowio.SinkConfig{Format: "xml", Path: "-"}, `write stdout: there is no format "xml" to write, but json, csv, text, parquet`},
		{rowio.SinkConfig{Format: "json"}, `no path: name a file, or "-" for the standard output`},
		{rowio.SinkConfig{Format: "text", Path: "-"}, "write stdout: text: rows have one field, a string; these have 2"},
		{rowio.SinkConfig{Format: "json", Path: "-", EventTime: "b"}, `write stdout: two fields would be named "b"`},
		{rowio.SinkConfig{Format: "json", Path: "-", NoHeader: true}, "write stdout: delimiter and header are options of csv, and the format is json"},
		{rowio.SinkConfig{Format: "csv", Path: "-", Delimiter: '"'}, "write stdout: Delimiter('\"'): an ASCII character that is no quote, end of a line, or zero"},
	} {
		if _, err := rowio.Sink(c.config, schema).Open(t.Context()); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	w, err := rowio.Sink(rowio.SinkConfig{Format: "json", Path: "-", Stdout: &bytes.Buffer{}}, schema).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Write(t.Context(), connectortest.NewRows([]record.Row{{record.OfInt(1)}})); err == nil || err.Error() != "stdout: a row has 1 values for the 2 fields [a b]" {
		t.Errorf("got %v", err)
	}
	if err := w.Write(t.Context(), connectortest.NewRows([]string{"x"})); err == nil || err.Error() != "stdout: rows are written, and not []string" {
		t.Errorf("got %v", err)
	}
}
