package run

import (
	"sort"

	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// sliced is the state of a windowed step with sliding windows whose panes come by the default
// trigger, or once at expiry. Windows are cut into slices of gcd(size, period): an element goes
// into one of them, whatever the number of windows that it is in, as into a fixed window (see
// [flat]). When the watermark passes a slice, what each key has in it goes to the key's slide,
// and a window's pane is merged there. So neither the time nor the memory that an element takes
// grows with size/period.
//
// Everything here is at least farAway from the ends of time; elements that are not go to far.
type sliced[K comparable, V, A, O any] struct {
	o    *Windowed[K, V, A, O]
	agg  *aggregator[V, A, O]
	keys *keys[K]

	size, period, offset int64
	grace                int64 // how long behind its end a window is due
	width                int64 // of a slice

	slices    []*slice[A] // that an unexpired window holds, in order; those that are empty are not there
	passed    int         // how many of them the watermark has passed: they are in the slides
	left      int         // how many of them lie before the window that fired last
	rowsSince int64       // elements in those that are passed and not left
	gone      int         // how many were forgotten since the slides were gone over
	last      *slice[A]   // the slice of the last run
	prev      *slice[A]   // and the one before

	firing bool  // a window is to fire
	start  int64 // its start
	next   int64 // the watermark at which something is due
	stop   int64 // the same, or at which the first slice is to be forgotten
	w      int64 // the step's own watermark

	slides []*slide[A]          // of the keys that have anything, in order of arrival
	of     map[uint64]*slide[A] // by key
	hint   int                  // the place in slides of the one that is wanted next, perhaps
	again  map[pane]int64       // how many panes a window has given to a key, after a late one

	bits    []uint64
	slots   []uint32
	missed  []window.Interval
	fired   []refire
	tables  []*table[A]
	scatter scatter[V]
	fresh   func(k uint64) A

	far  *cells[K, V, A, O]
	code *codec.Codec[K]
}

// slice is [lo, lo+width).
type slice[A any] struct {
	lo     int64
	due    int64 // when the watermark passes it
	first  int64 // the start of the first window that it is in
	last   int64 // and of the last
	within int64 // in how many windows it is
	rows   int64
	cells  int64     // of keys, once it is passed
	t      *table[A] // nil once it is passed
}

// pane names a window of a key.
type pane struct {
	key   uint64
	start int64
}

// refire is a window that fires again because of a late element.
type refire struct {
	start int64
	panes int64 // that it has given
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func newSliced[K comparable, V, A, O any](o *Windowed[K, V, A, O], agg *aggregator[V, A, O], key *codec.Codec[K]) *sliced[K, V, A, O] {
	f := &sliced[K, V, A, O]{
		o: o, agg: agg, keys: newKeys(key), code: key, of: map[uint64]*slide[A]{}, again: map[pane]int64{},
		next: etime.Max, stop: etime.Max, w: etime.Min,
	}
	f.size, f.period, f.offset = o.spec.Assigner.(window.SlidingWindows).Micros()
	f.width = gcd(f.size, f.period)
	if o.spec.FinalOnly {
		f.grace = o.spec.Lateness
	}
	f.scatter.start(f.width, f.offset)
	if agg.batch == nil || agg.timed != nil || f.grace > 0 {
		f.scatter.usable = false // elements are added one by one, or slices do not pass at their ends
	}
	f.fresh = func(k uint64) A {
		f.keys.retain(k)
		return f.agg.c.Create()
	}
	return f
}

func (f *sliced[K, V, A, O]) rows(ks []K, vs []V, at, w []int64, win []window.Interval) {
	n := len(vs)
	if n == 0 {
		return
	}
	if cap(f.bits) < n {
		f.bits, f.slots = make([]uint64, n), make([]uint32, n)
	}
	bits := f.bits[:n]
	f.keys.resolve(ks[:n], bits)
	at, w = at[:n], w[:n]
	for i := 0; i < n; {
		f.o.at = i
		if w[i] >= f.stop {
			f.advance(w[i])
			f.o.emitted(w[i])
		}
		f.w = w[i]
		if at[i] < -farAway || at[i] > farAway {
			f.atTheEnds(ks[i:i+1], vs[i:i+1], at[i:i+1], w[i:i+1])
			i++
			continue
		}
		s := f.find(at[i])
		if s == nil || s.t == nil {
			f.behind(s, ks[i], bits[i], &vs[i], at[i])
			i++
			continue
		}
		j, next, width := i+1, f.stop, uint64(f.width)
		for j < n && uint64(at[j]-s.lo) < width && w[j] < next {
			j++
		}
		if j-i < shortRun && j < n && f.scatter.usable {
			if k := f.scattered(bits[i:], vs[i:], at[i:], w[i:]); k > 0 {
				i += k
				continue
			}
		}
		slots := f.slots[:j-i]
		f.o.lookup(s.t, bits[i:j], slots, f.fresh)
		f.agg.add(s.t.accs, slots, vs[i:j], at[i:j], &f.o.at)
		f.count(s, w[i:j])
		f.w = w[j-1]
		i = j
	}
}

// scattered takes in the first of the elements, as many as it can, slice by slice, and returns
// their number.
func (f *sliced[K, V, A, O]) scattered(bits []uint64, vs []V, at, w []int64) int {
	n := f.scatter.take(bits, vs, at, w, f.stop)
	f.scatter.each(func(lo int64, bits []uint64, vs []V) {
		s := f.find(lo)
		slots := f.slots[:len(vs)]
		f.o.lookup(s.t, bits, slots, f.fresh)
		f.agg.batch.AddBatch(s.t.accs, slots, vs)
		f.count(s, w[:len(vs)])
	})
	if n > 0 {
		f.w = w[n-1]
	}
	return n
}

// count books a run of elements that went into s, which is not passed: all windows that it is in
// have yet to fire.
func (f *sliced[K, V, A, O]) count(s *slice[A], w []int64) {
	n, rows := f.o.n, int64(len(w))
	s.rows += rows
	if f.o.values {
		f.o.held(rows)
	}
	n.Assigned += rows * s.within
	n.InWindow += rows * s.within
	if f.grace == 0 {
		return
	}
	for _, x := range w {
		if ended := x - f.size; x > -farAway && ended >= s.first { // windows that start up to there have ended
			n.LateKept += (min(ended, s.last)-s.first)/f.period + 1
		}
	}
}

// find gives the slice of an element, making it if it is not passed; nil if it would be, and is
// not there.
func (f *sliced[K, V, A, O]) find(t int64) *slice[A] {
	width := uint64(f.width)
	if s := f.last; s != nil && uint64(t-s.lo) < width {
		return s
	}
	if s := f.prev; s != nil && uint64(t-s.lo) < width {
		f.last, f.prev = s, f.last
		return s
	}
	s, i := f.search(t)
	if s == nil {
		if s = f.slice(t); s.due <= f.w {
			return nil
		}
		if last := len(f.tables) - 1; last >= 0 {
			s.t, f.tables = f.tables[last], f.tables[:last]
		} else {
			s.t = newTable[A](0)
		}
		f.insert(s, i)
		f.next, f.stop = min(f.next, s.due), min(f.stop, s.due)
	}
	f.last, f.prev = s, f.last
	return s
}

// search looks for the slice of t; if it is not there, i is where it would be.
func (f *sliced[K, V, A, O]) search(t int64) (s *slice[A], i int) {
	i = sort.Search(len(f.slices), func(i int) bool { return f.slices[i].lo+f.width > t })
	if i < len(f.slices) && f.slices[i].lo <= t {
		return f.slices[i], i
	}
	return nil, i
}

// slice describes the slice of t.
func (f *sliced[K, V, A, O]) slice(t int64) *slice[A] {
	lo := etime.Floor(t, f.width, f.offset)
	s := &slice[A]{lo: lo, due: lo + f.width + f.grace, last: etime.Floor(lo, f.period, f.offset)}
	// The first window that holds it is the first that ends at its end or later.
	s.first = etime.Floor(lo+f.width-f.size+f.period-1, f.period, f.offset)
	s.within = (s.last-s.first)/f.period + 1
	return s
}

// insert puts a slice at place i, and plans the windows that it is in.
func (f *sliced[K, V, A, O]) insert(s *slice[A], i int) {
	f.slices = append(f.slices, nil)
	copy(f.slices[i+1:], f.slices[i:])
	f.slices[i] = s
	if s.t == nil {
		f.passed++
		if i < f.left {
			f.left++
		}
	}
	first := s.first
	if f.w > -farAway { // the first one that has not fired
		if f.w > farAway {
			return
		}
		first = max(first, etime.Floor(f.w-f.size-f.grace, f.period, f.offset)+f.period)
	}
	if first <= s.last && (!f.firing || first < f.start) {
		f.firing, f.start = true, first
	}
	f.plan()
}

// plan sets next.
func (f *sliced[K, V, A, O]) plan() {
	f.next = etime.Max
	if f.passed < len(f.slices) {
		f.next = f.slices[f.passed].due
	}
	if f.firing {
		f.next = min(f.next, f.due(f.start))
	}
	f.halt()
}

// halt sets stop.
func (f *sliced[K, V, A, O]) halt() {
	if f.stop = f.next; f.passed > 0 {
		f.stop = min(f.stop, core.Expiry(f.due(f.slices[0].last), f.o.spec.lateness()))
	}
}

// due is when the window that starts at start fires on time.
func (f *sliced[K, V, A, O]) due(start int64) int64 { return start + f.size + f.grace }

// atTheEnds takes an element near the ends of time, where windows have no start or no end.
func (f *sliced[K, V, A, O]) atTheEnds(ks []K, vs []V, at, w []int64) {
	if f.far == nil {
		f.far = newCells(f.o, f.agg, newKeys(f.code))
	}
	i, places := f.o.at, f.o.places
	if places != nil {
		f.o.places = places[i:]
	}
	f.far.rows(ks, vs, at, w, nil)
	f.o.at, f.o.places = i, places
}

// behind takes an element whose slice is passed: for each of its windows it is on time, late or
// dropped (S4.3). s is its slice, if there is one.
func (f *sliced[K, V, A, O]) behind(s *slice[A], k K, bits uint64, v *V, t int64) {
	n, spec := f.o.n, f.o.spec
	known := s != nil
	if !known {
		s = f.slice(t)
	}
	f.missed, f.fired = f.missed[:0], f.fired[:0]
	in := int64(0)
	for start := s.first; start <= s.last; start += f.period {
		n.Assigned++
		switch core.Judge(f.w, f.due(start), spec.lateness()) {
		case core.Dropped:
			n.DroppedLate++
			f.missed = append(f.missed, window.FromMicros(start, start+f.size))
			continue
		case core.Kept:
			f.fired = append(f.fired, refire{start, f.panes(bits, start)})
		}
		in++
		if f.w >= start+f.size {
			n.LateKept++
		}
	}
	n.InWindow += in
	if in > 0 {
		i := 0
		if !known {
			_, i = f.search(t)
			f.insert(s, i)
			f.last, f.prev = s, f.last
		} else {
			_, i = f.search(s.lo)
		}
		s.rows++
		if i >= f.left {
			f.rowsSince++
		}
		d := f.slideOf(bits)
		before := len(d.pieces)
		d.add(f.agg, s.lo, v, t)
		fresh := int64(len(d.pieces) - before)
		if s.cells += fresh; f.o.values {
			fresh = 1
		}
		f.o.held(fresh)
	}
	for _, r := range f.fired {
		f.late(r, bits, v, t)
	}
	if len(f.missed) > 0 {
		f.o.emitted(f.w)
		f.o.miss(k, *v, t, f.w, f.missed)
	}
}

// panes is how many panes a window that has fired has given to a key.
func (f *sliced[K, V, A, O]) panes(bits uint64, start int64) int64 {
	if n, ok := f.again[pane{bits, start}]; ok {
		return n
	}
	if d := f.of[bits]; d != nil && d.holds(start, start+f.size) {
		return 1
	}
	return 0
}

// late gives the pane that a late element causes (S5.2).
func (f *sliced[K, V, A, O]) late(r refire, bits uint64, v *V, t int64) {
	acc := &f.agg.acc
	if f.o.spec.Discarding {
		*acc = f.agg.c.Create()
		f.agg.addOne(acc, v, t)
	} else {
		acc = f.of[bits].fold(f.agg, r.start, r.start+f.size)
	}
	numbers := core.Numbers{Panes: r.panes, NonEarly: r.panes}
	f.o.emitted(f.w)
	f.o.pane(f.agg, acc, f.keys.key(bits), window.FromMicros(r.start, r.start+f.size), r.start+f.size-1, numbers.Next(trigger.Late, false), f.w)
	f.o.n.Emitted++
	f.again[pane{bits, r.start}] = numbers.Panes
}

// slideOf gives a key's slide, a new one if it has none.
func (f *sliced[K, V, A, O]) slideOf(bits uint64) *slide[A] {
	// Slice after slice, keys come in much the same order: the next one saves the map.
	if f.hint >= len(f.slides) {
		f.hint = 0
	}
	if f.hint < len(f.slides) && f.slides[f.hint].key == bits {
		f.hint++
		return f.slides[f.hint-1]
	}
	d := f.of[bits]
	if d == nil {
		d = &slide[A]{key: bits}
		f.of[bits] = d
		f.slides = append(f.slides, d)
		f.keys.retain(bits)
	}
	return d
}

func (f *sliced[K, V, A, O]) advance(w int64) {
	if f.next <= w && f.next != etime.Max {
		f.o.emitted(f.w) // as far as the watermark had come before it made something due
	}
	for f.next <= w && f.next != etime.Max {
		// At one instant, slices pass before the window fires that they are in.
		if f.passed < len(f.slices) && f.slices[f.passed].due == f.next {
			f.pass(f.slices[f.passed])
		} else {
			f.fire(w == etime.Max)
		}
		f.plan()
	}
	f.w = max(f.w, w)
	f.forget()
	f.halt()
	if f.far != nil {
		f.far.advance(w)
	}
}

// pass hands what is in a slice to the slides of its keys.
func (f *sliced[K, V, A, O]) pass(s *slice[A]) {
	f.passed++
	f.rowsSince += s.rows
	s.cells = int64(s.t.n)
	for k, slot := range s.t.all {
		f.slideOf(k).push(f.agg, s.lo, s.t.accs[slot])
		f.keys.release(k)
	}
	if len(f.tables) < spareTables && s.t.reset() {
		f.tables = append(f.tables, s.t)
	}
	s.t = nil
}

// fire gives the panes of the window that is due, and finds the next one.
func (f *sliced[K, V, A, O]) fire(ended bool) {
	start := f.start
	for f.left < f.passed && f.slices[f.left].lo < start {
		f.rowsSince -= f.slices[f.left].rows
		f.left++
	}
	if f.rowsSince > 0 {
		f.o.n.Emitted += f.rowsSince
		win := window.FromMicros(start, start+f.size)
		p := trigger.Pane{Timing: trigger.OnTime, First: true, Last: ended || f.o.spec.lateness() == 0}
		for _, d := range f.slides {
			if acc := d.merged(f.agg, start); acc != nil {
				f.o.pane(f.agg, acc, f.keys.key(d.key), win, start+f.size-1, p, etime.Min)
			}
		}
	}
	f.firing = false
	for _, s := range f.slices[f.left:] {
		if s.last > start {
			f.firing, f.start = true, max(start+f.period, s.first)
			break
		}
	}
}

// forget drops the slices that only expired windows hold (S4.2), with what keys have in them.
func (f *sliced[K, V, A, O]) forget() {
	gone := 0
	for gone < f.passed && core.Expiry(f.due(f.slices[gone].last), f.o.spec.lateness()) <= f.w {
		gone++
	}
	if gone == 0 {
		return
	}
	for ; f.left < gone; f.left++ {
		f.rowsSince -= f.slices[f.left].rows
	}
	for _, s := range f.slices[:gone] {
		if f.o.values {
			f.o.held(-s.rows)
		} else {
			f.o.held(-s.cells)
		}
	}
	clear(f.slices[:gone])
	f.slices = f.slices[gone:]
	f.passed, f.left = f.passed-gone, f.left-gone
	f.last, f.prev = nil, nil
	from := etime.Max
	if f.passed > 0 {
		from = f.slices[0].lo
		// To go over all keys is only worth it now and then.
		if f.gone += gone; f.gone < f.passed/4 {
			return
		}
	}
	f.gone = 0
	kept := f.slides[:0]
	for _, d := range f.slides {
		if d.drop(from) {
			kept = append(kept, d)
			continue
		}
		delete(f.of, d.key)
		f.keys.release(d.key)
	}
	clear(f.slides[len(kept):])
	f.slides = kept
	for p := range f.again {
		if core.Expiry(f.due(p.start), f.o.spec.lateness()) <= f.w {
			delete(f.again, p)
		}
	}
}

// hold keeps the output watermark behind what final-only windows will still give; others give
// at the moment at which the watermark passes.
func (f *sliced[K, V, A, O]) hold() int64 {
	low := etime.Max
	if f.firing && f.grace > 0 {
		low = f.start + f.size - 1
	}
	if f.far != nil {
		low = min(low, f.far.hold())
	}
	return low
}

func (f *sliced[K, V, A, O]) clock(int64) int64 { return etime.Max }

func (f *sliced[K, V, A, O]) open() int64 { return f.o.n.InWindow - f.o.n.Emitted }

// sign implements windows.
func (f *sliced[K, V, A, O]) sign(minus bool) { f.agg.minus = minus }
