package yaml

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/watermark"
)

// prepare puts the records in the order of arrival, measures their delays and chooses settings.
func (l *latenessRun) prepare() {
	out := l.out
	timed := 0
	for _, s := range l.r.Sources {
		out.Records += int64(len(s.Records))
		out.Malformed += int64(len(s.Malformed))
		if !s.hasTimes() {
			continue
		}
		timed++
		if s.step.arrivalOf() == nil {
			continue
		}
		compare := func(a, b Record) int { return cmp.Compare(a.Arrival, b.Arrival) }
		if !slices.IsSortedFunc(s.Records, compare) {
			slices.SortStableFunc(s.Records, compare)
			out.Notes = append(out.Notes, fmt.Sprintf("%s is not in the order of arrival, in which its records are taken here", s.Step))
		}
	}
	l.assume()
	if timed > 1 {
		out.Notes = append(out.Notes, "several sources: their records are taken in the order of arrival, or of event time where that is not known")
	}
	l.measure()
	l.choose()
}

// hasTimes says whether records have event times.
func (r *Recorded) hasTimes() bool {
	return r.Timed || slices.ContainsFunc(r.Records, func(x Record) bool { return x.Time != etime.Min })
}

// assume notes what is assumed where nothing tells when records came.
func (l *latenessRun) assume() {
	l.out.Arrivals = !slices.ContainsFunc(l.r.Sources, func(s *Recorded) bool { return s.hasTimes() && s.step.arrivalOf() == nil })
	if !l.out.Arrivals {
		l.out.Notes = append(l.out.Notes, "no field tells when a record came (watermark: {arrival: FIELD}): the order of the file is taken for the order of arrival, and delays by the clock are not known")
	}
}

// sources looks whether the sources have what is asked for.
func (l *latenessRun) sources() error {
	if l.o.By == "" || slices.ContainsFunc(l.r.Sources, func(s *Recorded) bool { return slices.Contains(s.Names, l.o.By) }) {
		return nil
	}
	var all []string
	for _, s := range l.r.Sources {
		all = append(all, s.Names...)
	}
	return fmt.Errorf("no source has a field %q; there are %s", l.o.By, strings.Join(all, ", "))
}

// loses looks whether state can be lost as asked for.
func (l *latenessRun) loses() error {
	switch {
	case l.o.Lose.IsZero():
	case !l.out.Arrivals:
		return errors.New("state is lost at a time of arrival, and no field tells when records came: say watermark: {arrival: FIELD}")
	case !slices.ContainsFunc(l.p.inOrder, func(s *step) bool { return s.kind == "Previous" }):
		return errors.New("no step carries values from one window to the next, so none can be lost: Previous does")
	}
	return nil
}

// measure takes the delay of each record.
func (l *latenessRun) measure() {
	turns := l.r.Turns()
	l.lags = make([]int64, len(turns))
	if l.o.By != "" {
		l.group = make([]string, len(turns))
	}
	l.seen = l.newSurvey()
	type split struct{ source, split int32 }
	fronts := map[split]func(x *Record) int64{}
	by := map[split]*lateness.Tally{}
	for i, t := range turns {
		s := l.r.Sources[t.Source]
		x := &s.Records[t.Record]
		k := split{t.Source, x.Split}
		f := fronts[k]
		if f == nil {
			f = l.front(s)
			fronts[k], by[k] = f, &lateness.Tally{}
		}
		l.lags[i] = f(x)
		by[k].Add(l.lags[i])
		group := "-"
		if j := slices.Index(s.Names, l.o.By); j >= 0 {
			group = groupName(x.Row[j])
		}
		if l.group != nil {
			l.group[i] = group
		}
		l.seen.add(l.lags[i], group)
	}
	for i, s := range l.r.Sources {
		for j, name := range s.Splits {
			if name = s.Step + " " + name; len(s.Splits) == 1 {
				name = s.Step
			}
			lags := by[split{int32(i), int32(j)}]
			if lags == nil {
				lags = &lateness.Tally{}
			}
			l.out.Delays = append(l.out.Delays, lags.Distribution(l.p.secrets.hide(name), l.kind))
		}
	}
}

// front gives a function that is told the records of a split in order, and tells how far each is
// behind what the watermark follows.
func (l *latenessRun) front(s *Recorded) func(x *Record) int64 {
	if l.kind != lateness.Bound {
		last := etime.Min
		return func(x *Record) int64 {
			last = max(last, x.Arrival)
			if x.Time == etime.Min || last == etime.Min {
				return 0
			}
			if l.kind == lateness.Periods {
				return l.periods(x.Time, last)
			}
			return max(0, etime.Sub(last, x.Time))
		}
	}
	gen := s.step.bounded(0).Start()
	at, w := make([]int64, 1), make([]int64, 1)
	return func(x *Record) int64 {
		at[0] = x.Time
		if _, err := gen.Observe(watermark.Columns{At: at, Now: etime.Min}, w); err != nil || x.Time == etime.Min || w[0] == etime.Min {
			return 0
		}
		return max(0, etime.Sub(w[0], x.Time))
	}
}

// periods counts the calendar periods from that of one time to that of a later one.
func (l *latenessRun) periods(from, to int64) (n int64) {
	for n < 1_000_000 {
		win := l.calendar.Assign(nil, from)
		if len(win) == 0 || to < etime.Micros(win[0].End()) {
			return n
		}
		from = etime.Micros(win[0].End())
		n++
	}
	return n
}

// bounded is a watermark of a step that stays so far behind the greatest event time, with the guard
// that the text asks for.
func (s *step) bounded(behind int64) watermark.Strategy {
	w := watermark.Bounded(etime.Duration(behind))
	if s.marks != nil {
		if guard, given := s.marks.settings.flag("guard"); given && !guard {
			w = w.NoGuard()
		}
	}
	return w
}

// chooses says whether the settings are chosen by the delays.
func (l *latenessRun) chooses() bool { return len(l.o.Bounds)+len(l.o.Periods) == 0 }

// choose makes the list of settings.
func (l *latenessRun) choose() {
	o := &l.o
	var behind []int64
	var allowed []lateness.Span
	for _, b := range o.Bounds {
		behind = append(behind, etime.Span(b))
	}
	for _, n := range o.Periods {
		behind = append(behind, int64(n))
	}
	for _, a := range o.Allowed {
		allowed = append(allowed, lateness.Span(etime.Span(a)))
	}
	chosen := behind == nil && o.Quantiles == nil
	if behind == nil {
		behind = lateness.Distances(l.kind, l.seen.all.Sorted(), o.Quantiles)
	}
	if allowed == nil {
		late := l.repeats() == nil
		if allowed = []lateness.Span{0}; late || l.uniform {
			allowed = append(allowed, l.written.Allowed)
		}
		if chosen && l.kind != lateness.Periods && late {
			allowed = append(allowed, lateness.Span(behind[len(behind)-1]))
		}
	}
	if chosen {
		behind = append(behind, l.written.Behind)
	}
	l.settings = lateness.Grid(l.kind, behind, allowed)
	for i := range l.settings {
		s := &l.settings[i]
		s.AsWritten = l.uniform && s.Behind == l.written.Behind && s.Allowed == l.written.Allowed && l.natural()
	}
	l.dropped = make([]map[string]int, len(l.settings))
}
