package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

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
}

type change struct {
	Cell, A, B any
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
other field that both have. Of rows of the same cell the last counts, as the last
pane of a window does; how many others there are is printed.

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
	format, _, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	table, err := rowio.Open(ctx, rowio.Config{Format: format, Paths: []string{path}})
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

// plain is a value as other systems may write it: an integral number is an integer.
func plain(v record.Value) record.Value {
	if v.Kind() == record.Float && v.Float() == math.Trunc(v.Float()) && math.Abs(v.Float()) < 1<<53 {
		return record.OfInt(int64(v.Float()))
	}
	return v
}

func compareResults(a, b *resultSet, key []string, tolerance float64) (*difference, error) {
	var shared []string
	for _, f := range a.schema {
		if b.schema.Index(f.Name) >= 0 {
			shared = append(shared, f.Name)
		}
	}
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
	d := &difference{Key: key, Changed: []change{}, OnlyIn: [2][]any{{}, {}}}
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
	return d, nil
}

// alike says whether two values are the same, numbers to a relative tolerance.
func alike(a, b record.Value, tolerance float64) bool {
	x, isX := a.Number()
	y, isY := b.Number()
	if tolerance > 0 && isX && isY && !math.IsNaN(x) && !math.IsNaN(y) {
		return x == y || math.Abs(x-y) <= tolerance*max(math.Abs(x), math.Abs(y))
	}
	return record.Equal(a, b)
}

// raw is a value in JSON that is written already.
type raw string

// MarshalJSON implements json.Marshaler.
func (r raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }

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
	fmt.Fprintf(&b, "cells by %s; compared: %s\n", strings.Join(d.Key, ", "), cmp.Or(strings.Join(d.Compared, ", "), "nothing"))
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
