package run

import (
	"slices"
	"sync"

	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Watch says what a run is to remember of what happens in its windowed steps, so that it can be
// asked afterwards: what a step does forget when a window expires. It slows a run down.
type Watch struct {
	// Step is the step; empty for all of them.
	Step string
	// Text is the key, as people write it, in parts; none for any key. Wants is made of it.
	Text []string
	// Wants says whether a key of it is meant. It is called on the tasks; nil means any key.
	Wants func(step string, key any) bool
	// Show prints a key.
	Show func(step string, key any) string
	// Record, if not 0, restricts it to the record that is the n-th, from 1, of those that can be read. It needs a
	// run that can pause, which goes record by record.
	Record int64
	// At, if HasAt, restricts it to records of this event time, in µs.
	At    int64
	HasAt bool

	mu     sync.Mutex
	events []Event
	more   int64
}

// EventKind is what an [Event] is.
type EventKind uint8

const (
	// Came: a record has reached the step.
	Came EventKind = iota
	// Missed: it was too late for some of its windows.
	Missed
	// Refused: it found one of its windows closed, since the trigger had finished.
	Refused
	// Fired: a pane was given.
	Fired
)

// Event is something that happened to a key that is watched.
type Event struct {
	Kind    EventKind
	Step    string
	Key     string
	Record  int64             // how many records the task had read, that could be
	At      int64             // of a record: its event time; of a pane: the time that it carries
	W       int64             // the step's watermark
	Clock   int64             // processing time
	Windows []window.Interval // of the record, those that it missed, or that of the pane
	Expiry  []int64           // when each of them expires, of those that were missed
	Pane    trigger.Pane
}

// mostEvents is how many events are remembered. What comes later is counted.
const mostEvents = 100_000

// Events gives what has happened so far, in order on each worker, and how much more there was.
func (w *Watch) Events() (all []Event, more int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.events), w.more
}

func (w *Watch) add(e Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.events) == mostEvents {
		w.more++
		return
	}
	w.events = append(w.events, e)
}

// history is the end of a [Watch] in one step on one worker.
type history[K comparable] struct {
	watch  *Watch
	step   string
	assign func(t int64) []window.Interval // the windows of a record; nil if records come with theirs
	expiry func(w window.Interval) int64
	// The keys and times of the records that a watch of records is for: what becomes of them is of
	// interest, too.
	records []recordOf[K]
}

type recordOf[K comparable] struct {
	k  K
	at int64
}

// remember sets up what the step is to remember.
func (o *front[K, V]) remember(p *Place) {
	if w := p.build.opts.Watch; w != nil && (w.Step == "" || w.Step == p.Step.ID) {
		o.history = &history[K]{watch: w, step: p.Step.ID}
	}
}

// of makes the event of a key, if it is meant.
func (h *history[K]) of(kind EventKind, t *task, k K, at, w int64, wins []window.Interval) (e Event, wanted bool) {
	if h.watch.Wants != nil && !h.watch.Wants(h.step, k) {
		return e, false
	}
	e = Event{Kind: kind, Step: h.step, Record: t.record(), At: at, W: w, Clock: t.now, Windows: slices.Clone(wins)}
	if h.watch.Show != nil {
		e.Key = h.watch.Show(h.step, k)
	}
	return e, true
}

// took notes the records of a batch. Panes of steps before this one are none.
func (h *history[K]) took(t *task, ks []K, c *Cols, own []int64) {
	if c.Pane != nil {
		return
	}
	for i, k := range ks {
		if h.watch.HasAt && c.At[i] != h.watch.At {
			continue
		}
		e, wanted := h.of(Came, t, k, c.At[i], own[i], nil)
		if !wanted || h.watch.Record > 0 && e.Record != h.watch.Record {
			continue
		}
		switch {
		case c.Win != nil:
			e.Windows = []window.Interval{c.Win[i]}
		case h.assign != nil:
			e.Windows = slices.Clone(h.assign(c.At[i]))
		}
		h.records = append(h.records, recordOf[K]{k, c.At[i]})
		h.watch.add(e)
	}
}

// other says that the records of a watch alone are of interest, and no one of them is meant.
func (h *history[K]) other(k K, has func(t int64) bool) bool {
	if !h.watch.HasAt && h.watch.Record == 0 {
		return false
	}
	return !slices.ContainsFunc(h.records, func(r recordOf[K]) bool { return r.k == k && has(r.at) })
}

// turned notes that a record was turned away from some of its windows.
func (h *history[K]) turned(kind EventKind, t *task, k K, at, w int64, wins []window.Interval) {
	if h.other(k, func(r int64) bool { return r == at }) {
		return
	}
	if e, wanted := h.of(kind, t, k, at, w, wins); wanted && (h.watch.Record == 0 || e.Record == h.watch.Record) {
		for _, win := range e.Windows {
			expiry := win.Hi()
			if h.expiry != nil {
				expiry = h.expiry(win)
			}
			e.Expiry = append(e.Expiry, expiry)
		}
		h.watch.add(e)
	}
}

func (h *history[K]) fired(t *task, k K, win window.Interval, p trigger.Pane, at, w int64) {
	if h.other(k, func(r int64) bool { return win.IsGlobal() || win.Lo() <= r && r < win.Hi() }) {
		return
	}
	if e, wanted := h.of(Fired, t, k, at, w, []window.Interval{win}); wanted {
		e.Pane = p
		h.watch.add(e)
	}
}

// now is the processing time of the batch at hand.
func (o *front[K, V]) now() int64 {
	if o.task == nil {
		return etime.Min
	}
	return o.task.now
}

// by tells which windows records have.
func (h *history[K]) by(spec *Windowing) {
	if h == nil {
		return
	}
	h.expiry = func(w window.Interval) int64 { return core.Expiry(spec.due(w), spec.lateness()) }
	if !spec.Inherited {
		assign := window.ForWorker(spec.Assigner)
		h.assign = func(t int64) []window.Interval { return assign.Assign(nil, t) }
	}
}
