package run

import (
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Context is what a user function may know of its element beside the value.
type Context struct {
	at   int64
	w    int64
	win  window.Interval
	in   bool // win is set
	pane trigger.Pane
}

// Time is the element's event time.
func (x *Context) Time() time.Time { return etime.Time(x.at) }

// Watermark is the watermark by which the element is judged. It may differ between runs with
// several splits (S1.6).
func (x *Context) Watermark() time.Time { return etime.Time(x.w) }

// Window is the element's window; ok is false if it has not been grouped since it was read or
// windowed.
func (x *Context) Window() (w window.Interval, ok bool) { return x.win, x.in }

// Pane is the pane that the element came in; [trigger.NoFiring] if it came in none.
func (x *Context) Pane() trigger.Pane { return x.pane }

// context fills x for row i.
func (c *Cols) context(i int, x *Context) {
	x.at, x.w, x.in, x.pane = c.At[i], max(c.W[i], c.carried(i)), c.Win != nil, trigger.NoFiring
	if c.Win != nil {
		x.win = c.Win[i]
	}
	if c.Pane != nil {
		x.pane = c.Pane[i]
	}
}
