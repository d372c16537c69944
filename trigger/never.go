package trigger

import "github.com/strandline-stream/strandline/internal/etime"

// Never does not fire. A window under it emits one pane, the last, when it expires (S4.2) or
// the input ends (S8.1).
func Never() Trigger { return neverTrigger{} }

// neverTrigger owns one word: flags.
type neverTrigger struct{}

func (neverTrigger) String() string           { return "never" }
func (neverTrigger) words() int               { return 1 }
func (neverTrigger) subs() []Trigger          { return nil }
func (neverTrigger) fault() error             { return nil }
func (neverTrigger) element(State, Moment)    {}
func (neverTrigger) when(State, Moment) int64 { return etime.Max }
func (neverTrigger) fire(State, Moment)       {}
func (neverTrigger) clear(State)              {}
func (neverTrigger) reset(s State, _ Moment)  { s[0] = 0 }
func (neverTrigger) merge(merging, int)       {}
