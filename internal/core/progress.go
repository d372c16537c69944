package core

import (
	"slices"

	"github.com/strandline-stream/strandline/internal/etime"
)

// Lanes is the watermark of a place where several streams meet: the minimum over those that
// are live (S3.2). A lane is idle when its source said so (S3.3), and has ended when it
// stands at [etime.Max]; neither holds the others back. If every lane that has not ended is
// idle, the watermark stays where it is.
type Lanes struct {
	lanes []lane
	own   int64
}

type lane struct {
	w    int64
	idle bool
}

// NewLanes gives n lanes that all stand at [etime.Min].
func NewLanes(n int) *Lanes {
	l := &Lanes{lanes: make([]lane, n), own: etime.Min}
	for i := range l.lanes {
		l.lanes[i].w = etime.Min
	}
	return l
}

// Copy gives lanes that stand where l's do, and go their own way.
func (l *Lanes) Copy() *Lanes { return &Lanes{slices.Clone(l.lanes), l.own} }

// Len is the number of lanes.
func (l *Lanes) Len() int { return len(l.lanes) }

// W is where the watermark stands.
func (l *Lanes) W() int64 { return l.own }

// Lane is what has been heard on lane i.
func (l *Lanes) Lane(i int) (w int64, idle bool) { return l.lanes[i].w, l.lanes[i].idle }

// Others is the minimum over the live lanes but lane i, [etime.Max] if there is none.
func (l *Lanes) Others(i int) int64 {
	low := etime.Max
	for j := range l.lanes {
		if j != i && !l.lanes[j].idle && l.lanes[j].w < low {
			low = l.lanes[j].w
		}
	}
	return low
}

// Advance tells that lane i now stands at w, and returns where the watermark stands then. A
// lane that was idle is live again from here on, unless idle says otherwise: one that has moved
// has its say at w, and falls idle after that. Neither a lane nor the whole ever moves
// backwards (S3.1).
func (l *Lanes) Advance(i int, w int64, idle bool) int64 {
	ln := &l.lanes[i]
	if w > ln.w {
		ln.w, ln.idle = w, false
		l.settle()
	}
	ln.idle = idle
	return l.settle()
}

// settle moves the whole to the minimum over the live lanes.
func (l *Lanes) settle() int64 {
	low, live, anyIdle := etime.Max, false, false
	for j := range l.lanes {
		switch {
		case l.lanes[j].w == etime.Max: // ended
		case l.lanes[j].idle:
			anyIdle = true
		default:
			live = true
			low = min(low, l.lanes[j].w)
		}
	}
	if live || !anyIdle {
		l.own = max(l.own, low)
	}
	return l.own
}

// Idle says whether everything that has not ended is idle, and something is.
func (l *Lanes) Idle() bool {
	idle := false
	for j := range l.lanes {
		if l.lanes[j].w == etime.Max {
			continue
		}
		if !l.lanes[j].idle {
			return false
		}
		idle = true
	}
	return idle
}

// Column computes the watermark before each element that arrives on lane i, given that lane's
// own column, into dst (as long as w). The lanes themselves move only by [Lanes.Advance].
func (l *Lanes) Column(i int, w, dst []int64) {
	others, own := l.Others(i), l.own
	dst = dst[:len(w)]
	for j, x := range w {
		own = max(own, min(x, others))
		dst[j] = own
	}
}

// Verdict is the watermark by which an element that carries carried is judged in a step whose
// own watermark is own and whose other origins have been heard at others (S4.5). It never
// lies below own.
func Verdict(carried, others, own int64) int64 { return max(own, min(carried, others)) }
