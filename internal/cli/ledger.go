package cli

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline"
)

// ledger is the books of a run as a file (S13.1).
type ledger struct {
	Pipeline string        `json:"pipeline"`
	Complete bool          `json:"complete"`
	Drained  bool          `json:"drained,omitzero"`
	Summary  string        `json:"summary"`
	Splits   []ledgerSplit `json:"splits,omitzero"`
	Steps    []ledgerStep  `json:"steps"`
}

// ledgerSplit is what was read of one split of a source.
type ledgerSplit struct {
	Step      string      `json:"step"`
	Split     string      `json:"split"`
	Read      int64       `json:"read"`
	Malformed int64       `json:"malformed,omitzero"`
	Position  string      `json:"position,omitzero"`
	Greatest  time.Time   `json:"greatest,omitzero"`
	Delays    ledgerDelay `json:"delays"`
}

// ledgerDelay says how far records were behind the greatest event time before them, in seconds.
type ledgerDelay struct {
	Behind  int64   `json:"behind"`           // records that were
	Sampled bool    `json:"sampled,omitzero"` // not every record was looked at
	P50     float64 `json:"p50"`
	P90     float64 `json:"p90"`
	P99     float64 `json:"p99"`
	P999    float64 `json:"p999"`
	Most    float64 `json:"most"`
}

// ledgerPolluted are the keys and windows that lack a record which was too late for them.
type ledgerPolluted struct {
	Cells         int64        `json:"cells"`
	Estimate      bool         `json:"estimate,omitzero"`
	StandardError float64      `json:"standard_error,omitzero"` // of an estimate, as a share of it
	Named         []ledgerCell `json:"named"`
}

type ledgerCell struct {
	Key     string    `json:"key,omitzero"`
	Start   time.Time `json:"start,omitzero"` // none for the global window
	End     time.Time `json:"end,omitzero"`
	Dropped int64     `json:"dropped"`
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

	Polluted *ledgerPolluted `json:"polluted,omitzero"`
}

// ledgerOf gives the books; conceal takes secrets out of what comes from records and messages.
func ledgerOf(name string, r *strandline.Report, conceal func(string) string) ledger {
	l := ledger{Pipeline: name, Complete: r.Complete, Drained: r.Drained, Summary: conceal(strandline.Ledger(r))}
	for i := range r.Splits {
		s := &r.Splits[i]
		split := ledgerSplit{Step: conceal(s.Step), Split: conceal(s.Split), Read: s.Read, Malformed: s.Malformed, Position: conceal(s.Position), Delays: delaysOf(s.Delays)}
		if at := time.UnixMicro(s.Greatest).UTC(); at.Year() >= -9999 && at.Year() <= 9999 {
			split.Greatest = at
		}
		l.Splits = append(l.Splits, split)
	}
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
		step.Polluted = pollutedOf(s, conceal)
		l.Steps = append(l.Steps, step)
	}
	return l
}

func delaysOf(d *strandline.Delays) ledgerDelay {
	seconds := func(us int64) float64 { return float64(us) / 1e6 }
	return ledgerDelay{Behind: d.Behind(), Sampled: d.Sampled(), P50: seconds(d.Quantile(0.5)), P90: seconds(d.Quantile(0.9)), P99: seconds(d.Quantile(0.99)),
		P999: seconds(d.Quantile(0.999)), Most: seconds(d.Greatest())}
}

// pollutedOf gives what a step's results lack, nil if they lack nothing.
func pollutedOf(s *strandline.StepReport, conceal func(string) string) *ledgerPolluted {
	if s.PollutedCells == 0 {
		return nil
	}
	p := &ledgerPolluted{Cells: s.PollutedCells, Estimate: s.PollutedEstimate}
	if p.Estimate {
		p.StandardError = 0.016
	}
	for _, c := range s.Polluted {
		cell := ledgerCell{Key: conceal(c.Key), Dropped: c.Dropped}
		if !c.Window.IsGlobal() {
			cell.Start, cell.End = c.Window.Start(), c.Window.End()
		}
		p.Named = append(p.Named, cell)
	}
	return p
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
	return errors.Join(append(errs, l.checkSplits(), l.checkPolluted())...)
}

// checkSplits compares what splits gave with what the steps that read them have.
func (l *ledger) checkSplits() error {
	var errs []error
	read := map[string]int64{}
	for _, s := range l.Splits {
		read[s.Step] += s.Read
	}
	for i := range l.Steps {
		s := &l.Steps[i]
		if n, reads := read[s.ID]; reads && n != s.In {
			errs = append(errs, fmt.Errorf("step %q: %d in, but %d were read of its splits", s.ID, s.In, n))
		}
		delete(read, s.ID)
		if strings.HasPrefix(s.Kind, "write ") && s.Written != s.Kept && l.Complete {
			errs = append(errs, fmt.Errorf("step %q: %d kept, but %d written", s.ID, s.Kept, s.Written))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(read)) {
		errs = append(errs, fmt.Errorf("%d records were read by a step %q that is not there", read[id], id))
	}
	return errors.Join(errs...)
}

// checkPolluted compares the cells that lack records with the records that were dropped.
func (l *ledger) checkPolluted() error {
	var errs []error
	for i := range l.Steps {
		s := &l.Steps[i]
		p := s.Polluted
		if p == nil {
			continue
		}
		named := int64(0)
		for _, c := range p.Named {
			named += c.Dropped
		}
		whole := !p.Estimate && p.Cells == int64(len(p.Named))
		if named > s.DroppedLate || whole && named != s.DroppedLate || !p.Estimate && p.Cells > s.DroppedLate {
			errs = append(errs, fmt.Errorf("step %q: %d dropped late, but %d cells lack %d", s.ID, s.DroppedLate, p.Cells, named))
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
