package trigger

import "github.com/strandline-stream/strandline/internal/etime"

// AfterAny fires as soon as one of ts is ready, and finishes. There must be at least one.
func AfterAny(ts ...Trigger) Trigger { return anyTrigger{groupOf(ts)} }

type anyTrigger struct{ group }

func (t anyTrigger) String() string { return t.text("afterAny") }
func (t anyTrigger) fault() error   { return t.faultOf("AfterAny") }

func (t anyTrigger) when(s State, m Moment) int64 {
	first := etime.Max
	for k, ks := range t.parts(s) {
		first = min(first, k.when(ks, m))
	}
	return first
}

// fire moves all on that were ready. The others lose the pane that they were watching.
func (t anyTrigger) fire(s State, m Moment) {
	for k, ks := range t.parts(s) {
		if ready(k, ks, m) {
			k.fire(ks, m)
		} else {
			k.clear(ks)
		}
	}
	s[0] |= finished
}

// merge finishes it if one of ts is finished: so it is pending again if its on-time pane is.
func (t anyTrigger) merge(g merging, at int) {
	if t.mergeKids(g, at) > 0 {
		g.into[at] = finished
	}
}
