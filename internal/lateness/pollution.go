package lateness

import (
	"cmp"
	"slices"
	"strconv"
)

// ID names a cell within an output.
type ID struct {
	Window string
	Key    string
}

// Cells are those of one output: of each the last pane.
type Cells[V any] map[ID]V

// Each adds a value that has no key: what is equal as text is told apart by its number.
func (c Cells[V]) Each(window, text string, v V) {
	id := ID{window, text}
	for n := 2; ; n++ {
		if _, there := c[id]; !there {
			c[id] = v
			return
		}
		id.Key = text + " #" + strconv.Itoa(n)
	}
}

// Compare compares the cells of an output with those of the complete answer, one by one. Same says
// whether two values agree, and text writes one. The sample has at most limit of the cells that are
// polluted, in the order of windows and keys.
func Compare[V any](out Output, want, got Cells[V], limit int, same func(a, b V) bool, text func(V) string) Output {
	out.Complete, out.Cells = len(want), len(got)
	var bad []Cell
	note := func(id ID, want, got string) { bad = append(bad, Cell{id.Window, id.Key, want, got}) }
	for id, w := range want {
		g, there := got[id]
		switch {
		case !there:
			out.Missing++
			note(id, text(w), "")
		case !same(w, g):
			out.Changed++
			note(id, text(w), text(g))
		}
	}
	for id, g := range got {
		if _, there := want[id]; !there {
			out.Extra++
			note(id, "", text(g))
		}
	}
	out.Polluted = out.Changed + out.Missing + out.Extra
	slices.SortFunc(bad, func(a, b Cell) int { return cmp.Or(cmp.Compare(a.Window, b.Window), cmp.Compare(a.Key, b.Key)) })
	out.Sample = bad[:min(len(bad), limit)]
	return out
}
