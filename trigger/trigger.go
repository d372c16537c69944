package trigger

import "strings"

// Trigger says when a window fires, and whether it can fire again. It is an immutable tree,
// built by this package's constructors, and safe for concurrent use. The set of triggers is
// closed.
type Trigger interface {
	// String is canonical text: two triggers with equal text behave equally, so it stands for
	// the trigger in a plan's fingerprint. Examples: "default", "repeat(afterCount(100))",
	// "afterWatermark(early afterCount(2), late afterCount(1))".
	String() string

	// words is how many words of a State the trigger and those in it own.
	words() int

	// subs gives the triggers right below this one.
	subs() []Trigger

	// fault says what is wrong with this trigger itself, or nil.
	fault() error

	// evaluator works on the words that the trigger owns.
	evaluator
}

// evaluator is a trigger's behaviour in one window. Its methods get the trigger's own words;
// the first is always its flags. None is called on words for which Validate found a fault.
type evaluator interface {
	// element takes note of an element. A finished trigger may be told, too: a merge can
	// revive it, and must find what the pane holds by then.
	element(s State, m Moment)

	// when gives the processing time from which the trigger is ready, if no more elements come
	// and the watermark stays: etime.Min if it is ready whatever the time, etime.Max if only
	// an element or the watermark can make it ready. It does not look at m.Now.
	when(s State, m Moment) int64

	// fire moves on after the trigger, ready, has fired at m, and sets the flag finished if
	// that was its last firing.
	fire(s State, m Moment)

	// clear forgets what the pane held, which another trigger's firing has emitted. How far
	// the trigger has come stays.
	clear(s State)

	// reset makes the trigger start afresh, with a pane that opens at m.
	reset(s State, m Moment)

	// merge fills the trigger's words in g.into, which are zero and begin at word at.
	merge(g merging, at int)
}

// flags in the first word of every trigger's state.
const (
	finished int64 = 1 << iota // it will not fire again
	passed                     // watermark: the on-time pane has fired
	awaits                     // watermark: an element must come before it can be ready
	armed                      // processing time: the deadline is set
	reached                    // the root only: the window has had an element
)

// ready says whether t fires at m.
func ready(t Trigger, s State, m Moment) bool { return isDue(t.when(s, m), m.Now) }

// call writes a trigger's canonical text.
func call(name string, args ...string) string {
	if len(args) == 0 {
		return name
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}
