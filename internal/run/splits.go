package run

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// splitReader is one split on its way through a task, whatever its type.
type splitReader interface {
	fetch(ctx context.Context) error    // read the next batch
	each(f func() error) error          // call f for every record of it, as if it were a batch
	process(now int64, live bool) error // hand it to the operators
	finish(drained bool)                // the split has ended
	close() error
	idleAfter() int64
	setIdle()
	active() bool   // neither idle nor ended
	caughtUp() bool // it had nothing more at hand
	tick(now int64)
	follows() bool // idle, and its watermark follows the clock
	isLive() bool
	watermark() int64 // as of the last batch
	// ahead says whether it has to wait for slower splits, and gives what is closed when that may
	// have changed (S3.5).
	ahead() (bool, <-chan struct{})
	sighted() *splitSight
}

// bulk is how many batches of a bounded source a task handles before it lets go of what has
// gathered for other workers.
const bulk = 4

// read drives a task that reads sources.
func (t *task) read(ctx context.Context, b *builder) {
	for _, s := range t.sources {
		defer s.close()
	}
	if t.isLive(b) {
		t.readLive(ctx, b)
	} else {
		t.readBounded(ctx, b)
	}
	t.end()
}

func (t *task) isLive(b *builder) bool {
	if b.opts.Pause != nil {
		return false // no clock has a say in a replay
	}
	if b.timed {
		return true
	}
	for _, s := range t.sources {
		if s.isLive() || s.idleAfter() > 0 {
			return true
		}
	}
	return false
}

// readBounded reads the splits in turn, a batch each: nothing waits for a clock.
func (t *task) readBounded(ctx context.Context, b *builder) {
	open := append([]splitReader(nil), t.sources...)
	for n := 1; len(open) > 0; n++ {
		var paused <-chan struct{} // for all that are left
		read := false
		for i := 0; i < len(open); i++ {
			select {
			case <-ctx.Done():
				panic(stopped{context.Cause(ctx)})
			case <-b.opts.Drain:
				b.drained.Store(true)
				for _, s := range open {
					s.finish(true)
				}
				return
			default:
			}
			if ahead, moved := open[i].ahead(); ahead {
				paused = moved
				continue
			}
			read = true
			t.answer()
			err := open[i].fetch(ctx)
			switch {
			case err != nil:
			case b.opts.Pause != nil:
				t.now = b.opts.Clock.Now()
				err = t.stepwise(ctx, b, open[i], false)
			default:
				t.now = b.opts.Clock.Now()
				err = open[i].process(t.now, false)
				t.publish()
				if err == nil {
					b.audit()
				}
			}
			switch {
			case err == nil:
			case errors.Is(err, io.EOF):
				open[i].finish(false)
				open = append(open[:i], open[i+1:]...)
				i--
			default:
				panic(stopped{err})
			}
		}
		if n%bulk == 0 || !read {
			t.flush()
		}
		if !read && paused != nil { // all wait for splits of other workers
			select {
			case <-paused:
			case f := <-t.asks:
				f()
			case <-b.opts.Drain:
			case <-ctx.Done():
			}
		}
	}
}

// followEvery is how often, in µs, the watermark of an idle split follows the clock at most.
const followEvery = 1_000_000

// arrived is what a split's goroutine has read.
type arrived struct {
	s   int
	err error
}

// readLive gives every split a goroutine that reads ahead by one batch, so that the task can
// wait for data, the clock and the context at the same time.
func (t *task) readLive(ctx context.Context, b *builder) {
	reading, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	ch := make(chan arrived)
	again := make([]chan struct{}, len(t.sources))
	for i, s := range t.sources {
		again[i] = make(chan struct{}, 1)
		again[i] <- struct{}{}
		group.Go(func() {
			back := false
			defer func() {
				if !back {
					select {
					case ch <- arrived{i, errExited}:
					case <-reading.Done():
					}
				}
			}()
			for {
				select {
				case <-again[i]:
				case <-reading.Done():
					back = true
					return
				}
				err := s.fetch(reading)
				select {
				case ch <- arrived{i, err}:
				case <-reading.Done():
					err = reading.Err()
				}
				if err != nil {
					back = true
					return
				}
			}
		})
	}
	clock := b.opts.Clock
	// How long the task has waited since it had something of a split. The time that it was kept
	// busy, or waiting for a slow sink, is not silence: data may have been at hand (S3.3).
	quiet := make([]int64, len(t.sources))
	waits := make([]bool, len(t.sources)) // paused: not told to read on
	for left := len(t.sources); left > 0; {
		now := clock.Now()
		t.tick(now)
		wake := t.next
		var moved <-chan struct{} // if a split is paused
		for i, s := range t.sources {
			if waits[i] {
				ahead, m := s.ahead()
				if ahead {
					moved = m
					continue
				}
				waits[i] = false
				again[i] <- struct{}{}
			}
			switch left := s.idleAfter() - quiet[i]; {
			case !s.active():
			case s.idleAfter() == 0: // no timeout was declared: the source's word counts
				if s.caughtUp() {
					s.setIdle()
				}
			case left > 0:
				wake = min(wake, now+left)
			default:
				s.setIdle()
			}
			s.tick(now)
			if s.follows() {
				wake = min(wake, now+max(s.idleAfter(), followEvery))
			}
		}
		t.flush()
		var alarm <-chan time.Time
		release := func() {}
		if wake != etime.Max {
			alarm, release = clock.After(wake)
		}
		from := clock.Now()
		waited := func() {
			d := max(0, clock.Now()-from)
			for i := range quiet {
				quiet[i] += d
			}
		}
		select {
		case a := <-ch:
			waited()
			quiet[a.s] = 0
			s := t.sources[a.s]
			switch {
			case a.err == nil:
				t.tick(clock.Now()) // what was due before this batch fires before it
				if err := s.process(clock.Now(), s.isLive()); err != nil {
					panic(stopped{err})
				}
				t.publish()
				b.audit()
				waits[a.s] = true // until the others have come as far
			case errors.Is(a.err, io.EOF):
				s.finish(false)
				left--
			default:
				panic(stopped{a.err})
			}
		case <-alarm:
			waited()
		case <-moved:
			waited()
		case f := <-t.asks:
			waited()
			f()
		case <-b.opts.Drain:
			b.drained.Store(true)
			for _, s := range t.sources {
				s.finish(true)
			}
			left = 0
		case <-ctx.Done():
			release()
			panic(stopped{context.Cause(ctx)})
		}
		release()
	}
}
