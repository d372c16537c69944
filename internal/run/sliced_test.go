package run

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/codec"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// slidingCase is one aggregation over sliding windows with its input.
type slidingCase struct {
	size, period, offset int64
	spec                 Windowing
	batches              []KBatch[string, int64]
}

func (c *slidingCase) String() string {
	return fmt.Sprintf("%v, lateness %d, final only %v, discarding %v, %d batches", c.spec.Assigner, c.spec.Lateness, c.spec.FinalOnly, c.spec.Discarding, len(c.batches))
}

func randomSliding(r *rand.Rand, batch int) *slidingCase {
	c := &slidingCase{period: 1 + r.Int64N(6)}
	c.size = c.period + r.Int64N(20)
	if r.IntN(3) > 0 {
		c.size = c.period * (1 + r.Int64N(12))
	}
	c.offset = r.Int64N(7) - 3
	def, err := trigger.Compile(trigger.Default())
	if err != nil {
		panic(err)
	}
	us := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	c.spec = Windowing{
		Assigner: window.Sliding(us(c.size), us(c.period)).Offset(us(c.offset)), Trigger: def,
		Discarding: r.IntN(2) == 0, FinalOnly: r.IntN(3) == 0, NonEmpty: r.IntN(2) == 0,
	}
	if r.IntN(2) == 0 {
		c.spec.Lateness = r.Int64N(2 * c.size)
	}
	keys := 1 + r.IntN(4)
	disorder := 1 + r.Int64N(2*c.size)
	bound := r.Int64N(disorder + 1)
	now, high := r.Int64N(100)-50, int64(etime.Min)
	for range 1 + r.IntN(25) {
		var b KBatch[string, int64]
		for range r.IntN(batch) {
			switch r.IntN(40) {
			case 0:
				now += c.size * r.Int64N(5) // windows without anything between
			case 1:
				now += 1 << 40
			default:
				now += r.Int64N(3)
			}
			b.W = append(b.W, high)
			b.At = append(b.At, now-r.Int64N(disorder))
			b.K, b.V = append(b.K, fmt.Sprint("k", r.IntN(keys))), append(b.V, r.Int64N(100))
			high = max(high, b.At[len(b.At)-1]-bound)
		}
		b.Close = high
		c.batches = append(c.batches, b)
	}
	return ending(c)
}

// ending ends the input.
func ending(c *slidingCase) *slidingCase {
	c.batches = append(c.batches, KBatch[string, int64]{Cols: Cols{Close: etime.Max}})
	return c
}

// seen is an Input that writes down what it gets, a line each. Panes of one window that fire
// together are in no order.
type seen[T any] struct {
	text   func(v *T) string
	waters bool
	lines  []seenLine
}

type seenLine struct {
	group string
	line  string
}

func (s *seen[T]) Take(b *Batch[T]) {
	for i := range b.V {
		l := fmt.Sprintf("%s at %d in %v, %v", s.text(&b.V[i]), b.At[i], b.Win[i], b.Pane[i])
		if s.waters {
			l += fmt.Sprintf(", W %d, carried %d", b.W[i], b.carried(i))
		}
		group := ""
		if b.Pane[i].Timing == trigger.OnTime {
			group = b.Win[i].String()
		}
		s.lines = append(s.lines, seenLine{group, l})
	}
}

func (s *seen[T]) sorted() (lines []string) {
	for from := 0; from < len(s.lines); {
		to := from + 1
		for to < len(s.lines) && s.lines[from].group != "" && s.lines[to].group == s.lines[from].group {
			to++
		}
		slices.SortFunc(s.lines[from:to], func(a, b seenLine) int { return cmp.Compare(a.line, b.line) })
		for _, l := range s.lines[from:to] {
			lines = append(lines, l.line)
		}
		from = to
	}
	return lines
}

// outcome runs c with slices or with cells.
func outcome[A, O any](c *slidingCase, sliced bool, by combine.Combiner[int64, A, O], text func(O) string) (panes, late []string, n Counts) {
	key, err := codec.ForKey[string]()
	if err != nil {
		panic(err)
	}
	o := &Windowed[string, int64, A, O]{front: front[string, int64]{op: op{step: "test", n: &n}}, spec: &c.spec}
	o.in = newInlet([]int{0})
	o.outs = []outlet{&o.main, &o.failed, &o.late}
	for _, e := range o.outs {
		e.start(0)
	}
	// Cells hold the output watermark of final-only windows only for elements that were not
	// behind W; tables and slices for all.
	p := &seen[KV[string, O]]{text: func(v *KV[string, O]) string { return v.Key + " " + text(v.Value) }, waters: !c.spec.FinalOnly}
	l := &seen[Late[KV[string, int64]]]{text: func(v *Late[KV[string, int64]]) string {
		return fmt.Sprintf("%v at %d, W %d, missed %v", v.Value, v.At, v.W, v.Missed)
	}}
	o.main.out.to = append(o.main.out.to, p)
	o.late.out.to = append(o.late.out.to, l)
	if sliced {
		o.windows = newSliced(o, newAggregator(by), key)
	} else {
		o.windows = newCells(o, newAggregator(by), newKeys(key))
	}
	for i := range c.batches {
		b := c.batches[i]
		o.Take(&b)
	}
	return p.sorted(), l.sorted(), n
}

// sameAsCells compares the two.
func sameAsCells[A, O any](t *testing.T, c *slidingCase, by combine.Combiner[int64, A, O], text func(O) string) {
	t.Helper()
	panes, late, n := outcome(c, true, by, text)
	wantPanes, wantLate, want := outcome(c, false, by, text)
	diff := func(what string, got, want []string) {
		for i := range max(len(got), len(want)) {
			g, w := "nothing", "nothing"
			if i < len(got) {
				g = got[i]
			}
			if i < len(want) {
				w = want[i]
			}
			if g != w {
				t.Fatalf("%v: %s %d:\n slices give %s\n cells give  %s", c, what, i, g, w)
			}
		}
	}
	diff("pane", panes, wantPanes)
	diff("late record", late, wantLate)
	if n.State != 0 || want.State != 0 {
		t.Fatalf("%v: at the end of the input, slices keep %d entries and cells %d", c, n.State, want.State)
	}
	n.StatePeak, want.StatePeak = 0, 0 // an entry is one of a slice or of a window
	if n != want {
		t.Fatalf("%v: the ledger\n of slices is %+v\n of cells is  %+v", c, n, want)
	}
}

func TestSlicesGiveWhatACellForEachWindowGives(t *testing.T) {
	number := func(n int64) string { return fmt.Sprint(n) }
	r := rand.New(rand.NewPCG(7, 11))
	used, late, again := 0, int64(0), int64(0)
	for range 250 {
		batch := []int{2, 8, 60}[r.IntN(3)]
		c := randomSliding(r, batch)
		if kind, _ := c.spec.Kind(false); kind != Sliced {
			continue
		}
		used++
		sameAsCells(t, c, combine.Sum(func(v *int64) int64 { return *v }), number)
		sameAsCells(t, c, combine.Max(func(v *int64) int64 { return *v }), number)
		sameAsCells(t, c, combine.List[int64]{}, func(l []int64) string {
			slices.Sort(l) // a list is compared as a multiset (S7.4)
			return fmt.Sprint(l)
		})
		_, _, n := outcome(c, true, combine.Count[int64](), number)
		late += n.DroppedLate
		again += n.LateKept
	}
	if used < 150 || late == 0 || again == 0 {
		t.Errorf("%d cases with %d dropped and %d late assignments do not tell much", used, late, again)
	}
}

func TestAnElementCostsOneSliceHoweverManyWindowsItIsIn(t *testing.T) {
	key, err := codec.ForKey[int64]()
	if err != nil {
		t.Fatal(err)
	}
	def, _ := trigger.Compile(trigger.Default())
	spec := &Windowing{Assigner: window.Sliding(time.Hour, time.Second), Trigger: def}
	n := &Counts{}
	o := &Windowed[int64, int64, int64, int64]{front: front[int64, int64]{op: op{n: n}}, spec: spec}
	f := newSliced(o, newAggregator(combine.Count[int64]()), key)
	o.windows = f
	f.rows([]int64{1}, []int64{1}, []int64{0}, []int64{etime.Min}, nil)
	if len(f.slices) != 1 || f.slices[0].t.n != 1 || n.Assigned != 3600 {
		t.Errorf("%d slices, %d assignments, want 1 slice and 3600 assignments", len(f.slices), n.Assigned)
	}
}

func TestSlidesAreForgottenWithTheLastWindowThatHoldsThem(t *testing.T) {
	key, _ := codec.ForKey[string]()
	def, _ := trigger.Compile(trigger.Default())
	for _, lateness := range []int64{0, 4} {
		spec := &Windowing{Assigner: window.Sliding(10*time.Microsecond, 5*time.Microsecond), Trigger: def, Lateness: lateness}
		o := &Windowed[string, int64, int64, int64]{front: front[string, int64]{op: op{n: &Counts{}}}, spec: spec}
		f := newSliced(o, newAggregator(combine.Count[int64]()), key)
		o.windows = f
		// At 7: in [0, 10) and [5, 15).
		f.rows([]string{"a"}, []int64{1}, []int64{7}, []int64{etime.Min}, nil)
		f.advance(14 + lateness)
		if len(f.slides) != 1 || f.keys.ids.Len() != 1 {
			t.Errorf("lateness %d: %d slides and %d keys before the last window expires, want 1 and 1", lateness, len(f.slides), f.keys.ids.Len())
		}
		f.advance(15 + lateness)
		if len(f.slides) != 0 || len(f.slices) != 0 || f.keys.ids.Len() != 0 {
			t.Errorf("lateness %d: %d slides, %d slices and %d keys are left", lateness, len(f.slides), len(f.slices), f.keys.ids.Len())
		}
	}
}

func TestSlicesReachTheEndsOfTime(t *testing.T) {
	def, _ := trigger.Compile(trigger.Default())
	c := &slidingCase{spec: Windowing{Assigner: window.Sliding(10*time.Microsecond, 5*time.Microsecond), Trigger: def}}
	at := []int64{etime.Max - 1, 7, etime.Min + 20}
	c.batches = []KBatch[string, int64]{{K: []string{"a", "b", "c"}, V: []int64{1, 2, 3}, Cols: Cols{At: at, W: []int64{etime.Min, etime.Min, etime.Min}, Close: etime.Min}}}
	ending(c)
	sum := combine.Sum(func(v *int64) int64 { return *v })
	panes, _, n := outcome(c, true, sum, func(n int64) string { return fmt.Sprint(n) })
	want, _, wantN := outcome(c, false, sum, func(n int64) string { return fmt.Sprint(n) })
	n.StatePeak, wantN.StatePeak = 0, 0 // an entry is one of a slice or of a window
	slices.Sort(panes)
	slices.Sort(want)
	if !slices.Equal(panes, want) || n != wantN {
		t.Errorf("got\n%q\nwant\n%q", panes, want)
	}
}
