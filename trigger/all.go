package trigger

import "github.com/strandline-stream/strandline/internal/etime"

// AfterAll fires as soon as all of ts are ready at the same time, and finishes. There must be at
// least one.
func AfterAll(ts ...Trigger) Trigger { return allTrigger{groupOf(ts)} }

type allTrigger struct{ group }

func (t allTrigger) String() string { return t.text("afterAll") }
func (t allTrigger) fault() error   { return t.faultOf("AfterAll") }

// when passes over those that a merge found finished in one window while others were not: what
// they waited for has been.
func (t allTrigger) when(s State, m Moment) int64 {
	last := etime.Min
	for k, ks := range t.parts(s) {
		if ks[0]&finished == 0 {
			last = max(last, k.when(ks, m))
		}
	}
	return last
}

func (t allTrigger) fire(s State, m Moment) {
	for k, ks := range t.parts(s) {
		if ks[0]&finished == 0 {
			k.fire(ks, m)
		}
	}
	s[0] |= finished
}

func (t allTrigger) merge(g merging, at int) {
	if t.mergeKids(g, at) == len(t.kids) {
		g.into[at] = finished
	}
}
