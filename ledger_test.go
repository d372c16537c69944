package strandline_test

import (
	"testing"

	"github.com/strandline-stream/strandline"
)

func TestLedgerOfAnIncompleteRunSaysSo(t *testing.T) {
	r := &strandline.Report{Steps: make([]strandline.StepReport, 2)}
	read, count := &r.Steps[0], &r.Steps[1]
	read.Kind, count.Kind = "read events", "combine"
	read.Counts.In, read.Counts.Kept, read.Counts.Malformed, read.Counts.Quarantined = 9, 6, 2, 1
	n := &count.Counts
	n.In, n.Kept = 6, 6 // of another step, and not read
	n.Assigned, n.InWindow, n.Gap, n.DroppedLate, n.Closed = 12, 6, 3, 2, 1
	n.Emitted, n.Open = 5, 1
	const want = "ledger: 9 read = 6 kept + 2 malformed + 1 quarantined; " +
		"12 assigned = 6 in a window + 3 in a gap + 2 late + 1 closed; 6 in a window = 5 given + 1 open"
	if got := strandline.Ledger(r); got != want+"; the run is not complete" {
		t.Errorf("got  %s\nwant %s", got, want+"; the run is not complete")
	}
	r.Complete = true
	if got := strandline.Ledger(r); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
