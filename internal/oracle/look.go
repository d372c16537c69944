package oracle

import (
	"cmp"
	"slices"
)

// Seen is an element that looks into a window of a side input from one of its own (S10.6).
type Seen struct {
	Event  int // index into the events
	Window Interval
	Side   Interval
	Looks  bool // there is a window of the side to look into: else its windows leave a gap there
}

// Look gives which window of a side each element looks into, from each of its windows in which it is
// not too late, and the elements that are too late for some. When the side is ready has no say in it.
func Look(main Window, lateness int64, side Window, events []Event) (seen []Seen, late []LateRecord) {
	w := Before
	for i, e := range events {
		if w = max(w, e.W); e.Mark {
			continue
		}
		var missed []Interval
		for _, own := range main.assign(e.At) {
			if w >= add(main.due(own), lateness) {
				missed = append(missed, own)
				continue
			}
			last := add(own.End, -1)
			if own.End == After {
				last = After - 1
			}
			s := Seen{Event: i, Window: own}
			if all := side.assign(last); len(all) > 0 {
				s.Looks = true
				s.Side = slices.MinFunc(all, func(a, b Interval) int { return cmp.Compare(a.End, b.End) })
			}
			seen = append(seen, s)
		}
		if missed != nil {
			late = append(late, LateRecord{i, missed, w})
		}
	}
	return seen, late
}
