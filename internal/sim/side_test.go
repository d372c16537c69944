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
	"github.com/strandline-stream/strandline/internal/oracle"
)

// sided is a random main input and a random side: cases that give windows, lateness and the way to
// the step, and nothing else.
type sided struct {
	main, side *Case
}

// newSided gives ok false for windows that cannot stand beside each other.
func newSided(seed uint64) (c sided, ok bool) {
	c = sided{New(seed), New(seed + 1_000_000)}
	if c.side.Spec.Window.Kind == oracle.Session {
		return c, false // windows of a side do not merge
	}
	if c.main.Spec.Window.Kind == oracle.Global && c.side.Spec.Window.Kind != oracle.Global {
		return c, false
	}
	c.main.Spec.Window.Each = false
	// One pane for each window of the side, so that which one an element sees does not depend on
	// which of the two inputs is ahead.
	c.side.Spec = oracle.Spec{Window: c.side.Spec.Window, Accumulating: true, Ended: true}
	c.side.Batch, c.side.Way = c.main.Batch, Direct
	for i := range c.side.Events {
		c.side.Events[i].Drop = false
	}
	return c, true
}

// want gives what each element sees in each of its windows, and the elements that are late.
func (c sided) want() (seen, late []string) {
	values := map[oracle.Interval]string{}
	for _, p := range oracle.Evaluate(c.side.Spec, oneKey(c.side.judged())).Panes {
		values[p.Window] = fmt.Sprint(slices.Sorted(slices.Values(p.Values)))
	}
	looks, missed := oracle.Look(c.main.Spec.Window, c.main.Spec.Lateness, c.side.Spec.Window, c.main.judged())
	for _, l := range looks {
		value := "nothing"
		if v, ok := values[l.Side]; ok && l.Looks {
			value = v
		}
		seen = append(seen, fmt.Sprintf("%d in [%d, %d) sees %s", c.main.Events[l.Event].N, l.Window.Start, l.Window.End, value))
	}
	for _, l := range missed {
		late = append(late, fmt.Sprintf("%d at %d missed %d", c.main.Events[l.Event].N, l.W, len(l.Missed)))
	}
	slices.Sort(seen)
	slices.Sort(late)
	return seen, late
}

// oneKey takes all events for one key: the side is not keyed.
func oneKey(events []oracle.Event) []oracle.Event {
	for i := range events {
		events[i].Key = ""
	}
	return events
}

// got gives the same of the engine.
func (c sided) got() (seen, late []string, err error) {
	p := strandline.New("sided")
	read := func(c *Case) strandline.PCollection[Event] {
		source, strategy := c.reading()
		return c.way(strandline.ReadMicros(p, source, strategy, func(e *Event) int64 { return e.At }))
	}
	micros := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	main := read(c.main).WindowInto(c.main.Windows).AllowedLateness(micros(c.main.Spec.Lateness))
	side := read(c.side).WindowInto(c.side.Windows).
		Combine("side", combine.Of(func(e *Event) int64 { return e.N }, combine.Combiner[int64, []int64, []int64](combine.List[int64]{})))
	sided := main.WithSide("look", side.PCollection, func(x *strandline.Context, e *Event, s *[]int64, emit func(string)) {
		value := "nothing"
		if s != nil {
			value = fmt.Sprint(slices.Sorted(slices.Values(*s)))
		}
		w, _ := x.Window()
		lo, hi := w.Micros()
		emit(fmt.Sprintf("%d in [%d, %d) sees %s", e.N, lo, hi, value))
	})
	strandline.Each(sided.PCollection, "seen", func(x strandline.Pane[string]) { seen = append(seen, x.Value) })
	strandline.Each(sided.OnLate(func(l strandline.Late[Event]) string {
		return fmt.Sprintf("%d at %d missed %d", l.Value.N, l.Watermark.UnixMicro(), len(l.Missed))
	}), "late", func(x strandline.Pane[string]) { late = append(late, x.Value) })
	_, err = p.Run(context.Background(), c.main.options()...)
	slices.Sort(seen)
	slices.Sort(late)
	return seen, late, err
}

func TestRandomSideInputsShowWhatTheOracleSees(t *testing.T) {
	n, until := cases(t)
	from, alone := first(t)
	n = max(n/6, 1)
	if alone {
		n = 1
	}
	bad, done, looked := 0, uint64(0), 0
	for seed := from; done < n && bad < 3 && (until.IsZero() || time.Now().Before(until)); seed++ {
		c, ok := newSided(seed)
		if !ok {
			if alone {
				break
			}
			continue
		}
		done++
		wantSeen, wantLate := c.want()
		gotSeen, gotLate, err := c.got()
		if err != nil || !slices.Equal(wantSeen, gotSeen) || !slices.Equal(wantLate, gotLate) {
			t.Errorf("STRANDLINE_SEED=%d go test -run TestRandomSideInputs ./internal/sim\n%v\nbeside %v: %v\nwant\n%s\nlate %s\ngot\n%s\nlate %s", seed, c.main, c.side.Windows, err,
				strings.Join(wantSeen, "\n"), strings.Join(wantLate, "; "), strings.Join(gotSeen, "\n"), strings.Join(gotLate, "; "))
			bad++
		}
		looked += len(gotSeen)
	}
	t.Attr("cases", strconv.FormatUint(done, 10))
	t.Logf("random side inputs: %d cases, %d looks", done, looked)
}

// The options of a run are nothing that the answer knows of: how many workers, how many records are
// read at a time, in which order tasks take their messages.
func TestRelationTheOptionsOfARunChangeNothing(t *testing.T) { // M16
	holds(t, "options", func(c *Case, r *rand.Rand) (string, bool, error) {
		if c.Way >= Forked && !c.orderless() {
			c.Way = Direct
		}
		one, err := c.Engine()
		for range 3 {
			if err != nil {
				break
			}
			c.Workers, c.Rows, c.Simulate = 1+r.IntN(8), 1+r.IntN(70), r.IntN(2) == 0
			var other Answer
			if other, err = c.Engine(); err == nil {
				if diff := c.Compare(one, other); diff != "" {
					return diff, true, nil
				}
			}
		}
		return "", true, err
	})
}
