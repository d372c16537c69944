package run

import (
	"reflect"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// stateOf gives what a step has kept after elements with the keys and times given, in windows of
// ten microseconds, with an allowed lateness of five, as the watermark goes to w after each.
func stateOf[A, O any](t *testing.T, a window.Assigner, by combine.Combiner[int64, A, O], keys []int64, at, w []int64) (now []int64, peak int64) {
	t.Helper()
	prog, err := trigger.Compile(trigger.Default())
	if err != nil {
		t.Fatal(err)
	}
	key, err := codec.ForKey[int64]()
	if err != nil {
		t.Fatal(err)
	}
	spec := &Windowing{Assigner: a, Trigger: prog, Lateness: 5}
	n := &Counts{}
	o := &Windowed[int64, int64, A, O]{front: front[int64, int64]{op: op{n: n}, in: newInlet([]int{0})}, spec: spec}
	_, o.values = any(by).(combine.List[int64])
	o.outs = []outlet{&o.main, &o.failed, &o.late, &o.changes}
	switch kind, _ := spec.Kind(false); kind {
	case Flat:
		o.windows = newFlat(o, newAggregator(by), newKeys(key))
	case Sliced:
		o.windows = newSliced(o, newAggregator(by), key)
	default:
		o.windows = newCells(o, newAggregator(by), newKeys(key))
	}
	for _, e := range o.outs {
		e.start(0)
	}
	before := etime.Min
	for i := range at {
		o.Take(&KBatch[int64, int64]{K: keys[i : i+1], V: at[i : i+1], Cols: Cols{At: at[i : i+1], W: []int64{before}, Close: w[i]}})
		now, before = append(now, n.State), w[i]
	}
	peak = n.StatePeak
	o.Take(&KBatch[int64, int64]{Cols: Cols{W: []int64{}, Close: etime.Max}})
	if n.State != 0 {
		t.Errorf("%v: %d entries at the end of the input", a, n.State)
	}
	return now, peak
}

// The numbers are counted by hand.
func TestStateIsCountedInCellsSlicesOrElements(t *testing.T) {
	const µs = time.Microsecond
	keys := []int64{1, 2, 1, 1, 2, 1}
	at := []int64{3, 8, 4, 12, 9, 31}
	w := []int64{0, 0, 5, 12, 12, 31} // [0, 10) expires at 15, [10, 20) at 25
	sum := combine.Sum(combine.Self[int64])
	for _, c := range []struct {
		name string
		now  []int64
		peak int64
		run  func() ([]int64, int64)
	}{
		{"cells of fixed windows", []int64{1, 2, 2, 3, 3, 1}, 4,
			func() ([]int64, int64) { return stateOf(t, window.Fixed(10*µs), sum, keys, at, w) }},
		{"elements of fixed windows", []int64{1, 2, 3, 4, 5, 1}, 6,
			func() ([]int64, int64) { return stateOf(t, window.Fixed(10*µs), combine.List[int64]{}, keys, at, w) }},
		// Slices of 5: 3 and 4 are in one, 8 and 9 in another, in which are both keys' elements.
		{"slices of sliding windows", []int64{1, 2, 2, 3, 3, 1}, 4,
			func() ([]int64, int64) { return stateOf(t, window.Sliding(10*µs, 5*µs), sum, keys, at, w) }},
		// Sessions of 2: [3, 5) grows to [3, 6) and has expired when 12 has come and W is 12.
		{"sessions", []int64{1, 2, 2, 2, 2, 1}, 3,
			func() ([]int64, int64) { return stateOf(t, window.Session(2*µs), sum, keys, at, w) }},
	} {
		if now, peak := c.run(); !reflect.DeepEqual(now, c.now) || peak != c.peak {
			t.Errorf("%s: %v, at most %d, and not %v, at most %d", c.name, now, peak, c.now, c.peak)
		}
	}
}
