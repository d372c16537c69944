package trigger

import "github.com/strandline-stream/strandline/internal/etime"

// InOrder fires as the first of ts does until that finishes, then as the second does, and so on;
// it finishes with the last. Each starts with the pane after its predecessor's last. There must
// be at least one. Beam calls it AfterEach.
func InOrder(ts ...Trigger) Trigger { return orderTrigger{groupOf(ts)} }

// orderTrigger tells all of its triggers of all elements, not only the one whose turn it is: a
// merge can give the turn to another, which must know what the pane holds. Those whose turn is
// to come are reset at every firing.
type orderTrigger struct{ group }

func (t orderTrigger) String() string { return t.text("inOrder") }
func (t orderTrigger) fault() error   { return t.faultOf("InOrder") }

func (t orderTrigger) when(s State, m Moment) int64 {
	for k, ks := range t.parts(s) {
		if ks[0]&finished == 0 {
			return k.when(ks, m)
		}
	}
	return etime.Max
}

func (t orderTrigger) fire(s State, m Moment) {
	fired, left := false, false
	for k, ks := range t.parts(s) {
		switch {
		case fired:
			k.reset(ks, m)
			left = true
		case ks[0]&finished != 0:
			k.clear(ks)
		default:
			k.fire(ks, m)
			fired, left = true, ks[0]&finished == 0
		}
	}
	if !left {
		s[0] |= finished
	}
}

// merge gives the turn to the first that is not finished; those after it have not begun.
func (t orderTrigger) merge(g merging, at int) {
	own := at
	at++
	for _, k := range t.kids {
		k.merge(g, at)
		if g.into[at]&finished == 0 {
			return
		}
		at += k.words()
	}
	g.into[own] = finished
}
