package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
)

// resultSet is a file of results: a row for each cell, named by key and window.
type resultSet struct {
	path   string
	schema record.Schema
	rows   []record.Row
}

// difference is what two sets of results differ in.
type difference struct {
	Equal    int      `json:"equal"`
	Changed  []change `json:"changed"`
	OnlyIn   [2][]any `json:"only_in"` // cells of the first that the second has not, and the other way round
	Older    [2]int   `json:"older"`   // rows that a later one of their cell took the place of
	Key      []string `json:"key"`
	Compared []string `json:"compared"`
	// Totals are the sums of numbers that are compared, over the cells of both sides.
	Totals []total `json:"totals,omitempty"`
	// Apart are the fields that only one side has, and AsText those that are text on one side only.
	Apart  [2][]string `json:"not_compared"`
	AsText []string    `json:"compared_as_text,omitempty"`
}

type change struct {
	Cell any `json:"cell"`
	A    any `json:"a"`
	B    any `json:"b"`
}

type total struct {
	Field string `json:"field"`
	A     raw    `json:"a"`
	B     raw    `json:"b"`
}

func diffCommand(s *streams) *cobra.Command {
	var key []string
	var tolerance float64
	var asJSON bool
	var limit int
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "compare two sets of results, cell by cell",
		Long: `Compares two files of results: JSON lines, CSV or Parquet, also of other systems.
Rows of the same key and window are one cell. The key is --key, or else every
field that both files have and that is no number; what is compared is every
other field that both have, and which only one has is printed. Of rows of the
same cell the last counts, as the last pane of a window does; how many others
there are is printed. 3 and 3.0 are the same, and so are instants that are
written differently: 2026-07-01T12:00:00+02:00 and 2026-07-01 10:00:00. Without
a zone an instant is of UTC, and a day is its beginning.

Exit code 0 if they agree, 1 if they do not.`,
		Example: `  strandline diff results.jsonl baseline.csv --key window_start,shop --tolerance 1e-9`,
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if tolerance < 0 || math.IsNaN(tolerance) {
				return fmt.Errorf("--tolerance %v: it is 0 or more", tolerance)
			}
			if limit < 0 {
				return fmt.Errorf("--limit %d: it is 0 or more", limit)
			}
			a, err := readResults(c.Context(), args[0])
			if err != nil {
				return &coded{exitError, err}
			}
			b, err := readResults(c.Context(), args[1])
			if err != nil {
				return &coded{exitError, err}
			}
			d, err := compareResults(a, b, key, tolerance)
			if err != nil {
				return &coded{exitError, err}
			}
			if asJSON {
				err = printIndented(s, d)
			} else {
				err = d.print(s.out, args, limit)
			}
			if err == nil && !d.agrees() {
				return &coded{exitError, nil}
			}
			return err
		},
	}
	c.Flags().StringSliceVar(&key, "key", nil, "the fields that name a cell (default: those that are no numbers)")
	c.Flags().Float64Var(&tolerance, "tolerance", 0, "by how much numbers may differ, relative to the greater one")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().IntVar(&limit, "limit", 20, "how many cells of each kind to show")
	return c
}

func readResults(ctx context.Context, path string) (*resultSet, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return &resultSet{path: path}, nil // a run without results
	}
	format, _, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	cfg := rowio.Config{Format: format, Paths: []string{path}}
	if strings.HasSuffix(strings.ToLower(path), ".tsv") {
		cfg.Delimiter = '\t'
	}
	table, err := rowio.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	r := &resultSet{path: path, schema: table.Schema()}
	splits, err := table.Source(path, r.schema.Names()).Splits(ctx)
	if err != nil {
		return nil, err
	}
	for _, split := range splits {
		if err := r.read(ctx, split); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *resultSet) read(ctx context.Context, split connector.Split[record.Row]) error {
	in, err := split.Open(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		var b connector.Batch[record.Row]
		if err := in.Read(ctx, &b); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if len(b.Malformed) > 0 {
			return fmt.Errorf("%s: results must be whole", b.Malformed[0])
		}
		for _, row := range b.Values {
			r.rows = append(r.rows, slices.Clone(row))
		}
	}
}

// cells gives the rows by key; of several the last.
func (r *resultSet) cells(key []string) (cells map[string]record.Row, order []string) {
	at := make([]int, len(key))
	for i, k := range key {
		at[i] = r.schema.Index(k)
	}
	cells = map[string]record.Row{}
	for _, row := range r.rows {
		var b []byte
		for _, i := range at {
			b = append(plain(row[i]).AppendJSON(b), ' ')
		}
		k := string(b)
		if _, there := cells[k]; !there {
			order = append(order, k)
		}
		cells[k] = row
	}
	return cells, order
}

// plain is a value in the one way to write it: an integral number is an integer, and text that is
// an instant is one.
func plain(v record.Value) record.Value {
	switch v.Kind() {
	case record.Float:
		if v.Float() == math.Trunc(v.Float()) && math.Abs(v.Float()) < 1<<53 {
			return record.OfInt(int64(v.Float()))
		}
	case record.String:
		s := v.Str()
		if len(s) < len(time.DateOnly) || len(s) > len("2006-01-02T15:04:05.000000000+00:00") || s[4] != '-' || s[7] != '-' {
			return v
		}
		for _, layout := range []string{time.RFC3339Nano, time.DateOnly, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999"} {
			if t, err := time.Parse(layout, s); err == nil && t.Nanosecond()%1000 == 0 {
				return record.OfTime(t.UnixMicro())
			}
		}
	}
	return v
}

// asText makes text of the fields that are text on the other side.
func (r *resultSet) asText(names []string) {
	for _, name := range names {
		i := r.schema.Index(name)
		for _, row := range r.rows {
			if _, number := row[i].Number(); number || row[i].Kind() == record.Bool {
				row[i] = record.OfString(raw(plain(row[i]).String()).bare())
			}
		}
	}
}

func compareResults(a, b *resultSet, key []string, tolerance float64) (*difference, error) {
	if a.schema == nil { // it is empty, and says nothing of its fields
		a.schema = b.schema
	} else if b.schema == nil {
		b.schema = a.schema
	}
	if len(a.schema) == 0 {
		return &difference{Changed: []change{}, OnlyIn: [2][]any{{}, {}}}, nil
	}
	d := &difference{Changed: []change{}, OnlyIn: [2][]any{{}, {}}}
	var shared []string
	for _, f := range a.schema {
		i := b.schema.Index(f.Name)
		if i < 0 {
			d.Apart[0] = append(d.Apart[0], f.Name)
			continue
		}
		shared = append(shared, f.Name)
		if x, y := f.Type.Kind, b.schema[i].Type.Kind; x != y && (x == record.String && textual(y) || y == record.String && textual(x)) {
			d.AsText = append(d.AsText, f.Name)
		}
	}
	for _, f := range b.schema {
		if a.schema.Index(f.Name) < 0 {
			d.Apart[1] = append(d.Apart[1], f.Name)
		}
	}
	a.asText(d.AsText)
	b.asText(d.AsText)
	if len(shared) == 0 {
		return nil, fmt.Errorf("the files have no field in common: %s has %s, and %s has %s", a.path, strings.Join(a.schema.Names(), ", "), b.path, strings.Join(b.schema.Names(), ", "))
	}
	for _, k := range key {
		for _, r := range []*resultSet{a, b} {
			if r.schema.Index(k) < 0 {
				return nil, fmt.Errorf("--key %s: %s has no such field, but %s", k, r.path, strings.Join(r.schema.Names(), ", "))
			}
		}
	}
	isNumber := func(r *resultSet, name string) bool {
		k := r.schema[r.schema.Index(name)].Type.Kind
		return k == record.Int || k == record.Float
	}
	if len(key) == 0 {
		for _, name := range shared {
			if !isNumber(a, name) && !isNumber(b, name) {
				key = append(key, name)
			}
		}
	}
	if len(key) == 0 {
		return nil, fmt.Errorf("all fields that both files have are numbers, so nothing names a cell: say with --key which do, of %s", strings.Join(shared, ", "))
	}
	d.Key = key
	for _, name := range shared {
		if !slices.Contains(key, name) {
			d.Compared = append(d.Compared, name)
		}
	}
	as, order := a.cells(key)
	bs, others := b.cells(key)
	d.Older = [2]int{len(a.rows) - len(as), len(b.rows) - len(bs)}
	for _, k := range order {
		mine, theirs := as[k], bs[k]
		if theirs == nil {
			d.OnlyIn[0] = append(d.OnlyIn[0], a.object(mine, nil))
			continue
		}
		same := true
		for _, name := range d.Compared {
			same = same && alike(mine[a.schema.Index(name)], theirs[b.schema.Index(name)], tolerance)
		}
		if same {
			d.Equal++
			continue
		}
		d.Changed = append(d.Changed, change{a.object(mine, key), a.object(mine, d.Compared), b.object(theirs, d.Compared)})
	}
	for _, k := range others {
		if as[k] == nil {
			d.OnlyIn[1] = append(d.OnlyIn[1], b.object(bs[k], nil))
		}
	}
	for _, name := range d.Compared {
		if isNumber(a, name) && isNumber(b, name) {
			d.Totals = append(d.Totals, total{name, a.sum(name, as, order), b.sum(name, bs, others)})
		}
	}
	return d, nil
}

// textual says whether values of a kind may be text in another file: CSV has nothing else.
func textual(k record.Kind) bool {
	return k == record.Int || k == record.Float || k == record.Bool
}

// sum adds up a field over cells, integers exactly; in what does not fit it is a float.
func (r *resultSet) sum(name string, cells map[string]record.Row, order []string) raw {
	i := r.schema.Index(name)
	whole, floats := new(big.Int), 0.0
	exact := true
	for _, k := range order {
		switch v := plain(cells[k][i]); v.Kind() {
		case record.Int:
			whole.Add(whole, big.NewInt(v.Int()))
			floats += float64(v.Int())
		case record.Float:
			floats += v.Float()
			exact = false
		}
	}
	if exact {
		return raw(whole.String())
	}
	return raw(record.OfFloat(floats).String())
}

// alike says whether two values are the same, numbers to a relative tolerance.
func alike(a, b record.Value, tolerance float64) bool {
	x, isX := a.Number()
	y, isY := b.Number()
	if tolerance > 0 && isX && isY && !math.IsNaN(x) && !math.IsNaN(y) {
		return x == y || math.Abs(x-y) <= tolerance*max(math.Abs(x), math.Abs(y))
	}
	return record.Equal(plain(a), plain(b))
}

// raw is a value in JSON that is written already.
type raw string

// MarshalJSON implements json.Marshaler.
func (r raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// bare is a number without the quotes that JSON puts around what is none of its own, such as "NaN".
func (r raw) bare() string { return strings.Trim(string(r), `"`) }

// object is a row, or some of its fields, as JSON.
func (r *resultSet) object(row record.Row, names []string) any {
	if names == nil {
		return raw(record.AppendObject(nil, r.schema.Names(), row))
	}
	values := make([]record.Value, len(names))
	for i, name := range names {
		values[i] = row[r.schema.Index(name)]
	}
	return raw(record.AppendObject(nil, names, values))
}

func (d *difference) agrees() bool {
	return len(d.Changed)+len(d.OnlyIn[0])+len(d.OnlyIn[1]) == 0
}

func (d *difference) print(w io.Writer, paths []string, limit int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d equal, %d changed, %d only in %s, %d only in %s\n", d.Equal, len(d.Changed), len(d.OnlyIn[0]), paths[0], len(d.OnlyIn[1]), paths[1])
	fmt.Fprintf(&b, "cells by %s; compared: %s\n", cmp.Or(strings.Join(d.Key, ", "), "nothing"), cmp.Or(strings.Join(d.Compared, ", "), "nothing"))
	for side, names := range d.Apart {
		if len(names) > 0 {
			fmt.Fprintf(&b, "not compared, since only %s has it: %s\n", paths[side], strings.Join(names, ", "))
		}
	}
	if len(d.AsText) > 0 {
		fmt.Fprintf(&b, "compared as text, since one of the files has text there: %s\n", strings.Join(d.AsText, ", "))
	}
	for _, t := range d.Totals {
		fmt.Fprintf(&b, "total of %s: %s, then %s\n", t.Field, t.A.bare(), t.B.bare())
	}
	for side, n := range d.Older {
		if n == 1 {
			fmt.Fprintf(&b, "1 row of %s was an older pane of its cell\n", paths[side])
		} else if n > 1 {
			fmt.Fprintf(&b, "%d rows of %s were older panes of their cells\n", n, paths[side])
		}
	}
	more := func(n int) {
		if n > limit {
			fmt.Fprintf(&b, "  and %d more\n", n-limit)
		}
	}
	for i, c := range d.Changed {
		if i < limit {
			fmt.Fprintf(&b, "changed %s: %s, then %s\n", c.Cell, c.A, c.B)
		}
	}
	more(len(d.Changed))
	for side, cells := range d.OnlyIn {
		for i, c := range cells {
			if i < limit {
				fmt.Fprintf(&b, "only in %s: %s\n", paths[side], c)
			}
		}
		more(len(cells))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
