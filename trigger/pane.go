package trigger

import (
	"fmt"
	"strings"
)

// Timing says when a pane was fired, seen from its window's end (S5.3).
type Timing uint8

const (
	// Unknown is the timing of what no trigger has fired.
	Unknown Timing = iota
	// Early panes come before the watermark reaches the window's end.
	Early
	// OnTime is the one pane that the watermark's reaching the window's end causes.
	OnTime
	// Late panes come after the on-time pane, or because of a late element.
	Late
)

// String gives "unknown", "early", "on time" or "late".
func (t Timing) String() string {
	switch t {
	case Unknown:
		return "unknown"
	case Early:
		return "early"
	case OnTime:
		return "on time"
	case Late:
		return "late"
	}
	return fmt.Sprintf("Timing(%d)", uint8(t))
}

// Pane describes one firing of a window, for one key. Every output carries one (S5.3). The zero
// Pane is that of an element which has passed no trigger.
type Pane struct {
	Timing Timing
	// Index counts the window's panes from 0. It is the version of a result row (S5.10).
	Index int64
	// NonEarly counts the panes that are not early from 0. It is -1 on early panes.
	NonEarly int64
	// First: the window's first pane.
	First bool
	// Last: no later pane can come.
	Last bool
	// Retraction: the value is that of an earlier pane, and no longer holds; what replaces it comes
	// next, if anything does (S5.4). The other fields are those of the pane that it takes back.
	Retraction bool
	// Drained: fired, and perhaps partial, because the run was told to drain (S8.3).
	Drained bool
	// ByClock: the watermark is at the window's end because it has followed the clock while the
	// source was idle, not because of any record (S3.3).
	ByClock bool
}

// NoFiring is what Beam puts in the place of the zero Pane: the only pane, its timing unknown.
var NoFiring = Pane{First: true, Last: true}

// String gives text such as "on time pane 2 (0), last": its index and, in brackets, its index
// among the panes that are not early. The zero Pane gives "no pane".
func (p Pane) String() string {
	if p == (Pane{}) {
		return "no pane"
	}
	var b strings.Builder
	if p.Retraction {
		b.WriteString("retraction of ")
	}
	fmt.Fprintf(&b, "%v pane %d", p.Timing, p.Index)
	if p.NonEarly >= 0 {
		fmt.Fprintf(&b, " (%d)", p.NonEarly)
	}
	if p.First {
		b.WriteString(", first")
	}
	if p.Last {
		b.WriteString(", last")
	}
	if p.Drained {
		b.WriteString(", drained")
	}
	if p.ByClock {
		b.WriteString(", by the clock")
	}
	return b.String()
}
