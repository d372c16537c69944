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
	clock  Clock
	report *Report
	err    error
}

// Start runs a graph as [Run] does, and returns at once. ended is called when the run is over.
func Start(ctx context.Context, g *plan.Graph, opts Options, ended func()) *Running {
	if opts.Clock == nil {
		opts.Clock = wall{}
	}
	r := &Running{done: make(chan struct{}), clock: opts.Clock, report: &Report{}, err: errExited}
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

// Now is the run's processing time, in µs.
func (r *Running) Now() int64 { return r.clock.Now() }

// Over says whether the run has ended.
func (r *Running) Over() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}
