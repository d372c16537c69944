package core

import "github.com/strandline-stream/strandline/trigger"

// Numbers counts the panes of one (key, window) (S5.3). The zero value has had none.
type Numbers struct {
	Panes    int64 // of any timing
	NonEarly int64
}

// Next names the next pane.
func (n *Numbers) Next(t trigger.Timing, last bool) trigger.Pane {
	p := trigger.Pane{Timing: t, Index: n.Panes, NonEarly: -1, First: n.Panes == 0, Last: last}
	n.Panes++
	if t != trigger.Early {
		p.NonEarly = n.NonEarly
		n.NonEarly++
	}
	return p
}

// Timing is what a pane is called: early before the window is due, on time if the watermark
// fires it by reaching that instant, else late (S5.3). A pane that a late element causes is
// late, and so is what comes out at an expiry that lies behind the due instant once the
// on-time moment has passed.
func Timing(w, due int64, byWatermark bool) trigger.Timing {
	switch {
	case w < due:
		return trigger.Early
	case byWatermark && w == due:
		return trigger.OnTime
	}
	return trigger.Late
}
