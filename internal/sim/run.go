package sim

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/internal/oracle"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/internal/trial"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Answer is what came out, in a form that can be compared: the panes of each key and window, in
// order; a line for each late record; the ledger.
type Answer struct {
	Panes  map[string][]Pane
	Late   []string
	Ledger oracle.Ledger

	parallel bool // elements of one key could overtake one another on the way
}

// Oracle gives the oracle's answer.
func (c *Case) Oracle() Answer {
	res := oracle.Evaluate(c.Spec, c.judged())
	a := Answer{Panes: map[string][]Pane{}, Ledger: res.Ledger}
	for _, p := range res.Panes {
		at := p.At
		if p.Window.End == oracle.After && at == oracle.After {
			at-- // the engine stamps the global window with its last instant
		}
		key := fmt.Sprintf("%s %d %d", p.Key, p.Window.Start, p.Window.End)
		timing := map[oracle.Timing]string{oracle.Early: "early", oracle.OnTime: "on time", oracle.Late: "late"}[p.Timing]
		a.Panes[key] = append(a.Panes[key], Pane{slices.Sorted(slices.Values(p.Values)), at, timing, int64(p.Index), int64(p.NonEarly), p.First, p.Last, p.Retraction})
	}
	for _, l := range res.Late {
		var missed []string
		for _, w := range l.Missed {
			missed = append(missed, fmt.Sprint(w.Start, " ", w.End))
		}
		a.Late = append(a.Late, fmt.Sprint(l.Event, " at ", l.W, " missed ", strings.Join(missed, ", ")))
	}
	slices.Sort(a.Late)
	return a
}

// Pane is a pane with the numbers of the elements in it, in no order.
type Pane struct {
	Values          []int64
	At              int64
	Timing          string
	Index, NonEarly int64
	First, Last     bool
	Retraction      bool
}

func (p Pane) String() string {
	if p.Retraction {
		p.Retraction = false
		return "retraction of " + p.String()
	}
	return fmt.Sprintf("%v at %d %s index %d/%d first %t last %t", p.Values, p.At, p.Timing, p.Index, p.NonEarly, p.First, p.Last)
}

// together takes late panes into one. Elements of one verdict that came by several paths reach
// their window in any order: which late pane has which is not decided, what they have is.
func together(panes []Pane, accumulating bool) []Pane {
	var all []Pane
	for i, p := range panes {
		if p.Timing != "late" || i == 0 || panes[i-1].Timing != "late" {
			all = append(all, p)
			continue
		}
		last := &all[len(all)-1]
		if accumulating {
			last.Values = nil
		}
		last.Values = slices.Sorted(slices.Values(append(slices.Clone(last.Values), p.Values...)))
		last.Index, last.NonEarly, last.Last = p.Index, p.NonEarly, p.Last
	}
	return all
}

// reading gives what is read, and its watermark.
func (c *Case) reading() (connector.Source[Event], watermark.Strategy) {
	var source connector.Source[Event] = memory.Slice("events", c.Events).Batch(c.Rows)
	if c.source != nil {
		source = c.source
	}
	bounded := watermark.Bounded(c.Bound)
	switch {
	case c.strategy != nil:
		return source, c.strategy
	case c.Guard:
		return source, bounded
	}
	return source, bounded.NoGuard()
}

// way puts what lies between reader and window behind the reader.
func (c *Case) way(in strandline.PCollection[Event]) strandline.PCollection[Event] {
	switch c.Way {
	case Filtered:
		in = in.Filter("drop", func(e *Event) bool { return !e.Drop })
	case Forked:
		even := in.Filter("even", func(e *Event) bool { return e.N%2 == 0 }).Map("longer", func(e *Event) Event { return *e })
		odd := in.Filter("odd", func(e *Event) bool { return e.N%2 == 1 })
		in = strandline.Flatten("both", even, odd)
	case Reshuffled:
		in = in.Reshuffle("spread")
	case Twice:
		in = in.Reshuffle("spread").Map("same", func(e *Event) Event { return *e }).Reshuffle("again")
	}
	return in
}

// keyed reads the input by the case's way and windows it.
func (c *Case) keyed(p *strandline.Pipeline) strandline.Keyed[string, Event] {
	source, strategy := c.reading()
	in := c.way(strandline.ReadMicros(p, source, strategy, func(e *Event) int64 { return e.At }))
	return windowed(c, in.KeyBy("key", func(e *Event) string { return e.Key }), func(e *Event) int64 { return e.Gap })
}

// windowed gives values the windows of a case, and gap those of each its own.
func windowed[V any](c *Case, keyed strandline.Keyed[string, V], gap func(*V) int64) strandline.Keyed[string, V] {
	if c.Spec.Window.Each {
		keyed = keyed.SessionBy("gap", func(_ string, v *V) time.Duration { return time.Duration(gap(v)) * time.Microsecond })
	} else {
		keyed = keyed.WindowInto(c.Windows)
	}
	keyed = keyed.Trigger(c.Trigger).
		AllowedLateness(time.Duration(c.Spec.Lateness) * time.Microsecond).OutputTime(c.Output)
	if !c.Spec.Accumulating {
		keyed = keyed.Discarding()
	}
	if c.Spec.Retracting {
		keyed = keyed.Retracting()
	}
	if c.Spec.FinalOnly {
		keyed = keyed.FinalOnly()
	}
	if c.Spec.OnlyIfNonEmpty {
		keyed = keyed.OnlyIfNonEmpty()
	}
	if c.Spec.EmptyLast {
		keyed = keyed.EmptyLastPanes()
	}
	return keyed
}

// options are those of the case's run.
func (c *Case) options() []strandline.Option {
	opts := []strandline.Option{strandline.Workers(c.Workers)}
	if c.Seed%4 == 0 { // it takes as long again
		opts = append(opts, trial.Audited)
	}
	if c.Batch {
		opts = append(opts, strandline.Batch())
	}
	if c.Simulate {
		opts = append(opts, func(o *run.Options) { o.Simulate = rand.New(rand.NewPCG(c.Seed, 11)) })
	}
	return opts
}

// Engine gives the engine's answer.
func (c *Case) Engine() (Answer, error) {
	a := Answer{Panes: map[string][]Pane{}, parallel: c.parallel()}
	p := strandline.New("case")
	keyed := c.keyed(p)
	pane := func(x strandline.Pane[strandline.KV[string, []int64]]) {
		lo, hi := x.Window.Micros()
		key := fmt.Sprintf("%s %d %d", x.Value.Key, lo, hi)
		a.Panes[key] = append(a.Panes[key], Pane{slices.Sorted(slices.Values(x.Value.Value)), x.Time.UnixMicro(), x.Timing.String(), x.Index, x.NonEarly, x.First, x.Last, x.Retraction})
	}
	late := func(x strandline.Pane[strandline.Late[Event]]) {
		missed := slices.SortedFunc(slices.Values(x.Value.Missed), func(a, b window.Interval) int {
			return cmp.Or(cmp.Compare(a.Hi(), b.Hi()), cmp.Compare(a.Lo(), b.Lo()))
		})
		var text []string
		for _, w := range missed {
			text = append(text, fmt.Sprint(w.Lo(), " ", w.Hi()))
		}
		a.Late = append(a.Late, fmt.Sprint(x.Value.Value.N, " at ", x.Value.Watermark.UnixMicro(), " missed ", strings.Join(text, ", ")))
	}
	same := func(l strandline.Late[Event]) strandline.Late[Event] { return l }
	if c.Seed%2 == 0 {
		lists := strandline.GroupByKey("lists", keyed)
		strandline.Each(lists.PCollection, "panes", func(x strandline.Pane[strandline.KV[string, []Event]]) {
			var ns []int64
			for _, e := range x.Value.Value {
				ns = append(ns, e.N)
			}
			pane(strandline.Pane[strandline.KV[string, []int64]]{Value: strandline.KV[string, []int64]{Key: x.Value.Key, Value: ns}, Time: x.Time, Window: x.Window, Pane: x.Pane})
		})
		strandline.Each(lists.OnLate(same), "late", late)
	} else {
		// A combiner that the engine does not know may be accumulated before the exchange.
		numbers := keyed.CombinePerKey("numbers", combine.Func[Event, []int64, []int64]{
			CreateFn:   func() []int64 { return nil },
			AddFn:      func(acc *[]int64, e *Event) { *acc = append(*acc, e.N) },
			MergeFn:    func(acc, other *[]int64) { *acc = append(*acc, *other...) },
			ExtractFn:  func(acc *[]int64) ([]int64, error) { return slices.Clone(*acc), nil },
			CloneFn:    func(acc *[]int64) []int64 { return slices.Clone(*acc) },
			HasNeutral: true,
		})
		strandline.Each(numbers.PCollection, "panes", pane)
		strandline.Each(numbers.OnLate(same), "late", late)
	}
	report, err := p.Run(context.Background(), c.options()...)
	for _, s := range report.Steps {
		if s.Windowed {
			n := s.Counts
			a.Ledger = oracle.Ledger{Assigned: int(n.Assigned), InWindow: int(n.InWindow), Gap: int(n.Gap), DroppedLate: int(n.DroppedLate),
				Closed: int(n.Closed), Emitted: int(n.Emitted), Open: int(n.Open), LateButKept: int(n.LateKept)}
			if err == nil && n.State != 0 {
				err = fmt.Errorf("step %q keeps %d entries of state at the end of its input", s.ID, n.State)
			}
		}
	}
	slices.Sort(a.Late)
	return a, err
}

// Compare says in which way the engine's answer is not the oracle's; "" if it is.
func (c *Case) Compare(want, got Answer) string {
	var diff []string
	add := func(format string, args ...any) { diff = append(diff, fmt.Sprintf(format, args...)) }
	keys := map[string]bool{}
	for k := range want.Panes {
		keys[k] = true
	}
	for k := range got.Panes {
		keys[k] = true
	}
	for _, k := range slices.Sorted(func(yield func(string) bool) {
		for k := range keys {
			if !yield(k) {
				return
			}
		}
	}) {
		a, b := want.Panes[k], got.Panes[k]
		if want.parallel || got.parallel {
			a, b = together(a, c.Spec.Accumulating), together(b, c.Spec.Accumulating)
		}
		if wa, gb := text(a), text(b); wa != gb {
			add("%s:\n  want %s\n  got  %s", k, wa, gb)
		}
	}
	if !slices.Equal(want.Late, got.Late) {
		add("late:\n  want %s\n  got  %s", strings.Join(want.Late, "\n       "), strings.Join(got.Late, "\n       "))
	}
	if want.Ledger != got.Ledger {
		add("ledger:\n  want %+v\n  got  %+v", want.Ledger, got.Ledger)
	}
	return strings.Join(diff, "\n")
}

func text(panes []Pane) string {
	var lines []string
	for _, p := range panes {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n       ")
}
