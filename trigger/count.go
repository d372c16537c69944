package trigger

import (
	"fmt"
	"strconv"

	"github.com/strandline-stream/strandline/internal/etime"
)

// AfterCount fires once the pane holds n elements or more, and finishes. It is judged after
// every element (S5.1), so a pane that it fires has exactly n, except after windows with more
// between them merged. n must be at least 1.
func AfterCount(n int) Trigger { return countTrigger{int64(n)} }

// Always fires after every element and never finishes. It is Repeat(AfterCount(1)).
func Always() Trigger { return repeatTrigger{countTrigger{1}} }

// countTrigger owns two words: flags, elements in the pane.
type countTrigger struct{ n int64 }

func (t countTrigger) String() string { return call("afterCount", strconv.FormatInt(t.n, 10)) }
func (countTrigger) words() int       { return 2 }
func (countTrigger) subs() []Trigger  { return nil }

func (t countTrigger) fault() error {
	if t.n < 1 {
		return fmt.Errorf("trigger.AfterCount: n must be at least 1, is %d", t.n)
	}
	return nil
}

func (countTrigger) element(s State, _ Moment) { s[1]++ }

func (t countTrigger) when(s State, _ Moment) int64 {
	if s[1] >= t.n {
		return etime.Min
	}
	return etime.Max
}

func (countTrigger) fire(s State, _ Moment)  { s[0], s[1] = s[0]|finished, 0 }
func (countTrigger) clear(s State)           { s[1] = 0 }
func (countTrigger) reset(s State, _ Moment) { s[0], s[1] = 0, 0 }

// merge adds up. What has finished in one of the windows has finished: its count was reached.
func (countTrigger) merge(g merging, at int) {
	if g.any(at, finished) {
		g.into[at] = finished
		return
	}
	g.into[at+1] = g.sum(at + 1)
}
