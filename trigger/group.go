package trigger

import (
	"fmt"
	"iter"
	"strings"
)

// group is what triggers over several others have in common. It owns one word, flags, and
// theirs.
type group struct {
	kids []Trigger
	size int // words
}

func groupOf(ts []Trigger) group {
	g := group{make([]Trigger, len(ts)), 1}
	for i, t := range ts {
		g.kids[i] = given(t)
		g.size += g.kids[i].words()
	}
	return g
}

func (g group) words() int      { return g.size }
func (g group) subs() []Trigger { return g.kids }

func (g group) text(name string) string {
	args := make([]string, len(g.kids))
	for i, k := range g.kids {
		args[i] = k.String()
	}
	return call(name, args...)
}

func (g group) faultOf(name string) error {
	if len(g.kids) == 0 {
		return fmt.Errorf("trigger.%s: no triggers were given", name)
	}
	var bad []string
	for i, k := range g.kids {
		if k == (missing{}) {
			bad = append(bad, fmt.Sprint(i+1))
		}
	}
	if bad != nil {
		return fmt.Errorf("trigger.%s: argument %s of %d is nil", name, strings.Join(bad, " and "), len(g.kids))
	}
	return nil
}

// parts gives each trigger of the group with its own words.
func (g group) parts(s State) iter.Seq2[Trigger, State] {
	return func(yield func(Trigger, State) bool) {
		s := s[1:]
		for _, k := range g.kids {
			n := k.words()
			if !yield(k, s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}

func (g group) element(s State, m Moment) {
	for k, ks := range g.parts(s) {
		k.element(ks, m)
	}
}

func (g group) clear(s State) {
	for k, ks := range g.parts(s) {
		k.clear(ks)
	}
}

func (g group) reset(s State, m Moment) {
	s[0] = 0
	for k, ks := range g.parts(s) {
		k.reset(ks, m)
	}
}

// mergeKids merges each trigger of the group, and counts those that are finished then.
func (g group) mergeKids(mg merging, at int) (done int) {
	at++
	for _, k := range g.kids {
		k.merge(mg, at)
		if mg.into[at]&finished != 0 {
			done++
		}
		at += k.words()
	}
	return done
}
