package run

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
)

// simulated is a network whose messages arrive when chance says so: in order from each sender
// over each exchange, in any order between them.
type simulated struct {
	queues []*simQueue
	byKey  map[simKey]*simQueue
}

type simKey struct {
	to   receiver
	from int
}

type simQueue struct {
	task *task
	msgs []message
}

func (s *simulated) send(to *task, m message) {
	k := simKey{m.to, m.from}
	q := s.byKey[k]
	if q == nil {
		q = &simQueue{task: to}
		s.byKey[k] = q
		s.queues = append(s.queues, q)
	}
	q.msgs = append(q.msgs, m)
}

// simulate drives all tasks on the calling goroutine, in an order that the seed decides: the
// same stages as in a run, with arbitrary delays between them. It is for bounded sources.
func (b *builder) simulate(ctx context.Context, r *rand.Rand) (err error) {
	net := b.net.(*simulated)
	open := map[*task][]splitReader{}
	var readers []*task
	for _, row := range b.tasks {
		for _, t := range row {
			for _, s := range t.sources {
				defer s.close()
			}
			if open[t] = append([]splitReader(nil), t.sources...); len(t.sources) > 0 {
				readers = append(readers, t)
			}
		}
	}
	ended := map[*task]bool{}
	return b.protect(func() {
		for {
			var full []*simQueue
			for _, q := range net.queues {
				if len(q.msgs) > 0 {
					full = append(full, q)
				}
			}
			var ready []*task
			for _, t := range readers {
				if len(open[t]) > 0 {
					ready = append(ready, t)
				}
			}
			n := len(full) + len(ready)
			if n == 0 {
				t := b.idleTask(ended, open)
				if t == nil {
					return
				}
				ended[t] = true
				t.end()
				b.audit()
				continue
			}
			t := (*task)(nil)
			if k := r.IntN(n); k < len(full) {
				t = full[k].task
				m := full[k].msgs[0]
				full[k].msgs = full[k].msgs[1:]
				t.handle(m)
			} else {
				t = ready[k-len(full)]
				b.readOne(ctx, t, open, r)
			}
			if r.IntN(2) == 0 {
				t.flush()
			}
			b.audit()
		}
	})
}

// readOne reads one batch of one of a task's splits.
func (b *builder) readOne(ctx context.Context, t *task, open map[*task][]splitReader, r *rand.Rand) {
	i := r.IntN(len(open[t]))
	s := open[t][i]
	err := s.fetch(ctx)
	if err == nil {
		err = s.process(b.opts.Clock.Now(), false)
	}
	if errors.Is(err, io.EOF) {
		s.finish(false)
		open[t] = append(open[t][:i:i], open[t][i+1:]...)
		return
	}
	if err != nil {
		panic(stopped{err})
	}
}

// idleTask is the next task that has nothing more to come and has not said so; a task that
// still has something gathered lets go of it first.
func (b *builder) idleTask(ended map[*task]bool, open map[*task][]splitReader) *task {
	for _, row := range b.tasks {
		for _, t := range row {
			if !ended[t] && t.ends == 0 && len(open[t]) == 0 {
				return t
			}
		}
	}
	return nil
}
