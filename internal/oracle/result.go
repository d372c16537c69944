package oracle

// Result is everything that an aggregation gave.
type Result struct {
	Panes  []Pane // in order of firing
	Late   []LateRecord
	Ledger Ledger
}

// Pane is one output of one (key, window).
type Pane struct {
	Key        string
	Window     Interval
	Values     []int64 // in order of arrival, to be compared as a multiset
	At         int64   // output time in µs
	Timing     Timing
	Index      int // 0 for the first pane of the interval
	NonEarly   int // index among the panes that are not early, -1 if early
	First      bool
	Last       bool  // no later pane can come
	Retraction bool  // what an earlier pane said holds no more; the other fields are that pane's
	W          int64 // where the watermark stood when it fired: the goal of the advance, not the instant
}

// Timing is a pane's relation to the watermark (S5.3).
type Timing string

// The timings.
const (
	Early  Timing = "early"
	OnTime Timing = "on time"
	Late   Timing = "late"
)

// LateRecord is an element that was dropped from at least one window (S4.4).
type LateRecord struct {
	Event  int        // index into the events
	Missed []Interval // in order of end
	W      int64      // the watermark by which it was judged
}

// Ledger counts assignments, elements times windows (S13.1). Always:
//
//	Assigned = InWindow + Gap + DroppedLate + Closed
//	InWindow = Emitted + Open
type Ledger struct {
	Assigned    int // an element in a gap counts as one
	InWindow    int
	Gap         int // in no window
	DroppedLate int
	Closed      int // the trigger had finished
	Emitted     int // in at least one pane
	Open        int // in a window, in no pane yet
	LateButKept int // of InWindow: late on arrival
}
