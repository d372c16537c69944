package yaml

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// allAtOnce tries every setting by one pass over the records, if the pipeline allows that.
func (l *latenessRun) allAtOnce(ctx context.Context) (done bool, err error) {
	line := l.p.line()
	if l.o.apart || l.failed || line == nil || l.kind != lateness.Bound || len(l.r.Sources) != 1 || len(l.r.Sources[0].Splits) != 1 || !l.o.Lose.IsZero() {
		return false, nil
	}
	for _, a := range l.wanted {
		if a.skip || a.of.Key == nil {
			return false, nil
		}
	}
	a := &atOnce{latenessRun: l, line: line, spoilt: map[int64][]lateness.Output{}}
	begun := time.Now()
	if err := a.gather(ctx); err != nil {
		return false, err
	}
	if err := a.touch(ctx); err != nil {
		return false, unlessPane(err)
	}
	a.follow()
	l.out.Settings = make([]lateness.Outcome, len(l.settings))
	for i := range l.settings {
		if err := a.outcome(ctx, i); err != nil {
			return false, unlessPane(err)
		}
	}
	l.out.Passes++
	for i := range l.out.Settings {
		l.out.Settings[i].Seconds = time.Since(begun).Seconds() / float64(len(l.settings))
	}
	return true, nil
}

// paneError is that of a pane that could not be computed. Then each setting has a pass of its own,
// in which that is no error.
type paneError struct{ error }

func unlessPane(err error) error {
	if _, is := errors.AsType[paneError](err); is {
		return nil
	}
	return err
}

// atOnce is one pass for all settings.
type atOnce struct {
	*latenessRun
	line    *line
	got     gathered
	touched []int                       // the cells with elements that are not on time under every setting
	want    []answer                    // what the outputs have for those in the complete answer
	spoilt  map[int64][]lateness.Output // by bound and allowed lateness together: that compared with it
	late    []*lateIn                   // those elements, as they came
	shifts  []int64                     // how far the front is past a window's end when something happens
	ends    map[int64]*onceEnd
	created []onceCreated // entries of state that are there under every setting
	slips   []onceEntry   // those that are not
}

// lateIn is a late element with its cell.
type lateIn struct {
	*onceLate
	cell int
}

// onceEnd is the end of windows.
type onceEnd struct {
	end    int64
	plain  int64            // cells without late elements
	base   int64            // entries of state that are forgotten by it, and there under every setting
	passed map[int64]Moment // by shift: when the front was first so far past it
}

// onceCreated says how many cells came to be with the record that was read last at a place.
type onceCreated struct {
	at int
	n  int64
}

// gather goes over the records.
func (a *atOnce) gather(ctx context.Context) error {
	for _, s := range a.settings {
		a.shifts = append(a.shifts, s.Behind, s.Behind+int64(s.Allowed))
	}
	slices.Sort(a.shifts)
	a.shifts = slices.Compact(a.shifts)
	ends, _ := a.p.ends()
	o := &once{line: a.line}
	front := a.line.source.bounded(0)
	t := Trial{Trace: true, cut: newCutter(front, ends, a.shifts), once: o}
	t.Strategy = func(string, watermark.Strategy) watermark.Strategy { return front }
	if _, err := a.r.Try(ctx, t); err != nil {
		return err
	}
	a.got = o.got
	a.ends = map[int64]*onceEnd{}
	for i := range a.got.cells() {
		c := &a.got.cells()[i]
		e := a.ends[c.end]
		if e == nil {
			e = &onceEnd{end: c.end, passed: map[int64]Moment{}}
			a.ends[c.end] = e
		}
		if len(c.late) == 0 {
			e.plain++
			continue
		}
		a.touched = append(a.touched, i)
		for j := range c.late {
			a.late = append(a.late, &lateIn{&c.late[j], i})
		}
	}
	for _, e := range a.got.entries() {
		switch n := len(a.created); {
		case !e.base:
			a.slips = append(a.slips, e)
			continue
		case n > 0 && a.created[n-1].at == e.at:
			a.created[n-1].n++
		default:
			a.created = append(a.created, onceCreated{e.at, 1})
		}
		a.ends[e.end].base++
	}
	slices.SortFunc(a.created, func(x, y onceCreated) int { return x.at - y.at })
	slices.SortStableFunc(a.late, func(x, y *lateIn) int { return byPlace(x.onceLate, y.onceLate) })
	return nil
}

// follow finds out when the front passed each window's end by each shift.
func (a *atOnce) follow() {
	type mark struct {
		at    int64
		shift int64
		end   *onceEnd
	}
	var marks []mark
	for _, e := range a.ends {
		for _, s := range a.shifts {
			marks = append(marks, mark{etime.Add(e.end, s), s, e})
		}
	}
	slices.SortFunc(marks, func(x, y mark) int {
		if x.at < y.at {
			return -1
		} else if x.at > y.at {
			return 1
		}
		return 0
	})
	gen := a.line.source.bounded(0).Start()
	m := Moment{Arrival: etime.Min, Before: etime.Min, High: etime.Min}
	at, w := make([]int64, 1), make([]int64, 1)
	for i := range a.r.Sources[0].Records {
		x := &a.r.Sources[0].Records[i]
		m.Read++
		m.Before, m.Arrival, m.High = m.Arrival, max(m.Arrival, x.Arrival), max(m.High, x.Time)
		at[0] = x.Time
		front, _ := gen.Observe(watermark.Columns{At: at, Now: etime.Min}, w)
		for len(marks) > 0 && marks[0].at <= front {
			marks[0].end.passed[marks[0].shift] = m
			marks = marks[1:]
		}
	}
}

// touch finds what the outputs have, in the complete answer, for the cells that are touched.
func (a *atOnce) touch(ctx context.Context) (err error) {
	a.want, err = a.outputs(ctx, func(int64) bool { return true })
	return err
}

// outputs gives what the outputs have for the cells that are touched, with those late elements that
// take says.
func (a *atOnce) outputs(ctx context.Context, take func(x int64) bool) ([]answer, error) {
	all := make([]answer, len(a.wanted))
	for i, w := range a.wanted {
		all[i] = answer{of: w.of, cells: results{}}
	}
	given := map[int64][]onceRow{} // by phase: windows that do not overlap
	for _, n := range a.touched {
		row, err := a.got.row(n, take)
		if err != nil {
			return nil, paneError{err}
		}
		if win := a.got.cells()[n].win; row != nil {
			phase := a.line.slices.phase(win)
			given[phase] = append(given[phase], onceRow{row, win})
		}
	}
	for phase, rows := range given {
		o := &once{line: a.line, given: rows, windows: a.line.windows}
		if s := &a.line.slices; s.width > 0 {
			o.windows = window.Fixed(etime.Duration(s.size)).Offset(etime.Duration(phase))
		}
		out, err := a.r.Try(ctx, Trial{Batch: true, once: o})
		if err != nil {
			return nil, err
		}
		for i, r := range out.Results {
			a.cells(r, all[i].cells, nil)
		}
	}
	return all, nil
}

// outcome works out what the i-th setting costs.
func (a *atOnce) outcome(ctx context.Context, i int) error {
	s := a.settings[i]
	x := &a.out.Settings[i]
	x.Setting = s
	a.drops(x, i)
	if err := a.pollution(ctx, x); err != nil {
		return err
	}
	a.panes(x)
	a.state(x)
	return nil
}

// drops books the elements that the i-th setting drops.
func (a *atOnce) drops(x *lateness.Outcome, i int) {
	s := x.Setting
	gone := map[int]bool{}
	shown, missed := -1, []window.Interval(nil) // the record that is described last, and its windows
	x.DroppedAt = make([]int, lateness.Blocks)
	for _, late := range a.late {
		if late.x < s.Behind+int64(s.Allowed) {
			if late.x >= s.Behind {
				x.LateKept++
			}
			continue
		}
		x.Assignments++
		at := late.when.Read - 1
		win := a.got.cells()[late.cell].win
		if gone[at] {
			if n := len(x.Missed); n > 0 && at == shown {
				missed = append(missed, win)
				x.Missed[n-1].Window = windowTexts(missed)
			}
			continue
		}
		shown = -1
		gone[at] = true
		x.DroppedAt[lateness.Block(int64(at), int64(len(a.lags)))]++
		if len(x.Missed) < a.o.Sample {
			m := a.missed(Late{Step: a.line.combine.id}, at)
			shown, missed = at, append(missed[:0], win)
			m.Window = windowTexts(missed)
			x.Missed = append(x.Missed, m)
		}
	}
	x.Dropped = int64(len(gone))
	a.dropped[i] = gone
}

// pollution compares what the outputs have for the cells that are touched. Settings that drop the
// same elements have the same answer.
func (a *atOnce) pollution(ctx context.Context, x *lateness.Outcome) error {
	most := x.Setting.Behind + int64(x.Setting.Allowed)
	if x.Assignments == 0 {
		most = etime.Max
	}
	outs, known := a.spoilt[most]
	if !known {
		got, err := a.want, error(nil)
		if most != etime.Max {
			if got, err = a.outputs(ctx, func(late int64) bool { return late < most }); err != nil {
				return err
			}
		}
		for j, want := range a.wanted {
			o := a.compared(want.of, a.want[j].cells, got[j].cells)
			rest := len(want.cells) - o.Complete
			o.Complete, o.Cells = o.Complete+rest, o.Cells+rest
			outs = append(outs, o)
		}
		a.spoilt[most] = outs
	}
	x.Outputs = slices.Clone(outs)
	for _, o := range outs {
		x.Cells += o.Cells
		x.Polluted += o.Polluted
	}
	return nil
}

// panes counts the results given, and takes their delays.
func (a *atOnce) panes(x *lateness.Outcome) {
	s := x.Setting
	outs := int64(len(a.wanted))
	var event, clock []lateness.Weighted
	final := func(m Moment, ended bool, end, n int64) {
		if n == 0 {
			return
		}
		if ended {
			x.Freshness.AtEnd += int(n)
			return
		}
		x.Freshness.Cells += int(n)
		event = append(event, lateness.Weighted{Value: etime.Sub(m.High, end), N: n})
		if a.out.Arrivals {
			clock = append(clock, lateness.Weighted{Value: etime.Sub(m.Arrival, end), N: n})
		}
	}
	for _, e := range a.ends {
		m, passed := e.passed[s.Behind]
		x.Panes += outs * e.plain
		final(m, !passed, e.end, outs*e.plain)
	}
	for _, n := range a.touched {
		c := &a.got.cells()[n]
		onTime, late, last := c.base, int64(0), Moment{}
		for i := range c.late {
			switch l := &c.late[i]; {
			case l.x < s.Behind:
				onTime = true
			case l.x < s.Behind+int64(s.Allowed):
				late++
				last = l.when
			}
		}
		panes := late
		if onTime {
			panes++
		}
		if panes == 0 {
			continue
		}
		x.Panes += outs * panes
		x.Corrected += outs * (panes - 1)
		if late > 0 {
			final(last, false, c.end, outs)
			continue
		}
		m, passed := a.ends[c.end].passed[s.Behind]
		final(m, !passed, c.end, outs)
	}
	x.Freshness.Event, x.Freshness.Processing = lateness.SpreadOfWeighted(event), lateness.SpreadOfWeighted(clock)
}

// state finds the most cells that are open at a time.
func (a *atOnce) state(x *lateness.Outcome) {
	s := x.Setting
	most := s.Behind + int64(s.Allowed)
	type change struct {
		at int
		n  int64
	}
	var more, less []change // with a record; behind it
	for i := range a.slips {
		e := &a.slips[i]
		for _, late := range e.late {
			if late.x < most {
				more = append(more, change{late.at, 1})
				if m, passed := a.ends[e.end].passed[most]; passed {
					less = append(less, change{m.Read, 1})
				}
				break
			}
		}
	}
	for _, c := range a.created {
		more = append(more, change(c))
	}
	for _, e := range a.ends {
		if m, passed := e.passed[most]; passed && e.base > 0 {
			less = append(less, change{m.Read, e.base})
		}
	}
	by := func(x, y change) int { return x.at - y.at }
	slices.SortFunc(more, by)
	slices.SortFunc(less, by)
	now, peak := int64(0), int64(0)
	for _, c := range more {
		for len(less) > 0 && less[0].at < c.at {
			now -= less[0].n
			less = less[1:]
		}
		now += c.n
		peak = max(peak, now)
	}
	if peak > 0 {
		bytes := peak * a.entry
		x.Steps = []lateness.State{{Step: a.line.combine.id, Entries: peak, Bytes: bytes}}
		x.State, x.StateBytes = peak, bytes
	}
}
