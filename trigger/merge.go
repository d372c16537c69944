package trigger

// Merge gives the state of a window into which others have merged (S2.4), for m with that
// window's Due. from has the states of all of them, also of one that had the same interval; it
// is not changed. into is overwritten; it must be none of from. The order of from does not
// matter. A window that has had no element counts for nothing. With a single state it is what
// must be called when a window's end moves.
//
// An element that makes windows merge is told to the merged window, afterwards: told before to
// a window of its own, it would make an on-time pane that has fired pending.
//
// Counts add up. Of processing-time deadlines the earliest holds. A count or delay that has
// fired for good in one of the windows has done so in the merged one. The on-time phase is
// over only if it is in all of them and m.W has reached the merged end: a fired session that is
// extended past the watermark is pending again (S5.3). So a merge can make a finished trigger
// unfinished, and also, for triggers that finish on a count or delay, the reverse: ask
// Finished afterwards.
func (p *Program) Merge(into State, from []State, m Moment) {
	clear(into)
	g := merging{into, from, m}
	for _, f := range from {
		if f[0]&reached != 0 {
			p.root.merge(g, 0)
			into[0] |= reached
			return
		}
	}
}

// merging is one merge under way. Its methods look at the windows that have had an element, and
// at the same word in each.
type merging struct {
	into State
	from []State
	Moment
}

// all says whether flag is set in all.
func (g merging) all(at int, flag int64) bool {
	for _, f := range g.from {
		if f[0]&reached != 0 && f[at]&flag == 0 {
			return false
		}
	}
	return true
}

// any says whether flag is set in any.
func (g merging) any(at int, flag int64) bool {
	for _, f := range g.from {
		if f[0]&reached != 0 && f[at]&flag != 0 {
			return true
		}
	}
	return false
}

// sum adds the word up.
func (g merging) sum(at int) (n int64) {
	for _, f := range g.from {
		if f[0]&reached != 0 {
			n += f[at]
		}
	}
	return n
}
