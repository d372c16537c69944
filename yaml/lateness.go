package yaml

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// LatenessOptions say which settings [Pipeline.Lateness] tries.
type LatenessOptions struct {
	// Bounds are how far the watermark stays behind, and Periods how many calendar periods, where the
	// pipeline's goes by those. Quantiles are shares of the delays that were observed, to make bounds
	// of. If none of them is given, they are chosen by the delays.
	Bounds    []time.Duration
	Periods   []int
	Quantiles []float64
	// Allowed are allowed latenesses of all windows. By default none and, unless the watermark goes by
	// periods, one that covers all delays.
	Allowed []time.Duration
	// By is a field by which delays are told apart; empty for none.
	By        string
	Objective lateness.Objective
	// Workers is how many settings are tried at a time. Defaults to 1.
	Workers int
	// Sample is how many polluted cells of an output, and dropped records, are shown.
	Sample int
	// Lose is that of [Trial].
	Lose time.Time

	apart bool // one pass for each setting, also where one would do for all
}

// Keep has sources give a field even if nothing uses it. It comes before [Pipeline.Check].
func (p *Pipeline) Keep(field string) { p.keeps = append(p.keeps, field) }

// Lateness says what each setting costs that the pipeline could run under over its input. It needs a pipeline that was checked. The error says what stands in the way: a source
// that does not end, no event times, settings that do not go with the pipeline's watermark.
func (p *Pipeline) Lateness(ctx context.Context, o LatenessOptions) (*lateness.Result, error) {
	begun := time.Now()
	l := &latenessRun{p: p, o: o}
	if err := l.kinds(); err != nil {
		return nil, err
	}
	if err := l.run(ctx); err != nil {
		return nil, err
	}
	l.groups()
	n := l.out.Records
	l.out.Advice = lateness.Advise(l.out, o.Objective, l.seen.trail.Between(0, n/10), l.seen.trail.Between(n-n/10, n))
	l.out.Seconds = time.Since(begun).Seconds()
	return l.out, nil
}

// run tries the settings: by one pass over the records for all of them if the pipeline allows it, else
// by one for each over a recording.
func (l *latenessRun) run(ctx context.Context) (err error) {
	if l.r, err = l.p.unread(ctx); err != nil {
		return err
	}
	if err := l.sources(); err != nil {
		return err
	}
	ln, done := l.inLine(), false
	if ln != nil && l.r.Sources[0].again() {
		done, err = l.asRead(ctx, ln)
	}
	if !done && err == nil {
		err = l.record(ctx)
	}
	if from := l.r.Sources[0]; !done && err == nil && ln != nil {
		done, err = l.allAtOnce(ctx, l.newSweep(ln, from, l.r.source(from.step, &Trial{}, nil)))
	}
	switch {
	case err != nil:
		return err
	case done:
		l.dependent()
		return nil
	}
	if err := l.complete(ctx); err != nil {
		return err
	}
	return l.all(ctx)
}

// record reads the sources into memory.
func (l *latenessRun) record(ctx context.Context) error {
	if err := l.r.read(ctx); err != nil {
		return err
	}
	l.prepare()
	return l.loses()
}

// latenessRun is a call of [Pipeline.Lateness].
type latenessRun struct {
	p        *Pipeline
	o        LatenessOptions
	r        *Recording
	out      *lateness.Result
	kind     lateness.Kind
	calendar window.Assigner // of periods
	written  lateness.Setting
	uniform  bool // all watermarks are as far behind, and all windows have one allowed lateness: written
	seen     *survey
	settings []lateness.Setting
	dropped  []map[string]int // how many records each setting drops, by the field asked for

	// Of a recording:
	lags   []int64  // by turn
	group  []string // by turn; nil if no field was asked for
	wanted []answer // the complete answer
}

// answer is what an output gave.
type answer struct {
	of    *Result
	cells results
	skip  bool
}

// kinds finds out what the watermarks of the pipeline go by.
func (l *latenessRun) kinds() error {
	p, found := l.p, ""
	var first *step
	var all []string
	uniform := true
	for _, s := range p.inOrder {
		if !s.def.marked || s.def.inputs == noInput && !s.outs[""].timed {
			continue
		}
		kind, text := lateness.Bound, "ascending()"
		w := strategyOf(s)
		if w != nil {
			text = w.String()
		}
		switch w.(type) {
		case watermark.ArrivalStrategy:
			kind = lateness.Delay
		case watermark.PeriodsStrategy:
			kind = lateness.Periods
		}
		if first != nil && kind != l.kind {
			return fmt.Errorf("the watermark of %s (line %d) is %s and that of %s (line %d) is %s: no setting fits both", first.id, first.kindNode.Line, found, s.id, s.kindNode.Line, text)
		}
		if s.marks != nil && kind != lateness.Bound && s.marks.arrival == "" {
			return fmt.Errorf("the watermark of %s (line %d) follows the arrival of records, and nothing says when they came: name the field with arrival", s.id, s.kindNode.Line)
		}
		if first != nil && kind == lateness.Periods && fmt.Sprint(s.marks.calendar) != fmt.Sprint(l.calendar) {
			return fmt.Errorf("the watermark of %s (line %d) goes by the periods of %v and that of %s (line %d) by those of %v: no number of them fits both", first.id, first.kindNode.Line, l.calendar, s.id, s.kindNode.Line, s.marks.calendar)
		}
		uniform = uniform && (first == nil || behindOf(s) == l.written.Behind)
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
		if first == nil {
			first, found, l.kind = s, text, kind
			l.written = lateness.Setting{Kind: kind, Behind: behindOf(s), AsWritten: true}
			if s.marks != nil {
				l.calendar = s.marks.calendar
			}
		}
	}
	if first == nil {
		return errors.New("no source has event times, so nothing can be late: say watermark: {timestamp: FIELD} at the source")
	}
	l.uniform = uniform
	windowed := false
	for _, s := range p.inOrder {
		if w := s.windows; w != nil && w.kind != "global" {
			if windowed && etime.Span(w.lateness) != int64(l.written.Allowed) {
				l.uniform = false
			}
			windowed, l.written.Allowed = true, lateness.Span(etime.Span(w.lateness))
		}
	}
	if !windowed {
		return errors.New("no step has windows that end, so nothing can be late: say windowing: {type: fixed, size: 1m} at a Combine, say")
	}
	l.out = &lateness.Result{Pipeline: p.file, Kind: l.kind, Strategy: strings.Join(all, " and "), By: l.o.By}
	return l.fit()
}

// fit says whether the settings asked for go with the watermark.
func (l *latenessRun) fit() error {
	o := &l.o
	switch {
	case l.kind == lateness.Periods && (len(o.Bounds) > 0):
		return fmt.Errorf("the watermark goes by calendar periods (%s), so a bound says nothing: give a number of periods", l.out.Strategy)
	case l.kind != lateness.Periods && len(o.Periods) > 0:
		return fmt.Errorf("the watermark does not go by calendar periods (%s), so a number of them says nothing: give bounds, or say strategy: periods in the pipeline", l.out.Strategy)
	case len(o.Quantiles) > 0 && len(o.Bounds)+len(o.Periods) > 0:
		return errors.New("quantiles take the place of bounds and periods: give either")
	}
	for _, b := range o.Bounds {
		if b < 0 {
			return fmt.Errorf("a bound cannot be negative, and one is %v", b)
		}
	}
	for _, a := range o.Allowed {
		if a < 0 {
			return fmt.Errorf("an allowed lateness cannot be negative, and one is %v", a)
		}
		if a > 0 {
			if err := l.repeats(); err != nil {
				return fmt.Errorf("the pipeline can have no allowed lateness, such as %v: %w", a, err)
			}
		}
	}
	for _, n := range o.Periods {
		if n < 0 {
			return fmt.Errorf("a number of periods cannot be negative, and one is %d", n)
		}
	}
	for _, q := range o.Quantiles {
		if !(q >= 0 && q <= 1) {
			return fmt.Errorf("a quantile is a share from 0 to 1, and one is %v", q)
		}
	}
	return nil
}

// strategyOf is what the text says of a step's watermark; nil if it says nothing.
func strategyOf(s *step) watermark.Strategy {
	if s.marks == nil {
		return nil
	}
	return s.marks.strategy
}

// behindOf is how far behind the text keeps the watermark of a step.
func behindOf(s *step) int64 {
	if s.marks == nil {
		return 0
	}
	set := s.marks.settings
	switch s.marks.strategy.(type) {
	case watermark.PeriodsStrategy:
		return int64(set.int("periods", 0))
	case watermark.ArrivalStrategy:
		return etime.Span(set.duration("delay"))
	}
	return etime.Span(set.duration("bound"))
}
