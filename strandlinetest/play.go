package strandlinetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/internal/trial"
)

// Run plays the script into p and fails the test, at once, if the run fails or the script does
// not hold. It gives the run's report: the ledger.
func (s *Stream[T]) Run(t testing.TB, p *strandline.Pipeline, opts ...strandline.Option) *strandline.Report {
	t.Helper()
	report, err := s.Play(t.Context(), p, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Play is [Stream.Run] outside tests. It returns the mistakes of the script, all of them, and
// then nothing has been run; or what does not hold, an [ErrUnmatched] or [ErrUnexpected] with
// the difference; or what [strandline.Pipeline.Run] returns.
//
// Unless opts say otherwise processing time is a [Clock] that starts at 1970-01-01T00:00:00Z.
// A script is played by one worker. With [strandline.Batch] its watermark waits for the end,
// so that everything is wanted [Stream.AtEnd].
func (s *Stream[T]) Play(ctx context.Context, p *strandline.Pipeline, opts ...strandline.Option) (*strandline.Report, error) {
	return s.script.play(ctx, p, opts)
}

// play is one playing of a script.
type play struct {
	*script
	clock *Clock // nil: the run has one that cannot be moved
	batch bool   // the watermark waits for the end of the input

	mu    sync.Mutex
	next  int   // the next line
	last  *line // the last action
	busy  *feed // whose action is on its way through the pipeline
	ended bool

	failed error // what ended the script before its last line
}

func (sc *script) play(ctx context.Context, p *strandline.Pipeline, opts []strandline.Option) (*strandline.Report, error) {
	if err := errors.Join(sc.faults...); err != nil {
		return &strandline.Report{}, err
	}
	var o run.Options
	for _, set := range opts {
		set(&o)
	}
	if o.Workers > 1 {
		return &strandline.Report{}, fmt.Errorf("strandlinetest: a script is played by one worker, not %d: what several give comes when it comes. To compare numbers of workers, read a memory.Slice and compare by AssertPanes", o.Workers)
	}
	pl := &play{script: sc, batch: o.Batch}
	if o.Clock == nil {
		pl.clock = NewClock(time.Unix(0, 0))
		opts = append(opts[:len(opts):len(opts)], strandline.Clock(pl.clock))
	} else {
		pl.clock, _ = o.Clock.(*Clock)
	}
	if !sc.playing.CompareAndSwap(nil, pl) {
		return &strandline.Report{}, errors.New("strandlinetest: the script is being played already")
	}
	defer sc.playing.Store(nil)
	for _, f := range sc.feeds {
		f.opened, f.scripted, f.at, f.batch = false, false, etime.Min, -1
	}
	report, err := p.Run(ctx, append(opts[:len(opts):len(opts)], trial.Audited)...)
	switch {
	case pl.failed != nil:
		err = pl.failed // without what the engine says of the step at which the script ended
	case err == nil:
		err = pl.finish()
	}
	return report, err
}

// step goes on with the script when stream f is asked for its next batch, and says whether f
// has acted. It returns io.EOF behind the last line.
func (p *play) step(f *feed) (acted bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err = p.advance(f); err != nil && err != io.EOF {
		p.failed = err
	}
	return p.busy == f, err
}

// advance runs the checks before the next action and then, if the action is f's, the action.
// While another stream's action is next, or on its way, it does nothing: f gives an empty
// batch, and its turn comes.
func (p *play) advance(f *feed) error {
	switch {
	case p.ended:
		return io.EOF
	case p.busy != nil && p.busy != f:
		return nil
	}
	p.busy = nil // f asks for more: its last action has been handled to the end
	for ; p.next < len(p.lines); p.next++ {
		l := &p.lines[p.next]
		if l.check != nil {
			if err := l.check(p.after(l)); err != nil {
				return err
			}
			continue
		}
		if err := p.nothingLeft(); err != nil {
			return err
		}
		if !l.by.opened {
			return fmt.Errorf("%v: the pipeline does not read %s", l, l.by.name)
		}
		if l.by != f {
			return nil
		}
		if err := l.act(p); err != nil {
			return fmt.Errorf("%v: %w", l, err)
		}
		p.next++
		p.busy, p.last = f, l
		return nil
	}
	if err := p.nothingLeft(); err != nil {
		return err
	}
	p.ended = true
	return io.EOF
}

// nothingLeft reports panes that came and that nobody expected.
func (p *play) nothingLeft() error {
	for _, out := range p.watched {
		when := "before the first action"
		if p.last != nil {
			when = "nobody expects what " + p.last.String() + " brought"
		}
		if err := out.nothing(when); err != nil {
			return err
		}
	}
	return nil
}

// after says which check failed, and what came before it.
func (p *play) after(l *line) string {
	if p.last == nil {
		return l.String()
	}
	return fmt.Sprintf("%v after %v", l, p.last)
}

// finish checks what came out when the input had finished.
func (p *play) finish() error {
	if !p.ended {
		return errors.New("strandlinetest: the script was not played: the pipeline reads none of its streams")
	}
	for i := range p.ends {
		if err := p.ends[i].check(p.ends[i].String()); err != nil {
			return err
		}
	}
	for _, out := range p.watched {
		if !p.judgedAtEnd(out) {
			if err := out.nothing("at the end of the input"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *play) judgedAtEnd(out output) bool {
	for _, e := range p.ends {
		if e.of == out {
			return true
		}
	}
	return false
}
