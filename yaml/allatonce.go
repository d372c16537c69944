package yaml

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
)

// inLine gives the pipeline if one pass over its records does for all settings, nil if it does not.
func (l *latenessRun) inLine() *line {
	if l.o.apart || l.kind != lateness.Bound || !l.o.Lose.IsZero() {
		return nil
	}
	named := true // the cells of all outputs
	p := *l.p
	p.tried = &trying{result: func(_ string, of ref, _ *step, _ rows) { named = named && keyOf(of) != nil }}
	if _, err := p.Build(); err != nil || !named {
		return nil
	}
	return l.p.line()
}

// asRead tries all settings while the source is read: once, or twice if the settings are chosen by the
// delays. Nothing is recorded. It is not done if the records do not allow that.
func (l *latenessRun) asRead(ctx context.Context, ln *line) (done bool, err error) {
	from := l.r.Sources[0]
	l.seen = l.newSurvey()
	first := l.passage(from)
	if l.chooses() {
		if err := first.follow(ctx, from.from, func() { l.survey(first) }); err != nil {
			return false, l.unlessApart(l.p.secrets.within(err))
		}
	}
	l.choose()
	w := l.newSweep(ln, from, from.from)
	w.learns = !l.chooses()
	if done, err := l.allAtOnce(ctx, w); !done {
		return false, err
	}
	if !w.learns && w.records() != first.records() {
		return false, errors.New("the input changed while it was read twice")
	}
	l.assume()
	l.out.Records, l.out.Malformed = int64(w.records()), int64(w.malformed)
	l.out.Delays = []lateness.Delays{l.seen.all.Distribution(l.p.secrets.hide(from.Step), l.kind)}
	return true, nil
}

// unlessApart gives an error, but none if each setting needs a pass of its own: the records cannot be
// gone over as they are read, or a pane could not be computed, which then is no error.
func (l *latenessRun) unlessApart(err error) error {
	if _, pane := errors.AsType[paneError](err); pane || errors.Is(err, errOutOfLine) {
		return nil
	}
	return err
}

// allAtOnce tries all settings by a sweep.
func (l *latenessRun) allAtOnce(ctx context.Context, w *sweep) (done bool, err error) {
	begun := time.Now()
	if err := w.run(ctx); err != nil {
		return false, l.unlessApart(err)
	}
	outputs, err := w.compare(ctx)
	if err != nil {
		return false, l.unlessApart(err)
	}
	if l.out.Passes = 1; l.chooses() {
		l.out.Passes = 2
	}
	l.out.Complete = len(outputs) * len(w.cells)
	w.peaks = w.mostEntries()
	l.out.Settings = make([]lateness.Outcome, len(l.settings))
	for i := range l.settings {
		w.outcome(i, outputs)
	}
	for i := range l.out.Settings {
		l.out.Settings[i].Seconds = time.Since(begun).Seconds() / float64(len(l.settings))
	}
	return true, nil
}

// outcome works out what the i-th setting costs.
func (s *sweep) outcome(i int, outputs []*answerOutput) {
	x := &s.job.out.Settings[i]
	x.Setting = s.job.settings[i]
	class, _ := slices.BinarySearch(s.classes, most(x.Setting))
	s.job.dropped[i] = s.drops(x, class)
	for _, o := range outputs {
		out := o.outcome(class, len(s.cells))
		x.Outputs = append(x.Outputs, out)
		x.Cells += out.Cells
		x.Polluted += out.Polluted
	}
	s.panes(x, int64(len(outputs)))
	if peak := s.peaks[class]; peak > 0 {
		bytes := peak * s.gathered.entryBytes()
		x.Steps = []lateness.State{{Step: s.line.combine.id, Entries: peak, Bytes: bytes}}
		x.State, x.StateBytes = peak, bytes
	}
}

// drops books the records that a setting drops, and gives how many there are of each group.
func (s *sweep) drops(x *lateness.Outcome, class int) map[string]int {
	late, gone := s.bandOf(x.Setting.Behind), s.bandOf(most(x.Setting))
	for band, n := range s.elems {
		switch {
		case band >= gone:
			x.Assignments += n
		case band >= late:
			x.LateKept += n
		}
	}
	x.DroppedAt = make([]int, lateness.Blocks)
	dropped := make([]int, len(s.groups))
	for i := range s.slips {
		if slip := &s.slips[i]; int(slip.band) >= gone {
			x.Dropped++
			x.DroppedAt[lateness.Block(int64(slip.read-1), int64(s.records()))]++
			dropped[slip.group]++
		}
	}
	x.Missed = s.missed[class]
	byName := make(map[string]int, len(dropped))
	for name, i := range s.groups {
		byName[name] = dropped[i]
	}
	return byName
}

// outcome is what an output costs under the settings of a class; all is how many cells there are.
func (o *answerOutput) outcome(class, all int) lateness.Output {
	return lateness.Output{
		Step: o.of.Step, Key: o.of.Key, Complete: all, Cells: all - o.missing[class],
		Polluted: o.changed[class] + o.missing[class], Changed: o.changed[class], Missing: o.missing[class], Sample: o.samples[class],
	}
}

// panes counts the results given to so many outputs, and takes their delays.
func (s *sweep) panes(x *lateness.Outcome, outs int64) {
	behind := x.Setting.Behind
	late, gone := int32(s.bandOf(behind)), int32(s.bandOf(most(x.Setting)))
	var event, clock []lateness.Weighted
	final := func(m Moment, ended bool, end, n int64) {
		switch {
		case n == 0:
			return
		case ended:
			x.Freshness.AtEnd += int(n)
			return
		}
		x.Freshness.Cells += int(n)
		event = append(event, lateness.Weighted{Value: etime.Sub(m.High, end), N: n})
		if s.arrival != nil {
			clock = append(clock, lateness.Weighted{Value: etime.Sub(m.Arrival, end), N: n})
		}
	}
	onTime := make([]int64, len(s.windows)) // cells whose last pane is that of the window's end
	for i := range s.cells {
		c := &s.cells[i]
		given, repeats, last := c.base, int64(0), Moment{}
		for j := c.first; j >= 0; j = s.late[j].next {
			switch l := &s.late[j]; {
			case l.band < late:
				given = true
			case l.band < gone:
				repeats += l.n
				last = l.last
			}
		}
		n := repeats
		if given {
			n++
		}
		switch {
		case repeats > 0:
			final(last, false, s.end(c.window), outs)
		case given:
			onTime[c.window]++
		}
		x.Panes += outs * n
		x.Corrected += outs * max(n-1, 0)
	}
	for i := range s.windows {
		end := s.end(int32(i))
		m, passed := s.passed(end, behind)
		final(m, !passed, end, outs*onTime[i])
	}
	x.Freshness.Event, x.Freshness.Processing = lateness.SpreadOfWeighted(event), lateness.SpreadOfWeighted(clock)
}

// mostEntries finds the most entries of state that are there at a time, class by class.
func (s *sweep) mostEntries() (peaks []int64) {
	ends := make([]int64, len(s.entries))
	for i := range s.entries {
		ends[i] = s.entries[i].end
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	at := make([]int, len(s.entries)) // the places of their ends
	for i := range s.entries {
		at[i], _ = slices.BinarySearch(ends, s.entries[i].end)
	}
	for _, most := range s.classes {
		peaks = append(peaks, s.peak(most, ends, at))
	}
	return peaks
}

// peak is that of the settings that let the front be so far past a window's end: the most entries that
// are there when one comes to be. ends are the ends of entries, each once, and at has their places.
func (s *sweep) peak(most int64, ends []int64, at []int) (peak int64) {
	gone := int32(s.bandOf(most))
	held := make([]int64, len(ends))
	now, next := int64(0), 0 // the entries there are, and the end that is passed next
	due := s.passedWith(ends, next, most)
	for i := range s.entries {
		e := &s.entries[i]
		if e.band >= gone {
			continue
		}
		for due < e.read {
			now -= held[next]
			next++
			due = s.passedWith(ends, next, most)
		}
		now++
		held[at[i]]++
		peak = max(peak, now)
	}
	return peak
}

// passedWith is how many records had been read when the front passed the i-th end by a mark.
func (s *sweep) passedWith(ends []int64, i int, mark int64) int {
	if i < len(ends) {
		if m, ever := s.passed(ends[i], mark); ever {
			return m.Read
		}
	}
	return math.MaxInt
}
