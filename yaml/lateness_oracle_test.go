package yaml

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// This file says once more, plainly, what a setting of the watermark costs: loops over the records,
// one by one, and over all that is open. It shares nothing with the engine. Times are seconds.

const (
	never   = math.MinInt64
	forever = math.MaxInt64
)

// plainRecord is a record of the input.
type plainRecord struct {
	key      string
	v        int64
	at, came int64
}

// plainWindows are the windows of an aggregation: sliding ones if there is a period, sessions if
// there is a gap, else fixed ones.
type plainWindows struct {
	size, period, offset, gap int64
	global                    bool
}

type span struct{ from, to int64 }

func floorTo(t, by, offset int64) int64 {
	n := t - offset
	for n%by != 0 {
		n--
	}
	return n + offset
}

func (w plainWindows) of(t int64) (all []span) {
	switch {
	case w.global:
		return []span{{never, forever}}
	case w.gap > 0:
		return []span{{t, t + w.gap}}
	case w.period > 0:
		for from := floorTo(t, w.period, w.offset); from > t-w.size; from -= w.period {
			all = append(all, span{from, from + w.size})
		}
		return all
	}
	from := floorTo(t, w.size, w.offset)
	return []span{{from, from + w.size}}
}

type plainID struct {
	key string
	span
}

type plainSum struct{ sum, n int64 }

// plainOpen is a cell that has not been forgotten.
type plainOpen struct {
	plainSum
	fired bool
	given *plainSum // the last pane, that a later one takes back
}

// plainPane is a result.
type plainPane struct {
	plainID
	plainSum
	late, minus bool
	at          plainMoment
}

type plainMoment struct {
	arrival, before, high int64
	ended                 bool
}

// plainStep is an aggregation.
type plainStep struct {
	windows  plainWindows
	inherits bool
	allowed  int64
	sliced   bool // its state are cells of keys and slices
	inner    bool // nobody looks at what it gives but the step behind
	takeBack bool // late panes take back what they replace, for the step behind

	open   map[plainID]*plainOpen
	slices map[plainID]bool
	peak   int
	panes  []plainPane
	missed int
}

func later(t, by int64) int64 {
	if t == forever {
		return t
	}
	return t + by
}

// element takes one element at the watermark w. It gives the panes that it causes, and says whether
// it missed a window.
func (s *plainStep) element(key string, x plainSum, t int64, in *span, w int64, m plainMoment) (out []plainPane, missed bool) {
	all := s.windows.of(t)
	if in != nil && s.inherits {
		all = []span{*in}
	}
	held := false
	for _, win := range all {
		if w >= later(win.to, s.allowed) {
			s.missed++
			missed = true
			continue
		}
		held = true
		id := plainID{key, win}
		if s.windows.gap > 0 && !(in != nil && s.inherits) {
			id.span = s.merged(key, win, w)
		}
		c := s.open[id]
		if c == nil {
			c = &plainOpen{fired: w >= id.to}
			s.open[id] = c
		}
		c.sum += x.sum
		c.n += x.n
		if w >= id.to {
			out = append(out, s.pane(id, c, true, m)...)
		}
	}
	if s.sliced && held {
		width := s.windows.size
		for s.windows.size%width != 0 || s.windows.period%width != 0 {
			width--
		}
		from := floorTo(t, width, s.windows.offset)
		s.slices[plainID{key, span{from, from + width}}] = true
	}
	if !m.ended {
		s.peak = max(s.peak, s.state())
	}
	return out, missed
}

func (s *plainStep) state() int {
	if s.sliced {
		return len(s.slices)
	}
	return len(s.open)
}

// merged makes one session of those of a key that overlap win, and gives its span.
func (s *plainStep) merged(key string, win span, w int64) span {
	into, sum, n := win, plainSum{}, 0
	for grown := true; grown; {
		grown = false
		for id, c := range s.open {
			if id.key == key && id.from < into.to && into.from < id.to {
				if id.span == into && n == 1 {
					continue
				}
				into = span{min(into.from, id.from), max(into.to, id.to)}
				if id.span == into { // it has room for all
					if n == 0 {
						return into
					}
				}
				sum.sum, sum.n = sum.sum+c.sum, sum.n+c.n
				n++
				delete(s.open, id)
				grown = true
				break
			}
		}
	}
	if n > 0 {
		s.open[plainID{key, into}] = &plainOpen{plainSum: sum, fired: w >= into.to}
	}
	return into
}

func (s *plainStep) pane(id plainID, c *plainOpen, late bool, m plainMoment) (out []plainPane) {
	if s.takeBack && c.given != nil {
		out = append(out, plainPane{id, *c.given, late, true, m})
	}
	p := plainPane{id, c.plainSum, late, false, m}
	sum := c.plainSum
	c.given, c.fired = &sum, true
	s.panes = append(s.panes, p)
	return append(out, p)
}

// advance gives what is due at the watermark w, and forgets what has expired.
func (s *plainStep) advance(w int64, m plainMoment) (out []plainPane) {
	var due []plainID
	for id, c := range s.open {
		if id.to <= w && !c.fired {
			due = append(due, id)
		}
	}
	sort.Slice(due, func(i, j int) bool { return due[i].to < due[j].to })
	for _, id := range due {
		out = append(out, s.pane(id, s.open[id], false, m)...)
	}
	for id := range s.open {
		if later(id.to, s.allowed) <= w {
			delete(s.open, id)
		}
	}
	for id := range s.slices {
		if last := floorTo(id.from, s.windows.period, s.windows.offset) + s.windows.size; later(last, s.allowed) <= w {
			delete(s.slices, id)
		}
	}
	return out
}

// plainSetting is a setting, and what watermark it is of.
type plainSetting struct {
	kind            string // bound, delay, periods
	behind, allowed int64
	guard           bool
}

const day = 86400

// front is what the watermark stays behind: of records that were read.
func (s plainSetting) front(read []plainRecord) int64 {
	most := int64(never)
	for i, x := range read {
		switch {
		case s.kind != "bound":
			most = max(most, x.came)
		case !s.guard:
			most = max(most, x.at)
		default:
			for j, y := range read {
				if i != j && y.at >= x.at-3600 {
					most = max(most, x.at)
				}
			}
		}
	}
	return most
}

func (s plainSetting) watermark(read []plainRecord) int64 {
	f := s.front(read)
	switch {
	case f == never:
		return never
	case s.kind == "periods":
		return floorTo(f, day, 0) - s.behind*day
	}
	return f - s.behind
}

// plainOutcome is what a setting costs.
type plainOutcome struct {
	dropped, assignments int
	droppedAt            []int // records
	outputs              []plainOutput
	panes, corrected     int
	event, clock         []int64
	atEnd                int
	peaks                []int
	written              map[span]int64
	lags                 []int64
}

type plainOutput map[plainID]plainSum

// plainly runs records through one or two aggregations. A setting of nil is that of a batch.
func plainly(records []plainRecord, steps []plainStep, regions map[string]string, setting *plainSetting) plainOutcome {
	var out plainOutcome
	run := make([]*plainStep, len(steps))
	for i := range steps {
		s := steps[i]
		s.open, s.slices = map[plainID]*plainOpen{}, map[plainID]bool{}
		run[i] = &s
	}
	w := int64(never)
	m := plainMoment{never, never, never, false}
	behind := func(panes []plainPane, w int64) {
		if len(run) < 2 {
			return
		}
		for _, p := range panes {
			x := plainSum{p.sum, 1}
			if p.minus {
				x = plainSum{-p.sum, -1}
			}
			run[1].element(regions[p.key], x, p.to-1, &p.span, w, p.at)
		}
	}
	move := func(to int64) {
		if to <= w {
			return
		}
		behind(run[0].advance(to, m), w)
		w = to
		if len(run) > 1 {
			run[1].advance(w, m)
		}
	}
	for i, x := range records {
		m = plainMoment{max(m.arrival, x.came), m.arrival, max(m.high, x.at), false}
		if setting != nil {
			if setting.kind != "bound" {
				move(setting.watermark(records[:i+1]))
			}
			lag := int64(0)
			if setting.kind == "bound" {
				if f := setting.front(records[:i]); f != never {
					lag = max(0, f-x.at)
				}
			} else if f := setting.front(records[:i+1]); setting.kind == "periods" {
				lag = max(0, (floorTo(f, day, 0)-floorTo(x.at, day, 0))/day)
			} else {
				lag = max(0, f-x.at)
			}
			out.lags = append(out.lags, lag)
		}
		if x.v%7 != 0 { // the filter
			panes, missed := run[0].element(x.key, plainSum{x.v, 1}, x.at, nil, w, m)
			if missed {
				out.dropped++
				out.droppedAt = append(out.droppedAt, i)
			}
			behind(panes, w)
		}
		if setting != nil && setting.kind == "bound" {
			move(setting.watermark(records[:i+1]))
		}
	}
	m.ended = true
	move(forever)
	out.written = map[span]int64{}
	for _, s := range run {
		out.assignments += s.missed
		out.peaks = append(out.peaks, s.peak)
		if s.inner {
			continue
		}
		o, last := plainOutput{}, map[plainID]plainPane{}
		for _, p := range s.panes {
			out.panes++
			if _, again := o[p.plainID]; again {
				out.corrected++
			}
			o[p.plainID], last[p.plainID] = p.plainSum, p
		}
		out.outputs = append(out.outputs, o)
		for id, p := range last {
			if id.to == forever {
				continue
			}
			at := p.at.before
			if p.late || p.at.ended {
				at = p.at.arrival
			}
			if was, there := out.written[id.span]; !there || at > was {
				out.written[id.span] = at
			}
			if p.at.ended {
				out.atEnd++
				continue
			}
			out.event = append(out.event, p.at.high-id.to)
			out.clock = append(out.clock, p.at.arrival-id.to)
		}
	}
	return out
}

// polluted counts the cells that are not as in the complete answer.
func (o plainOutput) polluted(complete plainOutput) (n int) {
	for id, x := range complete {
		if y, there := o[id]; !there || x != y {
			n++
		}
	}
	for id := range o {
		if _, there := complete[id]; !there {
			n++
		}
	}
	return n
}

// atMost is the least of some numbers that a share of them do not exceed.
func atMost(all []int64, share float64) int64 {
	all = slices.Clone(all)
	slices.Sort(all)
	for i, x := range all {
		if float64(i+1) >= share*float64(len(all)) {
			return x
		}
	}
	return 0
}

func (s span) String() string { return fmt.Sprintf("[%d, %d)", s.from, s.to) }
