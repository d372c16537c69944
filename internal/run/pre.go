package run

import (
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// Part is what one worker has accumulated for a key and window before the exchange.
type Part[A any] struct {
	Acc    A
	Window window.Interval
	Rows   int64 // elements in it; the first part of a window stands for all of that window's
}

// pre accumulates before the exchange, so that it is not elements that travel but one part for
// each key and window, when the watermark comes to the window's end (S7.2). It does so for
// elements that are not behind the watermark, in windows whose first pane comes at their end
// or later: nobody can tell the difference. All others pass as they are (S4.5, S4.6).
type pre[K comparable, V, A, O any] struct {
	op
	in    *inlet
	local *flat[K, V, A, O]
	agg   *aggregator[V, A, O]

	raw   Out[KBatch[K, V]]
	parts Out[KBatch[K, Part[A]]]
	told  []int64 // by origin: the watermark that its last batch closed with
	off   bool    // it did not pay: everything passes
	lost  int     // windows in a row that did not pay

	task     *task
	behindIt string // the step that its parts go to

	now, behind KBatch[K, V]
	out         KBatch[K, Part[A]]
	from        int64 // the watermark that the parts of the batch at hand lie before
}

// PreOp makes the operators that accumulate before the exchange of a windowed step: output 0 are
// elements, 1 are parts. With one worker there is no exchange, and it hands everything on.
func PreOp[K comparable, V, A, O any](spec *Windowing, c combine.Combiner[V, A, O], key *codec.Codec[K]) Maker {
	return MakerFunc(func(p *Place) Ports {
		o := &pre[K, V, A, O]{op: newOp(p), in: newInlet(p.Origins[0]), agg: newAggregator(c)}
		ports := Ports{In: []any{Input[KBatch[K, V]](o)}, Out: []any{&o.raw, &o.parts}, Origins: [][]int{p.Origins[0], nil}}
		if p.Workers == 1 || p.replaced(spec) {
			ports.In[0] = Input[KBatch[K, V]](&through[K, V, A, O]{o})
			return ports
		}
		ports.Origins[1] = p.Origins[0]
		def, err := trigger.Compile(trigger.Default())
		if err != nil {
			panic(err)
		}
		// Windows are due at their ends here, whatever comes after.
		own := &Windowed[K, V, A, O]{front: front[K, V]{op: op{step: o.step, n: &Counts{}, unbooked: true}}, spec: &Windowing{Assigner: spec.Assigner, Trigger: def}}
		o.local = newFlat(own, o.agg, newKeys(key))
		o.local.given = o.give
		own.windows = o.local
		p.build.ops = append(p.build.ops, o)
		o.task = p.task
		for _, c := range p.build.graph.Consumers(p.Step, 0) {
			o.behindIt = c.Step.ID
		}
		p.task.fronts = append(p.task.fronts, o)
		return ports
	})
}

// replaced says whether somebody wants the panes of the step behind with retractions: then that
// step keeps a cell for each key and window, and takes elements only.
func (p *Place) replaced(spec *Windowing) bool {
	if spec.single() {
		return false
	}
	for _, c := range p.build.graph.Consumers(p.Step, 0) {
		if len(p.build.graph.Consumers(c.Step, 3)) > 0 {
			return true
		}
	}
	return false
}

// report books what a run that was stopped had accumulated and not let go of: it is open.
func (o *pre[K, V, A, O]) report(r *StepReport) {
	n := o.local.open()
	r.Counts.Assigned += n
	r.Counts.InWindow += n
	r.Counts.Open += n
}

// through is pre with one worker.
type through[K comparable, V, A, O any] struct{ o *pre[K, V, A, O] }

func (t *through[K, V, A, O]) Take(b *KBatch[K, V]) {
	t.o.n.In += int64(len(b.V))
	t.o.n.Kept += int64(len(b.V))
	t.o.raw.Give(b)
}

func (t *through[K, V, A, O]) borrows() bool { return t.o.raw.borrows() }

// borrows says so if the combiner does: of elements that pass, the exchange makes copies.
func (o *pre[K, V, A, O]) borrows() bool { return o.agg.borrows() }

func (o *pre[K, V, A, O]) Take(b *KBatch[K, V]) {
	defer o.caught(func(i int) any { return b.V[i] })
	o.n.In += int64(len(b.V))
	o.n.Kept += int64(len(b.V))
	for len(o.told) <= b.Origin {
		o.told = append(o.told, etime.Min)
	}
	o.from = o.told[b.Origin]
	o.told[b.Origin] = b.Close
	own, _ := o.in.column(&b.Cols)
	pass := b
	if !o.off {
		pass = &o.behind
		o.split(b, own)
	}
	w, _ := o.in.close(&b.Cols)
	if b.Idle && !o.off {
		// From here on the step's watermark may pass what this worker brings: nothing is kept back
		// any more, and what comes later is judged by the step itself.
		o.off, w = true, etime.Max
	}
	// Whatever is given in the meantime leaves the watermark where it was.
	o.out.Origin, o.out.Close, o.out.Idle, o.out.Drained, o.out.Ended, o.out.Clock = b.Origin, o.from, false, b.Drained, b.Ended || w == etime.Max, b.Clock
	o.local.advance(w)
	o.out.Close, o.out.Idle = b.Close, b.Idle
	o.send()
	o.raw.Give(pass)
}

// split accumulates the elements of b that are not behind the watermark and are no retractions,
// and leaves the others in o.behind.
func (o *pre[K, V, A, O]) split(b *KBatch[K, V], own []int64) {
	first := b.ahead()
	if takesBack(b.Pane) {
		first = 0
	}
	late := &o.behind
	late.K, late.V = late.K[:0], late.V[:0]
	late.Cols.reset(&b.Cols)
	if first == len(b.V) {
		o.local.rows(b.K, b.V, b.At, own, nil)
		return
	}
	now := &o.now
	now.K, now.V, now.At, now.W = append(now.K[:0], b.K[:first]...), append(now.V[:0], b.V[:first]...), append(now.At[:0], b.At[:first]...), append(now.W[:0], own[:first]...)
	for i := first; i < len(b.V); i++ {
		if b.carried(i) != etime.Min || b.Pane != nil && b.Pane[i].Retraction {
			late.K, late.V = append(late.K, b.K[i]), append(late.V, b.V[i])
			late.Cols.take(&b.Cols, i)
			continue
		}
		now.K, now.V, now.At, now.W = append(now.K, b.K[i]), append(now.V, b.V[i]), append(now.At, b.At[i]), append(now.W, own[i])
	}
	o.local.rows(now.K, now.V, now.At, now.W, nil)
}

// give lets go of the parts of a window. If there are nearly as many of them as elements it has not
// paid, and is not tried again once that happened to two windows in a row: one alone may be the
// first, of which the input had but the end.
func (o *pre[K, V, A, O]) give(fw *flatWindow[A]) {
	if o.lost++; int64(fw.t.n)*2 <= fw.rows || fw.t.n <= BatchParts {
		o.lost = 0
	}
	o.off = o.off || o.lost == 2
	rows, out := fw.rows, &o.out
	for keys, slots := range o.local.dueOf(fw) {
		var ks []K
		var vs []Part[A]
		out.K, ks = extend(out.K, len(keys))
		out.V, vs = extend(out.V, len(keys))
		for i, k := range keys {
			ks[i], vs[i] = o.local.keys.key(k), Part[A]{fw.t.accs[slots[i]], fw.iv, 0}
		}
		vs[0].Rows, rows = rows, 0
		out.At = appendSame(out.At, etime.Max, len(keys)) // a part is never behind a watermark
		out.W = appendSame(out.W, o.from, len(keys))
		if len(out.K) >= hopSize {
			o.send()
		}
	}
}

// send hands on the parts that have gathered.
func (o *pre[K, V, A, O]) send() {
	o.parts.Give(&o.out)
	clear(o.out.V)
	o.out.K, o.out.V, o.out.At, o.out.W = o.out.K[:0], o.out.V[:0], o.out.At[:0], o.out.W[:0]
}

// BatchParts is the number of keys in a window below which accumulating before the exchange is
// not judged by how much it saves.
const BatchParts = 1000

// parts is the input of a windowed step for what was accumulated before the exchange.
type parts[K comparable, V, A, O any] struct{ o *Windowed[K, V, A, O] }

func (in parts[K, V, A, O]) Take(b *KBatch[K, Part[A]]) {
	o := in.o
	defer o.caught(nil)
	cols := o.edges.merge(1, &b.Cols)
	own, _ := o.in.column(&cols)
	o.ending(&cols)
	f, _ := o.windows.(*flat[K, V, A, O])
	for i, n := 0, len(b.V); i < n; {
		j := i + 1
		for j < n && b.V[j].Window == b.V[i].Window && own[j] == own[i] {
			j++
		}
		o.settle(own[i])
		f.merge(b.K[i:j], b.V[i:j], own[i])
		i = j
	}
	o.finish(&cols)
}

// merge takes parts into their window, which is the same for all.
func (f *flat[K, V, A, O]) merge(ks []K, ps []Part[A], w int64) {
	if w >= f.next {
		f.step(w)
	}
	f.w = max(f.w, w)
	fw := f.at[ps[0].Window]
	if fw == nil {
		if fw = f.create(ps[0].Window); fw == nil {
			panic("strandline: invariant broken: a part came after its window had expired")
		}
	}
	bits, slots := f.numbers(len(ks))
	f.keys.resolve(ks, bits)
	f.o.lookup(fw.t, bits, slots, f.fresh)
	var rows int64
	for i := range ps {
		f.agg.c.Merge(&fw.t.accs[slots[i]], &ps[i].Acc)
		rows += ps[i].Rows
	}
	fw.rows += rows
	if f.o.unbooked {
		return
	}
	n := f.o.n
	n.In += rows
	n.Kept += rows
	n.Assigned += rows
	n.InWindow += rows
}
