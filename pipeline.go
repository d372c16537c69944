package strandline

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/strandline-stream/strandline/internal/plan"
)

// Pipeline is a graph of steps under construction. Building it does nothing else; mistakes
// are gathered and reported all at once by [Pipeline.Run]. It is not safe for concurrent use
// while it is being built.
//
// Building the same pipeline again, also in another process, gives the same step ids and the
// same [Pipeline.Fingerprint].
type Pipeline struct {
	graph      *plan.Graph
	carryAll   bool
	running    atomic.Bool
	retracting [][]*plan.Step // between an aggregation that retracts and the one that it retracts for
	keys       KeyNames
}

// New gives an empty pipeline. The name appears in messages and reports.
func New(name string) *Pipeline { return &Pipeline{graph: plan.New(name)} }

// Name is the name that the pipeline was given.
func (p *Pipeline) Name() string { return p.graph.Name }

// Fingerprint identifies what the pipeline means: its steps, their parameters, the edges
// between them and the encodings on them. It does not see into user functions.
func (p *Pipeline) Fingerprint() string { return p.graph.Fingerprint() }

// String describes the graph, one line a step. [Pipeline.Explain] says more.
func (p *Pipeline) String() string { return p.graph.Describe() }

// Err gives all mistakes made so far in building the pipeline, nil if there are none. Each
// names the source line of the step.
func (p *Pipeline) Err() error {
	return errors.Join(append([]error{p.graph.Err()}, p.overheard()...)...)
}

// given reports a step that was given nothing where it cannot do without.
func (p *Pipeline) given(is bool, step, name, what string) {
	if !is {
		p.failf("%s %s: %s is nil: give it one", step, quoted(name), what)
	}
}

func (p *Pipeline) failf(format string, args ...any) {
	p.graph.Fail(site(), fmt.Errorf(format, args...))
}

// add appends a step. An empty name lets the kind name it.
func (p *Pipeline) add(name string, s *plan.Step) *plan.Step {
	s.ID, s.Site = name, site()
	return p.graph.Add(s)
}

// site is the source line outside this package that called it.
func site() string {
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "github.com/strandline-stream/strandline.") || strings.HasSuffix(f.File, "_test.go") {
			file := f.File
			if i := strings.LastIndexByte(file, '/'); i >= 0 {
				file = file[i+1:]
			}
			return fmt.Sprintf("%s:%d", file, f.Line)
		}
		if !more {
			return "unknown"
		}
	}
}
