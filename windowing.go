package strandline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// windowing is how a collection will be grouped: it travels with the handle and takes effect
// at the next grouping.
type windowing struct {
	assigner   window.Assigner
	inherited  bool // elements come with windows
	opened     bool // elements come with windows that the next grouping is still to merge
	trigger    trigger.Trigger
	lateness   time.Duration
	discarding bool
	finalOnly  bool
	output     run.Output
	nonEmpty   bool
	emptyLast  bool
	fill       bool     // also windows that no element has reached
	timed      bool     // elements have an event time
	retracting bool     // results take back what they replace (S5.4)
	repeats    bool     // comes from an aggregation that may give a cell several times, accumulating
	signed     bool     // comes from one whose results take back what they replace
	unused     []string // settings made that no grouping has used yet
}

func newWindowing(timed bool) windowing {
	return windowing{assigner: window.Global(), trigger: trigger.Default(), timed: timed}
}

func (w *windowing) text() string {
	s := w.assigner.String()
	if w.inherited {
		s += " (inherited)"
	}
	if w.finalOnly {
		s += ", final only"
	} else {
		s += ", trigger " + w.trigger.String()
	}
	if w.lateness > 0 {
		s += fmt.Sprintf(", allowed lateness %v", w.lateness)
	}
	if w.discarding {
		s += ", discarding"
	}
	if w.retracting {
		s += ", retracting"
	}
	if w.output != run.AtEnd {
		s += ", output time " + w.output.String()
	}
	if w.nonEmpty {
		s += ", only if non-empty"
	}
	if w.emptyLast {
		s += ", empty last panes"
	}
	if w.fill {
		s += ", empty windows"
	}
	return s
}

// asked is what a grouping was asked for.
func (w *windowing) asked() (f plan.Facts) {
	f.Windows, f.Panes = w.assigner.String(), "accumulating"
	if w.inherited {
		f.Windows += ", as elements come with them"
	} else if w.opened {
		f.Windows += ", opened by a step before"
	}
	if f.Trigger = w.trigger.String(); w.finalOnly {
		f.Trigger = "once, when allowed lateness is over"
	}
	if w.lateness > 0 {
		f.Lateness = w.lateness.String()
	}
	switch {
	case w.retracting:
		f.Panes = "accumulating, with retractions"
	case w.discarding:
		f.Panes = "discarding"
	}
	if w.nonEmpty {
		f.Panes += ", on time only if something is new"
	}
	if w.emptyLast {
		f.Panes += ", a last one also if nothing is"
	}
	if w.fill {
		f.Panes += ", windows without elements too"
	}
	if w.output != run.AtEnd {
		f.OutputTime = w.output.String()
	}
	return f
}

// facts say how a grouping will be done. retracts: its panes are wanted with retractions; whole: it
// keeps all elements.
func (w *windowing) facts(spec *run.Windowing, key interface{ ID() string }, retracts, whole bool) plan.Facts {
	f := w.asked()
	f.Key = key.ID()
	kind, fallback := spec.Kind(retracts)
	f.State, f.Fallback = kind.String(), fallback
	if is, why := spec.Partial(retracts, whole); is {
		f.Partial = "one for each key and window, as long as that is fewer than elements"
	} else {
		f.Partial = "none: " + why
	}
	switch {
	case w.finalOnly:
	case spec.Trigger.UsesProcessingTime():
		f.Arrival = "the trigger goes by the clock"
	case trigger.MayFinish(w.trigger) && !(w.lateness == 0 && endsWithWindow(w.trigger)):
		f.Arrival = "the trigger may finish before an element comes that would have counted"
	}
	return f
}

// endsWithWindow says whether a trigger that finishes does so at the window's end.
func endsWithWindow(t trigger.Trigger) bool {
	_, is := t.(trigger.WatermarkTrigger)
	return is
}

// note is what the plan says of the state of a grouping.
func note(spec *run.Windowing) string {
	kind, _ := spec.Kind(false)
	return kind.String()
}

// filled checks an aggregation that is to give windows without elements.
func (w *windowing) filled(p *Pipeline, kind, where string) {
	if kind != "combine" {
		p.failf("%s: EmptyWindows: which keys there should be nobody knows: it is for an aggregation without keys", where)
	}
	switch w.assigner.(type) {
	case window.FixedWindows, window.CalendarWindows:
		if !w.inherited {
			return
		}
	}
	p.failf("%s: EmptyWindows: it is for fixed and calendar windows, which lie side by side, and elements are in %s: use those", where, w.asked().Windows)
}

// set notes a setting that the next grouping is to use.
func (w *windowing) set(what string) {
	if !slices.Contains(w.unused, what) {
		w.unused = append(slices.Clip(w.unused), what)
	}
}

// compile turns w into what the engine needs. Mistakes go to the pipeline.
func (w *windowing) compile(p *Pipeline, step string) *run.Windowing {
	if err := w.assigner.Validate(); err != nil {
		p.failf("%s: the window: %w", step, err)
	}
	prog, err := trigger.Compile(w.trigger)
	if err != nil {
		p.failf("%s: the trigger: %w", step, err)
		prog, _ = trigger.Compile(trigger.Default()) // so that what else is wrong is found, too
	}
	if _, gaps := w.assigner.(window.SessionGapWindows); gaps && !w.inherited && !w.opened {
		p.failf("%s: %s cannot assign windows: use SessionBy, which knows the gap of an element", step, w.assigner)
	}
	if w.lateness < 0 {
		p.failf("%s: allowed lateness is %v: it cannot be negative", step, w.lateness)
	}
	if _, global := w.assigner.(window.GlobalWindow); !global && !w.timed {
		p.failf("%s: %w: elements without one cannot be windowed by %s: give Read a function for it, or use AssignTimestamps", step, ErrNoEventTime, w.assigner)
	}
	w.unused = nil
	return &run.Windowing{
		Assigner: w.assigner, Inherited: w.inherited, Trigger: prog, Lateness: etime.Span(w.lateness), Discarding: w.discarding,
		FinalOnly: w.finalOnly, Output: w.output, NonEmpty: w.nonEmpty, EmptyLast: w.emptyLast, Fill: w.fill,
	}
}

// grouped is the windowing behind an aggregation (S5.9): its windows and allowed lateness, and
// the trigger that continues its own.
func (w windowing) grouped() windowing {
	once := w.finalOnly || w.trigger.String() == trigger.AfterWatermark().String() ||
		w.trigger.String() == trigger.Default().String() && w.lateness == 0
	w.repeats, w.signed = !w.discarding && !once && !w.retracting, w.retracting && !once
	w.retracting, w.fill = false, false
	w.inherited, w.opened = true, false
	w.trigger = trigger.Continuation(w.trigger)
	if w.finalOnly {
		// One pane a window came at its expiry: downstream there is nothing more to wait for.
		w.lateness, w.finalOnly = 0, false
	}
	w.output = run.AtEnd
	return w
}

// OutputTime says which event time a result carries (S5.8).
type OutputTime uint8

const (
	// EndOfWindow is a microsecond before the window's end. The default.
	EndOfWindow OutputTime = iota
	// Earliest is the least time of the elements since the last pane that were not behind the
	// watermark when they came, and holds the output watermark back to it; the end of the
	// window if there are none.
	Earliest
	// Latest is the greatest such time.
	Latest
	// EarliestTransformed is Earliest over the times that a user-defined window makes of them.
	EarliestTransformed
)

func (o OutputTime) output() run.Output { return run.Output(o) }

// rewindow drops the windows that elements have, if they have any.
func rewindow[T any](c PCollection[T]) PCollection[T] {
	if !c.w.inherited && !c.w.opened {
		return c
	}
	return derive[T, T](c, "", "window into", plan.Local, run.RewindowOp[T]())
}

// WindowInto says which windows the elements are in when they are next grouped. It replaces
// whatever windows they have; trigger, allowed lateness, accumulation and output time go back
// to their defaults: [trigger.Default], none, accumulating, [EndOfWindow]. So they are said
// behind it: what was said before it, for no grouping, is a mistake of construction.
func (c PCollection[T]) WindowInto(w window.Assigner) PCollection[T] {
	c = rewindow(c)
	c.w = c.w.into(c.p, w)
	return c
}

func (w windowing) into(p *Pipeline, a window.Assigner) windowing {
	if p.given(a != nil, "WindowInto", "", "the window"); a == nil {
		a = window.Global()
	}
	if len(w.unused) > 0 {
		p.failf("windows %v: %s came before them, for no grouping, and would be lost: windows set everything back, so say it behind them", a, strings.Join(w.unused, " and "))
	}
	n := newWindowing(w.timed)
	n.assigner, n.repeats, n.signed = a, w.repeats, w.signed
	return n
}

// Trigger says when panes are given. The default is [trigger.Default]: once when the
// watermark reaches the window's end, then once for every late element (S5.2).
func (c PCollection[T]) Trigger(t trigger.Trigger) PCollection[T] { c.w.on(c.p, t); return c }

func (w *windowing) on(p *Pipeline, t trigger.Trigger) {
	if p.given(t != nil, "Trigger", "", "the trigger"); t != nil {
		w.trigger = t
		w.set("Trigger")
	}
}

// AllowedLateness is how long behind a window's end, in event time, elements still count for
// it (S4.2). The default is 0.
func (c PCollection[T]) AllowedLateness(d time.Duration) PCollection[T] {
	c.w.lateness = d
	c.w.set("AllowedLateness")
	return c
}

// Discarding makes each pane contain only what came since the one before it.
func (c PCollection[T]) Discarding() PCollection[T] {
	c.w.discarding, c.w.retracting = true, false
	c.w.set("Discarding")
	return c
}

// Accumulating makes each pane contain all that came so far. The default.
func (c PCollection[T]) Accumulating() PCollection[T] {
	c.w.discarding, c.w.retracting = false, false
	c.w.set("Accumulating")
	return c
}

// Retracting is [PCollection.Accumulating] with the value that a pane replaces given once more
// before it, as a retraction ([trigger.Pane.Retraction]): a changelog (S5.4). When sessions
// merge, the last value of a window that is no more is retracted. A combiner downstream takes
// retracted values out again; it must have a Subtract.
func (c PCollection[T]) Retracting() PCollection[T] {
	c.w.discarding, c.w.retracting = false, true
	c.w.set("Retracting")
	return c
}

// AllowRepeats lets results that come several times, each with all that came so far, be aggregated
// again or joined although they will count as often as they come (S5.9): for a second aggregation to
// which repeats do no harm, such as a maximum of counts that only grow. Without it that is a mistake
// of construction.
func (c PCollection[T]) AllowRepeats() PCollection[T] { c.w.repeats = false; return c }

// FinalOnly asks for exactly one pane a window, when allowed lateness is over (S5.5).
func (c PCollection[T]) FinalOnly() PCollection[T] {
	c.w.finalOnly = true
	c.w.set("FinalOnly")
	return c
}

// OutputTime says which event time results carry. The default is [EndOfWindow].
func (c PCollection[T]) OutputTime(o OutputTime) PCollection[T] {
	c.w.output = o.output()
	c.w.set("OutputTime")
	return c
}

// OnlyIfNonEmpty leaves out on-time panes in which nothing is new (S5.6).
func (c PCollection[T]) OnlyIfNonEmpty() PCollection[T] {
	c.w.nonEmpty = true
	c.w.set("OnlyIfNonEmpty")
	return c
}

// EmptyLastPanes asks for a last pane at expiry even if nothing is new (S5.6).
func (c PCollection[T]) EmptyLastPanes() PCollection[T] {
	c.w.emptyLast = true
	c.w.set("EmptyLastPanes")
	return c
}

// EmptyWindows asks for a pane of windows that no element has reached, too, in an aggregation
// without keys ([PCollection.Combine]): of all from the first window with an element on up to the
// watermark, and at the end of the input up to the last with an element (S5.6). Their value is that of
// nothing: 0 for a count. It is for windows that lie side by side, which are fixed and calendar ones.
// More than a million in a row end the run with an error. By default such windows give nothing.
func (c PCollection[T]) EmptyWindows() PCollection[T] {
	c.w.fill = true
	c.w.set("EmptyWindows")
	return c
}

// WindowInto is [PCollection.WindowInto] for a collection with keys; the methods that follow
// it are as on a [PCollection], too.
func (k Keyed[K, V]) WindowInto(w window.Assigner) Keyed[K, V] {
	if k.w.inherited || k.w.opened {
		k.step = k.p.add("", &plan.Step{Kind: "window into", Codec: keyName[K, V](), Inputs: []plan.Edge{k.edge(plan.Local)}, Op: run.RewindowKeyedOp[K, V]()})
		k.port = 0
	}
	k.w = k.w.into(k.p, w)
	return k
}

// Trigger is [PCollection.Trigger].
func (k Keyed[K, V]) Trigger(t trigger.Trigger) Keyed[K, V] { k.w.on(k.p, t); return k }

// AllowedLateness is [PCollection.AllowedLateness].
func (k Keyed[K, V]) AllowedLateness(d time.Duration) Keyed[K, V] {
	k.w.lateness = d
	k.w.set("AllowedLateness")
	return k
}

// Discarding is [PCollection.Discarding].
func (k Keyed[K, V]) Discarding() Keyed[K, V] {
	k.w.discarding, k.w.retracting = true, false
	k.w.set("Discarding")
	return k
}

// Accumulating is [PCollection.Accumulating].
func (k Keyed[K, V]) Accumulating() Keyed[K, V] {
	k.w.discarding, k.w.retracting = false, false
	k.w.set("Accumulating")
	return k
}

// Retracting is [PCollection.Retracting].
func (k Keyed[K, V]) Retracting() Keyed[K, V] {
	k.w.discarding, k.w.retracting = false, true
	k.w.set("Retracting")
	return k
}

// AllowRepeats is [PCollection.AllowRepeats].
func (k Keyed[K, V]) AllowRepeats() Keyed[K, V] { k.w.repeats = false; return k }

// FinalOnly is [PCollection.FinalOnly].
func (k Keyed[K, V]) FinalOnly() Keyed[K, V] {
	k.w.finalOnly = true
	k.w.set("FinalOnly")
	return k
}

// OutputTime is [PCollection.OutputTime].
func (k Keyed[K, V]) OutputTime(o OutputTime) Keyed[K, V] {
	k.w.output = o.output()
	k.w.set("OutputTime")
	return k
}

// OnlyIfNonEmpty is [PCollection.OnlyIfNonEmpty].
func (k Keyed[K, V]) OnlyIfNonEmpty() Keyed[K, V] {
	k.w.nonEmpty = true
	k.w.set("OnlyIfNonEmpty")
	return k
}

// EmptyLastPanes is [PCollection.EmptyLastPanes].
func (k Keyed[K, V]) EmptyLastPanes() Keyed[K, V] {
	k.w.emptyLast = true
	k.w.set("EmptyLastPanes")
	return k
}
