package yaml

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/strandline-stream/strandline"
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
// each of its windows: how far the front is past the window's end. The bounds b and the sums b + L of
// all settings are the marks, and how many of them that number has reached is the record's band: 0 is
// on time under every setting.
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

	marks   []int64 // ascending
	classes []int64 // the sums b + L, ascending: settings with the same drop the same
	upto    []int   // by band: how many classes drop what is in it

	*passage
	climbs []climb
	due    int64 // the front at which the next climb is noted

	windows []window.Interval // with cells
	cells   []sweptCell
	late    []stretch
	entries []sweptEntry
	slips   []slip
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
	group string
}

// newSweep prepares a pass over a source under the settings of the run.
func (l *latenessRun) newSweep(ln *line, from *Recorded, source connector.Source[record.Row]) *sweep {
	w := &sweep{job: l, line: ln, from: from, source: source, passage: l.passage(from), due: etime.Min}
	for _, s := range l.settings {
		w.marks = append(w.marks, s.Behind, most(s))
		w.classes = append(w.classes, most(s))
	}
	slices.Sort(w.marks)
	slices.Sort(w.classes)
	w.marks, w.classes = slices.Compact(w.marks), slices.Compact(w.classes)
	for band := range len(w.marks) + 1 {
		n := 0
		for n < len(w.classes) && w.bandOf(w.classes[n]) <= band {
			n++
		}
		w.upto = append(w.upto, n)
	}
	w.elems = make([]int64, len(w.marks)+1)
	w.missed = make([][]lateness.Missed, len(w.classes))
	return w
}

// most is how far the front may be past a window's end for a setting to take an element.
func most(s lateness.Setting) int64 { return s.Behind + int64(s.Allowed) }

// bandOf is the least band of what is as far past a window's end as a mark.
func (s *sweep) bandOf(mark int64) int {
	i, _ := slices.BinarySearch(s.marks, mark)
	return i + 1
}

// band is that of an element.
func (s *sweep) band(front, end int64) int32 {
	x, n := etime.Sub(front, end), 0
	for n < len(s.marks) && s.marks[n] <= x {
		n++
	}
	return int32(n)
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

// numbering is a source whose records have their numbers for event times: the steps of a line up to the
// Combine look at no time, and by its number what is known of a record is found again behind them.
type numbering struct {
	connector.Source[record.Row]
	sweep *sweep
}

// Timed says that batches have event times.
func (n numbering) Timed() bool { return true }

// Splits implements [connector.Source].
func (n numbering) Splits(ctx context.Context) ([]connector.Split[record.Row], error) {
	splits, err := n.Source.Splits(ctx)
	if err == nil && len(splits) != 1 {
		err = errOutOfLine
	}
	if err != nil {
		return nil, err
	}
	return []connector.Split[record.Row]{numberingSplit{splits[0], n.sweep}}, nil
}

type numberingSplit struct {
	connector.Split[record.Row]
	sweep *sweep
}

func (n numberingSplit) Open(ctx context.Context) (connector.Reader[record.Row], error) {
	in, err := n.Split.Open(ctx)
	if err != nil {
		return nil, err
	}
	return &numberingReader{in, n.sweep, nil}, nil
}

type numberingReader struct {
	connector.Reader[record.Row]
	sweep   *sweep
	numbers []int64
}

func (n *numberingReader) Read(ctx context.Context, b *connector.Batch[record.Row]) error {
	if err := n.Reader.Read(ctx, b); err != nil {
		return err
	}
	if err := n.sweep.next(b); err != nil {
		return err
	}
	n.numbers = n.numbers[:0]
	for i := range b.Values {
		n.numbers = append(n.numbers, int64(n.sweep.first+i))
	}
	b.Times = n.numbers
	return nil
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

// once is what takes the place of a run's own source, or of its Combine.
type once struct {
	line    *line
	sweep   *sweep
	answers *answers // goes through the steps behind the Combine, if it is not nil
}

// skips says whether a step is no part of the run.
func (o *once) skips(s *step) bool {
	if o.answers != nil {
		return o.line.before[s] && s != o.line.combine
	}
	return !o.line.before[s]
}

// part runs a part of the pipeline; result is told what there is to be written or printed.
func (p *Pipeline) part(ctx context.Context, o *once, result func(called string, of ref, s *step, out rows)) error {
	some := *p
	some.steps = slices.DeleteFunc(slices.Clone(p.steps), o.skips)
	some.tried = &trying{once: o, result: result, source: func(*step) connector.Source[record.Row] { return numbering{o.sweep.source, o.sweep} }}
	built, err := some.Build()
	if err != nil {
		return err
	}
	report, err := built.Run(ctx, strandline.Batch())
	if report.Complete && !errors.Is(err, strandline.ErrUnbalanced) {
		err = nil
	}
	return built.Hide(err)
}
