package run

import (
	"iter"

	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// flat is the state of a windowed step whose elements are in one window each and whose panes
// come by the default trigger: a flat table for each open window. Within a run of elements
// that are in one window while nothing is due, no decision is made: that is the lease which
// the loop in rows spends.
type flat[K comparable, V, A, O any] struct {
	o      *Windowed[K, V, A, O]
	agg    *aggregator[V, A, O]
	keys   *keys[K]
	assign window.Assigner
	size   int64 // of fixed windows, 0 for others
	offset int64

	wins []*flatWindow[A] // by reference number; nil where free
	free []uint32
	at   map[window.Interval]*flatWindow[A]
	last *flatWindow[A] // the window of the last run
	prev *flatWindow[A] // and the one before: with disorder, elements go back and forth

	plan core.Schedule
	next int64 // the watermark at which something is due
	w    int64 // the step's own watermark

	bits    []uint64
	slots   []uint32
	due     dueKeys
	buf     []window.Interval
	tables  []*table[A] // to be used again
	scatter scatter[V]
	fresh   func(k uint64) A
	given   func(*flatWindow[A]) // takes what fires instead of panes: before an exchange
}

// spareTables is how many tables of windows that are over are kept for the next ones: about as
// many as are open at a time where one window follows another.
const spareTables = 4

// flatWindow is one open window.
type flatWindow[A any] struct {
	iv        window.Interval
	lo, hi    int64
	due       int64
	t         *table[A]
	ref       uint32
	rows      int64            // elements in it that no pane has had yet
	kept      int64            // elements in it, if they are what is kept
	lateCount map[uint64]int64 // panes of a key, for keys that had an element after the window was due
	firedW    int64            // the watermark that has fired it, etime.Min: none yet
	firedAt   int64            // and when, by the clock
}

func newFlat[K comparable, V, A, O any](o *Windowed[K, V, A, O], agg *aggregator[V, A, O], ks *keys[K]) *flat[K, V, A, O] {
	f := &flat[K, V, A, O]{
		o: o, agg: agg, keys: ks, assign: window.ForWorker(o.spec.Assigner),
		at: map[window.Interval]*flatWindow[A]{}, next: etime.Max, w: etime.Min,
	}
	if fixed, ok := o.spec.Assigner.(window.FixedWindows); ok {
		f.size, f.offset = fixed.Micros()
		if f.scatter.start(f.size, f.offset); agg.batch == nil || agg.timed != nil || o.spec.FinalOnly {
			f.scatter.usable = false // elements are added one by one, or windows are not due at their ends
		}
	}
	f.fresh = func(k uint64) A {
		f.keys.retain(k)
		return f.agg.c.Create()
	}
	return f
}

// dueKeys are some of the keys of a window that fires, with their slots.
type dueKeys struct {
	at    cursor
	keys  [walk]uint64
	slots [walk]uint32
}

func (f *flat[K, V, A, O]) rows(ks []K, vs []V, at, w []int64, win []window.Interval) {
	n := len(vs)
	if n == 0 {
		return
	}
	bits, _ := f.numbers(n)
	f.keys.resolve(ks[:n], bits)
	at, w = at[:n], w[:n]
	for i := 0; i < n; {
		if w[i] >= f.next {
			f.step(w[i])
		}
		f.w = w[i]
		fw := f.find(at[i], win, i)
		if fw == nil {
			f.aside(ks[i], vs[i], at[i], w[i], win, i)
			i++
			continue
		}
		if w[i] >= fw.due {
			f.late(fw, bits[i], &vs[i], at[i])
			i++
			continue
		}
		j := i + 1
		if next := f.next; win == nil {
			lo, size := fw.lo, uint64(fw.hi-fw.lo)
			for j < n && uint64(at[j]-lo) < size && w[j] < next {
				j++
			}
		} else {
			for j < n && win[j] == fw.iv && w[j] < next {
				j++
			}
		}
		if j-i < shortRun && j < n && win == nil && f.scatter.usable {
			if k := f.scattered(bits[i:], vs[i:], at[i:], w[i:], i); k > 0 {
				i += k
				continue
			}
		}
		slots := f.slots[:j-i]
		f.o.lookup(fw.t, bits[i:j], slots, f.fresh)
		f.o.at = i
		f.agg.add(fw.t.accs, slots, vs[i:j], at[i:j], &f.o.at)
		f.count(fw, w[i:j])
		f.w = w[j-1]
		i = j
	}
}

// numbers gives room for the numbers of n keys and for their slots.
func (f *flat[K, V, A, O]) numbers(n int) (bits []uint64, slots []uint32) {
	if cap(f.bits) < n {
		f.bits, f.slots = make([]uint64, n), make([]uint32, n)
	}
	return f.bits[:n], f.slots[:n]
}

// scattered takes in the first of the elements, as many as it can, window by window, and returns
// their number.
func (f *flat[K, V, A, O]) scattered(bits []uint64, vs []V, at, w []int64, i int) int {
	n := f.scatter.take(bits, vs, at, w, f.next)
	f.o.at = i
	f.scatter.each(func(lo int64, bits []uint64, vs []V) {
		fw := f.find(lo, nil, 0)
		slots := f.slots[:len(vs)]
		f.o.lookup(fw.t, bits, slots, f.fresh)
		f.agg.batch.AddBatch(fw.t.accs, slots, vs)
		f.count(fw, w[:len(vs)])
	})
	if n > 0 {
		f.w = w[n-1]
	}
	return n
}

// count books a run of elements that went into fw.
func (f *flat[K, V, A, O]) count(fw *flatWindow[A], w []int64) {
	n := f.o.n
	fw.rows += int64(len(w))
	if f.o.unbooked {
		return
	}
	if f.o.values {
		f.keep(fw, int64(len(w)))
	}
	n.Assigned += int64(len(w))
	n.InWindow += int64(len(w))
	if f.o.spec.FinalOnly {
		if end := window.Due(f.o.spec.Assigner, fw.iv); w[len(w)-1] >= end {
			for _, x := range w {
				if x >= end {
					n.LateKept++
				}
			}
		}
	}
}

// keep books elements that are kept as they are.
func (f *flat[K, V, A, O]) keep(fw *flatWindow[A], n int64) {
	fw.kept += n
	f.o.held(n)
}

// find gives the open window of an element, opening it if it is not too late for that; nil if
// the element is in no window that is open.
func (f *flat[K, V, A, O]) find(t int64, win []window.Interval, i int) *flatWindow[A] {
	var iv window.Interval
	switch {
	case win != nil:
		iv = win[i]
		if f.last != nil && f.last.iv == iv {
			return f.last
		}
	case f.last != nil && uint64(t-f.last.lo) < uint64(f.last.hi-f.last.lo):
		return f.last
	case f.prev != nil && uint64(t-f.prev.lo) < uint64(f.prev.hi-f.prev.lo):
		f.last, f.prev = f.prev, f.last
		return f.last
	case f.size > 0:
		lo := etime.Floor(t, f.size, f.offset)
		iv = window.FromMicros(lo, etime.Add(lo, f.size))
	default:
		f.buf = f.assign.Assign(f.buf[:0], t)
		if len(f.buf) == 0 {
			return nil
		}
		iv = f.buf[0]
	}
	fw := f.at[iv]
	if fw == nil {
		if fw = f.create(iv); fw == nil {
			return nil
		}
	}
	f.last, f.prev = fw, f.last
	return fw
}

// create opens a window, unless it has expired.
func (f *flat[K, V, A, O]) create(iv window.Interval) *flatWindow[A] {
	spec := f.o.spec
	due := spec.due(iv)
	way := core.Judge(f.w, due, spec.lateness())
	if way == core.Dropped {
		return nil
	}
	fw := &flatWindow[A]{iv: iv, due: due, firedW: etime.Min, firedAt: etime.Min}
	fw.lo, fw.hi = iv.Micros()
	if last := len(f.tables) - 1; last >= 0 {
		fw.t, f.tables = f.tables[last], f.tables[:last]
	} else {
		fw.t = newTable[A](0)
	}
	if last := len(f.free) - 1; last >= 0 {
		fw.ref, f.free = f.free[last], f.free[:last]
		f.wins[fw.ref] = fw
	} else {
		fw.ref = uint32(len(f.wins))
		f.wins = append(f.wins, fw)
	}
	f.at[iv] = fw
	if way == core.OnTime {
		f.plan.Add(core.Event{At: due, Kind: core.Due, Ref: fw.ref})
	} else {
		f.plan.Add(core.Event{At: core.Expiry(due, spec.lateness()), Kind: core.Expire, Ref: fw.ref})
	}
	f.next, _ = f.plan.Next()
	return fw
}

// aside books an element that is in no open window: in a gap, or too late.
func (f *flat[K, V, A, O]) aside(k K, v V, t, w int64, win []window.Interval, i int) {
	f.o.n.Assigned++
	if win != nil {
		f.buf = append(f.buf[:0], win[i])
	} else {
		f.buf = f.assign.Assign(f.buf[:0], t)
	}
	if len(f.buf) == 0 {
		f.o.n.Gap++
		return
	}
	f.o.n.DroppedLate++
	f.o.emitted(w)
	f.o.at = i
	f.o.miss(k, v, t, w, f.buf[:1])
}

// late adds an element to a window that has fired on time, and gives the pane that it causes
// (S5.2).
func (f *flat[K, V, A, O]) late(fw *flatWindow[A], bits uint64, v *V, t int64) {
	n := f.o.n
	n.Assigned++
	n.InWindow++
	n.LateKept++
	n.Emitted++
	_, had := fw.t.find(bits)
	if fw.lateCount == nil {
		fw.lateCount = map[uint64]int64{}
	}
	panes, again := fw.lateCount[bits]
	if !again && had {
		panes = 1
	}
	numbers := core.Numbers{Panes: panes, NonEarly: panes}
	f.o.lookup(fw.t, []uint64{bits}, f.slots[:1], f.fresh)
	acc := &fw.t.accs[f.slots[0]]
	if f.o.spec.Discarding {
		*acc = f.agg.c.Create()
	}
	f.agg.addOne(acc, v, t)
	if f.o.values {
		f.keep(fw, 1)
	}
	f.o.emitted(f.w)
	f.o.pane(f.agg, acc, f.keys.key(bits), fw.iv, etime.Sub(fw.hi, 1), numbers.Next(trigger.Late, false), f.w)
	fw.lateCount[bits] = numbers.Panes
}

// step lets the watermark come to w, in the midst of a batch.
func (f *flat[K, V, A, O]) step(w int64) {
	f.advance(w)
	f.o.emitted(w)
}

func (f *flat[K, V, A, O]) advance(w int64) {
	if f.next <= w {
		f.o.emitted(f.w) // as far as the watermark had come before it made something due
	}
	for {
		e, ok := f.plan.Pop(w)
		if !ok {
			break
		}
		fw := f.wins[e.Ref]
		if e.Kind == core.Due {
			fw.firedW, fw.firedAt = w, f.o.now()
			f.fire(fw, w == etime.Max || f.o.spec.lateness() == 0)
			if expiry := core.Expiry(fw.due, f.o.spec.lateness()); expiry > e.At && w != etime.Max {
				f.plan.Add(core.Event{At: expiry, Kind: core.Expire, Ref: fw.ref})
				continue
			}
		}
		f.forget(fw)
	}
	f.w = max(f.w, w)
	f.next = etime.Max
	if at, ok := f.plan.Next(); ok {
		f.next = at
	}
}

// fire gives the on-time panes of a window.
func (f *flat[K, V, A, O]) fire(fw *flatWindow[A], last bool) {
	if f.given != nil {
		f.given(fw)
		return
	}
	at := etime.Sub(fw.hi, 1)
	if fw.iv.IsGlobal() {
		at = etime.Max - 1
	}
	pane := trigger.Pane{Timing: trigger.OnTime, First: true, Last: last}
	if !f.o.unbooked {
		f.o.n.Emitted += fw.rows
	}
	fw.rows = 0
	for keys, slots := range f.dueOf(fw) {
		f.o.panes(f.agg, fw.t.accs, slots, f.keys, keys, fw.iv, at, pane)
	}
}

// dueOf yields the keys of a window with their slots, as many as are good to handle together.
func (f *flat[K, V, A, O]) dueOf(fw *flatWindow[A]) iter.Seq2[[]uint64, []uint32] {
	return func(yield func([]uint64, []uint32) bool) {
		d := &f.due
		for d.at = (cursor{}); ; {
			n := fw.t.next(&d.at, d.keys[:], d.slots[:])
			if n == 0 || !yield(d.keys[:n], d.slots[:n]) {
				return
			}
		}
	}
}

// forget drops a window with all of its state (S4.2).
func (f *flat[K, V, A, O]) forget(fw *flatWindow[A]) {
	if f.keys.ids != nil {
		for k := range fw.t.all {
			f.keys.release(k)
		}
	}
	if f.o.values {
		f.o.held(-fw.kept)
	} else {
		f.o.held(-int64(fw.t.n))
	}
	delete(f.at, fw.iv)
	f.wins[fw.ref] = nil
	f.free = append(f.free, fw.ref)
	if f.last == fw {
		f.last = nil
	}
	if f.prev == fw {
		f.prev = nil
	}
	if len(f.tables) < spareTables && fw.t.reset() {
		f.tables = append(f.tables, fw.t)
	}
}

// hold keeps the output watermark behind what final-only windows will still give; others give
// at the moment at which the watermark passes.
func (f *flat[K, V, A, O]) hold() int64 {
	if !f.o.spec.FinalOnly {
		return etime.Max
	}
	low := etime.Max
	for _, fw := range f.at {
		low = min(low, etime.Sub(fw.hi, 1))
	}
	return low
}

func (f *flat[K, V, A, O]) clock(int64) int64 { return etime.Max }

func (f *flat[K, V, A, O]) open() (n int64) {
	for _, fw := range f.at {
		n += fw.rows
	}
	return n
}

// sign implements windows.
func (f *flat[K, V, A, O]) sign(minus bool) { f.agg.minus = minus }
