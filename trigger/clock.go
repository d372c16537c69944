package trigger

import (
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// AfterProcessingTime fires once d has passed, by the wall clock, since the pane's first
// element, and finishes. With a d of zero it fires at that element. d must not be negative and
// must be of whole microseconds.
//
// Results under it depend on the speed of the run: it is one of the few things that look at
// the wall clock (S1.6). When windows merge, the earliest of their deadlines holds.
func AfterProcessingTime(d time.Duration) Trigger { return clockTrigger{d} }

// clockTrigger owns two words: flags, the deadline if armed. A deadline may be any instant, so
// no value of it can mean that there is none.
type clockTrigger struct{ d time.Duration }

func (t clockTrigger) String() string { return call("afterProcessingTime", text(t.d)) }
func (clockTrigger) words() int       { return 2 }
func (clockTrigger) subs() []Trigger  { return nil }

func (t clockTrigger) fault() error {
	const of = "trigger.AfterProcessingTime"
	switch {
	case t.d < 0:
		return fmt.Errorf("%s: d must not be negative, is %v", of, t.d)
	case t.d%time.Microsecond != 0:
		return fmt.Errorf("%s: d must be of whole microseconds, is %v", of, t.d)
	}
	return nil
}

func (t clockTrigger) element(s State, m Moment) {
	if s[0]&armed == 0 {
		s[0] |= armed
		s[1] = etime.Add(m.Now, etime.Span(t.d))
	}
}

func (clockTrigger) when(s State, _ Moment) int64 {
	if s[0]&armed == 0 {
		return etime.Max
	}
	return s[1]
}

func (t clockTrigger) fire(s State, _ Moment) {
	t.clear(s)
	s[0] |= finished
}

func (clockTrigger) clear(s State)           { s[0], s[1] = s[0]&^armed, 0 }
func (clockTrigger) reset(s State, _ Moment) { s[0], s[1] = 0, 0 }

// merge takes the earliest deadline: the merged pane's first element is the earliest of all.
// What has finished in one of the windows has finished.
func (clockTrigger) merge(g merging, at int) {
	if g.any(at, finished) {
		g.into[at] = finished
		return
	}
	for _, f := range g.from {
		if f[at]&armed == 0 {
			continue
		}
		if g.into[at]&armed == 0 || f[at+1] < g.into[at+1] {
			g.into[at], g.into[at+1] = armed, f[at+1]
		}
	}
}

// text writes a duration without its zero tail: "1h", not "1h0m0s".
func text(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
