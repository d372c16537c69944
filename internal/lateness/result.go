package lateness

// Result is what all settings cost on some recorded input.
type Result struct {
	Pipeline string `json:"pipeline"`
	// Kind is what the settings vary.
	Kind Kind `json:"kind"`
	// Strategy is the watermark that the pipeline itself asks for.
	Strategy string `json:"strategy"`
	// Records are those that could be read.
	Records   int64 `json:"records"`
	Malformed int64 `json:"malformed,omitzero"`
	// Arrivals says that the records tell when they came. Without that, the order of the file is taken
	// for the order of arrival, and delays in processing time are not known.
	Arrivals bool `json:"arrivals"`
	// Notes say what was assumed, and what is not compared.
	Notes []string `json:"notes,omitempty"`
	// Delays are those of each split of each source, and ByGroup those of each value of the field By.
	Delays  []Delays `json:"delays"`
	By      string   `json:"by,omitempty"`
	ByGroup []Delays `json:"by_group,omitempty"`
	// Complete is how many cells the complete answer has.
	Complete int       `json:"complete_cells"`
	Settings []Outcome `json:"settings"`
	Advice   Advice    `json:"advice"`
	// Seconds is how long all took, and Plain how long one run of the pipeline over the records in
	// memory, where each setting needs one. Passes is how many times the records were gone over.
	Seconds float64 `json:"seconds"`
	Plain   float64 `json:"plain_seconds,omitzero"`
	Passes  int     `json:"passes"`
}

// Outcome is what one setting costs.
type Outcome struct {
	Setting Setting `json:"setting"`
	// Dropped are the records that missed at least one window; Assignments counts each window missed.
	Dropped     int64 `json:"dropped"`
	Assignments int64 `json:"dropped_assignments"`
	// LateKept are assignments of records that came after the window's end and are in it.
	LateKept int64 `json:"late_kept"`
	// Cells are those that the setting gives, of all outputs that are compared, and Polluted those that
	// are not as in the complete answer, are missing, or should not be there.
	Cells    int      `json:"cells"`
	Polluted int      `json:"polluted"`
	Outputs  []Output `json:"outputs"`
	// Panes are results given, Corrected those that took the place of an earlier one.
	Panes     int64 `json:"panes"`
	Corrected int64 `json:"corrected"`
	// Freshness is how long after the end of its window a cell is final.
	Freshness Freshness `json:"freshness"`
	// Written tells for each window by which arrivals it was complete; only where the watermark goes by
	// periods.
	Written []Written `json:"written,omitempty"`
	// State is the most entries that the steps kept, each at its own time, and their bytes.
	State      int64   `json:"state"`
	StateBytes int64   `json:"state_bytes"`
	Steps      []State `json:"state_steps,omitempty"`
	// DroppedAt are the places of dropped records in the order of arrival, where they are known: the
	// sum of those in each hundredth of the input.
	DroppedAt []int `json:"dropped_at,omitempty"`
	// Missed is a sample of the dropped records.
	Missed []Missed `json:"missed,omitempty"`
	// Seconds is how long the pass took.
	Seconds float64 `json:"seconds"`
}

// Compared says whether any output could be compared: otherwise nothing is known of polluted cells.
func (x *Outcome) Compared() bool { return len(x.Outputs) > 0 }

// Output is one output of the pipeline under a setting.
type Output struct {
	Step string `json:"step"`
	// Key are the fields that name a cell beside its window; nil where a row as a whole is a cell.
	Key      []string `json:"key,omitempty"`
	Complete int      `json:"complete"` // cells of the complete answer
	Cells    int      `json:"cells"`
	Polluted int      `json:"polluted"`
	Changed  int      `json:"changed"`
	Missing  int      `json:"missing"`
	Extra    int      `json:"extra"`
	Sample   []Cell   `json:"sample,omitempty"`
}

// Cell is a cell that is polluted. Want is empty if it should not be there, Got if it is missing.
type Cell struct {
	Window string `json:"window,omitempty"`
	Key    string `json:"key,omitempty"`
	Want   string `json:"want,omitempty"`
	Got    string `json:"got,omitempty"`
}

// State is what one step kept at the most.
type State struct {
	Step    string `json:"step"`
	Entries int64  `json:"entries"`
	Bytes   int64  `json:"bytes"`
}

// Written says that a window's cells were final once the records that came in a period had been
// read. Times are RFC 3339.
type Written struct {
	Window string `json:"window"` // its start
	In     string `json:"in"`     // the start of the period
}

// Missed is a record that was dropped.
type Missed struct {
	Step   string   `json:"step"`   // that dropped it
	Source string   `json:"source"` // and where it comes from
	Number int64    `json:"number"` // counted from 1
	Time   string   `json:"event_time"`
	Behind string   `json:"behind"` // by how much it was behind the front
	Group  string   `json:"group,omitempty"`
	Record string   `json:"record"` // as JSON
	Window []string `json:"windows,omitempty"`
}

// Freshness are delays from the end of a window to the pane that is final. What only the end of the
// input has closed is not in it.
type Freshness struct {
	Cells int `json:"cells"`  // that were measured
	AtEnd int `json:"at_end"` // and that the end of the input has closed
	// Event is by how much the greatest event time was past the window's end, and Processing by how
	// much the clock was, where arrivals are known.
	Event      *Spread `json:"event_time,omitempty"`
	Processing *Spread `json:"processing_time,omitempty"`
}

// Spread are quantiles of delays.
type Spread struct {
	P50 Span `json:"p50"`
	P99 Span `json:"p99"`
	Max Span `json:"max"`
}
