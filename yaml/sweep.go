package yaml

import (
	"cmp"
	"context"
	"slices"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/window"
)

// sweep is one pass over the records of a [line] for all settings.
//
// Let M be the greatest event time read before a record: the front. Under a bound b and an allowed
// lateness L the record is late for a window that ends at e exactly if M - e >= b, and dropped from it
// exactly if M - e >= b + L (S4.3). So what becomes of it under every setting is said by one number for
// each of its windows: how far the front is past the window's end. All that is asked of it is between
// which of the bounds and sums of the settings it lies: that is its band, see [bands].
//
// M never falls, so of a cell those elements come first that every setting takes, and each that comes
// later is taken by fewer: what a setting takes of a cell are the elements up to some place. There the
// cell's accumulator is forked, and nothing else is kept of the records.
type sweep struct {
	job    *latenessRun
	line   *line
	from   *Recorded
	source connector.Source[record.Row]
	learns bool // the delays, which are not known yet

	bands
	*passage
	climbs []climb
	due    int64 // the front at which the next climb is noted

	windows []window.Interval // with cells
	cells   []sweptCell
	late    []stretch
	entries []sweptEntry
	slips   []slip
	groups  map[string]int32    // the numbers of the values by which delays are told apart
	elems   []int64             // by band: late elements, each in as many windows as it is late for
	missed  [][]lateness.Missed // by class: a sample of the records dropped
	peaks   []int64             // by class: the most entries

	gathered gathered
	wins     []window.Interval // those of the last element
	assigned []window.Interval // for nextMark
}

// climb says when the front passed a mark of some window: with which record.
type climb struct {
	front int64
	when  Moment
}

// sweptCell is a key and window.
type sweptCell struct {
	window      int32
	first, last int32 // of its late elements; -1 if there are none
	base        bool  // it has others
}

// stretch are the late elements of a cell that are in one band.
type stretch struct {
	next   int32 // of the cell; -1 if it is the last
	before int32 // the band of those that came before in the cell
	band   int32
	fork   int32 // the accumulator without these and all that came after; -1 if it has nothing, or no class asks for it
	n      int64
	last   Moment
}

// sweptEntry is an entry of state: it is there under the settings that take what is in the band of its
// first element, and forgotten some time behind end.
type sweptEntry struct {
	end  int64
	read int // how many records had been read when that came
	band int32
}

// slip is a record that is late.
type slip struct {
	read  int // how many had been read with it
	band  int32
	group int32
}

// newSweep prepares a pass over a source under the settings of the run.
func (l *latenessRun) newSweep(ln *line, from *Recorded, source connector.Source[record.Row]) *sweep {
	b := bandsOf(l.settings)
	return &sweep{
		job: l, line: ln, from: from, source: source, bands: b, passage: l.passage(from), due: etime.Min, groups: map[string]int32{},
		elems: make([]int64, len(b.marks)+1), missed: make([][]lateness.Missed, len(b.classes)),
	}
}

// end is that of a window with cells.
func (s *sweep) end(window int32) int64 {
	_, end := s.windows[window].Micros()
	return end
}

// run goes over the records.
func (s *sweep) run(ctx context.Context) error {
	return s.job.p.part(ctx, &once{line: s.line, sweep: s}, func(string, ref, *step, rows) {})
}

// next takes in a batch before the steps do.
func (s *sweep) next(b *connector.Batch[record.Row]) error {
	if err := s.take(b); err != nil {
		return err
	}
	if s.learns {
		s.job.survey(s.passage)
	}
	for i := range s.rows {
		if after := s.fronts[i+1]; after >= s.due && after > etime.Min {
			s.climbs = append(s.climbs, climb{after, s.moment(i)})
			s.due = s.nextMark(after)
		}
	}
	return nil
}

// moment is when the i-th record of the batch has been read.
func (s *sweep) moment(i int) Moment {
	return Moment{Read: s.first + i + 1, High: s.highs[i], Arrival: s.came[i]}
}

// nextMark is the least front beyond one at which the end of a window is a mark behind.
func (s *sweep) nextMark(front int64) int64 {
	next := etime.Max
	for _, m := range s.marks {
		s.assigned = s.line.windows.Assign(s.assigned[:0], etime.Sub(front, m))
		for _, win := range s.assigned {
			if _, end := win.Micros(); end != etime.Max {
				next = min(next, etime.Add(end, m))
			}
		}
	}
	return next
}

// passed is when the front passed the end of a window by a mark.
func (s *sweep) passed(end, mark int64) (m Moment, ever bool) {
	i, _ := slices.BinarySearchFunc(s.climbs, etime.Add(end, mark), func(c climb, at int64) int { return cmp.Compare(c.front, at) })
	if i == len(s.climbs) {
		return Moment{}, false
	}
	return s.climbs[i].when, true
}
