package why

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/prose"
)

// Fate is what became of a record in one of its windows.
type Fate string

const (
	InPane  Fate = "fired"   // it is in a pane that was given
	Dropped Fate = "dropped" // it was too late for the window
	Refused Fate = "closed"  // the window's trigger had finished
	Kept    Fate = "waiting" // it is in the window, which has given nothing since
	NoWhere Fate = "gap"     // it is in no window
)

// Record is a record that has reached a windowed step.
type Record struct {
	Number int64 // it was the n-th that was read, from 1; 0 if that is not known
	Key    string
	At     int64 // its event time
	W      int64 // the step's watermark when it came
}

// Outcome is what became of a record in one of its windows.
type Outcome struct {
	Fate        Fate
	Lo, Hi      int64
	Due, Expiry int64
	Pane        Pane // InPane
	W           int64
}

// Tell says what became of a record in its windows.
func Tell(r *Record, all []Outcome) string {
	w := &writer{day: etime.Min}
	which := "the record"
	if r.Number > 0 {
		which = "record " + prose.Grouped(r.Number)
	}
	if r.Key != "" {
		which += " of " + r.Key
	}
	which += ", of " + w.at(r.At)
	w.day = day(r.At)
	if r.W == etime.Min {
		which += ", came when there was no watermark yet"
	} else {
		which += ", came when the watermark stood at " + w.at(r.W)
	}
	if len(all) == 0 {
		return which + "; it is in no window: the windows leave a gap there"
	}
	var b strings.Builder
	b.WriteString(which)
	for i := range all {
		o := &all[i]
		iv := "the global window"
		if o.Lo != etime.Min || o.Hi != etime.Max {
			iv = w.interval(o.Lo, o.Hi)
			w.day = day(r.At)
		}
		switch o.Fate {
		case InPane:
			fmt.Fprintf(&b, "; in %s it came out in pane %d, %s, %s", iv, o.Pane.Index, o.Pane.Timing, w.reached(o.Pane.W))
			if o.Pane.W != etime.Max && o.Pane.Record > 0 {
				fmt.Fprintf(&b, ", by record %s", prose.Grouped(o.Pane.Record))
			}
		case Dropped:
			fmt.Fprintf(&b, "; it was too late for %s, which had expired at %s", iv, w.at(o.Expiry))
		case Refused:
			fmt.Fprintf(&b, "; it found %s closed, since its trigger had finished", iv)
		default:
			fmt.Fprintf(&b, "; it is in %s, which has given nothing since", iv)
			if o.W < o.Due {
				fmt.Fprintf(&b, ": the watermark stands at %s", w.at(o.W))
			}
		}
	}
	return b.String()
}
