package run

import (
	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
)

// paths merges what reaches a place by several edges, or from several senders over one
// exchange: for each origin, the watermark is the least that any of its paths has told. An
// element that was behind its watermark when it was read keeps carrying that one (S4.5).
type paths struct {
	lanes    []*core.Lanes // by origin; nil for origins that do not come by here
	lane     [][]int       // by origin, then edge; -1 where the origin does not come by that edge
	idle     [][]bool      // by origin, then lane: what it said last
	carryAll bool
	w        []int64
	carried  []int64
}

// newPaths is told which origins come by each edge.
func newPaths(edges [][]int, carryAll bool) *paths {
	p := &paths{carryAll: carryAll}
	for e, origins := range edges {
		for _, o := range origins {
			for len(p.lane) <= o {
				p.lane = append(p.lane, nil)
			}
			for len(p.lane[o]) < len(edges) {
				p.lane[o] = append(p.lane[o], -1)
			}
			p.lane[o][e] = 0
		}
	}
	p.lanes, p.idle = make([]*core.Lanes, len(p.lane)), make([][]bool, len(p.lane))
	for o, edges := range p.lane {
		n := 0
		for e := range edges {
			if edges[e] == 0 {
				edges[e] = n
				n++
			}
		}
		if n > 0 {
			p.lanes[o], p.idle[o] = core.NewLanes(n), make([]bool, n)
		}
	}
	return p
}

// origins lists what comes by.
func (p *paths) origins() (all []int) {
	for o, l := range p.lanes {
		if l != nil {
			all = append(all, o)
		}
	}
	return all
}

// merge gives the columns of a batch that came by an edge as they are behind the meeting
// place. They are valid until the next call.
func (p *paths) merge(edge int, c *Cols) Cols {
	lanes, i := p.lanes[c.Origin], p.lane[c.Origin][edge]
	m := *c
	if lanes.Len() == 1 {
		m.Close = lanes.Advance(i, c.Close, c.Idle)
		return m
	}
	n := c.len()
	if cap(p.w) < n {
		p.w, p.carried = make([]int64, n), make([]int64, n)
	}
	m.W, m.Carried = p.w[:n], p.carried[:n]
	for j := range n {
		if p.carryAll && c.Carried == nil {
			m.Carried[j] = c.W[j]
		} else {
			m.Carried[j] = c.carried(j)
		}
	}
	lanes.Column(i, c.W, m.W)
	// It is the origin that is idle, not one of its ways: each still has to bring what the others
	// have brought, so all of them hold.
	m.Close = lanes.Advance(i, c.Close, false)
	p.idle[c.Origin][i] = c.Idle
	m.Idle = m.Close != etime.Max
	for j, idle := range p.idle[c.Origin] {
		if w, _ := lanes.Lane(j); w != etime.Max {
			m.Idle = m.Idle && idle
		}
	}
	return m
}

// inlet is where a windowed or stateful step takes the watermarks of its origins together to
// its own.
type inlet struct {
	lanes *core.Lanes
	lane  []int // by origin
	own   []int64
	data  *core.Lanes // as lanes, by the words of the records alone; nil if the clock had no say yet
}

func newInlet(origins []int) *inlet {
	in := &inlet{lanes: core.NewLanes(len(origins))}
	for i, o := range origins {
		for len(in.lane) <= o {
			in.lane = append(in.lane, -1)
		}
		in.lane[o] = i
	}
	return in
}

// column gives the step's own watermark before each element, and what has been heard from the
// other origins.
func (in *inlet) column(c *Cols) (own []int64, others int64) {
	if in.lanes.Len() == 1 {
		return c.W, etime.Max
	}
	if cap(in.own) < c.len() {
		in.own = make([]int64, c.len())
	}
	own = in.own[:c.len()]
	i := in.lane[c.Origin]
	in.lanes.Column(i, c.W, own)
	return own, in.lanes.Others(i)
}

// close takes over the watermark after a batch.
func (in *inlet) close(c *Cols) (w int64, idle bool) {
	i := in.lane[c.Origin]
	if c.Clock && in.data == nil {
		in.data = in.lanes.Copy()
	}
	if in.data != nil && !c.Clock {
		in.data.Advance(i, c.Close, c.Idle)
	}
	w = in.lanes.Advance(i, c.Close, c.Idle)
	return w, in.lanes.Idle()
}

// said is how far the records alone have moved the watermark, [etime.Max] if the clock never had a
// say in it (S3.3).
func (in *inlet) said() int64 {
	if in == nil || in.data == nil {
		return etime.Max
	}
	return in.data.W()
}
