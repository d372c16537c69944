package run

// Counts are the counters of one step on one worker: the terms of the ledger (S13.1). They
// are plain numbers, written by one goroutine and read after it has ended.
type Counts struct {
	// Records.
	In, Malformed, Quarantined, Kept, Filtered, NotComputable int64
	// Assignments of records to windows, in windowed steps.
	Assigned, InWindow, Gap, DroppedLate, Closed, LateKept, Emitted, Open int64
	// Records that missed at least one window, panes given, panes whose value could not be
	// extracted, records from the future (S3.4), rows written by a sink.
	LateRecords, Panes, PanesFailed, Future, Written int64
	// Panes of windows whose end the clock has passed and no record has (S3.3).
	ByClock int64
	// Entries of state: how many there are, and the most that there were before the input had
	// ended; of several workers the sum (S13.4).
	State, StatePeak int64
}

// Add adds o to c.
func (c *Counts) Add(o *Counts) {
	c.In += o.In
	c.Malformed += o.Malformed
	c.Quarantined += o.Quarantined
	c.Kept += o.Kept
	c.Filtered += o.Filtered
	c.NotComputable += o.NotComputable
	c.Assigned += o.Assigned
	c.InWindow += o.InWindow
	c.Gap += o.Gap
	c.DroppedLate += o.DroppedLate
	c.Closed += o.Closed
	c.LateKept += o.LateKept
	c.Emitted += o.Emitted
	c.Open += o.Open
	c.LateRecords += o.LateRecords
	c.Panes += o.Panes
	c.PanesFailed += o.PanesFailed
	c.Future += o.Future
	c.Written += o.Written
	c.ByClock += o.ByClock
	c.State += o.State
	c.StatePeak += o.StatePeak
}
