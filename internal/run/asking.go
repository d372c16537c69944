package run

import (
	"context"
	"sync"
	"sync/atomic"
)

// A task answers questions between two batches, on its own goroutine: so its operators have no
// lock and publish nothing for them, and what an answer says is of one moment. A task that is busy
// for long, since a sink takes its rows slowly or its source has nothing to read, answers when it
// is through; who asks decides how long to wait. When a task has ended, who asks looks himself.

// inquiry is a task's end of it.
type inquiry struct {
	asks  chan func()
	ended chan struct{} // closed when the task will not look any more
	look  sync.Mutex    // of those who look at a task that has ended
	now   int64         // the processing time of the batch at hand
}

// answer answers what has been asked. Where nothing has, it costs a look at a counter.
func (a *inquiry) answer() {
	for len(a.asks) > 0 {
		(<-a.asks)()
	}
}

// ask has f called for every task, by itself or once it has ended, and gives what came back before
// ctx was done. A question never ends a run: if f panics (a function that prints keys is a user's),
// the task has not answered.
func ask[T any](ctx context.Context, r *Running, f func(t *task) T) (answers []T) {
	tasks := r.tasks.Load()
	if tasks == nil {
		return nil
	}
	var all []*task
	var told []chan *T
	tell := func(t *task, answer chan<- *T) {
		var a *T
		defer func() {
			if recover() != nil {
				a = nil
			}
			answer <- a
		}()
		v := f(t)
		a = &v
	}
	for _, row := range *tasks {
		for _, t := range row {
			answer := make(chan *T, 1)
			select {
			case t.asks <- func() { tell(t, answer) }:
			case <-t.ended:
			case <-ctx.Done():
			}
			all, told = append(all, t), append(told, answer)
		}
	}
	for i, t := range all {
		var a *T
		select {
		case a = <-told[i]:
		case <-t.ended:
			select {
			case a = <-told[i]: // the last thing that it did
			default:
				t.look.Lock()
				tell(t, told[i])
				t.look.Unlock()
				a = <-told[i]
			}
		case <-ctx.Done():
		}
		if a != nil {
			answers = append(answers, *a)
		}
	}
	return answers
}

// Pause stops the reading of a run at a moment that a function chooses, so that it can be asked how
// it stands there. Splits are then read in turn by one worker, record by record.
type Pause struct {
	// When is asked after each record that could be read: of how many those are, and the least watermark of the
	// splits that are live, in µs.
	When func(read, watermark int64) bool
	// At is closed when the run has paused.
	At chan struct{}

	is atomic.Bool
}

// park answers questions and does nothing else, until the run is stopped or drained.
func (t *task) park(ctx context.Context, b *builder) {
	p := b.opts.Pause
	if p.is.Swap(true) {
		return // once
	}
	t.flush()
	t.publish()
	close(p.At)
	for {
		select {
		case f := <-t.asks:
			f()
		case <-b.opts.Drain:
			return
		case <-ctx.Done():
			panic(stopped{context.Cause(ctx)})
		}
	}
}

// record is the number of the record at hand, of those that could be read.
func (t *task) record() (n int64) {
	for _, c := range t.reads {
		n += c.In - c.Malformed
	}
	return n
}

// stepwise hands the batch at hand to the operators record by record, for a run that is to pause.
func (t *task) stepwise(ctx context.Context, b *builder, s splitReader, live bool) error {
	return s.each(func() error {
		if err := s.process(t.now, live); err != nil {
			return err
		}
		t.publish()
		if b.opts.Pause.When(t.record(), t.sight.watermark.Load()) {
			t.park(ctx, b)
		}
		return nil
	})
}
