package run

import (
	"fmt"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/size"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Output says which time a result carries (S5.8).
type Output uint8

const (
	// AtEnd: a microsecond before the window's end.
	AtEnd Output = iota
	// AtEarliest, AtLatest: of the elements since the last pane that were not behind the
	// watermark; the window's last microsecond if there are none.
	AtEarliest
	AtLatest
	// AtEarliestTransformed: as AtEarliest, each element's time first transformed by the
	// user-defined windowing.
	AtEarliestTransformed
)

func (o Output) String() string {
	return [...]string{"end", "earliest", "latest", "earliest transformed"}[o]
}

// Windowing is everything that decides which panes a windowed step gives.
type Windowing struct {
	Assigner   window.Assigner
	Inherited  bool // elements keep the windows they come with (S5.9)
	Trigger    *trigger.Program
	Lateness   int64
	Discarding bool
	FinalOnly  bool // one pane a window, at expiry (S5.5)
	Output     Output
	NonEmpty   bool // no on-time pane if nothing is new (S5.6)
	EmptyLast  bool // a last pane at expiry even if nothing is new (S5.6)
	Fill       bool // a pane also for windows that no element has reached, between two that one has (S5.6)
}

// due is when w fires on time, and lateness what comes after. Final-only windows fire once
// allowed lateness is over, and nothing comes after.
func (w *Windowing) due(win window.Interval) int64 {
	d := window.Due(w.Assigner, win)
	if w.FinalOnly {
		d = core.Expiry(d, w.Lateness)
	}
	return d
}

func (w *Windowing) lateness() int64 {
	if w.FinalOnly {
		return 0
	}
	return w.Lateness
}

// single says whether a key and window has one pane at most.
func (w *Windowing) single() bool {
	return w.FinalOnly || w.Trigger.IsDefault() && w.Lateness == 0
}

// Late is a record that missed at least one of its windows (S4.4).
type Late[T any] struct {
	Value  T
	At     int64 // its event time
	W      int64 // the watermark by which it was judged
	Missed []window.Interval
	Split  string // of a source, or the step that gave it
	// Position is where it was read, for a person; empty if that is not known.
	Position string
}

// Failed is a pane whose value could not be extracted (S7.3).
type Failed[K comparable] struct {
	Key    K
	Window window.Interval
	Pane   trigger.Pane
	Err    error
}

// windows is the state of a windowed step and the decisions that go with it: flat tables,
// slices, or a cell for each key and window.
type windows[K comparable, V any] interface {
	// rows takes elements, each at the step's own watermark w[i].
	rows(ks []K, vs []V, at, w []int64, win []window.Interval)
	// advance fires and forgets all that is due up to w.
	advance(w int64)
	// hold is the earliest time at which something of what is open will come out.
	hold() int64
	// clock tells the processing time; next is when to tell it again.
	clock(now int64) (next int64)
	open() int64
	// sign says whether the elements to come are taken back rather than added (S5.4).
	sign(minus bool)
}

// front is what stands before the state of every windowed or stateful step: it takes the
// watermarks of the inputs together, lets elements that carry one wait for it (S4.6), and
// hands the rest to the windows.
type front[K comparable, V any] struct {
	op
	edges   *paths // of a step with several inputs
	in      *inlet
	windows windows[K, V]
	late    emitter[Late[KV[K, V]]]
	wait    waiting[K, V]
	drained bool
	idle    bool
	samples []Late[KV[K, V]]
	sizes   sizing
	values  bool // entries of state are elements
	outs    []outlet
	task    *task
	build   *builder
	origin  int     // of the element at hand
	places  []int64 // where those at hand were read, behind place; nil if that is not known
	place   string
	lent    bool          // the values at hand are
	history *history[K]   // nil unless it was asked for
	lacking *pollution[K] // nil if the step has no windows of its own
	one     struct {
		k     [1]K
		v     [1]V
		at    [1]int64
		w     [1]int64
		place [1]int64
	}
}

// outlet is an emitter, whatever it gives.
type outlet interface {
	start(origin int)
	advance(w, data int64)
	close(idle, drained bool)
	end(ended bool)
	pending() bool
}

// open starts the outlets of a step that makes its own watermark.
func (o *front[K, V]) open(p *Place, outs ...outlet) (origins [][]int) {
	origin := p.newOrigin(0)
	o.outs = append(outs, &o.late)
	o.task, o.build = p.task, p.build
	p.task.fronts = append(p.task.fronts, o)
	o.remember(p)
	for _, e := range o.outs {
		e.start(origin)
		origins = append(origins, []int{origin})
	}
	return origins
}

// Windowed is the operator of a windowed aggregation.
type Windowed[K comparable, V, A, O any] struct {
	front[K, V]
	spec   *Windowing
	main   emitter[KV[K, O]]
	failed emitter[Failed[K]]
	// changes are the panes once more, each after a retraction of the one that it replaces; only if
	// somebody consumes them.
	changes  emitter[KV[K, O]]
	retracts bool
	pairs    []KV[K, O] // the values of panes
	errs     []error    // of failed panes: a sample, if nobody consumes them
	borrow   bool       // the combiner borrows
}

// sampleSize is how many late records a step keeps for the report if nobody consumes them.
const sampleSize = 8

// WindowedOp makes the operators of a windowed aggregation by c: output 0 are the panes, 1 the
// late records, 2 the panes that failed, 3 the panes with retractions.
func WindowedOp[K comparable, V, A, O any](spec *Windowing, c combine.Combiner[V, A, O], key *codec.Codec[K]) Maker {
	return windowedMaker(func(p *Place) Ports {
		o := &Windowed[K, V, A, O]{front: front[K, V]{op: newOp(p)}, spec: spec}
		ins := []any{Input[KBatch[K, V]](o)}
		if len(p.Origins) > 1 {
			o.edges = newPaths(p.Origins, p.build.opts.CarryAll)
			o.in = newInlet(o.edges.origins())
			ins = append(ins, Input[KBatch[K, Part[A]]](parts[K, V, A, O]{o}))
		} else {
			o.in = newInlet(p.Origins[0])
		}
		origins := o.open(p, &o.main, &o.failed, &o.changes)
		agg := newAggregator(c)
		_, o.values = any(c).(combine.List[V])
		o.borrow = agg.borrows()
		o.sizes.fixed, o.sizes.least = 8+size.Flat[K](), size.Flat[A]()
		o.retracts = p.Used(3)
		switch kind, _ := spec.Kind(o.retracts); kind {
		case Flat:
			o.windows = newFlat(o, agg, newKeys(key))
		case Sliced:
			o.windows = newSliced(o, agg, key)
		default:
			o.windows = newCells(o, agg, newKeys(key))
		}
		o.history.by(spec)
		o.lacking = newPollution[K]()
		p.task.watch(o)
		p.build.ops = append(p.build.ops, o)
		p.build.timed = p.build.timed || spec.Trigger.UsesProcessingTime()
		return Ports{
			In:      ins,
			Out:     []any{&o.main.out, &o.late.out, &o.failed.out, &o.changes.out},
			Origins: origins,
		}
	})
}

// borrows says so if the combiner does: what is late, or waits, is copied.
func (o *Windowed[K, V, A, O]) borrows() bool { return o.borrow }

// Take handles one batch.
func (o *front[K, V]) Take(b *KBatch[K, V]) {
	defer o.caught(func(i int) any { return b.V[i] })
	if o.edges != nil {
		b = &KBatch[K, V]{b.K, b.V, o.edges.merge(0, &b.Cols)}
	}
	if n := int64(len(b.V)); o.values && doubled(o.n.In, o.n.In+n) {
		o.sizes.see(&b.V[0])
	}
	o.n.In += int64(len(b.V))
	o.n.Kept += int64(len(b.V))
	o.ending(&b.Cols)
	o.origin, o.places, o.place, o.lent = b.Origin, b.Places, b.Place, b.Lent
	own, others := o.in.column(&b.Cols)
	if o.history != nil {
		o.history.took(o.task, b.K, &b.Cols, own)
	}
	if o.wait.len() == 0 && !waits(b.Carried, own, others) && !takesBack(b.Pane) {
		o.windows.rows(b.K, b.V, b.At, own, b.Win)
	} else {
		o.each(b, own, others)
	}
	o.finish(&b.Cols)
}

// waits says whether an element carries a watermark that the step's own has not reached.
func waits(carried, own []int64, others int64) bool {
	for i, c := range carried {
		if c != etime.Min && core.Verdict(c, others, own[i]) > own[i] {
			return true
		}
	}
	return false
}

// takesBack says whether there is a retraction among the panes.
func takesBack(panes []trigger.Pane) bool {
	for i := range panes {
		if panes[i].Retraction {
			return true
		}
	}
	return false
}

// finish moves the step's watermark on behind a batch.
func (o *front[K, V]) finish(c *Cols) {
	if c.Drained {
		o.drained = true
	}
	w, idle := o.in.close(c)
	o.advance(w)
	o.close(idle)
}

// each handles elements one by one, those that carry a watermark when the step's own has
// reached their verdict (S4.6).
func (o *front[K, V]) each(b *KBatch[K, V], own []int64, others int64) {
	for i := range b.V {
		o.settle(own[i])
		row := waiter[K, V]{k: b.K[i], v: b.V[i], at: b.At[i], verdict: own[i], origin: b.Origin}
		if b.Win != nil {
			row.win = b.Win[i : i+1 : i+1]
		}
		row.minus = b.Pane != nil && b.Pane[i].Retraction
		if b.Places != nil {
			row.place, row.number = b.Place, b.Places[i]
		}
		if c := b.carried(i); c != etime.Min {
			if v := core.Verdict(c, others, own[i]); v > own[i] {
				row.verdict = v
				if row.win != nil {
					row.win = []window.Interval{row.win[0]}
				}
				row.v = owned(b.Lent, row.v)
				o.wait.add(row)
				continue
			}
		}
		o.row(&row)
	}
}

// settle lets in what has waited for a watermark up to w, in order of verdict.
func (o *front[K, V]) settle(w int64) {
	for o.wait.len() > 0 && o.wait.first().verdict <= w {
		row := o.wait.pop()
		o.windows.advance(row.verdict)
		o.emitted(row.verdict)
		o.row(&row)
	}
}

func (o *front[K, V]) row(r *waiter[K, V]) {
	one := &o.one
	o.origin, o.places, o.place = r.origin, nil, r.place
	if r.place != "" {
		one.place[0], o.places = r.number, one.place[:]
	}
	one.k[0], one.v[0], one.at[0], one.w[0] = r.k, r.v, r.at, r.verdict
	if r.minus {
		o.windows.sign(true)
		defer o.windows.sign(false)
	}
	o.windows.rows(one.k[:], one.v[:], one.at[:], one.w[:], r.win)
}

// advance moves the step's own watermark to w.
func (o *front[K, V]) advance(w int64) {
	o.settle(w)
	if w == etime.Max {
		o.end(true)
	}
	o.windows.advance(w)
	o.emitted(w)
}

// emitted moves the output watermark after the step's own.
func (o *front[K, V]) emitted(w int64) {
	w = min(w, o.windows.hold())
	for _, e := range o.outs {
		e.advance(w, o.in.said())
	}
}

func (o *front[K, V]) close(idle bool) {
	o.n.Open = o.windows.open()
	o.idle = idle
	for _, e := range o.outs {
		e.close(idle, o.drained)
	}
}

// clock lets processing-time triggers fire.
func (o *front[K, V]) clock(now int64) (next int64) {
	defer o.caught(nil)
	next = o.windows.clock(now)
	for _, e := range o.outs {
		if e.pending() {
			o.close(o.idle)
			break
		}
	}
	return next
}

// miss sends a record to the late output, or counts it with a sample.
func (o *front[K, V]) miss(k K, v V, at, w int64, missed []window.Interval) {
	if o.history != nil {
		o.history.turned(Missed, o.task, k, at, w, missed)
	}
	o.n.LateRecords++
	if o.lacking != nil {
		o.lacking.add(k, at, w, missed)
	}
	l := Late[KV[K, V]]{Value: KV[K, V]{k, owned(o.lent, v)}, At: at, W: w, Missed: append([]window.Interval(nil), missed...), Split: o.build.splitNamed(o.origin), Position: position(o.place, o.places, o.at)}
	if o.late.out.Used() {
		o.late.give(l, at, missed[0], trigger.NoFiring, w)
	} else if len(o.samples) < sampleSize {
		o.samples = append(o.samples, l)
	}
}

// panes gives the panes of keys, with the values of the accumulators in their slots, when the
// watermark has come to the window's end. It is pane for many: what does not depend on the key is
// done once.
func (o *Windowed[K, V, A, O]) panes(agg *aggregator[V, A, O], accs []A, slots []uint32, ks *keys[K], keys []uint64, win window.Interval, at int64, p trigger.Pane) {
	if o.history != nil || o.retracts {
		for i, k := range keys {
			o.pane(agg, &accs[slots[i]], ks.key(k), win, at, p, etime.Min)
		}
		return
	}
	for len(keys) > 0 {
		n := o.extractAll(agg, accs, slots, ks, keys, win)
		p := p
		if o.mark(&p, win, int64(n)); n > 0 && !o.values && doubled(o.n.Panes-int64(n), o.n.Panes) {
			o.sizes.see(&accs[slots[0]])
		}
		o.main.giveAll(o.pairs[:n], at, win, p)
		if clear(o.pairs[:n]); n < len(keys) { // it failed, which is nothing that happens often
			o.pane(agg, &accs[slots[n]], ks.key(keys[n]), win, at, p, etime.Min)
			n++
		}
		keys, slots = keys[n:], slots[n:]
	}
}

// lookup finds the slots of keys in a table, and books those that are new as state.
func (o *Windowed[K, V, A, O]) lookup(t *table[A], bits []uint64, slots []uint32, fresh func(k uint64) A) {
	had := t.n
	t.lookup(bits, slots, fresh)
	if !o.values {
		o.held(int64(t.n - had))
	}
}

// mark completes the pane of n keys, and books it.
func (o *Windowed[K, V, A, O]) mark(p *trigger.Pane, win window.Interval, n int64) {
	p.Drained = o.drained && p.Last
	o.n.Panes += n
	if said := o.in.said(); said != etime.Max && p.Timing != trigger.Early && said < o.spec.due(win) {
		p.ByClock = true
		o.n.ByClock += n
	}
}

// pane gives one pane with the value of acc.
func (o *Windowed[K, V, A, O]) pane(agg *aggregator[V, A, O], acc *A, k K, win window.Interval, at int64, p trigger.Pane, carried int64) (v O, ok bool) {
	o.mark(&p, win, 1)
	if !o.values && doubled(o.n.Panes-1, o.n.Panes) {
		o.sizes.see(acc)
	}
	if o.history != nil {
		o.history.fired(o.task, k, win, p, at, o.in.lanes.W())
	}
	v, err := o.extract(agg, acc, k, win)
	if err != nil && !agg.empty(err) {
		o.n.PanesFailed++
		if !o.failed.out.Used() && len(o.errs) < sampleSize {
			o.errs = append(o.errs, fmt.Errorf("key %v, window %s: %w", k, win, err))
		}
		o.failed.give(Failed[K]{k, win, p, err}, at, win, p, carried)
		return v, false
	}
	o.main.give(KV[K, O]{k, v}, at, win, p, carried)
	if o.retracts {
		o.changes.give(KV[K, O]{k, v}, at, win, p, carried)
	}
	return v, true
}

// extractAll is extract for many keys. It puts what it gets into o.pairs, up to the first key whose
// value cannot be extracted, and returns how many there are.
func (o *Windowed[K, V, A, O]) extractAll(agg *aggregator[V, A, O], accs []A, slots []uint32, ks *keys[K], keys []uint64, win window.Interval) int {
	o.pairs = o.pairs[:0]
	defer o.caught(func(int) any { return paneOf(ks.key(keys[len(o.pairs)]), win) })
	for i, k := range keys {
		v, err := agg.c.Extract(&accs[slots[i]])
		if err != nil {
			break
		}
		o.pairs = append(o.pairs, KV[K, O]{ks.key(k), v})
	}
	return len(o.pairs)
}

// extract calls the combiner. If it panics, what the error names is the key and window, not the
// element at hand: a watermark may have fired the pane.
func (o *Windowed[K, V, A, O]) extract(agg *aggregator[V, A, O], acc *A, k K, win window.Interval) (O, error) {
	defer o.caught(func(int) any { return paneOf(k, win) })
	return agg.c.Extract(acc)
}

// paneOf names a pane in a message.
func paneOf(k any, win window.Interval) string {
	return fmt.Sprintf("the pane of key %+v in %v", k, win)
}

// waiter is an element that waits for the watermark of its verdict.
type waiter[K comparable, V any] struct {
	k       K
	v       V
	at      int64
	verdict int64
	origin  int
	win     []window.Interval // its window, if it came with one
	minus   bool              // a retraction
	place   string            // where it was read is number, behind it; empty if that is not known
	number  int64
	seq     uint64
}

// waiting holds waiters in order of verdict, then of arrival.
type waiting[K comparable, V any] struct {
	rows []waiter[K, V]
	seq  uint64
}

func (q *waiting[K, V]) len() int             { return len(q.rows) }
func (q *waiting[K, V]) first() *waiter[K, V] { return &q.rows[0] }

func (q *waiting[K, V]) less(i, j int) bool {
	a, b := &q.rows[i], &q.rows[j]
	return a.verdict < b.verdict || a.verdict == b.verdict && a.seq < b.seq
}

func (q *waiting[K, V]) add(r waiter[K, V]) {
	r.seq = q.seq
	q.seq++
	q.rows = append(q.rows, r)
	for i := len(q.rows) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.less(i, up) {
			break
		}
		q.rows[i], q.rows[up] = q.rows[up], q.rows[i]
		i = up
	}
}

func (q *waiting[K, V]) pop() waiter[K, V] {
	r := q.rows[0]
	last := len(q.rows) - 1
	q.rows[0] = q.rows[last]
	q.rows[last] = waiter[K, V]{}
	q.rows = q.rows[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && q.less(c+1, c) {
			c++
		}
		if !q.less(c, i) {
			break
		}
		q.rows[i], q.rows[c] = q.rows[c], q.rows[i]
		i = c
	}
	return r
}
