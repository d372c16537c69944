package oracle

import "time"

// Spec is one windowed aggregation.
type Spec struct {
	Window         Window
	Trigger        Trigger
	Accumulating   bool // a pane holds what earlier panes held; else it holds only what is new (S5.4)
	Lateness       int64
	Retracting     bool // a pane is preceded by what it takes back; of an accumulating Spec (S5.4)
	FinalOnly      bool // one pane, at expiry; the trigger is not looked at (S5.5)
	Output         Output
	Transform      func(at int64) int64 // what an earliest or latest time counts as; nil: itself (S5.8)
	OnlyIfNonEmpty bool                 // no on-time pane without anything new (S5.6)
	EmptyLast      bool                 // a last pane even without anything new (S5.6)
	Ended          bool                 // after the last event the input has ended (S8.1); else it is stopped (S8.2)
}

// Output says which event time a pane gets.
type Output int

// The output times (S5.8).
const (
	AtEnd Output = iota // end - 1 µs
	AtEarliest
	AtLatest
)

// Window says which windows an element is in (S2). Spans are in µs.
type Window struct {
	Kind     WindowKind
	Size     int64 // of Fixed, Sliding and Cumulative windows
	Period   int64 // from one Sliding window to the next
	Step     int64 // by which Cumulative windows grow; Size is a multiple of it
	Offset   int64 // of Fixed, Sliding and Cumulative windows
	Gap      int64 // of a Session
	Each     bool  // each element has the Gap of its own Session
	Touching bool  // elements exactly Gap apart are one Session
	Months   int   // of a Calendar window; else Days
	Days     int   // of a Calendar window
	Anchor   int   // the day from which Days are counted, from 1970-01-01: -3 for weeks from Monday
	Zone     *time.Location
}

// WindowKind names a way to assign windows.
type WindowKind int

// The kinds of windows.
const (
	Global WindowKind = iota
	Fixed
	Sliding
	Session
	Cumulative
	Calendar
)
