package oracle

import "slices"

// Trigger says when panes fire (S5.1). The zero Trigger is Default.
type Trigger struct {
	Kind TriggerKind
	N    int       // of Count
	Kids []Trigger // of Repeat one; of Watermark early and late; of OrFinally what runs and what ends it
}

// TriggerKind names a node of a trigger tree.
type TriggerKind int

// The kinds of triggers.
const (
	Default   TriggerKind = iota // at due, then with every late element
	Watermark                    // at due; its kids are repeated before and after; without a late one it finishes
	None                         // a Watermark's early or late kid that is not there
	Count                        // with the Nth element of the pane; finishes
	Repeat                       // its kid, anew whenever it finishes
	Any                          // when one of its kids fires; finishes when one finishes
	All                          // when all of its kids would; finishes when all have
	Each                         // its kids one after another; finishes with the last
	OrFinally                    // Any of two, by another name
	Never
	Always // with every element
)

// node is the state of a trigger in one window.
type node struct {
	*Trigger
	kids  []*node
	done  bool // it has finished
	n     int  // Count: elements of the pane
	fired bool // Watermark: it has fired at or after due
	turn  int  // Each: whose turn it is
}

const early, late = 0, 1 // the kids of a Watermark

func start(t *Trigger) *node {
	s := &node{Trigger: t}
	for i := range t.Kids {
		s.kids = append(s.kids, start(&t.Kids[i]))
	}
	return s
}

// onTime says whether the tree has a pane to fire when W reaches due.
func (s *node) onTime() bool {
	return s.Kind == Default || s.Kind == Watermark || slices.ContainsFunc(s.kids, (*node).onTime)
}

// handed says whether a Watermark has handed over to its late kid.
func (s *node) handed() bool { return s.fired && s.Kids[late].Kind != None }

// live gives the kids that a new element concerns.
func (s *node) live() []*node {
	switch {
	case s.Kind == Each:
		return s.kids[s.turn:min(s.turn+1, len(s.kids))]
	case s.Kind == Watermark && s.handed():
		return s.kids[late:]
	case s.Kind == Watermark:
		return s.kids[:late]
	}
	return s.kids
}

// element tells the trigger of a new element.
func (s *node) element() {
	s.n++
	for _, kid := range s.live() {
		kid.element()
	}
}

// ready says whether the trigger would fire; reached says whether W has reached due.
func (s *node) ready(reached bool) bool {
	switch s.Kind {
	case Default:
		return reached
	case Count:
		return s.n >= s.N
	case Always:
		return true
	case All:
		return !slices.ContainsFunc(s.kids, func(kid *node) bool { return !kid.ready(reached) })
	}
	return s.Kind == Watermark && reached && !s.handed() ||
		slices.ContainsFunc(s.live(), func(kid *node) bool { return kid.ready(reached) })
}

// fire tells a trigger that is ready of its firing. Then s.done says whether it has finished.
func (s *node) fire(reached bool) {
	if s.Kind == Watermark && reached && !s.handed() {
		s.fired, s.kids[early] = true, start(s.kids[early].Trigger)
	} else {
		for i, kid := range s.live() {
			if !kid.ready(reached) {
				continue
			}
			kid.fire(reached)
			switch {
			case kid.done && s.Kind == Each:
				s.turn++
			case kid.done && (s.Kind == Repeat || s.Kind == Watermark):
				s.live()[i] = start(kid.Trigger)
			}
		}
	}
	s.done = s.finished(s.Kind == Count)
}

func done(s *node) bool   { return s.done }
func undone(s *node) bool { return !s.done }

// finished says whether the trigger has finished, by the state of its kids; it is told for one
// that has none.
func (s *node) finished(alone bool) bool {
	switch s.Kind {
	case Watermark:
		return s.fired && !s.handed()
	case Any, OrFinally:
		return slices.ContainsFunc(s.kids, done)
	case All:
		return !slices.ContainsFunc(s.kids, undone)
	case Each:
		return s.turn == len(s.kids)
	}
	return alone
}

// merge gives the state of merged windows; reached says whether W has reached the merged due.
func merge(t *Trigger, all []*node, reached bool) *node {
	s := start(t)
	for _, o := range all {
		s.n += o.n
		s.done = s.done || o.done
		s.fired = s.fired || o.fired && reached
		s.turn = max(s.turn, o.turn)
	}
	for i := range s.kids {
		var kids []*node
		for _, o := range all {
			kids = append(kids, o.kids[i])
		}
		s.kids[i] = merge(&t.Kids[i], kids, reached)
	}
	if s.Kind == Each { // a kid that is pending again has its turn again
		if i := slices.IndexFunc(s.kids[:s.turn], undone); i >= 0 {
			s.turn = i
		}
	}
	for i, kid := range s.kids { // what is not running starts anew
		if s.Kind == Each && i > s.turn || s.Kind == Watermark && kid != s.live()[0] {
			s.kids[i] = start(kid.Trigger)
		}
	}
	if s.done = s.finished(s.done); !s.done && slices.ContainsFunc(all, done) {
		return merge(t, slices.DeleteFunc(slices.Clone(all), done), reached) // its panes are over, and counted
	}
	return s
}
