package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/lateness/report"
	"github.com/strandline-stream/strandline/internal/output"
	"github.com/strandline-stream/strandline/yaml"
)

// latenessFlags are those of strandline lateness.
type latenessFlags struct {
	running
	bounds, allowed []time.Duration
	periods         []int
	quantiles       []float64
	by              string
	maxDropped      string
	maxPolluted     int
	maxDelay        time.Duration
	loseAt          string
	sample          int
	details         bool
	json            bool
	html            string
}

func latenessCommand(s *streams) *cobra.Command {
	f := &latenessFlags{}
	c := &cobra.Command{
		Use:   "lateness FILE",
		Short: "what a watermark's delay and an allowed lateness cost",
		Long: `Goes over the input of the pipeline, as a replay, under each setting of a grid, and
says what each costs: records that are dropped; cells of the answer, by key and
window, that are polluted by that, in every output, compared with the complete
answer cell by cell; panes, and those that correct an earlier one; how long after
the end of its window a cell is final; and the most state that waits. It ends
with the smallest setting that reaches an objective, and how sure that is.

The grid is chosen by the delays that are seen, or given: --bound says how far the
watermark stays behind the greatest event time (behind the arrivals, where the
pipeline says strategy: arrival), --periods how many calendar periods, where it
says strategy: periods, --quantile makes bounds of the delays, and --allowed is
the allowed lateness of all windows. All combinations are tried.

The order of the input is taken for the order of arrival, unless a field tells
when a record came: watermark: {timestamp: FIELD, arrival: FIELD}. Then delays
by the clock are known, too. Nothing is written.

Where one source goes through steps that look at one row at a time into one
Combine, all settings are told by one pass over the records as they are read
(two, where the delays choose the settings). Other pipelines are run once for
each setting, over their records in memory, into which standard input is read
in any case.`,
		Example: `  strandline lateness pipeline.yaml
  strandline lateness pipeline.yaml --bound 0s,10s,1m --allowed 0s,1h --by device
  strandline lateness meters.yaml --periods 0,1,2 --max-polluted 3 --json
  strandline lateness pipeline.yaml --by device --html report.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, s, args[0]) },
	}
	f.flags(c)
	c.Flags().DurationSliceVar(&f.bounds, "bound", nil, "how far the watermark stays behind, as 0s,10s,1m")
	c.Flags().DurationSliceVar(&f.allowed, "allowed", nil, "allowed latenesses of all windows, as 0s,1h")
	c.Flags().IntSliceVar(&f.periods, "periods", nil, "how many calendar periods the watermark stays behind, as 0,1,2")
	c.Flags().Float64SliceVar(&f.quantiles, "quantile", nil, "bounds that as many of the delays do not exceed, as 0.9,0.99,1")
	c.Flags().StringVar(&f.by, "by", "", "a field by whose values delays are told apart")
	c.Flags().StringVar(&f.maxDropped, "max-dropped", "0.1%", "objective: how many records may be dropped, as 0.1% or 20")
	c.Flags().IntVar(&f.maxPolluted, "max-polluted", 0, "objective: how many cells may be polluted")
	c.Flags().DurationVar(&f.maxDelay, "max-delay", 0, "objective: how long after its window's end a cell may be final, for 99 % of them")
	c.Flags().StringVar(&f.loseAt, "lose-state-at", "", "a time of arrival, as 2026-08: once a record of then has come, steps that carry values between windows (Previous) forget them")
	c.Flags().IntVar(&f.sample, "cells", 5, "how many polluted cells of an output, and dropped records, are shown with --details, --json and --html, where the default is 20")
	c.Flags().BoolVar(&f.details, "details", false, "show which cells are polluted, and which records were dropped")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	c.Flags().StringVar(&f.html, "html", "", "write a report with charts to a file, as one page that needs no network")
	c.Flags().IntVar(&f.workers, "workers", 0, "how many settings are tried at a time (default: what the pipeline says, or 1)")
	return c
}

func (f *latenessFlags) run(c *cobra.Command, s *streams, path string) error {
	o, err := f.options(c)
	if err != nil {
		return err
	}
	p, err := f.loadOne(c.Context(), s, path)
	if err != nil {
		return err
	}
	if f.by != "" {
		p.Keep(f.by)
	}
	if err := p.Check(c.Context()); err != nil {
		return &coded{exitError, err}
	}
	if o.Workers = f.workers; o.Workers == 0 {
		o.Workers = p.Workers()
	}
	page, err := f.page() // first, so that one that cannot be written fails before the work
	if err != nil {
		return &coded{exitError, err}
	}
	defer page.Close()
	r, err := p.Lateness(c.Context(), *o)
	switch {
	case err != nil && c.Context().Err() != nil:
		return &coded{exitInterrupted, nil}
	case err != nil:
		return &coded{exitError, err}
	}
	if err := errors.Join(report.Write(&page.Buffer, r), page.Finish()); err != nil {
		return &coded{exitError, err}
	}
	if f.json {
		return printIndented(s, r)
	}
	if _, err := fmt.Fprint(s.out, r.Text(f.details)); err != nil {
		return err
	}
	fmt.Fprintln(s.err, r.Time())
	return nil
}

// page is where the report goes: a file, which stays as it was until all is written, or nowhere.
func (f *latenessFlags) page() (*output.Output, error) {
	if f.html == "" {
		return output.To(io.Discard)()
	}
	return output.Replace(f.html)()
}

// options are what the flags come to; what they say wrongly is a mistake of usage.
func (f *latenessFlags) options(c *cobra.Command) (*yaml.LatenessOptions, error) {
	o := &yaml.LatenessOptions{Bounds: f.bounds, Periods: f.periods, Quantiles: f.quantiles, Allowed: f.allowed, By: f.by, Sample: f.sample}
	for _, b := range f.bounds {
		if b < 0 {
			return nil, fmt.Errorf("--bound %v: it is 0s or more", b)
		}
	}
	for _, a := range f.allowed {
		if a < 0 {
			return nil, fmt.Errorf("--allowed %v: it is 0s or more", a)
		}
	}
	for _, n := range f.periods {
		if n < 0 {
			return nil, fmt.Errorf("--periods %d: it is 0 or more", n)
		}
	}
	for _, q := range f.quantiles {
		if !(q >= 0 && q <= 1) {
			return nil, fmt.Errorf("--quantile %v: it is a share, from 0 to 1", q)
		}
	}
	if n := max(len(f.bounds), len(f.periods), len(f.quantiles), 1) * max(len(f.allowed), 1); n > maxSettings {
		return nil, fmt.Errorf("%d settings are too many: each takes a run, and there are %d at most", n, maxSettings)
	}
	if f.html != "" && !c.Flags().Changed("cells") {
		o.Sample = 20
	}
	if f.maxPolluted < 0 {
		return nil, fmt.Errorf("--max-polluted %d: it is 0 or more", f.maxPolluted)
	}
	if f.maxDelay < 0 {
		return nil, fmt.Errorf("--max-delay %v: it is more than 0s, or 0s for no limit", f.maxDelay)
	}
	if f.sample < 0 {
		return nil, fmt.Errorf("--cells %d: it is 0 or more", f.sample)
	}
	o.Objective = lateness.Objective{MaxPolluted: f.maxPolluted, MaxDelay: lateness.Span(f.maxDelay.Microseconds())}
	var err error
	if o.Objective.MaxDropped, o.Objective.MaxRecords, err = share(f.maxDropped); err != nil {
		return nil, fmt.Errorf("--max-dropped %s: write a share of the records, as 0.1%%, or a number of them", f.maxDropped)
	}
	if f.loseAt != "" {
		if o.Lose, err = parseMoment(f.loseAt); err != nil {
			return nil, fmt.Errorf("--lose-state-at %s: write a time, as 2026-08, 2026-08-01 or 2026-08-01T00:00:00Z", f.loseAt)
		}
	}
	return o, nil
}

const maxSettings = 1000

var errShare = errors.New("no share and no number")

// share reads a share of the records, or a number of them; the other is then -1.
func share(text string) (of float64, records int64, err error) {
	if number, is := strings.CutSuffix(strings.TrimSpace(text), "%"); is {
		of, err = strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(of >= 0 && of <= 100) {
			return 0, 0, errShare
		}
		return of / 100, -1, nil
	}
	records, err = strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || records < 0 {
		return 0, 0, errShare
	}
	return -1, records, nil
}

// parseMoment reads a time in UTC, of which the end may be left out.
func parseMoment(text string) (time.Time, error) {
	for _, layout := range []string{"2006-01", time.DateOnly, "2006-01-02T15:04", time.RFC3339Nano} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("no time")
}
