package trigger

import (
	"fmt"
	"strings"

	"github.com/strandline-stream/strandline/internal/etime"
)

// Waits says in words what is missing for the window to fire at m, for a person who asks why it
// has not: "the watermark to reach its end", "2 more elements (1 of 3 is there)". It is empty if
// nothing is: [Program.ShouldFire] says true, or the trigger has finished.
func (p *Program) Waits(s State, m Moment) string {
	if s[0]&finished != 0 || ready(p.root, s, m) {
		return ""
	}
	return missingFor(p.root, s, m)
}

// missingFor gives the words for a trigger that is not ready.
func missingFor(t Trigger, s State, m Moment) string {
	switch t := t.(type) {
	case countTrigger:
		if s[0]&finished != 0 {
			return "nothing any more"
		}
		return counted(t.n-s[1], s[1], t.n)
	case clockTrigger:
		if s[0]&armed == 0 {
			return "an element"
		}
		return "the clock to reach " + etime.Format(s[1])
	case WatermarkTrigger:
		switch {
		case s[0]&passed != 0:
			return missingFor(t.late, s[t.lateAt():], m)
		case s[0]&awaits != 0 && m.past():
			return "an element"
		case t.early != nil:
			return "the watermark to reach its end, or " + missingFor(t.early, s[1:], m)
		}
		return "the watermark to reach its end"
	case repeatTrigger:
		return missingFor(t.t, s[1:], m)
	case anyTrigger:
		return missingParts(t.group, s, m, " or ", false)
	case allTrigger:
		return missingParts(t.group, s, m, " and ", true)
	case finallyTrigger:
		return missingParts(t.group, s, m, " or ", false)
	case orderTrigger:
		for k, ks := range t.parts(s) {
			if ks[0]&finished == 0 {
				return missingFor(k, ks, m)
			}
		}
	}
	return "nothing: its trigger never fires by itself"
}

// missingParts joins the words of those that are not ready. pending leaves out what has finished.
func missingParts(g group, s State, m Moment, by string, pending bool) string {
	var parts []string
	for k, ks := range g.parts(s) {
		if ks[0]&finished != 0 || pending && ready(k, ks, m) {
			continue
		}
		parts = append(parts, missingFor(k, ks, m))
	}
	if len(parts) == 0 {
		return "nothing any more"
	}
	return strings.Join(parts, by)
}

func counted(missing, there, of int64) string {
	noun, verb := "elements", "are"
	if missing == 1 {
		noun = "element"
	}
	if there == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%d more %s (%d of %d %s there)", missing, noun, there, of, verb)
}
