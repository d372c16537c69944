package yaml

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// mistake is what the API has against a step of a text: what only it can know.
type mistake struct {
	step    *step
	message string
}

// mistakes are all of a pipeline, in the order in which its steps are built.
type mistakes []mistake

// Error lists the mistakes, one a line.
func (ms mistakes) Error() string {
	lines := make([]string, len(ms))
	for i, m := range ms {
		lines[i] = fmt.Sprintf("%s (line %d): %s", m.step.id, m.step.kindNode.Line, m.message)
	}
	return strings.Join(lines, "\n")
}

// add notes what is new in err, which joins all that there is so far, as being of s.
func (ms *mistakes) add(s *step, err error) {
	for _, e := range apart(err) {
		if inner := errors.Unwrap(e); inner != nil {
			e = inner // without the line of this program at which the step was made
		}
		message := asWritten.Replace(e.Error())
		if !slices.ContainsFunc(*ms, func(m mistake) bool { return m.message == message }) {
			*ms = append(*ms, mistake{s, message})
		}
	}
}

// apart gives the errors that err joins.
func apart(err error) (all []error) {
	if err == nil {
		return nil
	}
	joined, is := err.(interface{ Unwrap() []error })
	if !is {
		return []error{err}
	}
	for _, e := range joined.Unwrap() {
		all = append(all, apart(e)...)
	}
	return all
}

// asWritten gives what the API names the names that it has in a text.
var asWritten = strings.NewReplacer("FinalOnly", "final_only: true", "Discarding", "accumulation: discarding", "Retracting", "accumulation: retracting",
	"AllowedLateness", "allowed_lateness", ", or say AllowRepeats if repeats do no harm", "",
	"the combiner here has a Subtract", "what is combined here can be taken out again, as of a count or a sum",
	"this combiner has no Subtract to follow it", "what is combined here cannot be taken out again")

// note makes problems of what Build says.
func (p *Pipeline) note(err error) {
	ms, some := errors.AsType[mistakes](err)
	if !some {
		p.problemf(nil, "", "%v", err)
	}
	for _, m := range ms {
		m.step.text.problemf(m.step.kindNode, "", "%s", m.message)
	}
}
