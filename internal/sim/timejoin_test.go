package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/oracle"
	"github.com/strandline-stream/strandline/window"
)

// timeCase is a random input of a step that goes by event time and not by windows. It takes its
// input and the way to the step from a Case, and nothing else.
type timeCase struct {
	*Case
	r      *rand.Rand
	unit   int64
	right  []bool // by number: the side of the event
	size   int64  // of the windows behind the step
	got    []string
	late   []string
	behind []string // what is late behind the step
	step   string   // its parameters, for the message
	report *strandline.Report
}

func newTimeCase(seed uint64) *timeCase {
	c := &timeCase{Case: New(seed), r: rand.New(rand.NewPCG(seed, 13)), unit: second}
	if c.Spec.Window.Kind == oracle.Calendar {
		c.unit *= 5 * 3600
	}
	c.size = (1 + c.r.Int64N(12)) * c.unit
	for i := range c.Events {
		c.right = append(c.right, c.r.IntN(2) == 0)
		if i > 0 && c.r.IntN(8) == 0 {
			c.Events[i].At = c.Events[c.r.IntN(i)].At // ties are rare otherwise
		}
	}
	return c
}

// anyWay draws the way anew: the order in which elements of one verdict arrive must not show.
func (c *timeCase) anyWay() {
	c.Way = Way(c.r.IntN(int(ways)))
	for i := range c.Events {
		c.Events[i].Drop = c.Way == Filtered && c.r.IntN(4) == 0
	}
}

// at gives a number of units as a duration.
func (c *timeCase) at(n int64) time.Duration { return time.Duration(n*c.unit) * time.Microsecond }

// sides reads the input into the two sides.
func (c *timeCase) sides(p *strandline.Pipeline) (left, right strandline.Keyed[string, Event]) {
	source, strategy := c.reading()
	in := c.way(strandline.ReadMicros(p, source, strategy, func(e *Event) int64 { return e.At }))
	side := func(name string, right bool) strandline.Keyed[string, Event] {
		return in.Filter(name, func(e *Event) bool { return c.right[e.N] == right }).KeyBy("by "+name, func(e *Event) string { return e.Key }).
			AllowedLateness(time.Duration(c.Spec.Lateness) * time.Microsecond)
	}
	return side("left", false), side("right", true)
}

// gather runs p and takes down what results, with its time, and what of it is late behind the step.
func (c *timeCase) gather(p *strandline.Pipeline, results strandline.PCollection[string]) error {
	strandline.Each(results, "results", func(x strandline.Pane[string]) {
		c.got = append(c.got, fmt.Sprintf("%s at %d", x.Value, x.Time.UnixMicro()))
	})
	again := results.KeyByValue("by text", func(s string) string { return s }).WindowInto(window.Fixed(c.at(c.size/c.unit))).CombinePerKey("count", combine.Count[string]())
	strandline.Each(again.OnLate(func(l strandline.Late[string]) string { return l.Value }), "late again", func(x strandline.Pane[string]) { c.behind = append(c.behind, x.Value) })
	report, err := p.Run(context.Background(), c.options()...)
	c.report = report
	return err
}

func (c *timeCase) joined(j strandline.Joined[string, Event, Event, string], p *strandline.Pipeline) error {
	side := func(name string) func(strandline.Late[Event]) string {
		return func(l strandline.Late[Event]) string {
			lo, hi := l.Missed[0].Micros()
			return fmt.Sprintf("%s %d behind %d missed %d to %d", name, l.Value.N, l.Watermark.UnixMicro(), lo, hi)
		}
	}
	strandline.Each(j.OnLate(side("left"), side("right")), "late", func(x strandline.Pane[string]) { c.late = append(c.late, x.Value) })
	return c.gather(p, j.PCollection)
}

// over says whether a result at t that was made when the watermark was w is too late for its window.
func (c *timeCase) over(t, w int64) bool {
	return t < w && etime.Floor(t, c.size, 0)+c.size <= w
}

// admitted gives the events of the case with the watermark before them, without those that are
// filtered; in says which are in time.
func (c *timeCase) admitted() (events []oracle.Event, in []bool) {
	for _, e := range c.judged() {
		if !e.Mark {
			events = append(events, e)
			in = append(in, e.W == oracle.Before || e.At >= e.W-c.Spec.Lateness)
		}
	}
	return events, in
}

// differs compares what came with what should have.
func (c *timeCase) differs(results, late, behind []string) string {
	var diff []string
	for _, x := range []struct {
		what      string
		got, want []string
	}{{"results", c.got, results}, {"late", c.late, late}, {"late behind the step", c.behind, behind}} {
		slices.Sort(x.got)
		slices.Sort(x.want)
		if !slices.Equal(x.got, x.want) {
			diff = append(diff, fmt.Sprintf("%s:\n  want %s\n  got  %s", x.what, strings.Join(x.want, "\n       "), strings.Join(x.got, "\n       ")))
		}
	}
	return strings.Join(diff, "\n")
}

// eachTimeCase tries random cases until three have failed.
func eachTimeCase(t *testing.T, try func(c *timeCase) (diff string, err error)) {
	n, until := cases(t)
	from, alone := first(t)
	if alone {
		n = 1
	}
	bad, done := 0, 0
	for seed := from; seed < from+n && bad < 3 && (until.IsZero() || time.Now().Before(until)); seed++ {
		c := newTimeCase(seed)
		done++
		diff, err := try(c)
		if err != nil {
			diff = err.Error()
		}
		if diff != "" {
			t.Errorf("STRANDLINE_SEED=%d go test -run %s ./internal/sim\n%v, %s:\n%s", seed, t.Name(), c.Case, c.step, diff)
			bad++
		}
		if alone {
			for _, e := range c.Events {
				t.Logf("%s %d at %d right %t drop %t", e.Key, e.N, e.At/c.unit, c.right[e.N], e.Drop)
			}
		}
	}
	t.Attr("cases", strconv.Itoa(done))
}

// interval draws the bounds of an interval join, in units.
func (c *timeCase) interval() (lo, hi int64) {
	lo = c.r.Int64N(30) - 15
	hi = lo + c.r.Int64N(20)
	c.step = fmt.Sprintf("from %d to %d units", lo, hi)
	return lo, hi
}

func intervalJoin(c *timeCase, lo, hi int64) error {
	p := strandline.New("interval")
	left, right := c.sides(p)
	return c.joined(left.IntervalJoin("join", right, c.at(lo), c.at(hi), func(k string, l, r *Event) string {
		return fmt.Sprintf("%s %d-%d", k, l.N, r.N)
	}), p)
}

func TestRandomIntervalJoinsGiveThePairsOfANestedLoop(t *testing.T) { // S10.3
	pairs, lateAgain := 0, 0
	eachTimeCase(t, func(c *timeCase) (string, error) {
		c.anyWay()
		lo, hi := c.interval()
		err := intervalJoin(c, lo, hi)
		lo, hi = lo*c.unit, hi*c.unit
		var results, late, behind []string
		events, in := c.admitted()
		for i, e := range events {
			if !in[i] && c.right[e.Value] {
				late = append(late, fmt.Sprintf("right %d behind %d missed %d to %d", e.Value, e.W, e.At-hi, e.At-lo+1))
			} else if !in[i] {
				late = append(late, fmt.Sprintf("left %d behind %d missed %d to %d", e.Value, e.W, e.At+lo, e.At+hi+1))
			}
			for j, f := range events {
				if !in[i] || !in[j] || c.right[e.Value] || !c.right[f.Value] || e.Key != f.Key || f.At-e.At < lo || f.At-e.At > hi {
					continue
				}
				text := fmt.Sprintf("%s %d-%d", e.Key, e.Value, f.Value)
				at := max(e.At, f.At)
				results = append(results, fmt.Sprintf("%s at %d", text, at))
				if c.over(at, max(e.W, f.W)) {
					behind = append(behind, text)
				}
			}
		}
		pairs += len(results)
		lateAgain += len(behind)
		return c.differs(results, late, behind), err
	})
	t.Logf("%d pairs, %d of them late behind the join", pairs, lateAgain)
}

func TestRandomIntervalJoinsOfSeveralSplitsGiveAllPairsThatAreNotLate(t *testing.T) { // S10.3
	eachTimeCase(t, func(c *timeCase) (string, error) {
		c.Batch = false
		c.anyWay()
		c.source = c.scattered(c.r, 1+c.r.IntN(5))
		lo, hi := c.interval()
		err := intervalJoin(c, lo, hi)
		missed := map[int64]bool{} // which are late depends on how the splits interleave, and on nothing else
		for _, l := range c.late {
			var side string
			var n int64
			if _, err := fmt.Sscan(l, &side, &n); err != nil {
				return l, err
			}
			missed[n] = true
		}
		var results []string
		for _, e := range c.Events {
			for _, f := range c.Events {
				if apart := f.At - e.At; !c.right[e.N] && c.right[f.N] && e.Key == f.Key && apart >= lo*c.unit && apart <= hi*c.unit &&
					!missed[e.N] && !missed[f.N] && !e.Drop && !f.Drop {
					results = append(results, fmt.Sprintf("%s %d-%d at %d", e.Key, e.N, f.N, max(e.At, f.At)))
				}
			}
		}
		return c.differs(results, c.late, c.behind), err
	})
}

func asOfJoin(c *timeCase) error {
	p := strandline.New("as of")
	left, right := c.sides(p)
	return c.joined(left.AsOfJoin("join", right, func(k string, l, r *Event) string {
		if r == nil {
			return fmt.Sprintf("%s %d-none", k, l.N)
		}
		return fmt.Sprintf("%s %d-%d", k, l.N, r.N)
	}), p)
}

func TestRandomAsOfJoinsFindTheVersionThatALinearSearchFinds(t *testing.T) { // S10.4
	matched, lateAgain := 0, 0
	eachTimeCase(t, func(c *timeCase) (string, error) {
		c.anyWay()
		err := asOfJoin(c)
		var results, late, behind []string
		events, in := c.admitted()
		for i, e := range events {
			if c.right[e.Value] {
				if !in[i] {
					late = append(late, fmt.Sprintf("right %d behind %d missed %d to %d", e.Value, e.W, e.At, etime.Max))
				}
				continue
			}
			if !in[i] {
				late = append(late, fmt.Sprintf("left %d behind %d missed %d to %d", e.Value, e.W, etime.Min, e.At+1))
				continue
			}
			text := fmt.Sprintf("%s %d-none", e.Key, e.Value)
			best := oracle.Event{At: etime.Min}
			for j, f := range events {
				// What came while the watermark had passed neither the left's time nor its verdict;
				// of one time the greatest by encoding, which is the greatest number.
				if in[j] && c.right[f.Value] && f.Key == e.Key && f.At <= e.At && f.W <= max(e.At, e.W) &&
					(f.At > best.At || f.At == best.At && f.Value > best.Value) {
					best, text = f, fmt.Sprintf("%s %d-%d", e.Key, e.Value, f.Value)
				}
			}
			if best.At > etime.Min {
				matched++
			}
			results = append(results, fmt.Sprintf("%s at %d", text, e.At))
			if c.over(e.At, e.W) {
				behind = append(behind, text)
			}
		}
		lateAgain += len(behind)
		return c.differs(results, late, behind), err
	})
	t.Logf("%d matched, %d late behind the join", matched, lateAgain)
}

func TestRandomAsOfJoinsOfSeveralSplitsGoByEventTimeAlone(t *testing.T) { // S10.4
	eachTimeCase(t, func(c *timeCase) (string, error) {
		c.Guard = false
		c.anyWay()
		c.Events = c.shuffled(c.r) // nothing is behind the watermark
		c.source = c.scattered(c.r, 1+c.r.IntN(5))
		err := asOfJoin(c)
		var results []string
		for _, e := range c.Events {
			if c.right[e.N] || e.Drop {
				continue
			}
			text, best := fmt.Sprintf("%s %d-none at %d", e.Key, e.N, e.At), Event{At: etime.Min}
			for _, f := range c.Events {
				if c.right[f.N] && f.Key == e.Key && f.At <= e.At && (f.At > best.At || f.At == best.At && f.N > best.N) && !f.Drop {
					best, text = f, fmt.Sprintf("%s %d-%d at %d", e.Key, e.N, f.N, e.At)
				}
			}
			results = append(results, text)
		}
		return c.differs(results, nil, nil), err
	})
}

func TestRandomDeduplicationsKeepTheFirstToArrive(t *testing.T) { // S10.5
	repeats := int64(0)
	eachTimeCase(t, func(c *timeCase) (string, error) {
		if c.Way != Filtered {
			c.Way = Direct // so that the order of arrival is that of reading
		}
		horizon := 1 + c.r.Int64N(30)
		p := strandline.New("dedup")
		source, strategy := c.reading()
		in := c.way(strandline.ReadMicros(p, source, strategy, func(e *Event) int64 { return e.At }))
		first := in.KeyBy("key", func(e *Event) string { return e.Key }).AllowedLateness(time.Duration(c.Spec.Lateness)*time.Microsecond).Deduplicate("first", c.at(horizon))
		err := c.gather(p, first.MapEntries("text", func(k string, e *Event) string { return fmt.Sprint(k, " ", e.N) }))

		state := map[string]int64{} // by key, the time up to which elements are repeats
		var results, behind []string
		filtered := int64(0)
		for _, e := range c.judged() {
			if e.Mark {
				continue
			}
			until, ok := state[e.Key]
			if ok && e.W != oracle.Before && e.W >= until+c.Spec.Lateness {
				ok = false // forgotten
			}
			if ok && e.At < until {
				filtered++
				continue
			}
			state[e.Key] = e.At + horizon*c.unit
			text := fmt.Sprint(e.Key, " ", e.Value)
			results = append(results, fmt.Sprintf("%s at %d", text, e.At))
			if c.over(e.At, e.W) {
				behind = append(behind, text)
			}
		}
		repeats += filtered
		diff := c.differs(results, nil, behind)
		for _, s := range c.report.Steps {
			if s.ID == "first" && (s.Counts.Filtered != filtered || s.Counts.Kept != int64(len(results))) {
				diff += fmt.Sprintf("filtered %d, kept %d, want %d and %d", s.Counts.Filtered, s.Counts.Kept, filtered, len(results))
			}
		}
		return diff, err
	})
	t.Logf("%d repeats", repeats)
}
