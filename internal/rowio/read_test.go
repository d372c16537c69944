package rowio_test

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
)

// result is all that a source gives, rows as they print.
type result struct {
	rows      []string
	times     []int64
	malformed []string // position: reason
	err       error
}

func show(r record.Row) string {
	var parts []string
	for _, v := range r {
		parts = append(parts, v.String())
	}
	return strings.Join(parts, " ")
}

func read(t *testing.T, s connector.Source[record.Row]) result {
	t.Helper()
	return readAs(t, s, false)
}

// readAs is read of a reader that lends its rows, or does not.
func readAs(t *testing.T, s connector.Source[record.Row], lent bool) (got result) {
	t.Helper()
	splits, err := s.Splits(t.Context())
	if err != nil {
		return result{err: err}
	}
	for _, split := range splits {
		r, err := split.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if lent && !r.(interface{ Lend() bool }).Lend() {
			t.Errorf("%s does not lend its rows", split.Name())
		}
		for err == nil {
			var b connector.Batch[record.Row]
			err = r.Read(t.Context(), &b)
			for _, row := range b.Values {
				got.rows = append(got.rows, show(row))
			}
			got.times = append(got.times, b.Times...)
			for _, m := range b.Malformed {
				got.malformed = append(got.malformed, m.String())
			}
		}
		if err != io.EOF {
			got.err = err
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	return got
}

// batches calls f for every batch of a source.
func batches(t *testing.T, s connector.Source[record.Row], f func(*connector.Batch[record.Row])) {
	t.Helper()
	splits, err := s.Splits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, split := range splits {
		r, err := split.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			var b connector.Batch[record.Row]
			err = r.Read(t.Context(), &b)
			f(&b)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err != io.EOF {
			t.Fatal(err)
		}
	}
}

// rows gives the rows of a source.
func rows(t *testing.T, s connector.Source[record.Row]) (got []record.Row) {
	t.Helper()
	batches(t, s, func(b *connector.Batch[record.Row]) { got = append(got, b.Values...) })
	return got
}

// put writes a file, and gives its path.
func put(t testing.TB, name string, lines ...string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// open opens a table or fails the test.
func open(t *testing.T, c rowio.Config) *rowio.Table {
	t.Helper()
	table, err := rowio.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// types is a schema of fields written name:type, with a question mark for what may be null.
func types(fields ...string) (s record.Schema) {
	kinds := map[string]record.Kind{}
	for k := record.Null; k <= record.Any; k++ {
		kinds[k.String()] = k
	}
	for _, f := range fields {
		name, kind, _ := strings.Cut(f, ":")
		kind, nullable := strings.CutSuffix(kind, "?")
		k, ok := kinds[kind]
		if !ok {
			panic(fmt.Sprintf("no kind %q", kind))
		}
		s = append(s, record.Field{Name: name, Type: record.Type{Kind: k, Nullable: nullable}})
	}
	return s
}

// places gives where the rows of a source are said to be.
func places(t *testing.T, s connector.Source[record.Row]) (got []string) {
	t.Helper()
	batches(t, s, func(b *connector.Batch[record.Row]) {
		for i := range b.Places {
			got = append(got, fmt.Sprint(b.Place, b.Places[i], " ", show(b.Values[i])))
		}
	})
	return got
}

func TestRowsSayWhereTheyLie(t *testing.T) {
	unsigned := parquet(t, "unsigned.parquet") // its second row has a number that does not fit
	at := unsigned.Paths[0] + ": row "
	if got := places(t, open(t, unsigned).Source("", []string{"n", "u"})); !slices.Equal(got, []string{at + "1 1 1", at + "3 3 2"}) {
		t.Errorf("got %q", got)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"a.json":      "{\"n\":1}\n\nbroken\n{\"n\":4}\n",
		"b.jsonarray": "[{\"n\":1},\n\n{\"n\":3}]\n",
		"c.csv":       "n,text\n2,\"two\nlines\"\n4,four\nfive\n6,six\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		rowio.Config
		want []string
	}{
		{rowio.Config{Format: "json", Paths: []string{"a.json"}}, []string{"a.json:1 1", "a.json:4 4"}},
		{rowio.Config{Format: "jsonarray", Paths: []string{"b.jsonarray"}}, []string{"b.jsonarray:1 1", "b.jsonarray:2 3"}},
		{rowio.Config{Format: "csv", Paths: []string{"c.csv"}}, []string{"c.csv:2 2", "c.csv:4 4", "c.csv:6 6"}},
	} {
		for _, c.Parallel = range []int{1, 3} {
			if got := places(t, open(t, c.Config).Source("", []string{"n"})); !slices.Equal(got, c.want) {
				t.Errorf("%s, %d in parallel: got %q, want %q", c.Format, c.Parallel, got, c.want)
			}
		}
	}
}
