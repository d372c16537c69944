package trigger

// OrFinally fires as main does, until until is ready: then it fires a last time and finishes.
// It also finishes when main does. until sees all elements since the start, across main's
// firings: OrFinally(Repeat(AfterCount(10)), AfterCount(25)) fires with 10, 10 and 5 elements.
func OrFinally(main, until Trigger) Trigger {
	return finallyTrigger{groupOf([]Trigger{main, until})}
}

// finallyTrigger's group is main and until.
type finallyTrigger struct{ group }

func (t finallyTrigger) String() string { return t.text("orFinally") }
func (t finallyTrigger) fault() error   { return t.faultOf("OrFinally") }

// split gives main and until with their words.
func (t finallyTrigger) split(s State) (main, until Trigger, ms, us State) {
	main, until = t.kids[0], t.kids[1]
	n := 1 + main.words()
	return main, until, s[1:n], s[n:]
}

func (t finallyTrigger) when(s State, m Moment) int64 {
	main, until, ms, us := t.split(s)
	return min(main.when(ms, m), until.when(us, m))
}

func (t finallyTrigger) fire(s State, m Moment) {
	main, until, ms, us := t.split(s)
	if ready(until, us, m) {
		until.fire(us, m)
		main.clear(ms)
		s[0] |= finished
		return
	}
	main.fire(ms, m)
	s[0] |= ms[0] & finished
}

func (t finallyTrigger) merge(g merging, at int) {
	if t.mergeKids(g, at) > 0 {
		g.into[at] = finished
	}
}
