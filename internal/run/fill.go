package run

import (
	"fmt"

	"github.com/strandline-stream/strandline/window"
)

// filling is what is known of the windows that no element has reached, where those are asked for
// (S5.6): from the first window with an element on, up to the watermark, and at the end of the input
// up to the last one with an element.
type filling struct {
	key  uint64
	from int64 // the end of the last window that is there, with an element or not; etime.Max: none
	to   int64 // the greatest event time of an element
}

// reach notes an element in a window.
func (f *filling) reach(key uint64, win window.Interval, t int64) {
	f.key, f.from, f.to = key, min(f.from, win.Hi()), max(f.to, t)
}

// mostFilled is how many windows are filled at one move of the watermark. Beyond that it is a mistake
// and not a pause: an event time in another century, say.
const mostFilled = 1_000_000

// fillTo opens the windows that are due by w and have had no element, and gives each before the next
// is opened, so that not all of a long pause are open at a time.
func (c *cells[K, V, A, O]) fillTo(w int64, ended bool) {
	for n := 0; ; n++ {
		c.wins = c.assign.Assign(c.wins[:0], c.fill.from)
		win := c.wins[0] // these windows lie side by side
		due := c.o.spec.due(win)
		if ended && win.Lo() > c.fill.to || !ended && due > w {
			return
		}
		if n == mostFilled {
			panic(stopped{fmt.Errorf("step %q: more than %d windows in a row have no element, up to %v: windows without elements were asked for, but an event time seems to be wrong", c.o.step, mostFilled, win)})
		}
		c.enter(c.fill.key, win)
		c.fill.from = win.Hi()
		c.settle(due, ended)
	}
}
