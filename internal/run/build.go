package run

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/plan"
)

// Options are the settings of a run.
type Options struct {
	Workers int
	// Batch holds every watermark back until the end of its input (S9.1).
	Batch bool
	Clock Clock
	// Drain, once closed, ends the input early: everything open fires, marked so (S8.3).
	Drain <-chan struct{}
	// CarryAll makes every element carry its watermark across exchanges: needed where a step
	// downstream changes event times (S4.7).
	CarryAll bool
	// Mistakes are what is wrong with the options: a run does not start.
	Mistakes []error
	// Tasks, if set, is told the tasks, so that their progress can be seen.
	Tasks *atomic.Pointer[[][]*task]
	// ShowKey, if set, prints keys.
	ShowKey func(step string, key any) string
	// Watch, if set, says what is to be remembered of what happens in windowed steps.
	Watch *Watch
	// Pause, if set, stops the reading at a moment of its own. It needs one worker.
	Pause *Pause
	// Simulate, if set, runs everything on one goroutine in an order drawn from it.
	Simulate *rand.Rand
	// Tap, if set, sees what steps give.
	Tap Tap
	// Audit, if set, is shown the books as they stand after every batch that is read, where one
	// goroutine plays the whole run: with one worker, and in a simulation after each of its turns.
	// Its error ends the run.
	Audit func(*Report) error
	// Unbooked leaves out of the books whatever takes time for each element or run of elements:
	// assignments, state, delays, what splits make known. It is there to measure what they cost.
	Unbooked bool
}

// preparer is a maker with something to do before operators are made, once a run.
type preparer interface {
	prepare(ctx context.Context) error
}

// closer is a maker with something to do after the run; err is why it failed, if it did.
type closer interface {
	close(ctx context.Context, err error) error
}

// reporter adds to a step's report what is not a counter.
type reporter interface {
	stepID() string
	report(r *StepReport)
}

// builder makes the operators of a graph for every worker and joins them.
type builder struct {
	ctx     context.Context
	graph   *plan.Graph
	opts    Options
	net     network
	tasks   [][]*task // by level, then worker
	numbers map[originKey]int
	counts  [][]*Counts // by step, then worker
	ops     []reporter
	timed   bool // a trigger goes by the clock
	live    bool // a source is endless
	drained atomic.Bool
	// splits are the names of the origins: of a split of a source, or of a step.
	splits []string
}

type originKey struct {
	step *plan.Step
	of   int
}

// origin numbers the origins of a run.
func (b *builder) origin(s *plan.Step, of int) int {
	k := originKey{s, of}
	n, ok := b.numbers[k]
	if !ok {
		n = len(b.numbers)
		b.numbers[k] = n
	}
	return n
}

// splitNamed gives the name of an origin.
func (b *builder) splitNamed(origin int) string {
	if b == nil || origin >= len(b.splits) {
		return ""
	}
	return b.splits[origin]
}

// build makes everything. With one worker, exchanges are plain calls and there is one task.
func (b *builder) build() {
	n := b.opts.Workers
	levels := 1
	if n > 1 {
		levels = b.graph.Levels()
	}
	for l := range levels {
		row := make([]*task, n)
		for w := range row {
			row[w] = &task{level: l, worker: w, next: etime.Max, inquiry: inquiry{asks: make(chan func(), 4), ended: make(chan struct{}), now: etime.Min}}
			row[w].sight.watermark.Store(etime.Max)
		}
		b.tasks = append(b.tasks, row)
	}
	made := map[*plan.Step][]Ports{}
	steps := b.graph.Steps()
	b.counts = make([][]*Counts, len(steps))
	for _, s := range steps {
		ports := make([]Ports, n)
		outs := make([][]any, len(s.Inputs)) // by input and worker: where its values come from here
		ins := make([][][]int, n)            // by worker and input: origins
		for w := range n {
			ins[w] = make([][]int, len(s.Inputs))
		}
		for i, e := range s.Inputs {
			from := made[e.From]
			outs[i] = make([]any, n)
			if n == 1 || (e.Exchange == plan.Local && e.From.Level() == s.Level()) {
				for w := range n {
					outs[i][w] = from[w].Out[e.Port]
					ins[w][i] = from[w].Origins[e.Port]
				}
				continue
			}
			h := &hopSpec{exchange: e.Exchange, from: b.tasks[e.From.Level()], to: b.tasks[s.Level()], carryAll: b.opts.CarryAll, net: b.net}
			for w := range n {
				h.origins = append(h.origins, from[w].Origins[e.Port])
			}
			senders, receivers := e.Wire.(Wire).hop(h)
			for w := range n {
				e.Wire.(Wire).join(from[w].Out[e.Port], senders[w])
				outs[i][w] = receivers[w]
				ins[w][i] = newPaths(h.edges(w), false).origins()
			}
		}
		b.counts[s.Seq()] = make([]*Counts, n)
		for w := range n {
			level := s.Level()
			if n == 1 {
				level = 0
			}
			c := &Counts{}
			t := b.tasks[level][w]
			if t.counted = append(t.counted, c); len(s.Inputs) == 0 {
				t.reads = append(t.reads, c)
			}
			b.counts[s.Seq()][w] = c
			ports[w] = s.Op.(Maker).Make(&Place{
				Step: s, Worker: w, Workers: n, Origins: ins[w], Counts: c, task: t, build: b,
			})
			b.tap(s, ports[w])
			for i, e := range s.Inputs {
				e.Wire.(Wire).join(outs[i][w], ports[w].In[i])
			}
		}
		made[s] = ports
	}
	b.splits = make([]string, len(b.numbers))
	for k, n := range b.numbers {
		b.splits[n] = k.step.ID
	}
	for _, row := range b.tasks {
		for _, t := range row {
			for _, s := range t.sources {
				b.splits[s.from()] = s.sighted().of.Split
			}
			t.inbox = make(chan message, max(1, inboxSize*t.ends))
		}
	}
}

// Run runs a graph to the end of its input, until the context is done, or until something
// fails; no goroutine is left behind.
func Run(ctx context.Context, g *plan.Graph, opts Options) (*Report, error) {
	if opts.Workers < 1 {
		opts.Workers = 1
	}
	if opts.Clock == nil {
		opts.Clock = wall{}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b := &builder{ctx: ctx, graph: g, opts: opts, net: channels{ctx}, numbers: map[originKey]int{}}

	if opts.Simulate != nil {
		b.net = &simulated{byKey: map[simKey]*simQueue{}}
	}
	err := b.prepare(ctx)
	if err == nil {
		b.build()
		if opts.Pause != nil && b.live {
			return b.report(errEndless), errEndless
		}
		if opts.Tasks != nil {
			opts.Tasks.Store(&b.tasks)
		}
		if opts.Simulate != nil {
			err = b.simulate(ctx, opts.Simulate)
		} else {
			err = b.drive(ctx, cancel)
		}
	}
	for _, s := range g.Steps() {
		if c, ok := s.Op.(closer); ok {
			failed := err
			err = errors.Join(err, calling(s.ID, func() error { return c.close(context.WithoutCancel(ctx), failed) }))
		}
	}
	return b.report(err), err
}

// errEndless says that a run that is to pause reads what cannot be read again.
var errEndless = errors.New("a source is live: what it gives was not recorded, so a run cannot be taken to a moment of it")

func (b *builder) prepare(ctx context.Context) error {
	var errs []error
	for _, s := range b.graph.Steps() {
		if p, ok := s.Op.(preparer); ok {
			if err := calling(s.ID, func() error { return p.prepare(ctx) }); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// drive runs every task on a goroutine of its own, and waits for all of them.
func (b *builder) drive(ctx context.Context, cancel context.CancelCauseFunc) error {
	var group sync.WaitGroup
	var once sync.Once
	var first error
	for _, row := range b.tasks {
		for _, t := range row {
			group.Go(func() {
				err := errExited
				defer func() {
					if err != nil {
						once.Do(func() { first = err })
						cancel(err)
					}
				}()
				err = b.guard(ctx, t)
			})
		}
	}
	group.Wait()
	return first
}

// errExited is the error of a run whose goroutine did not come back.
var errExited = errors.New("a user function ended its goroutine: runtime.Goexit does that, and so do FailNow and Fatal of a test")

// guard runs one task.
func (b *builder) guard(ctx context.Context, t *task) error {
	defer close(t.ended)
	return b.protect(func() {
		if len(t.sources) > 0 {
			t.read(ctx, b)
		} else {
			t.loop(ctx, b.opts.Clock, b.timed || b.live)
		}
	})
}

// protect turns what f panics with into an error.
func (b *builder) protect(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			err = r.err
		case *PanicError:
			err = r
		default:
			err = fmt.Errorf("strandline: internal error, please report it: %v\n%s", r, debug.Stack())
		}
	}()
	f()
	return nil
}
