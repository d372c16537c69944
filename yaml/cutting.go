package yaml

import (
	"slices"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// cutter finds the records of a split that must be read alone for it to be known what each of them
// causes: those that are behind the watermark, and those with which the watermark passes the end of
// a window. All others can be read many at a time, since nothing comes of them yet.
type cutter struct {
	gen  watermark.Generator
	ends []window.Assigner // whose windows' ends count
	due  int64             // the watermark at which something happens
	w    [1]int64
	at   [1]int64
	came [1]int64
}

func newCutter(w watermark.Strategy, ends []window.Assigner) *cutter {
	return &cutter{gen: w.Start(), ends: ends, due: etime.Min}
}

// alone takes in the next record of the split, and says whether it must be read alone.
func (c *cutter) alone(x *Record) bool {
	c.at[0], c.came[0] = x.Time, x.Arrival
	after, err := c.gen.Observe(watermark.Columns{At: c.at[:], Arrival: c.came[:], Now: etime.Min}, c.w[:])
	alone := err != nil || x.Time < c.w[0] || x.Time == etime.Min
	if after >= c.due {
		alone = alone || after > etime.Min
		c.due = c.next(after)
	}
	return alone
}

// next is the least instant after w at which something happens.
func (c *cutter) next(w int64) int64 {
	if w == etime.Min {
		return etime.Min
	}
	next := etime.Max
	for _, a := range c.ends {
		for _, win := range a.Assign(nil, w) {
			next = min(next, etime.Micros(win.End()))
		}
	}
	return next
}

// ends gives the windowings of the pipeline if it is known when their windows give something: at
// their ends, and for each late element.
func (p *Pipeline) ends() (all []window.Assigner, known bool) {
	for _, s := range p.steps {
		if s.def.marked && s.def.inputs != noInput || s.kind == "Deduplicate" {
			return nil, false
		}
		w := s.windows
		if w == nil || w.kind == "global" {
			if w != nil && w.trigger != nil {
				return nil, false
			}
			continue
		}
		if w.trigger != nil || w.finalOnly || !slices.Contains([]string{"fixed", "sliding", "calendar"}, w.kind) {
			return nil, false
		}
		if a, sliding := w.assigner.(window.SlidingWindows); sliding {
			if size, period, _ := a.Micros(); period > size {
				return nil, false // between windows there is no next end
			}
		}
		all = append(all, w.assigner)
	}
	return all, true
}

// cutter is that of a setting; nil if every record must be read alone.
func (l *latenessRun) cutter(s lateness.Setting) *cutter {
	ends, known := l.p.ends()
	if !known || len(l.r.Sources) != 1 || len(l.r.Sources[0].Splits) != 1 || !l.o.Lose.IsZero() {
		return nil
	}
	from := l.r.Sources[0]
	w := l.trial(s).Strategy(from.Step, from.Strategy)
	if recorded, is := w.(watermark.RecordedArrival[record.Row]); is {
		w = recorded.Strategy
	}
	return newCutter(w, ends)
}
