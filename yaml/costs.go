package yaml

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// natural says whether the watermarks are of a kind that a setting names.
func (l *latenessRun) natural() bool {
	for _, s := range l.p.inOrder {
		switch strategyOf(s).(type) {
		case watermark.AdaptiveStrategy, watermark.EndOfInputStrategy:
			return false
		}
	}
	return true
}

// repeats says what the pipeline has against an allowed lateness: panes that replace others cannot be
// aggregated by everything.
func (l *latenessRun) repeats() error {
	p := *l.p
	p.tried = &trying{lateness: func(time.Duration) time.Duration { return time.Hour }, result: func(string, ref, *step, rows) {}}
	_, err := p.Build()
	return err
}

// trial is what a setting asks for.
func (l *latenessRun) trial(s lateness.Setting) Trial {
	steps := map[string]*step{}
	for _, st := range l.p.inOrder {
		steps[st.id] = st
	}
	return Trial{
		Trace:    true,
		Lose:     l.o.Lose,
		Lateness: func(time.Duration) time.Duration { return etime.Duration(int64(s.Allowed)) },
		Strategy: func(id string, w watermark.Strategy) watermark.Strategy {
			st := steps[id]
			if st == nil {
				return w
			}
			switch s.Kind {
			case lateness.Bound:
				if _, ends := strategyOf(st).(watermark.EndOfInputStrategy); ends && l.natural() {
					return w
				}
				return st.bounded(s.Behind)
			case lateness.Delay:
				return st.follows(watermark.Arrival(etime.Duration(s.Behind)), w)
			}
			return st.follows(watermark.Periods(l.calendar, int(s.Behind)), w)
		},
	}
}

// follows is a watermark by the arrivals of a step's rows; w if they do not tell them.
func (s *step) follows(by, w watermark.Strategy) watermark.Strategy {
	if s.marks == nil {
		return w
	}
	m := *s.marks
	m.strategy = by
	return m.arriving(s.outs[""].schema)
}

// complete finds the complete answer: in batch mode nothing is late.
func (l *latenessRun) complete(ctx context.Context) error {
	begun := time.Now()
	out, err := l.r.Try(ctx, Trial{Batch: true})
	if err != nil {
		return err
	}
	l.out.Plain = time.Since(begun).Seconds()
	compared := 0
	for _, r := range out.Results {
		a := answer{of: r, cells: results{}}
		switch {
		case l.fromLate(r.of.step, r.of.output, map[*step]bool{}):
			a.skip = true
			l.out.Notes = append(l.out.Notes, fmt.Sprintf("%s is not compared: it is made of records that came too late", r.Step))
		case r.Discards:
			a.skip = true
			l.out.Notes = append(l.out.Notes, fmt.Sprintf("%s is not compared: its panes hold only what is new", r.Step))
		default:
			if _, err := r.into(a.cells); err != nil {
				a.skip = true
				l.out.Notes = append(l.out.Notes, fmt.Sprintf("%s is not compared: %v", r.Step, err))
				break
			}
			if r.Key == nil {
				l.out.Notes = append(l.out.Notes, fmt.Sprintf("%s has no fields that name a group, so each of its rows is a cell", r.Step))
			}
			compared++
			l.out.Complete += len(a.cells)
		}
		l.wanted = append(l.wanted, a)
	}
	l.dependent()
	if compared == 0 {
		l.out.Notes = append(l.out.Notes, "the pipeline has no output that can be compared")
	}
	return nil
}

// dependent notes which steps depend on the order of arrival.
func (l *latenessRun) dependent() {
	for _, s := range l.p.arrivalSteps() {
		l.out.Notes = append(l.out.Notes, fmt.Sprintf("%s depends on arrival, so that cells may differ without a record being dropped: %s", s.Step, s.Why))
	}
}

// fromLate says whether an output is made of what came too late, or could not be read.
func (l *latenessRun) fromLate(s *step, output string, seen map[*step]bool) bool {
	if s == nil || seen[s] {
		return false
	}
	if output == "late" && s.def.windowed {
		return true
	}
	seen[s] = true
	for _, in := range s.inputs {
		for _, f := range in.from {
			if l.fromLate(f.step, f.output, seen) {
				return true
			}
		}
	}
	return false
}

// all tries every setting, several at a time.
func (l *latenessRun) all(ctx context.Context) error {
	l.out.Settings = make([]lateness.Outcome, len(l.settings))
	errs := make([]error, len(l.settings))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan int)
	var group sync.WaitGroup
	for range min(max(l.o.Workers, 1), len(l.settings)) {
		group.Go(func() {
			for i := range next {
				if errs[i] = l.try(ctx, i); errs[i] != nil {
					stop()
				}
			}
		})
	}
	for i := range l.settings {
		next <- i
	}
	close(next)
	group.Wait()
	l.out.Passes = 1 + len(l.settings)
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return errors.Join(errs...)
}

// try runs the pipeline under one setting.
func (l *latenessRun) try(ctx context.Context, i int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	begun := time.Now()
	s := l.settings[i]
	t := l.trial(s)
	t.cut = l.cutter(s)
	out, err := l.r.Try(ctx, t)
	if err != nil {
		return fmt.Errorf("%v: %w", s, err)
	}
	x := &l.out.Settings[i]
	x.Setting = s
	l.count(x, i, out)
	if err := l.compare(x, out); err != nil {
		return fmt.Errorf("%v: %w", s, err)
	}
	x.Seconds = time.Since(begun).Seconds()
	return nil
}

// count takes what the ledger says, and which records were dropped.
func (l *latenessRun) count(x *lateness.Outcome, i int, out *Outcome) {
	for j := range out.Report.Steps {
		s := &out.Report.Steps[j]
		c := &s.Counts
		x.Dropped += c.LateRecords
		x.Assignments += c.DroppedLate + c.Closed
		x.LateKept += c.LateKept
		if c.StatePeak > 0 {
			x.Steps = append(x.Steps, lateness.State{Step: s.ID, Entries: c.StatePeak, Bytes: s.StateBytes})
			x.State += c.StatePeak
			x.StateBytes += s.StateBytes
		}
	}
	turns := l.r.Turns()
	gone := map[int]bool{}
	x.DroppedAt = make([]int, lateness.Blocks)
	for _, late := range out.Late {
		at := late.When.Read - 1
		if at < 0 || gone[at] {
			continue
		}
		gone[at] = true
		x.DroppedAt[lateness.Block(int64(at), int64(len(turns)))]++
		if len(x.Missed) < l.o.Sample {
			x.Missed = append(x.Missed, l.missed(late, at))
		}
	}
	if int64(len(out.Late)) == x.Dropped {
		x.Dropped = int64(len(gone)) // a record that two steps dropped is one
	}
	l.dropped[i] = map[string]int{}
	if l.group != nil {
		for at := range gone {
			l.dropped[i][l.group[at]]++
		}
	}
}

// missed describes a record that was dropped.
func (l *latenessRun) missed(late Late, at int) lateness.Missed {
	turn := l.r.Turns()[at]
	s := l.r.Sources[turn.Source]
	x := &s.Records[turn.Record]
	m := l.described(late.Step, s, x, l.lags[at])
	if l.group != nil {
		m.Group = l.group[at]
	}
	var wins []window.Interval
	if i := slices.Index(late.Row.Names, "missed"); i >= 0 && late.Row.Values[i].Kind() == record.List {
		for _, v := range late.Row.Values[i].List() {
			from, to := v.Struct().Get("window_start").Time(), v.Struct().Get("window_end").Time()
			wins = append(wins, window.FromMicros(from, to))
		}
		m.Window = windowTexts(wins)
	}
	return m
}

// described describes a record that a step dropped, but for its windows.
func (l *latenessRun) described(by string, s *Recorded, x *Record, lag int64) lateness.Missed {
	m := lateness.Missed{Step: by, Source: s.Step, Number: x.Number + 1, Time: etime.Format(x.Time), Record: string(record.AppendObject(nil, s.Names, x.Row))}
	if len(s.Splits) > 1 {
		m.Source = l.p.secrets.hide(s.Splits[x.Split])
	}
	if m.Behind = lateness.Span(lag).String(); l.kind == lateness.Periods {
		m.Behind = strings.TrimSuffix(lateness.Setting{Kind: l.kind, Behind: lag}.String(), ", allowed lateness 0s")
	}
	return m
}

// windowTexts gives the text of windows, each once, in the order of their starts.
func windowTexts(wins []window.Interval) (all []string) {
	wins = slices.Clone(wins)
	slices.SortFunc(wins, func(a, b window.Interval) int { return cmp.Compare(etime.Micros(a.Start()), etime.Micros(b.Start())) })
	for _, w := range slices.Compact(wins) {
		all = append(all, w.String())
	}
	return all
}

// compare compares the cells with those of the complete answer, and takes their delays.
func (l *latenessRun) compare(x *lateness.Outcome, out *Outcome) error {
	var event, clock []int64
	written := map[window.Interval]int64{}
	for j, want := range l.wanted {
		if want.skip {
			continue
		}
		r := out.Results[j]
		got := results{}
		w, err := r.into(got)
		if err != nil {
			return fmt.Errorf("%s cannot be compared: %w", r.Step, err)
		}
		x.Panes += w.panes
		x.Corrected += w.corrected
		o := l.compared(r, want.cells, got)
		x.Outputs = append(x.Outputs, o)
		x.Cells += o.Cells
		x.Polluted += o.Polluted
		for _, f := range w.finals {
			if !f.fired || len(f.Rows) == 0 {
				continue
			}
			end := etime.Micros(f.Window.End())
			if l.kind == lateness.Periods {
				at := f.when.Before
				if f.late || f.when.Ended {
					at = f.when.Arrival
				}
				if w, there := written[f.Window]; !there || at > w {
					written[f.Window] = at
				}
			}
			if f.when.Ended {
				x.Freshness.AtEnd += w.count(f)
				continue
			}
			x.Freshness.Cells += w.count(f)
			for range w.count(f) {
				event = append(event, etime.Sub(f.when.High, end))
				if l.out.Arrivals {
					clock = append(clock, etime.Sub(f.when.Arrival, end))
				}
			}
		}
	}
	x.Freshness.Event, x.Freshness.Processing = lateness.SpreadOf(event), lateness.SpreadOf(clock)
	for win, at := range written {
		if at == etime.Min {
			continue
		}
		if in := l.calendar.Assign(nil, at); len(in) > 0 {
			x.Written = append(x.Written, lateness.Written{Window: etime.Format(etime.Micros(win.Start())), In: etime.Format(etime.Micros(in[0].Start()))})
		}
	}
	slices.SortFunc(x.Written, func(a, b lateness.Written) int { return strings.Compare(a.Window+a.In, b.Window+b.In) })
	return nil
}

// groups describes the delays of each value of the field asked for, the longest first.
func (l *latenessRun) groups() {
	for name, lags := range l.seen.by {
		d := lags.Distribution(name, l.kind)
		d.Dropped = make([]int, len(l.settings))
		for i := range l.settings {
			d.Dropped[i] = l.dropped[i][name]
		}
		l.out.ByGroup = append(l.out.ByGroup, d)
	}
	slices.SortFunc(l.out.ByGroup, func(a, b lateness.Delays) int {
		if a.Max != b.Max {
			return int(min(max(b.Max-a.Max, -1), 1))
		}
		return strings.Compare(a.Name, b.Name)
	})
}
