package yaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/trial"
	"github.com/strandline-stream/strandline/window"
)

// Cell is what a result has in the end for one key and window (S9.1).
type Cell struct {
	// Key is the key as a JSON object; empty if the rows have none.
	Key string
	// Window is where the rows are, if In is set.
	Window window.Interval
	In     bool
	// Rows are the fields of each row, in no order. A key and window may have several.
	Rows []record.Row
}

// at is where a cell is.
type at struct {
	key    string
	window window.Interval
	in     bool
}

// Cells gives the final cells of a result: of each key and window the last pane, or what
// retractions leave. It is an error if it cannot be told which pane is the last, or what panes
// that discard come to.
func (r *Result) Cells() (map[at]*Cell, error) {
	if r.cells == nil && r.noCells == nil {
		r.cells, r.noCells = r.final()
	}
	return r.cells, r.noCells
}

func (r *Result) final() (map[at]*Cell, error) {
	w, err := r.walk(false)
	if err != nil {
		return nil, err
	}
	cells := make(map[at]*Cell, len(w.finals))
	for x, f := range w.finals {
		if len(f.Rows) > 0 {
			cells[x] = &f.Cell
		}
	}
	return cells, nil
}

// differing are the cells that two runs do not have alike, in the order of windows and keys. The
// rows of each are only those that the other has not; the first or the second may be nil.
func differing(a, b map[at]*Cell) (all [][2]*Cell) {
	for x, c := range a {
		switch d := b[x]; {
		case d == nil:
			all = append(all, [2]*Cell{c, nil})
		default:
			if mine, theirs := unlike(c.Rows, d.Rows); len(mine)+len(theirs) > 0 {
				all = append(all, [2]*Cell{{c.Key, c.Window, c.In, mine}, {d.Key, d.Window, d.In, theirs}})
			}
		}
	}
	for x, d := range b {
		if a[x] == nil {
			all = append(all, [2]*Cell{nil, d})
		}
	}
	of := func(p [2]*Cell) *Cell { return cmp.Or(p[0], p[1]) }
	slices.SortFunc(all, func(p, q [2]*Cell) int {
		x, y := of(p), of(q)
		return cmp.Or(cmp.Compare(x.Window.Hi(), y.Window.Hi()), cmp.Compare(x.Window.Lo(), y.Window.Lo()), strings.Compare(x.Key, y.Key))
	})
	return all
}

// unlike gives the rows of a that b has not, and the other way round, each as often as it is there.
func unlike(a, b []record.Row) (mine, theirs []record.Row) {
	if len(a) == 1 && len(b) == 1 {
		if slices.EqualFunc(a[0], b[0], alikeValues) {
			return nil, nil
		}
		return a, b
	}
	text := func(rows []record.Row) []string {
		all := make([]string, len(rows))
		for i, r := range rows {
			all[i] = record.OfList(r).String()
		}
		return all
	}
	as, bs := text(a), text(b)
	count := map[string]int{}
	for _, s := range bs {
		count[s]++
	}
	for i, s := range as {
		if count[s]--; count[s] < 0 {
			mine = append(mine, a[i])
		}
	}
	clear(count)
	for _, s := range as {
		count[s]++
	}
	for i, s := range bs {
		if count[s]--; count[s] < 0 {
			theirs = append(theirs, b[i])
		}
	}
	// Those that are left may be alike without being the same: then they are so in order.
	slices.SortFunc(mine, byExactFields)
	slices.SortFunc(theirs, byExactFields)
	if slices.EqualFunc(mine, theirs, func(x, y record.Row) bool { return slices.EqualFunc(x, y, alikeValues) }) {
		return nil, nil
	}
	if len(mine) > manyRows || len(theirs) > manyRows {
		return mine, theirs
	}
	mine = slices.DeleteFunc(mine, func(m record.Row) bool {
		i := slices.IndexFunc(theirs, func(r record.Row) bool { return slices.EqualFunc(m, r, alikeValues) })
		if i >= 0 {
			theirs = slices.Delete(theirs, i, i+1)
		}
		return i >= 0
	})
	return mine, theirs
}

// byExactFields orders rows by what must be the same, and then by floats.
func byExactFields(a, b record.Row) int {
	for _, floats := range []bool{false, true} {
		for i := range a {
			if c := record.Compare(a[i], b[i]); c != 0 && floats == (a[i].Kind() == record.Float && b[i].Kind() == record.Float) {
				return c
			}
		}
	}
	return 0
}

// manyRows of a cell are not compared each with each.
const manyRows = 2000

// alikeValues compares as two right runs may differ: floats by a part in 10⁹ (S7.3), and lists in
// their order (S7.4).
func alikeValues(a, b record.Value) bool {
	switch {
	case a.Kind() == record.Float && b.Kind() == record.Float:
		return trial.Near(a.Float(), b.Float())
	case a.Kind() == record.List && b.Kind() == record.List:
		x, y := a.List(), b.List()
		return trial.Bag(len(x), len(y), func(i, j int) bool { return alikeValues(x[i], y[j]) })
	case a.Kind() == record.Struct && b.Kind() == record.Struct:
		x, y := a.Struct(), b.Struct()
		return slices.Equal(x.Names, y.Names) && slices.EqualFunc(x.Values, y.Values, alikeValues)
	}
	return a.Kind() == b.Kind() && record.Equal(a, b)
}

// where says which cell it is: its key and window; empty if it is all there is.
func (c *Cell) where() string {
	var parts []string
	if c.Key != "" {
		parts = append(parts, c.Key)
	}
	switch lo, hi := etime.Micros(c.Window.Start()), etime.Micros(c.Window.End()); {
	case !c.In:
	case lo == etime.Min && hi == etime.Max:
		if c.Key == "" {
			return "all of time"
		}
	default:
		parts = append(parts, "in "+c.Window.String())
	}
	return strings.Join(parts, " ")
}

// text shows the rows of a cell without its key.
func (c *Cell) text(names, key []string) string {
	if c == nil || len(c.Rows) == 0 {
		return "nothing"
	}
	var all []string
	for i, r := range c.Rows {
		if i == shownRows {
			all = append(all, fmt.Sprintf("and %d more", len(c.Rows)-i))
			break
		}
		var fields []string
		var values []record.Value
		for j, name := range names {
			if !slices.Contains(key, name) || c.Key == "" {
				fields, values = append(fields, name), append(values, r[j])
			}
		}
		all = append(all, string(record.AppendObject(nil, fields, values)))
	}
	return strings.Join(all, "; ")
}

const shownRows = 5
