package yaml

import (
	"cmp"
	"context"
	"slices"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
	"go.yaml.in/yaml/v4"
)

// Where one source goes through steps that look at one row at a time into one Combine, and its rows
// through such steps to the outputs, the records need to be gone over only once for all settings.
// Let M be the greatest event time read before a record. Under a bound b and an allowed lateness L the
// record is late for a window that ends at e exactly if M - e >= b, and dropped from it exactly if
// M - e >= b + L (S4.3). So it has one number for each of its windows. Where that is negative the record
// is on time under every setting, and goes into the cell's base; the others are few, and are kept as
// they are.

// line is such a pipeline.
type line struct {
	source  *step
	combine *step
	before  map[*step]bool // the combine, and the steps before it
	windows window.Assigner
	slices  slicing // of sliding windows
}

// line gives the pipeline as one, nil if it is none.
func (p *Pipeline) line() *line {
	l := &line{before: map[*step]bool{}}
	next := map[*step][]*step{}
	for _, s := range p.steps {
		if s.settings.has("error_handling") || len(s.inputs) > 1 || len(s.inputs) == 1 && (len(s.inputs[0].from) != 1 || s.inputs[0].from[0].output != "") {
			return nil
		}
		switch {
		case s.def.inputs == noInput && l.source == nil && s.windows == nil:
			l.source = s
		case s.def.inputs == noInput || s.def.marked:
			return nil
		}
		for _, in := range s.inputs {
			next[in.from[0].step] = append(next[in.from[0].step], s)
		}
	}
	for s := l.source; l.combine == nil; s = next[s][0] {
		if s == nil {
			return nil
		}
		l.before[s] = true
		if s.kind == "Combine" {
			l.combine = s
			break
		}
		if s != l.source && (s.windows != nil || !slices.Contains([]string{"Filter", "MapToFields", "Explode"}, s.kind)) || len(next[s]) != 1 {
			return nil
		}
	}
	if l.combine.windows == nil {
		return nil
	}
	for _, s := range p.steps {
		if l.before[s] {
			continue
		}
		one := s.def.sink || s.kind == "MapToFields" || s.kind == "LogForTesting" || s.kind == "ExtractWindowingInfo" && windowsOnly(s)
		if s.windows != nil || !one {
			return nil
		}
	}
	w := l.combine.windows
	if w.trigger != nil || w.finalOnly || w.accumulation != "" && w.accumulation != "accumulating" || !slices.Contains([]string{"fixed", "calendar", "sliding"}, w.kind) {
		return nil
	}
	l.windows = w.assigner
	if a, sliding := w.assigner.(window.SlidingWindows); sliding {
		s := &l.slices
		s.size, s.period, s.offset = a.Micros()
		s.width = s.size
		for r := s.period; r != 0; {
			s.width, r = r, s.width%r
		}
		if s.period > s.size || s.size/s.width > mostPhases {
			return nil
		}
		s.whole = s.width < (s.period+15)/16 // as the engine decides it
	}
	return l
}

// slicing is how sliding windows are cut into slices, which are what the state of such an aggregation
// is made of. Times are microseconds.
type slicing struct {
	size, period, offset int64
	width                int64 // of a slice; 0 if the windows do not slide
	whole                bool  // there would be too many: a cell of a window is an entry of state
}

// mostPhases is how many sets of windows that do not overlap sliding windows may be made of.
const mostPhases = 64

// phase tells windows that do not overlap from others: they start at the same place of a period of
// their size.
func (s *slicing) phase(win window.Interval) int64 {
	if s.width == 0 {
		return 0
	}
	lo, _ := win.Micros()
	return lo - etime.Floor(lo, s.size, 0)
}

// windowsOnly says whether a step shows nothing of the panes of its rows.
func windowsOnly(s *step) bool {
	ok := true
	for _, n := range scalars(s.settings.at("fields")) {
		ok = ok && n.Value != "pane_info"
	}
	entries(s.settings.at("fields"), func(_, v *yaml.Node) { ok = ok && v.Value != "pane_info" })
	return ok
}

// gathered is what the Combine of a line was given, cell by cell, whatever the types of its keys and
// accumulators.
type gathered interface {
	connector.Writer
	// cells gives them, in the order in which they came to be.
	cells() []onceCell
	// entries gives the entries of state: the cells, or those of slices.
	entries() []onceEntry
	// row is the result of the cell of that place, with those of its late elements that take says;
	// nil if none is left.
	row(cell int, take func(x int64) bool) (record.Row, error)
}

// onceCell is a key and window.
type onceCell struct {
	win  window.Interval
	end  int64
	base bool // it has elements that are on time under every setting
	at   int  // how many records had been read when the first of those came
	late []onceLate
}

// onceLate is an element that is not on time under every setting.
type onceLate struct {
	x    int64 // by how much the front is past the window's end
	row  record.Row
	time int64
	when Moment
}

// onceEntry is an entry of state. It is forgotten some time behind end.
type onceEntry struct {
	end  int64
	base bool
	at   int
	late []onceSlip
}

// onceSlip is an element that does not come to an entry under every setting.
type onceSlip struct {
	x  int64
	at int
}

// sliceOf names a slice of a key.
type sliceOf[K comparable] struct {
	key K
	lo  int64
}

// gatherer gathers.
type gatherer[K comparable, A any] struct {
	tr     *trace
	key    func(*record.Row) K
	values func(record.Row, K) record.Row
	c      combine.Combiner[record.Row, A, record.Row]
	timed  combine.Timed[record.Row, A]
	assign window.Assigner

	win  window.Interval // of the last row
	lo   int64
	hi   int64
	here map[K]int32 // the cells of that window
	at   map[window.Interval]map[K]int32
	all  []onceCell
	keys []K
	accs []A
	wins []window.Interval

	slices slicing
	places map[sliceOf[K]]int32 // of slices, in state
	state  []onceEntry
}

func newGatherer[K comparable, A any](tr *trace, l *line, key func(*record.Row) K, values func(record.Row, K) record.Row, c combine.Combiner[record.Row, A, record.Row]) *gatherer[K, A] {
	g := &gatherer[K, A]{tr: tr, key: key, values: values, c: c, assign: l.windows, slices: l.slices, at: map[window.Interval]map[K]int32{}, places: map[sliceOf[K]]int32{}}
	g.timed, _ = combine.AsTimed(c)
	return g
}

func (g *gatherer[K, A]) Name() string                                   { return "rows" }
func (g *gatherer[K, A]) Open(context.Context) (connector.Writer, error) { return g, nil }
func (g *gatherer[K, A]) Flush(context.Context) error                    { return nil }
func (g *gatherer[K, A]) Close() error                                   { return nil }

func (g *gatherer[K, A]) Write(_ context.Context, all connector.Rows) error {
	front := g.tr.front // of a record that was read alone
	for i, r := range all.Values().([]record.Row) {
		t := all.Time(i)
		k := g.key(&r)
		if g.slices.width == 0 {
			if g.here == nil || uint64(t-g.lo) >= uint64(g.hi-g.lo) {
				g.wins = g.assign.Assign(g.wins[:0], t)
				g.find(g.wins[0])
			}
			g.take(k, &r, t, front)
			continue
		}
		g.wins = g.assign.Assign(g.wins[:0], t)
		for _, win := range g.wins {
			g.find(win)
			g.take(k, &r, t, front)
		}
		if !g.slices.whole {
			g.slice(k, t, front)
		}
	}
	return nil
}

// take puts an element into the cell of its key in the window at hand.
func (g *gatherer[K, A]) take(k K, r *record.Row, t, front int64) {
	n, there := g.here[k]
	if !there {
		n = int32(len(g.all))
		g.here[k] = n
		g.all = append(g.all, onceCell{win: g.win, end: g.hi})
		g.keys, g.accs = append(g.keys, k), append(g.accs, g.c.Create())
	}
	cell := &g.all[n]
	if front >= g.hi {
		cell.late = append(cell.late, onceLate{etime.Sub(front, g.hi), *r, t, g.tr.now})
		return
	}
	if !cell.base {
		cell.base, cell.at = true, g.tr.now.Read
	}
	g.add(&g.accs[n], r, t)
}

// slice notes an element in the slice of its key, which is forgotten with the last window that it is
// in.
func (g *gatherer[K, A]) slice(k K, t, front int64) {
	s := &g.slices
	id := sliceOf[K]{k, etime.Floor(t, s.width, s.offset)}
	n, there := g.places[id]
	if !there {
		n = int32(len(g.state))
		g.places[id] = n
		g.state = append(g.state, onceEntry{end: etime.Floor(id.lo, s.period, s.offset) + s.size})
	}
	e := &g.state[n]
	switch {
	case front >= e.end:
		e.late = append(e.late, onceSlip{etime.Sub(front, e.end), g.tr.now.Read})
	case !e.base:
		e.base, e.at = true, g.tr.now.Read
	}
}

func (g *gatherer[K, A]) entries() []onceEntry {
	if g.slices.width > 0 && !g.slices.whole {
		return g.state
	}
	all := make([]onceEntry, len(g.all))
	for i := range g.all {
		c := &g.all[i]
		all[i] = onceEntry{end: c.end, base: c.base, at: c.at}
		for j := range c.late {
			all[i].late = append(all[i].late, onceSlip{c.late[j].x, c.late[j].when.Read})
		}
	}
	return all
}

// find goes to a window.
func (g *gatherer[K, A]) find(win window.Interval) {
	g.win = win
	g.lo, g.hi = etime.Micros(g.win.Start()), etime.Micros(g.win.End())
	if g.here = g.at[g.win]; g.here == nil {
		g.here = map[K]int32{}
		g.at[g.win] = g.here
	}
}

func (g *gatherer[K, A]) add(acc *A, r *record.Row, t int64) {
	if g.timed != nil {
		g.timed.AddAt(acc, r, t)
	} else {
		g.c.Add(acc, r)
	}
}

func (g *gatherer[K, A]) cells() []onceCell { return g.all }

func (g *gatherer[K, A]) row(n int, take func(x int64) bool) (record.Row, error) {
	cell := &g.all[n]
	acc, any := g.c.Create(), cell.base
	if cell.base {
		base := g.accs[n]
		if cl, ok := g.c.(combine.Cloner[A]); ok {
			base = cl.Clone(&g.accs[n])
		}
		g.c.Merge(&acc, &base)
	}
	for i := range cell.late {
		if x := &cell.late[i]; take(x.x) {
			any = true
			g.add(&acc, &x.row, x.time)
		}
	}
	if !any {
		return nil, nil
	}
	v, err := g.c.Extract(&acc)
	if err != nil {
		return nil, err
	}
	return append(g.values(nil, g.keys[n]), v...), nil
}

// once is what a trial does that goes over the records once for all settings.
type once struct {
	line *line
	got  gathered
	// given, if it is not nil, are rows that take the place of the Combine's, with their windows: the
	// trial then begins behind it.
	given []onceRow
	// windows are those of given: no two of them overlap.
	windows window.Assigner
}

type onceRow struct {
	row record.Row
	win window.Interval
}

// skips says whether a step is no part of the trial.
func (o *once) skips(s *step) bool {
	if o.given != nil {
		return o.line.before[s] && s != o.line.combine
	}
	return !o.line.before[s]
}

// rows gives the rows that take the place of the Combine's, each in its window.
func (o *once) rows(b *builder) map[string]rows {
	s := o.line.combine
	src := &listSource{name: s.id, times: []int64{}}
	for i, g := range o.given {
		src.rows = append(src.rows, append(slices.Clip(g.row), record.OfInt(int64(i))))
		src.times = append(src.times, etime.Sub(etime.Micros(g.win.End()), 1))
	}
	numbered := strandline.Read[record.Row](b.p, src, watermark.EndOfInput(), nil).WindowInto(o.windows).
		KeyBy(s.id+" number", func(r *record.Row) int64 { return (*r)[len(*r)-1].Int() })
	out := strandline.GroupByKey(s.id, numbered).Map(s.id+" rows", func(kv *strandline.KV[int64, []record.Row]) record.Row {
		r := kv.Value[0]
		return r[: len(r)-1 : len(r)-1]
	})
	return map[string]rows{"": {out, s.outs[""].schema}}
}

// byPlace orders late elements as they came.
func byPlace(a, b *onceLate) int { return cmp.Compare(a.when.Read, b.when.Read) }
