package run

import (
	"context"
	"sync/atomic"

	"github.com/strandline-stream/strandline/internal/plan"
)

// Running is a run in progress.
type Running struct {
	done   chan struct{}
	tasks  atomic.Pointer[[][]*task]
	report *Report
	err    error
}

// Start runs a graph as [Run] does, and returns at once. ended is called when the run is over.
func Start(ctx context.Context, g *plan.Graph, opts Options, ended func()) *Running {
	r := &Running{done: make(chan struct{}), report: &Report{}, err: errExited}
	go func() {
		defer close(r.done)
		defer ended()
		opts.Tasks = &r.tasks
		r.report, r.err = Run(ctx, g, opts)
	}()
	return r
}

// Wait waits for the end of the run.
func (r *Running) Wait() (*Report, error) {
	<-r.done
	return r.report, r.err
}
