package yaml

import (
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// results are the cells of an output: of each the rows of its last pane, without the key.
type results = lateness.Cells[[]record.Row]

// final is the pane of a cell that came last.
type final struct {
	when  Moment
	late  bool
	win   window.Interval
	ended bool // the window has an end
}

// cells gathers the cells of an output. finals, if not nil, are told when the last pane of each came.
// It gives how many panes there were, and how many took the place of another.
//
// Without a key it is not known which pane of a window takes the place of which. Then a row is a cell,
// as often as one pane has it.
func (l *latenessRun) cells(r *Result, into results, finals map[lateness.ID]final) (panes, corrected int64) {
	var key, rest []int
	for i, name := range r.Names {
		if slices.Contains(r.Key, name) {
			key = append(key, i)
		} else {
			rest = append(rest, i)
		}
	}
	type pane struct {
		lateness.ID
		index int64
	}
	shown := map[pane]int{}         // rows without a key
	last := map[lateness.ID]int64{} // the index of the last pane
	stood := map[lateness.ID]bool{} // one that was not early
	texts := map[window.Interval]string{}
	for i := range r.Rows {
		row := &r.Rows[i]
		id := lateness.ID{}
		if row.Windowed() {
			text, there := texts[row.Window]
			if !there {
				text = row.Window.String()
				texts[row.Window] = text
			}
			id.Window = text
		}
		if r.Key == nil {
			if row.fired() {
				panes++
			}
			id.Key = string(row.JSON())
			p := pane{id, row.Pane.Index}
			if shown[p]++; shown[p] > int(last[id]) {
				last[id]++
				into.Each(id.Window, id.Key, []record.Row{row.Values})
			}
			continue
		}
		if len(key) > 0 {
			id.Key = string(record.AppendObject(nil, pick(r.Names, key), pick(row.Values, key)))
		}
		values := pick(row.Values, rest)
		if row.Pane.Retraction {
			into[id] = slices.DeleteFunc(into[id], func(x record.Row) bool { return slices.EqualFunc(x, values, alikeValues) })
			if len(into[id]) == 0 {
				delete(into, id)
			}
			continue
		}
		if was, there := last[id]; there && was == row.Pane.Index && len(into[id]) > 0 {
			into[id] = append(into[id], values)
			continue
		}
		panes++
		if stood[id] {
			corrected++
		}
		last[id], stood[id] = row.Pane.Index, stood[id] || row.Pane.Timing != trigger.Early
		into[id] = []record.Row{values}
		if finals != nil {
			finals[id] = final{r.When[i], row.Pane.Timing == trigger.Late, row.Window, row.Windowed()}
		}
	}
	return panes, corrected
}

func pick[E any](all []E, at []int) []E {
	some := make([]E, len(at))
	for i, j := range at {
		some[i] = all[j]
	}
	return some
}

// compared compares the cells of an output.
func (l *latenessRun) compared(r *Result, want, got results) lateness.Output {
	var names []string
	for _, name := range r.Names {
		if !slices.Contains(r.Key, name) || r.Key == nil {
			names = append(names, name)
		}
	}
	same := func(a, b []record.Row) bool {
		mine, theirs := unlike(a, b)
		return len(mine)+len(theirs) == 0
	}
	return lateness.Compare(lateness.Output{Step: r.Step, Key: r.Key}, want, got, l.o.Sample, same, func(rows []record.Row) string {
		text := make([]string, len(rows))
		for i, row := range rows {
			text[i] = string(record.AppendObject(nil, names, row))
		}
		return strings.Join(text, "; ")
	})
}
