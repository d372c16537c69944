// Package plan is the graph of a pipeline before it runs: steps with stable ids, the edges
// between them, what is wrong with it, its fingerprint, and how deep each step lies behind
// exchanges.
//
// Layer: part of the pure core. It knows no element types (a step's operator is an opaque
// value to it), no workers and no clock.
package plan

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// Exchange says how the values of an edge find their worker.
type Exchange uint8

const (
	// Local: they stay on the worker where they are.
	Local Exchange = iota
	// ByKey: to the worker that owns the key's group.
	ByKey
	// Spread: evenly, whatever they are (Reshuffle).
	Spread
	// Gather: all to one worker.
	Gather
	// Broadcast: each to every worker.
	Broadcast
)

func (x Exchange) String() string {
	return [...]string{"local", "by key", "spread", "gather", "broadcast"}[x]
}

// Edge is one input of a step.
type Edge struct {
	From     *Step
	Port     int // the output of From that is consumed: 0 is the main one
	Exchange Exchange
	Wire     any // the engine's: how values of this edge's type are moved
}

// Step is one node of the graph.
type Step struct {
	// ID is stable: the same build function gives the same ids in every process.
	ID string
	// Kind is the operation ("map", "combine per key").
	Kind string
	// Detail is canonical text of the parameters that decide the meaning (windows, trigger,
	// lateness), for the fingerprint and for people.
	Detail string
	// Note says how the engine will do it, for people; it is not part of the fingerprint.
	Note string
	// Facts says more, once the graph is complete; nil if there is nothing to say.
	Facts func() Facts
	// Codec names the encoding of the values on the main output.
	Codec string
	// Site is the source line of the call that made the step.
	Site   string
	Inputs []Edge
	// Changes is the output that gives the results of output 0 with retractions, 0 if there is
	// none.
	Changes int
	// Op is the engine's: it makes the step's operator.
	Op any

	level   int
	seq     int
	unnamed bool
}

// Level is how many exchanges lie before the step on the longest path from a source, given
// that the run has more than one worker.
func (s *Step) Level() int { return s.level }

// Seq is the step's place in the order of construction.
func (s *Step) Seq() int { return s.seq }

// Graph is a pipeline under construction. Not safe for concurrent use.
type Graph struct {
	Name  string
	steps []*Step
	ids   map[string]*Step
	errs  []error
}

// New gives an empty graph.
func New(name string) *Graph { return &Graph{Name: name, ids: map[string]*Step{}} }

// Add appends s, whose inputs are steps added before. A step without an id is called by its kind,
// numbered from the second on, and gives way if a user asks for its id later; a name that a user
// gives twice is a mistake.
func (g *Graph) Add(s *Step) *Step {
	s.unnamed = s.ID == ""
	if s.unnamed {
		s.ID = g.Free(s.Kind)
	} else if first, dup := g.ids[s.ID]; dup && first.unnamed {
		first.ID = g.Free(first.Kind)
		g.ids[first.ID] = first
	} else if dup {
		g.Fail(s.Site, fmt.Errorf("two steps are named %q (the first at %s): names identify a step's state and figures, so give each its own", s.ID, first.Site))
		s.ID = g.Free(s.ID)
	}
	s.seq = len(g.steps)
	g.ids[s.ID] = s
	g.steps = append(g.steps, s)
	for _, e := range s.Inputs {
		l := e.From.level
		if e.Exchange != Local {
			l++
		}
		s.level = max(s.level, l)
	}
	return s
}

// Free gives base, or base with the least number from 2 on that no step has.
func (g *Graph) Free(base string) string {
	id := base
	for n := 2; g.ids[id] != nil; n++ {
		id = fmt.Sprintf("%s#%d", base, n)
	}
	return id
}

// Fail reports a mistake in the construction, with the source line where it was made.
func (g *Graph) Fail(site string, err error) { g.errs = append(g.errs, &Mistake{Site: site, Err: err}) }

// Err gives all mistakes at once, nil if there are none.
func (g *Graph) Err() error { return errors.Join(g.errs...) }

// Steps lists the steps, each behind its inputs.
func (g *Graph) Steps() []*Step { return g.steps }

// Levels is the number of levels of the graph.
func (g *Graph) Levels() int {
	n := 0
	for _, s := range g.steps {
		n = max(n, s.level+1)
	}
	return n
}

// Fingerprint identifies the meaning of the graph: steps, edges, parameters and codecs, not
// user functions' code. Two processes that build the same pipeline get the same text.
func (g *Graph) Fingerprint() string {
	h := fnv.New128a()
	h.Write([]byte(g.describe(false)))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Describe writes the graph, one line a step, with the engine's notes.
func (g *Graph) Describe() string { return g.describe(true) }

func (g *Graph) describe(notes bool) string {
	var b strings.Builder
	for _, s := range g.steps {
		fmt.Fprintf(&b, "%s: %s", s.ID, s.Kind)
		if s.Detail != "" {
			fmt.Fprintf(&b, " %s", s.Detail)
		}
		for i, e := range s.Inputs {
			sep := ", "
			if i == 0 {
				sep = " <- "
			}
			fmt.Fprintf(&b, "%s%s", sep, e.From.ID)
			if e.Port > 0 {
				fmt.Fprintf(&b, ".%d", e.Port)
			}
			if e.Exchange != Local {
				fmt.Fprintf(&b, " (%s)", e.Exchange)
			}
		}
		if s.Codec != "" {
			fmt.Fprintf(&b, " : %s", s.Codec)
		}
		if notes && s.Note != "" {
			fmt.Fprintf(&b, " [%s]", s.Note)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Consumers lists the edges that consume output port of s, as (step, input) pairs.
func (g *Graph) Consumers(s *Step, port int) (to []Consumer) {
	for _, t := range g.steps {
		for i, e := range t.Inputs {
			if e.From == s && e.Port == port {
				to = append(to, Consumer{t, i})
			}
		}
	}
	return slices.Clip(to)
}

// Consumer is one input of one step.
type Consumer struct {
	Step  *Step
	Input int
}

// Mistake is an error of construction at a place in the user's program.
type Mistake struct {
	Site string
	Err  error
}

func (m *Mistake) Error() string { return m.Site + ": " + m.Err.Error() }

// Unwrap gives the error without the place.
func (m *Mistake) Unwrap() error { return m.Err }
