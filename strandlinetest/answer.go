package strandlinetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/prose"
	"github.com/strandline-stream/strandline/internal/trial"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// answer is what a run ended with: the final values of each key and window (S9.1).
type answer[U any] struct {
	of     trial.Setting
	step   string
	report *strandline.Report
	cells  map[cell]*final[U]
}

// cell is a key and a window; the key is nil if the values have none.
type cell struct {
	key any
	win window.Interval
}

// final is the last pane of a cell. A step behind an aggregation may make several values of
// one.
type final[U any] struct {
	values []U
	index  int64
	before bool // there were others
	early  bool // it came before the window had ended
}

// drop takes one value out.
func (f *final[U]) drop(is func(U) bool) bool {
	i := slices.IndexFunc(f.values, is)
	if i >= 0 {
		f.values = slices.Delete(f.values, i, i+1)
	}
	return i >= 0
}

// take makes the answer of all panes, which are in the order in which they came: the last of each
// cell, or the sum of changes where some are retractions (S5.4).
func (a *answer[U]) take(panes []strandline.Pane[U], merge func(a, b U) U, is func(a, b U) bool) error {
	a.cells = map[cell]*final[U]{}
	signed := slices.ContainsFunc(panes, func(p strandline.Pane[U]) bool { return p.Retraction })
	for _, p := range panes {
		at := cell{nil, p.Window}
		if key, _, ok := entry(p.Value); ok {
			if at.key = key; key != key { // NaN equals NaN (S7.4)
				at.key = valueText(key)
			}
		}
		c := a.cells[at]
		early := p.Timing == trigger.Early
		if c != nil {
			c.early = early
		}
		switch {
		case p.Retraction:
			if c == nil || !c.drop(func(x U) bool { return is(x, p.Value) }) {
				return fmt.Errorf("strandlinetest: step %q takes back %s in %v, which it has not given", a.step, valueText(p.Value), p.Window)
			}
			if len(c.values) == 0 {
				delete(a.cells, at)
			}
		case c != nil && signed:
			c.values = append(c.values, p.Value)
		case c == nil:
			a.cells[at] = &final[U]{values: []U{p.Value}, index: p.Index, early: early}
		case merge != nil:
			c.values[0] = merge(c.values[0], p.Value)
		case p.Index > c.index:
			if at.key == nil && len(c.values) > 1 {
				return fmt.Errorf("strandlinetest: step %q gives several panes in %v, of values without a key: which is final cannot be told. Verify the collection of strandline.KV before it, or make the aggregation FinalOnly", a.step, p.Window)
			}
			*c = final[U]{[]U{p.Value}, p.Index, true, early}
		case p.Index == c.index && !(at.key == nil && c.before):
			c.values = append(c.values, p.Value)
		default:
			return fmt.Errorf("strandlinetest: step %q gives pane %d in %v behind pane %d: which is final cannot be told. Verify the collection of strandline.KV before it, or make the aggregation FinalOnly", a.step, p.Index, p.Window, c.index)
		}
	}
	if win, some := a.absorbed(); some && !signed {
		return fmt.Errorf("strandlinetest: step %q gives an early pane of %v, a session that became part of another, and does not take it back: which panes are final cannot be told. Make the aggregation Retracting or FinalOnly", a.step, win)
	}
	return nil
}

// absorbed finds a window that has given nothing but early panes and lies within another of its key: a
// session that has merged. Windows of another kind give a pane when they end.
func (a *answer[U]) absorbed() (win window.Interval, some bool) {
	byKey := map[any][]cell{}
	for at := range a.cells {
		if at.key != nil {
			byKey[at.key] = append(byKey[at.key], at)
		}
	}
	for _, cells := range byKey {
		slices.SortFunc(cells, func(x, y cell) int {
			return cmp.Or(cmp.Compare(x.win.Lo(), y.win.Lo()), cmp.Compare(y.win.Hi(), x.win.Hi()))
		})
		reach := cells[0].win.Hi()
		for _, at := range cells[1:] {
			if at.win.Hi() <= reach && a.cells[at].early {
				return at.win, true
			}
			reach = max(reach, at.win.Hi())
		}
	}
	return win, false
}

// difference is where the answers of two runs differ.
type difference[U any] struct {
	a, b *answer[U]
	bad  []cell
}

// differ compares the answers of two runs; nil if they are the same.
func differ[U any](a, b *answer[U], same func(x, y []U) bool) *difference[U] {
	d := &difference[U]{a: a, b: b}
	for at, x := range a.cells {
		if y := b.cells[at]; y == nil || !same(x.values, y.values) {
			d.bad = append(d.bad, at)
		}
	}
	for at := range b.cells {
		if a.cells[at] == nil {
			d.bad = append(d.bad, at)
		}
	}
	if len(d.bad) == 0 {
		return nil
	}
	slices.SortFunc(d.bad, func(x, y cell) int {
		return cmp.Or(cmp.Compare(x.win.Hi(), y.win.Hi()), cmp.Compare(x.win.Lo(), y.win.Lo()), cmp.Compare(valueText(x.key), valueText(y.key)))
	})
	return d
}

// text is the difference for people.
func (d *difference[U]) text(seed uint64) string {
	a, b := d.a, d.b
	var text strings.Builder
	fmt.Fprintf(&text, "step %q, seed %d", a.step, seed)
	if a.of == b.of {
		text.WriteString(", of two runs that are alike in everything")
	}
	fmt.Fprintf(&text, "\n\tA: %v\n\tB: %v", a.of, b.of)
	a.drops(&text, "A")
	b.drops(&text, "B")
	for i, at := range d.bad {
		if i == shown {
			fmt.Fprintf(&text, "\n\t... and %d more", len(d.bad)-shown)
			break
		}
		text.WriteString("\n\t")
		if at.key != nil {
			fmt.Fprintf(&text, "%s ", valueText(at.key))
		}
		if at.win != (window.Interval{}) || at.key == nil {
			fmt.Fprintf(&text, "in %v", at.win)
		}
		fmt.Fprintf(&text, "\n\t\tA: %s\n\t\tB: %s", a.cells[at].text(), b.cells[at].text())
	}
	return text.String()
}

// shown is how many differences a message shows.
const shown = 5

// drops says which steps dropped records: then no answer can be complete.
func (a *answer[U]) drops(text *strings.Builder, run string) {
	for i := range a.report.Steps {
		if s := &a.report.Steps[i]; s.Counts.LateRecords > 0 {
			fmt.Fprintf(text, "\n\t%s: step %q dropped %s as late", run, s.ID, prose.Several(int(s.Counts.LateRecords), "record"))
		}
	}
}

func (f *final[U]) text() string {
	if f == nil {
		return "nothing"
	}
	var all []string
	for _, v := range f.values {
		if _, value, ok := entry(v); ok {
			all = append(all, valueText(value))
		} else {
			all = append(all, valueText(v))
		}
	}
	if len(all) > shown {
		all = append(all[:shown:shown], fmt.Sprintf("... and %d more", len(all)-shown))
	}
	return strings.Join(all, "; ")
}
