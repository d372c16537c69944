package run

import (
	"fmt"

	"github.com/strandline-stream/strandline/window"
)

// Kind is a kind of state of a windowed step.
type Kind uint8

const (
	// Cells: any windows, any trigger.
	Cells Kind = iota
	// Flat: each element in one window of its own, panes by the default trigger, stamped with the
	// end.
	Flat
	// Sliced: sliding windows, panes as with Flat.
	Sliced
)

func (k Kind) String() string {
	return [...]string{
		"a cell for each key and window: each element is added to each of its windows",
		"a flat table for each window",
		"slices of sliding windows, merged when a window fires: the cost of an element does not grow with size/period",
	}[k]
}

// Kind says which kind of state the step has, given whether its panes are wanted with retractions,
// and for Cells why it is none of the faster kinds.
func (w *Windowing) Kind(retracts bool) (kind Kind, why string) {
	switch {
	case retracts && !w.single():
		return Cells, "results take back what they replace"
	case w.Output != AtEnd:
		return Cells, "results carry a time of their elements (" + w.Output.String() + ")"
	case w.Fill:
		return Cells, "windows without elements are asked for"
	case w.EmptyLast:
		return Cells, "empty last panes are asked for"
	case !w.FinalOnly && !w.Trigger.IsDefault():
		return Cells, "the trigger is not the default"
	case w.Inherited:
		return Flat, "" // each element comes with one window
	}
	switch a := w.Assigner.(type) {
	case window.FixedWindows, window.CalendarWindows, window.GlobalWindow:
		return Flat, ""
	case window.SlidingWindows:
		size, period, _ := a.Micros()
		switch {
		case period > size:
			return Cells, "the windows leave gaps"
		case gcd(size, period) < (period+15)/16:
			return Cells, fmt.Sprintf("size and period have no common slice of a 16th of the period: there would be %d slices in a window", size/gcd(size, period))
		}
		return Sliced, ""
	case window.Merger:
		return Cells, "windows merge"
	case window.CumulativeWindows:
		return Cells, "an element is in several windows"
	}
	return Cells, "the windows are the user's own"
}

// Partial says whether elements are accumulated before the exchange, and why if they are not.
func (w *Windowing) Partial(retracts, list bool) (is bool, why string) {
	kind, because := w.Kind(retracts)
	switch {
	case list:
		return false, "all elements are kept"
	case w.Inherited:
		return false, "elements come with the windows of an earlier grouping"
	case kind == Sliced:
		return false, "an element is in several windows"
	case kind == Cells:
		return false, because
	}
	return true, ""
}
