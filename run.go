package strandline

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/watermark"
)

// Errors that [errors.Is] finds in what [Pipeline.Run] returns.
var (
	// ErrNoEventTime: something without event time was to be windowed (S2.5).
	ErrNoEventTime = run.ErrNoEventTime
	// ErrWatermarkBackwards: a source or a test tried to move a watermark backwards (S3.1).
	ErrWatermarkBackwards = watermark.ErrBackwards
	// ErrTooManyMalformed: more records were malformed than [PCollection.StopAfterMalformed]
	// allows.
	ErrTooManyMalformed = run.ErrTooManyMalformed
	// ErrMalformed: the run is complete, but records were malformed and no step asked for them
	// (S13.2).
	ErrMalformed = errors.New("malformed records reached no output")
	// ErrPanesFailed: the run is complete, but panes could not be computed (a sum that does not
	// fit its type, say) and no step asked for them with [Results.OnFailed] (S7.3).
	ErrPanesFailed = errors.New("panes could not be computed, and reached no output")
	// ErrRunning: the pipeline was started a second time while it ran. It may be run again once it
	// has ended; to run it twice at a time, build it twice.
	ErrRunning = errors.New("the pipeline is running already")
	// ErrUnbalanced: the books of a step do not balance. It is a bug in Strandline.
	ErrUnbalanced = run.ErrUnbalanced
)

// Option is a setting of a run.
type Option func(*run.Options)

// Workers sets the number of workers: goroutines that share the keys among themselves. The
// default is 1, which is also the least: with less a run does not start. No result depends on it
// (S1.6).
func Workers(n int) Option {
	return func(o *run.Options) {
		if o.Workers = n; n < 1 {
			o.Mistakes = append(o.Mistakes, fmt.Errorf("Workers(%d): a run has one worker at least: leave it out for one, or give runtime.NumCPU()", n))
		}
	}
}

// Batch holds the watermark back until the end of the input, so that nothing is late (S9.1).
// Without it, a bounded source is replayed: its records are judged as they would have been
// live.
func Batch() Option { return func(o *run.Options) { o.Batch = true } }

// Clock replaces the machine's clock as processing time: for tests.
func Clock(c run.Clock) Option { return func(o *run.Options) { o.Clock = c } }

// Report is what a run did: the ledger, step by step.
type Report = run.Report

// StepReport is one step's part of a [Report].
type StepReport = run.StepReport

// Run runs the pipeline until its input has ended (S8.1), the context is done (S8.2: nothing
// fires, and the error is the context's), or something fails. No goroutine is left when it
// returns. The report is there in any case; the error names everything that was wrong.
func (p *Pipeline) Run(ctx context.Context, opts ...Option) (*Report, error) {
	return p.Start(ctx, opts...).Wait()
}

// Running is a run in progress.
type Running struct {
	p      *Pipeline
	run    *run.Running // nil if the pipeline cannot run
	opts   run.Options
	broken error
	drain  chan struct{}
	once   sync.Once
}

// Start starts a run and returns at once.
func (p *Pipeline) Start(ctx context.Context, opts ...Option) *Running {
	r := &Running{p: p, drain: make(chan struct{})}
	if err := p.Err(); err != nil {
		r.broken = fmt.Errorf("pipeline %q cannot run:\n%w", p.Name(), err)
		return r
	}
	var o run.Options
	for _, opt := range opts {
		opt(&o)
	}
	if o.Pause != nil && o.Workers > 1 {
		o.Mistakes = append(o.Mistakes, fmt.Errorf("PauseWhen: a run that pauses at a moment has one worker, and is given %d", o.Workers))
	}
	if err := errors.Join(o.Mistakes...); err != nil {
		r.broken = fmt.Errorf("pipeline %q cannot run:\n%w", p.Name(), err)
		return r
	}
	if !p.running.CompareAndSwap(false, true) {
		r.broken = fmt.Errorf("pipeline %q: %w", p.Name(), ErrRunning)
		return r
	}
	o.Drain, o.CarryAll = r.drain, p.carryAll
	p.keys.watch(o.Watch)
	r.opts = o
	r.run = run.Start(ctx, p.graph, o, func() { p.running.Store(false) })
	return r
}

// Progress is how far a run has come.
type Progress struct {
	// Read are the records that were read so far, Malformed those of them that could not be;
	// Late are those that missed a window, and Panes the panes that were given.
	Read, Malformed, Late, Panes int64
	// Watermark is the least watermark over the splits that are being read. It is the zero time
	// if there is none: at the beginning, at the end, and while every split is idle.
	Watermark time.Time
}

// Progress gives how far the run has come, as of a batch ago: for people who watch it. When the
// run is over it is all of it. It may be called at any time, by any goroutine.
func (r *Running) Progress() Progress {
	if r.run == nil {
		return Progress{}
	}
	p := r.run.Progress()
	out := Progress{Read: p.Read, Malformed: p.Malformed, Late: p.Late, Panes: p.Panes}
	if p.Watermark != etime.Max && p.Watermark != etime.Min {
		out.Watermark = etime.Time(p.Watermark)
	}
	return out
}

// Drain ends the input early: everything open fires now, in panes marked as drained (S8.3).
// [Running.Wait] returns once that is done.
func (r *Running) Drain() { r.once.Do(func() { close(r.drain) }) }

// Wait waits for the end of the run. It may be called more than once.
func (r *Running) Wait() (*Report, error) {
	if r.run == nil {
		return &Report{}, r.broken
	}
	report, err := r.run.Wait()
	return report, errors.Join(err, check(report, err))
}

// check verifies the books of a run that is complete.
func check(r *Report, failed error) error {
	if failed != nil {
		return nil
	}
	var errs []error
	for i := range r.Steps {
		s := &r.Steps[i]
		if err := s.Balance(); err != nil {
			errs = append(errs, fmt.Errorf("%w: %w", ErrUnbalanced, err))
		}
		if n := s.Counts.Malformed; n > 0 && !s.MalformedUsed {
			errs = append(errs, fmt.Errorf("step %q: %w: %d of %d, the first: %s: %w", s.ID, ErrMalformed, n, s.Counts.In, s.Malformed[0].Position, s.Malformed[0].Reason))
		}
		if n := s.Counts.PanesFailed; n > 0 && !s.FailedUsed {
			errs = append(errs, fmt.Errorf("step %q: %w: %d of %d, the first: %w", s.ID, ErrPanesFailed, n, s.Counts.Panes, s.Failed[0]))
		}
	}
	return errors.Join(errs...)
}
