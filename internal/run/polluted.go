package run

import (
	"fmt"
	"hash/fnv"

	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/window"
)

// PollutedCell is a key and window for which a record was too late: its result lacks it (S13.3).
type PollutedCell struct {
	Key     string
	Window  window.Interval
	Dropped int64 // records that it lacks
	// Last is the event time of the last of them, and Watermark that by which it was judged, in µs.
	Last, Watermark int64
}

const (
	// MostPolluted is up to how many polluted cells of a step are counted exactly, on each worker;
	// beyond that it is an estimate with a standard error of [core.CardinalityError].
	MostPolluted = 1 << 16
	// NamedPolluted is how many of them are named.
	NamedPolluted = 100
)

// pollution knows the cells of one step on one worker that lack a record.
type pollution[K comparable] struct {
	cells map[cellName[K]]*lacks // nil once there are too many
	first []cellName[K]          // those that are named
	named []*lacks
	many  *core.Cardinality // nil as long as they are counted exactly
}

type cellName[K comparable] struct {
	k   K
	win window.Interval
}

type lacks struct{ records, at, w int64 }

func newPollution[K comparable]() *pollution[K] {
	return &pollution[K]{cells: map[cellName[K]]*lacks{}}
}

// add notes that a record was too late for some windows of a key.
func (p *pollution[K]) add(k K, at, w int64, missed []window.Interval) {
	for _, win := range missed {
		name := cellName[K]{k, win}
		if p.many != nil {
			p.many.Add(name.hash())
			continue
		}
		l := p.cells[name]
		if l == nil {
			l = &lacks{}
			p.cells[name] = l
			if len(p.first) < NamedPolluted {
				p.first, p.named = append(p.first, name), append(p.named, l)
			}
		}
		l.records, l.at, l.w = l.records+1, at, w
		if len(p.cells) > MostPolluted {
			p.many = &core.Cardinality{}
			for n := range p.cells {
				p.many.Add(n.hash())
			}
			p.cells = nil
		}
	}
}

// hash is the same in every run.
func (c cellName[K]) hash() uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, c.k, c.win.Lo(), c.win.Hi())
	return spread(h.Sum64())
}

// of says what a cell lacks; nothing if that is not known.
func (p *pollution[K]) of(k K, win window.Interval) (records, at, w int64) {
	if p != nil {
		if l := p.cells[cellName[K]{k, win}]; l != nil {
			return l.records, l.at, l.w
		}
	}
	return 0, etime.Min, etime.Min
}

// report adds what is known to a step's.
func (p *pollution[K]) report(r *StepReport, show func(step string, key any) string) {
	if p == nil {
		return
	}
	for i, n := range p.first {
		if len(r.Polluted) == NamedPolluted {
			break
		}
		text := fmt.Sprint(n.k)
		if show != nil {
			text = show(r.ID, n.k)
		}
		l := p.named[i]
		r.Polluted = append(r.Polluted, PollutedCell{Key: text, Window: n.win, Dropped: l.records, Last: l.at, Watermark: l.w})
	}
	if p.many != nil {
		r.PollutedCells += p.many.Estimate()
		r.PollutedEstimate = true
	} else {
		r.PollutedCells += int64(len(p.cells))
	}
}
