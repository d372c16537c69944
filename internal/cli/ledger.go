package cli

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline"
)

// ledger is the books of a run as a file (S13.1).
type ledger struct {
	Pipeline string       `json:"pipeline"`
	Complete bool         `json:"complete"`
	Drained  bool         `json:"drained,omitzero"`
	Summary  string       `json:"summary"`
	Steps    []ledgerStep `json:"steps"`
}

// ledgerStep is the part of a step; terms that are 0 are left out.
type ledgerStep struct {
	ID            string   `json:"id"`
	Kind          string   `json:"kind"`
	In            int64    `json:"in,omitzero"`
	Kept          int64    `json:"kept,omitzero"`
	Malformed     int64    `json:"malformed,omitzero"`
	Quarantined   int64    `json:"quarantined,omitzero"`
	Filtered      int64    `json:"filtered,omitzero"`
	NotComputable int64    `json:"not_computable,omitzero"`
	Assigned      int64    `json:"assigned,omitzero"`
	InWindow      int64    `json:"in_window,omitzero"`
	Gap           int64    `json:"gap,omitzero"`
	DroppedLate   int64    `json:"dropped_late,omitzero"`
	Closed        int64    `json:"closed,omitzero"`
	Emitted       int64    `json:"emitted,omitzero"`
	Open          int64    `json:"open,omitzero"`
	LateKept      int64    `json:"late_kept,omitzero"`
	LateRecords   int64    `json:"late_records,omitzero"`
	Future        int64    `json:"future,omitzero"`
	Panes         int64    `json:"panes,omitzero"`
	PanesFailed   int64    `json:"panes_failed,omitzero"`
	Written       int64    `json:"written,omitzero"`
	StatePeak     int64    `json:"state_peak,omitzero"`  // entries of state, the most before the input had ended
	StateBytes    int64    `json:"state_bytes,omitzero"` // an estimate of their memory
	LateSample    []string `json:"late_sample,omitempty"`
	BadSample     []string `json:"malformed_sample,omitempty"`
}

// ledgerOf gives the books; conceal takes secrets out of what comes from records and messages.
func ledgerOf(name string, r *strandline.Report, conceal func(string) string) ledger {
	l := ledger{Pipeline: name, Complete: r.Complete, Drained: r.Drained, Summary: conceal(strandline.Ledger(r))}
	for i := range r.Steps {
		s := &r.Steps[i]
		c := &s.Counts
		step := ledgerStep{
			ID: s.ID, Kind: s.Kind, In: c.In, Kept: c.Kept, Malformed: c.Malformed, Quarantined: c.Quarantined, Filtered: c.Filtered,
			NotComputable: c.NotComputable, Assigned: c.Assigned, InWindow: c.InWindow, Gap: c.Gap, DroppedLate: c.DroppedLate, Closed: c.Closed,
			Emitted: c.Emitted, Open: c.Open, LateKept: c.LateKept, LateRecords: c.LateRecords, Future: c.Future, Panes: c.Panes, PanesFailed: c.PanesFailed,
			Written: c.Written, StatePeak: c.StatePeak, StateBytes: s.StateBytes,
		}
		for _, l := range s.Late {
			step.LateSample = append(step.LateSample, conceal(l))
		}
		for _, m := range s.Malformed {
			step.BadSample = append(step.BadSample, conceal(m.String()))
		}
		l.Steps = append(l.Steps, step)
	}
	return l
}

// check gives what does not balance: each line names the step, the sum and its parts.
func (l *ledger) check() error {
	var errs []error
	sum := func(s *ledgerStep, whole int64, name, parts string, of ...int64) {
		total := int64(0)
		for _, n := range of {
			total += n
		}
		if whole != total {
			errs = append(errs, fmt.Errorf("step %q: %d %s, but %d %s", s.ID, whole, name, total, parts))
		}
	}
	for i := range l.Steps {
		s := &l.Steps[i]
		sum(s, s.In, "in", "kept, malformed, quarantined, filtered or not computable", s.Kept, s.Malformed, s.Quarantined, s.Filtered, s.NotComputable)
		sum(s, s.Assigned, "assigned", "in a window, in a gap, dropped late or closed", s.InWindow, s.Gap, s.DroppedLate, s.Closed)
		sum(s, s.InWindow, "in a window", "emitted or open", s.Emitted, s.Open)
		if l.Complete && s.Open > 0 {
			errs = append(errs, fmt.Errorf("step %q: %d are in open windows, but the run is complete", s.ID, s.Open))
		}
	}
	return errors.Join(errs...)
}

// writeLedger writes the books of a run to a file.
func writeLedger(path, pipeline string, r *strandline.Report, conceal func(string) string) error {
	b, err := json.Marshal(ledgerOf(pipeline, r, conceal), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

func ledgerCommand(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "ledger",
		Short: "look at the books of a run",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "verify that the books of a run balance",
		Long: `Verifies a file that strandline run --ledger wrote: that what every step read and
assigned is equal to what became of it. Exit code 1 if it is not.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := os.ReadFile(args[0])
			if err != nil {
				return &coded{exitError, err}
			}
			var l ledger
			if err := json.Unmarshal(b, &l, json.RejectUnknownMembers(true)); err != nil {
				return &coded{exitError, fmt.Errorf("%s is no ledger: %w", args[0], err)}
			}
			if len(l.Steps) == 0 {
				return &coded{exitError, fmt.Errorf("%s has no steps", args[0])}
			}
			if err := l.check(); err != nil {
				return &coded{exitError, fmt.Errorf("%s does not balance:\n%s", args[0], indented(err.Error()))}
			}
			_, err = fmt.Fprintf(s.out, "%s balances\n%s\n", args[0], l.Summary)
			return err
		},
	})
	return c
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
