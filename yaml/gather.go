package yaml

import (
	"context"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/size"
	"github.com/strandline-stream/strandline/window"
)

// gathered is what the Combine of a line was given, whatever the types of its keys and accumulators.
type gathered interface {
	// row is the result of a cell without the elements of a stretch and those that came after; with all
	// if the stretch is -1.
	row(cell, stretch int32) (record.Row, error)
	// entryBytes estimates the bytes of an entry of state.
	entryBytes() int64
}

// gatherer takes the place of a line's Combine: it has the rows, with their numbers for event times.
type gatherer[K comparable, A any] struct {
	*sweep
	key    func(*record.Row) K
	values func(record.Row, K) record.Row
	c      combine.Combiner[record.Row, A, record.Row]
	timed  combine.Timed[record.Row, A]
	fork   func(*A) A

	at    map[window.Interval]*inWindow[K]
	here  *inWindow[K] // that of the last element
	known map[K]K      // the keys, each once, with memory of their own
	keys  []K          // by cell
	accs  []A
	forks []A
	slice map[sliceOf[K]]struct{}
}

// inWindow are the cells of a window, by key.
type inWindow[K comparable] struct {
	number  int32
	lo, end int64
	until   int64 // an element is on time under every setting if the front has not come so far
	cells   map[K]int32
}

// sliceOf names a slice of a key.
type sliceOf[K comparable] struct {
	key K
	lo  int64
}

func newGatherer[K comparable, A any](s *sweep, key func(*record.Row) K, values func(record.Row, K) record.Row, c combine.Combiner[record.Row, A, record.Row]) *gatherer[K, A] {
	g := &gatherer[K, A]{sweep: s, key: key, values: values, c: c, at: map[window.Interval]*inWindow[K]{}, known: map[K]K{}, slice: map[sliceOf[K]]struct{}{}}
	g.timed, _ = combine.AsTimed(c)
	g.fork = func(acc *A) A { return *acc }
	if cl, is := c.(combine.Cloner[A]); is {
		g.fork = cl.Clone
	}
	s.gathered = g
	return g
}

// Name implements [connector.Sink] and [connector.Writer], as do the others.
func (g *gatherer[K, A]) Name() string                                   { return "cells" }
func (g *gatherer[K, A]) Open(context.Context) (connector.Writer, error) { return g, nil }
func (g *gatherer[K, A]) Flush(context.Context) error                    { return nil }
func (g *gatherer[K, A]) Close() error                                   { return nil }

func (g *gatherer[K, A]) Write(_ context.Context, all connector.Rows) error {
	for i, r := range all.Values().([]record.Row) {
		g.element(&r, int(all.Time(i))-g.first)
	}
	return nil
}

// element puts a row that came of the i-th record of the batch at hand into its cells.
func (g *gatherer[K, A]) element(r *record.Row, i int) {
	t, k := g.times[i], g.key(r)
	if h := g.here; h == nil || g.line.slices.width > 0 || len(g.wins) == 0 || t < h.lo || t >= h.end {
		g.wins = g.line.windows.Assign(g.wins[:0], t)
	}
	for _, win := range g.wins {
		g.find(win)
		g.into(k, r, i)
	}
	if s := &g.line.slices; s.width > 0 && !s.whole {
		g.sliced(k, i)
	}
}

// find goes to a window.
func (g *gatherer[K, A]) find(win window.Interval) {
	lo, end := win.Micros()
	if h := g.here; h != nil && h.lo == lo && h.end == end {
		return
	}
	g.here = g.at[win]
	if g.here == nil {
		g.here = &inWindow[K]{int32(len(g.windows)), lo, end, etime.Add(end, g.marks[0]), map[K]int32{}}
		g.at[win] = g.here
		g.windows = append(g.windows, win)
	}
}

// into puts an element into the cell of its key in the window at hand.
func (g *gatherer[K, A]) into(k K, r *record.Row, i int) {
	h, front := g.here, g.fronts[i]
	band := int32(0)
	if front >= h.until {
		band = g.band(front, h.end)
	}
	n, there := h.cells[k]
	if !there {
		n, k = int32(len(g.cells)), g.own(k)
		h.cells[k] = n
		g.cells = append(g.cells, sweptCell{h.number, -1, -1, band == 0})
		g.keys, g.accs = append(g.keys, k), append(g.accs, g.c.Create())
		if s := &g.line.slices; s.width == 0 || s.whole {
			g.entries = append(g.entries, sweptEntry{h.end, g.first + i + 1, band})
		}
	}
	if band > 0 {
		g.behind(n, band, i)
	}
	if g.timed != nil {
		g.timed.AddAt(&g.accs[n], r, g.times[i])
	} else {
		g.c.Add(&g.accs[n], r)
	}
}

// own gives a key that does not hold on to the memory of the batch that it came with.
func (g *gatherer[K, A]) own(k K) K {
	known, there := g.known[k]
	if !there {
		known = k
		if text, is := any(k).(string); is {
			known = any(strings.Clone(text)).(K)
		}
		g.known[known] = known
	}
	return known
}

// behind books an element of a cell that is not on time under every setting.
func (g *gatherer[K, A]) behind(n, band int32, i int) {
	g.elems[band]++
	if last := len(g.slips) - 1; last < 0 || g.slips[last].read != g.first+i+1 {
		g.slip(i, band)
	}
	c := &g.cells[n]
	before := int32(0)
	if c.last >= 0 {
		s := &g.late[c.last]
		if before = s.band; before == band {
			s.n++
			s.last = g.moment(i)
			return
		}
	}
	s := stretch{next: -1, before: before, band: band, fork: -1, n: 1, last: g.moment(i)}
	if (c.base || c.last >= 0) && g.upto[before] < g.upto[band] {
		s.fork = int32(len(g.forks))
		g.forks = append(g.forks, g.fork(&g.accs[n]))
	}
	at := int32(len(g.late))
	if c.last >= 0 {
		g.late[c.last].next = at
	} else {
		c.first = at
	}
	c.last = at
	g.late = append(g.late, s)
}

// sliced books the entry of state of the i-th record's slice, which is forgotten with the last window
// that the slice is in.
func (g *gatherer[K, A]) sliced(k K, i int) {
	s := &g.line.slices
	id := sliceOf[K]{k, etime.Floor(g.times[i], s.width, s.offset)}
	if _, there := g.slice[id]; !there {
		id.key = g.own(k)
		g.slice[id] = struct{}{}
		end := etime.Floor(id.lo, s.period, s.offset) + s.size
		g.entries = append(g.entries, sweptEntry{end, g.first + i + 1, g.band(g.fronts[i], end)})
	}
}

func (g *gatherer[K, A]) row(cell, stretch int32) (record.Row, error) {
	acc := &g.accs[cell]
	if stretch >= 0 {
		acc = &g.forks[g.late[stretch].fork]
	}
	v, err := g.c.Extract(acc)
	if err != nil {
		return nil, err
	}
	return append(g.values(make(record.Row, 0, len(v)+1), g.keys[cell]), v...), nil
}

func (g *gatherer[K, A]) entryBytes() int64 {
	bytes := 8 + size.Flat[K]()
	if len(g.accs) == 0 {
		return bytes + size.Flat[A]()
	}
	seen, n := int64(0), int64(0)
	for i := 1; i <= len(g.accs); i *= 2 {
		seen += size.Of(&g.accs[i-1])
		n++
	}
	return bytes + seen/n
}

// slip books that the i-th record of the batch is late, in that band for the window that ends first,
// and describes it where a setting that drops it has not enough of a sample.
func (s *sweep) slip(i int, band int32) {
	s.slips = append(s.slips, slip{s.first + i + 1, band, s.groupOf(i)})
	for class := range s.upto[band] {
		if len(s.missed[class]) < s.job.o.Sample {
			s.missed[class] = append(s.missed[class], s.describe(i, s.classes[class]))
		}
	}
}

// groupOf is the number of the value by which the delay of the i-th record is told apart.
func (s *sweep) groupOf(i int) int32 {
	name := s.group(i)
	n, there := s.groups[name]
	if !there {
		n = int32(len(s.groups))
		s.groups[strings.Clone(name)] = n
	}
	return n
}

// describe describes the i-th record of the batch, which misses the windows that the front is so far
// past, or further.
func (s *sweep) describe(i int, most int64) lateness.Missed {
	x := Record{Row: s.rows[i], Time: s.times[i], Number: int64(s.first + i)}
	if all := s.from.Records; len(all) > 0 {
		x.Number = all[s.first+i].Number
	}
	m := s.job.described(s.line.combine.id, s.from, &x, s.lag(i))
	m.Group = s.group(i)
	m.Window = windowTexts(slices.DeleteFunc(slices.Clone(s.wins), func(w window.Interval) bool {
		_, end := w.Micros()
		return etime.Sub(s.fronts[i], end) < most
	}))
	return m
}
