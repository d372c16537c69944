package run

import (
	"context"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// task is a stage on one worker: the fused operators between two exchanges. It is driven by
// messages only, one at a time; it opens no file and looks at no clock of its own.
type task struct {
	level, worker  int
	inbox          chan message
	ends           int // messages of end still to come
	senders        []sender
	flushers       []func() // sinks: make visible what was written
	watchers       []watcher
	sources        []splitReader
	next           int64     // the processing time that a watcher waits for
	reads, counted []*Counts // of its sources, and of all its operators
	sight          sight
	fronts         []fronted // what can be asked of its operators
	inquiry
}

// message is a batch on its way to a task, or the word that a sender has ended.
type message struct {
	to      receiver
	from    int // the sending worker
	payload any // a batch of the receiver's type; nil: no more will come
}

// receiver is the far end of an exchange.
type receiver interface{ receive(from int, payload any) }

// sender is the near end of an exchange.
type sender interface {
	flush() // send what has gathered
	end()   // and say that there is no more
}

// watcher is an operator that wants to know the processing time.
type watcher interface {
	clock(now int64) (next int64)
}

// watch lets w know the processing time from now on.
func (t *task) watch(w watcher) { t.watchers = append(t.watchers, w) }

// handle takes one message to its operators.
func (t *task) handle(m message) {
	if m.payload == nil {
		t.ends--
		return
	}
	m.to.receive(m.from, m.payload)
}

// tick tells the processing time.
func (t *task) tick(now int64) {
	t.now, t.next = now, etime.Max
	for _, w := range t.watchers {
		t.next = min(t.next, w.clock(now))
	}
}

func (t *task) flush() {
	for _, s := range t.senders {
		s.flush()
	}
	for _, f := range t.flushers {
		f()
	}
}

func (t *task) end() {
	t.flush()
	for _, s := range t.senders {
		s.end()
	}
	t.publish() // what the end of the input let go of
}

// Clock is processing time.
type Clock interface {
	// Now is the processing time in µs.
	Now() int64
	// After gives a channel on which something comes once the processing time is at, and a
	// function that releases it.
	After(at int64) (<-chan time.Time, func())
}

// wall is the machine's clock.
type wall struct{}

func (wall) Now() int64 { return time.Now().UnixMicro() }

func (wall) After(at int64) (<-chan time.Time, func()) {
	t := time.NewTimer(time.Until(time.UnixMicro(at)))
	return t.C, func() { t.Stop() }
}

// wait is a channel that fires when t's next watcher wants to be told the time; nil if none
// does.
func (t *task) wait(c Clock) (<-chan time.Time, func()) {
	if t.next == etime.Max {
		return nil, func() {}
	}
	return c.After(t.next)
}

// loop drives a task that reads from its inbox until everything has ended.
func (t *task) loop(ctx context.Context, clock Clock, timed bool) {
	if timed {
		t.tick(clock.Now())
	}
	for t.ends > 0 {
		t.answer()
		var m message
		select {
		case m = <-t.inbox:
		default:
			t.flush()
			alarm, stop := t.wait(clock)
			select {
			case m = <-t.inbox:
				stop()
			case <-alarm:
				t.tick(clock.Now())
				continue
			case f := <-t.asks:
				stop()
				f()
				continue
			case <-ctx.Done():
				stop()
				panic(stopped{context.Cause(ctx)})
			}
		}
		if timed {
			t.tick(clock.Now())
		}
		t.handle(m)
		t.publish()
	}
	t.end()
}

// network moves messages between tasks.
type network interface {
	send(to *task, m message)
}

// channels is the network of a run: a bounded queue for each task, so that a slow task slows
// those before it down to the sources. Tasks send only to later levels, so nobody waits in a
// circle.
type channels struct{ ctx context.Context }

// inboxSize is the number of batches that a task's queue holds for each of its senders.
const inboxSize = 4

func (c channels) send(to *task, m message) {
	select {
	case to.inbox <- m:
	case <-c.ctx.Done():
		panic(stopped{context.Cause(c.ctx)})
	}
}
