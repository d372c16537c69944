package yaml

import (
	"errors"
	"fmt"
	"slices"

	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// final is a cell on the way to its last pane.
type final struct {
	Cell
	index int64         // of the last pane
	stood bool          // a pane was not early
	shown map[int64]int // by pane, how often it has the row: where a row is a cell
	when  Moment        // when the last pane came, in a traced trial
	late  bool          // that pane was late
	ended bool          // the window has an end
	fired bool          // and the cell is a result of it
}

// walk goes over the panes of a result in the order in which they came (S9.1).
type walk struct {
	of     *Result
	each   bool // a row is a cell, as often as one pane has it
	key    []int
	finals map[at]*final
	// panes is how many there were, and corrected how many of them took the place of one that was not
	// early.
	panes, corrected int64
	buf              []byte
}

// walk finds what each cell has in the end: the last pane, or what retractions leave; a cell of which
// nothing is left has no rows. Without a key it is not known which pane of a window takes the place of
// which: then a row is a cell if each is set, and otherwise several panes are an error, as is all else
// of which it cannot be told what is final.
func (r *Result) walk(each bool) (*walk, error) {
	w := &walk{of: r, each: each && r.Key == nil, finals: map[at]*final{}}
	for _, k := range r.Key {
		w.key = append(w.key, slices.Index(r.Names, k))
	}
	for i := range r.Rows {
		f, err := w.add(&r.Rows[i])
		if err != nil {
			return nil, err
		}
		if r.When != nil {
			f.when, f.late = r.When[i], r.Rows[i].Pane.Timing == trigger.Late
		}
	}
	return w, nil
}

// add takes in a row, and gives its cell.
func (w *walk) add(row *Row) (*final, error) {
	r, pane := w.of, row.Pane
	switch {
	case r.Discards && (pane.Index > 0 || pane.Retraction):
		return nil, errors.New("its panes discard, and what several of them come to is for what reads them to say")
	case r.merging && !r.Retracts && pane.Timing == trigger.Early:
		return nil, errors.New("its sessions give early panes, and take none back when they merge: which are final cannot be told")
	}
	x := w.place(row)
	f := w.finals[x]
	switch {
	case pane.Retraction:
		return f, f.takeBack(row)
	case f == nil:
		f = &final{Cell: Cell{Key: x.key, Window: x.window, In: x.in}, index: -1, ended: row.Windowed(), fired: row.fired()}
		w.finals[x] = f
	case pane.Index != f.index && r.Key == nil && !r.Retracts && !w.each:
		return nil, errors.New("it gives several panes of a window, of rows without a key: which is final cannot be told")
	}
	switch {
	case w.each && !r.Retracts:
		w.panes += f.results()
		f.show(row)
	case r.Key == nil:
		w.panes += f.results()
		f.Rows = append(f.Rows, row.Values)
	case pane.Index == f.index && len(f.Rows) > 0:
		f.Rows = append(f.Rows, row.Values)
	default:
		w.panes++
		if f.stood {
			w.corrected++
		}
		if !r.Retracts {
			f.Rows = nil
		}
		f.Rows = append(f.Rows, row.Values)
	}
	f.index, f.stood = pane.Index, f.stood || pane.Timing != trigger.Early
	return f, nil
}

// place says in which cell a row is.
func (w *walk) place(row *Row) at {
	x := at{window: row.Window, in: row.In}
	switch {
	case w.each:
		x.key = string(row.JSON())
	case len(w.key) > 0:
		w.buf = record.AppendObject(w.buf[:0], w.of.Key, pick(row.Values, w.key))
		x.key = string(w.buf)
	}
	return x
}

// results is 1 if a row without a key is a result of its window.
func (f *final) results() int64 {
	if f.fired {
		return 1
	}
	return 0
}

// show has a row in the cell as often as the one pane that has it most often.
func (f *final) show(row *Row) {
	if f.shown == nil {
		f.shown = map[int64]int{}
	}
	i := row.Pane.Index
	if f.shown[i]++; f.shown[i] > len(f.Rows) {
		f.Rows = append(f.Rows, row.Values)
	}
}

// takeBack takes a row out of the cell.
func (f *final) takeBack(row *Row) error {
	i := -1
	if f != nil {
		i = slices.IndexFunc(f.Rows, func(v record.Row) bool { return slices.EqualFunc(v, row.Values, alikeValues) })
	}
	if i < 0 {
		return fmt.Errorf("it takes back %s, which it has not given", row.JSON())
	}
	f.Rows = slices.Delete(f.Rows, i, i+1)
	return nil
}

func pick[E any](all []E, at []int) []E {
	some := make([]E, len(at))
	for i, j := range at {
		some[i] = all[j]
	}
	return some
}

// count is how many cells one of the walk comes to: each of its rows where a row is a cell.
func (w *walk) count(f *final) int {
	if w.each {
		return len(f.Rows)
	}
	return 1
}

// results are the cells of an output, as they are compared.
type results = lateness.Cells[*Cell]

// into adds the cells of a walk.
func (w *walk) into(all results) {
	texts := map[window.Interval]string{} // many cells are of one window
	for x, f := range w.finals {
		id := lateness.ID{Key: x.key}
		if f.ended {
			text, there := texts[x.window]
			if !there {
				text = x.window.String()
				texts[x.window] = text
			}
			id.Window = text
		}
		if !w.each {
			if len(f.Rows) > 0 {
				all[id] = &f.Cell
			}
			continue
		}
		for _, row := range f.Rows {
			all.Each(id.Window, id.Key, &Cell{Window: f.Window, In: f.In, Rows: []record.Row{row}})
		}
	}
}

// into adds the cells of a result, and gives what went over its panes.
func (r *Result) into(all results) (*walk, error) {
	w, err := r.walk(true)
	if err == nil {
		w.into(all)
	}
	return w, err
}

// compared compares the cells of an output.
func (l *latenessRun) compared(r *Result, want, got results) lateness.Output {
	same := func(a, b *Cell) bool {
		mine, theirs := unlike(a.Rows, b.Rows)
		return len(mine)+len(theirs) == 0
	}
	text := func(c *Cell) string { return c.text(r.Names, r.Key) }
	return lateness.Compare(lateness.Output{Step: r.Step, Key: r.Key}, want, got, l.o.Sample, same, text)
}
