package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/internal/oracle"
	"github.com/strandline-stream/strandline/watermark"
)

func TestRelationAPermutationWithinTheBoundChangesNoFinalValue(t *testing.T) { // M1
	holds(t, "permutation within the bound", func(c *Case, r *rand.Rand) (string, bool, error) {
		c.Guard, c.Batch = false, false
		c.Events = c.shuffled(r)
		other := *c
		other.Events = c.shuffled(r)
		if !c.steady() {
			return "", false, nil
		}
		a, b, err := both(c, &other)
		if err == nil && !(kept(a) && kept(b)) {
			return "something was dropped", true, nil
		}
		return c.sameFinals(a, b), true, err
	})
}

func TestRelationTheNumberOfWorkersChangesNothing(t *testing.T) { // M2
	holds(t, "1, 2, 3, 4 and 8 workers", func(c *Case, r *rand.Rand) (string, bool, error) {
		if c.Way >= Forked && !c.orderless() {
			c.Way = Direct
		}
		c.Simulate, c.Workers = false, 1
		one, err := c.Engine()
		for _, c.Workers = range []int{2, 3, 4, 8} {
			if err != nil {
				break
			}
			var many Answer
			if many, err = c.Engine(); err == nil {
				if diff := c.Compare(one, many); diff != "" {
					return diff, true, nil
				}
			}
		}
		return "", true, err
	})
}

func TestRelationBatchGivesTheFinalValuesOfStreaming(t *testing.T) { // M4
	holds(t, "batch and streaming", func(c *Case, r *rand.Rand) (string, bool, error) {
		if c.Batch = false; r.IntN(2) == 0 {
			c.Spec.Lateness = 1000 * 24 * 3600 * second
		}
		if !c.steady() || c.Spec.Window.Kind == oracle.Session && c.behind() {
			return "", false, nil
		}
		if k := c.Spec.Trigger.Kind; !c.Spec.FinalOnly && k != oracle.Default && k != oracle.Never && k != oracle.Repeat && k != oracle.Always && c.behind() {
			return "", false, nil // a trigger that may finish with the watermark
		}
		batch := *c
		batch.Batch = true
		a, b, err := both(c, &batch)
		if err == nil && !kept(b) {
			return "something was dropped in batch", true, nil
		}
		return c.sameFinals(a, b), kept(a), err
	})
}

// scattered deals the events out to splits, each in the order in which it was.
func (c *Case) scattered(r *rand.Rand, n int) connector.Source[Event] {
	parts := make([][]Event, n)
	for _, e := range c.Events {
		i := r.IntN(n)
		parts[i] = append(parts[i], e)
	}
	var s splits
	for i, p := range parts {
		s = append(s, memory.Slice(fmt.Sprint("part", i), p).Batch(c.Rows))
	}
	return s
}

type splits []connector.Source[Event]

func (s splits) Name() string  { return "splits" }
func (s splits) Bounded() bool { return true }

func (s splits) Splits(ctx context.Context) (all []connector.Split[Event], err error) {
	for _, p := range s {
		of, err := p.Splits(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	return all, nil
}

func TestRelationDealingTheInputOutToSplitsChangesNoFinalValue(t *testing.T) { // M5
	holds(t, "one split and several", func(c *Case, r *rand.Rand) (string, bool, error) {
		c.Events = c.shuffled(r) // nothing is late
		if !c.steady() {
			return "", false, nil
		}
		other := *c
		other.source = c.scattered(r, 1+r.IntN(6))
		a, b, err := both(c, &other)
		if err == nil && !(kept(a) && kept(b)) {
			return "something was dropped", true, nil
		}
		return c.sameFinals(a, b), true, err
	})
}

// slide gives the time by which windows repeat, 0 if they do not.
func (c *Case) slide() int64 {
	w := &c.Spec.Window
	switch w.Kind {
	case oracle.Fixed, oracle.Cumulative:
		return w.Size
	case oracle.Sliding:
		return w.Period
	case oracle.Global, oracle.Session:
		return second
	}
	if w.Days > 0 && w.Zone.String() == "UTC" {
		return int64(w.Days) * 24 * 3600 * second
	}
	return 0
}

// shifted gives the answer with every instant in it moved by d.
func (a Answer) shifted(d int64) Answer {
	move := func(t int64) int64 {
		if t < -1<<62 || t > 1<<62 {
			return t // the bounds of the global window
		}
		return t + d
	}
	out := Answer{Panes: map[string][]Pane{}, Ledger: a.Ledger}
	for k, panes := range a.Panes {
		var key string
		var lo, hi int64
		fmt.Sscan(k, &key, &lo, &hi)
		k = fmt.Sprintf("%s %d %d", key, move(lo), move(hi))
		for _, p := range panes {
			p.At = move(p.At)
			out.Panes[k] = append(out.Panes[k], p)
		}
	}
	for _, l := range a.Late {
		f := strings.Fields(strings.ReplaceAll(l, ",", " ,"))
		for i, x := range f {
			var t int64
			if _, err := fmt.Sscan(x, &t); err == nil && i > 0 {
				f[i] = fmt.Sprint(move(t))
			}
		}
		out.Late = append(out.Late, strings.ReplaceAll(strings.Join(f, " "), " ,", ","))
	}
	slices.Sort(out.Late)
	return out
}

func TestRelationShiftingAllTimesByTheSlideShiftsTheAnswer(t *testing.T) { // M7
	holds(t, "shift by multiples of the slide", func(c *Case, r *rand.Rand) (string, bool, error) {
		if c.slide() == 0 {
			return "", false, nil
		}
		d := c.slide() * (r.Int64N(2_000_000) - 1_000_000)
		moved := *c
		moved.Events = slices.Clone(c.Events)
		for i := range moved.Events {
			moved.Events[i].At += d
		}
		a, b, err := both(c, &moved)
		return c.Compare(a.shifted(d), b), true, err
	})
}

func TestRelationRenamingKeysRenamesTheAnswer(t *testing.T) { // M8
	holds(t, "renamed keys", func(c *Case, r *rand.Rand) (string, bool, error) {
		name := fmt.Sprintf("%x", r.Uint64())
		renamed := *c
		renamed.Events = slices.Clone(c.Events)
		for i := range renamed.Events {
			renamed.Events[i].Key = name + renamed.Events[i].Key
		}
		a, b, err := both(c, &renamed)
		back := Answer{Panes: map[string][]Pane{}, Late: b.Late, Ledger: b.Ledger}
		for k, p := range b.Panes {
			back.Panes[strings.TrimPrefix(k, name)] = p
		}
		return c.Compare(a, back), true, err
	})
}

func TestRelationRecordsThatAreTooLateChangeOnlyTheLateOutput(t *testing.T) { // M11
	holds(t, "records that are too late", func(c *Case, r *rand.Rand) (string, bool, error) {
		w := &c.Spec.Window
		if c.Guard, c.Batch = false, false; w.Kind == oracle.Global || w.Kind == oracle.Sliding && w.Period > w.Size {
			return "", false, nil
		}
		if c.Way >= Forked && !c.orderless() {
			c.Way = Direct
		}
		more := *c
		more.Events = nil
		extra := 0
		for i, e := range c.judged() {
			if i < len(c.Events) {
				if e.W != oracle.Before && r.IntN(4) == 0 {
					// More than any window is long, and lateness on top.
					at := e.W - c.Spec.Lateness - 400*24*3600*second - r.Int64N(1000*second)
					more.Events = append(more.Events, Event{Key: fmt.Sprintf("k%d", r.IntN(5)), At: at, N: int64(1000 + extra), Gap: second})
					extra++
				}
				more.Events = append(more.Events, c.Events[i])
			}
		}
		a, b, err := both(c, &more)
		var late []string
		missed := 0
		for _, l := range b.Late {
			var n int64
			if fmt.Sscan(l, &n); n >= 1000 {
				missed += strings.Count(l, ",") + 1
				continue
			}
			late = append(late, l)
		}
		if n := len(b.Late) - len(late); err == nil && n != extra {
			return fmt.Sprintf("%d of %d were late", n, extra), true, nil
		}
		b.Late = late
		b.Ledger.Assigned -= missed
		b.Ledger.DroppedLate -= missed
		return c.Compare(a, b), extra > 0, err
	})
}

// A watermark that is told less often comes later, and changes no final value.
func TestRelationTheCadenceOfTheWatermarkChangesNoFinalValue(t *testing.T) { // M12
	holds(t, "watermark cadence", func(c *Case, r *rand.Rand) (string, bool, error) {
		c.Guard, c.Batch = false, false
		if r.IntN(2) == 0 {
			c.Events = c.shuffled(r)
		}
		if !c.steady() || c.Spec.Window.Kind == oracle.Session && c.behind() {
			return "", false, nil
		}
		if k := c.Spec.Trigger.Kind; !c.Spec.FinalOnly && k != oracle.Default && k != oracle.Never && k != oracle.Repeat && k != oracle.Always && c.behind() {
			return "", false, nil // a trigger that may finish with the watermark
		}
		after := map[int64]int64{} // by number: the watermark behind the record
		high := oracle.Before
		for _, e := range c.Events {
			high = max(high, e.At)
			after[e.N] = high - c.Bound.Microseconds()
		}
		every := int64(2 + r.IntN(20))
		rare := *c
		rare.strategy = watermark.Punctuated(func(e *Event) (time.Time, bool) {
			return time.UnixMicro(after[e.N]), e.N%every == 0
		})
		a, b, err := both(c, &rare)
		return c.sameFinals(a, b), kept(a), err
	})
}
