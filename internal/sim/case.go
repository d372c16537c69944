package sim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/oracle"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Case is one random pipeline with its input.
type Case struct {
	Seed     uint64
	Spec     oracle.Spec
	Windows  window.Assigner
	Trigger  trigger.Trigger
	Output   strandline.OutputTime
	Events   []Event
	Bound    time.Duration
	Guard    bool
	Batch    bool // the watermark waits for the end
	Workers  int
	Rows     int // in a batch of the source
	Way      Way
	Simulate bool

	source   connector.Source[Event] // nil: the events in one split
	strategy watermark.Strategy      // nil: Bounded(Bound)
}

// Event is one element; its value is its place in the input.
type Event struct {
	Key  string
	At   int64 // µs
	N    int64
	Drop bool  // a filter before the window drops it
	Gap  int64 // µs, of its session if each element has its own
}

// Way is what lies between reader and window.
type Way int

const (
	Direct     Way = iota
	Filtered       // a filter drops some elements
	Forked         // two branches, taken together again
	Reshuffled     // several paths, by way of other workers
	Twice          // reshuffled twice
	ways
)

func (w Way) String() string {
	return [...]string{"direct", "filtered", "forked", "reshuffled", "reshuffled twice"}[w]
}

// parallel says whether elements of one key may overtake each other on the way.
func (c *Case) parallel() bool { return c.Way >= Forked && (c.Workers > 1 || c.Way == Forked) }

const second = int64(time.Second / time.Microsecond)

// New makes the case of a seed.
func New(seed uint64) *Case {
	r := rand.New(rand.NewPCG(seed, 7))
	c := &Case{Seed: seed, Bound: time.Duration(r.IntN(12)) * time.Second, Guard: r.IntN(4) > 0, Batch: r.IntN(6) == 0,
		Workers: 1 + r.IntN(8), Rows: []int{1, 2, 3, 7, 64}[r.IntN(5)], Way: Way(r.IntN(int(ways))), Simulate: r.IntN(2) == 0}
	if r.IntN(3) == 0 {
		c.Workers = 1
	}
	unit := c.windows(r)
	c.triggers(r)
	s := &c.Spec
	s.Accumulating, s.FinalOnly = r.IntN(2) == 0, r.IntN(6) == 0
	s.Lateness = []int64{0, 0, 3, 10, 40}[r.IntN(5)] * unit
	s.Output = oracle.Output(r.IntN(3))
	c.Output = []strandline.OutputTime{strandline.EndOfWindow, strandline.Earliest, strandline.Latest}[s.Output]
	if r.IntN(2) == 0 {
		s.Output, c.Output = oracle.AtEnd, strandline.EndOfWindow
	}
	s.OnlyIfNonEmpty, s.EmptyLast = r.IntN(3) == 0, r.IntN(5) == 0
	s.Ended = true
	s.Window.Each = s.Window.Kind == oracle.Session && !s.Window.Touching && seed%3 == 0
	c.Bound *= time.Duration(unit / second)
	c.events(r, unit)
	if c.Spec.Window.Kind == oracle.Session && c.Spec.Trigger.Kind == oracle.Watermark && c.behind() {
		// A late element may make a fired session pending again. Whether it counts for the early
		// trigger then is nowhere written; engine and oracle read it differently.
		c.Spec.Trigger, c.Trigger = oracle.Trigger{}, trigger.Default()
	}
	if c.parallel() && !c.orderless() {
		c.Way = Direct
	}
	s.Retracting = s.Accumulating && seed%4 == 1 && c.Way < Forked
	return c
}

// windows draws the windows, and says how long a unit of time is for them.
func (c *Case) windows(r *rand.Rand) (unit int64) {
	d := func(n int64) time.Duration { return time.Duration(n) * time.Second }
	w := &c.Spec.Window
	switch r.IntN(8) {
	case 0:
		w.Kind, c.Windows = oracle.Global, window.Global()
	case 1, 2:
		size, off := 1+r.Int64N(20), r.Int64N(5)
		*w = oracle.Window{Kind: oracle.Fixed, Size: size * second, Offset: off * second}
		c.Windows = window.Fixed(d(size)).Offset(d(off))
	case 3:
		size, period := 1+r.Int64N(20), 1+r.Int64N(12)
		*w = oracle.Window{Kind: oracle.Sliding, Size: size * second, Period: period * second}
		c.Windows = window.Sliding(d(size), d(period))
	case 4, 5:
		gap := 1 + r.Int64N(8)
		*w = oracle.Window{Kind: oracle.Session, Gap: gap * second, Touching: r.IntN(2) == 0}
		s := window.Session(d(gap))
		if w.Touching {
			s = s.MergeTouching()
		}
		c.Windows = s
	case 6:
		step := 1 + r.Int64N(5)
		size := step * (1 + r.Int64N(4))
		*w = oracle.Window{Kind: oracle.Cumulative, Size: size * second, Step: step * second}
		c.Windows = window.Cumulative(d(size), d(step))
	default:
		zone := []string{"UTC", "Europe/Berlin", "America/Sao_Paulo"}[r.IntN(3)]
		loc, err := window.Zone(zone)
		if err != nil {
			panic(err)
		}
		if r.IntN(2) == 0 {
			n := 1 + r.IntN(3)
			*w = oracle.Window{Kind: oracle.Calendar, Days: n, Zone: loc}
			c.Windows = window.Days().In(loc).Every(n)
		} else {
			n := 1 + r.IntN(3)
			*w = oracle.Window{Kind: oracle.Calendar, Months: n, Zone: loc}
			c.Windows = window.Months().In(loc).Every(n)
		}
		return 5 * 3600 * second
	}
	return second
}

// triggers draws the trigger. Trees whose meaning differs between Beam's own SDKs are left to
// the tests of package trigger.
func (c *Case) triggers(r *rand.Rand) {
	count := func() (oracle.Trigger, trigger.Trigger) {
		n := 1 + r.IntN(4)
		return oracle.Trigger{Kind: oracle.Count, N: n}, trigger.AfterCount(n)
	}
	none := oracle.Trigger{Kind: oracle.None}
	mark := oracle.Trigger{Kind: oracle.Watermark, Kids: []oracle.Trigger{none, none}}
	switch r.IntN(10) {
	case 0, 1, 2:
		c.Trigger = trigger.Default()
	case 3, 4:
		kids := []oracle.Trigger{none, none}
		t := trigger.AfterWatermark()
		if r.IntN(3) > 0 {
			o, e := count()
			kids[0], t = o, t.Early(e)
		}
		if r.IntN(3) > 0 {
			o, l := count()
			kids[1], t = o, t.Late(l)
		}
		c.Spec.Trigger, c.Trigger = oracle.Trigger{Kind: oracle.Watermark, Kids: kids}, t
	case 5:
		o, t := count()
		c.Spec.Trigger, c.Trigger = oracle.Trigger{Kind: oracle.Repeat, Kids: []oracle.Trigger{o}}, trigger.Repeat(t)
	case 6:
		c.Spec.Trigger, c.Trigger = count()
	case 7:
		c.Spec.Trigger, c.Trigger = oracle.Trigger{Kind: oracle.Never}, trigger.Never()
	case 8:
		c.Spec.Trigger, c.Trigger = oracle.Trigger{Kind: oracle.Always}, trigger.Always()
	default:
		o, t := count()
		if r.IntN(2) == 0 || c.Spec.Window.Kind == oracle.Session {
			c.Spec.Trigger = oracle.Trigger{Kind: oracle.OrFinally, Kids: []oracle.Trigger{{Kind: oracle.Repeat, Kids: []oracle.Trigger{o}}, mark}}
			c.Trigger = trigger.OrFinally(trigger.Repeat(t), trigger.AfterWatermark())
		} else {
			c.Spec.Trigger = oracle.Trigger{Kind: oracle.Each, Kids: []oracle.Trigger{o, mark}}
			c.Trigger = trigger.InOrder(t, trigger.AfterWatermark())
		}
	}
}

// events draws the input: time goes on, with disorder, now and then far back or a leap ahead.
func (c *Case) events(r *rand.Rand, unit int64) {
	n, keys := r.IntN(60), 1+r.IntN(4)
	now := r.Int64N(40) - 20
	disorder := 1 + r.Int64N(15)
	for i := range n {
		now += r.Int64N(4)
		if r.IntN(25) == 0 {
			now += 30
		}
		at := now - r.Int64N(disorder)
		if r.IntN(20) == 0 {
			at -= 40
		}
		e := Event{Key: fmt.Sprintf("k%d", r.IntN(keys)), At: at * unit, N: int64(i)}
		e.Drop = c.Way == Filtered && r.IntN(4) == 0
		e.Gap = (1 + int64(uint64(i)*c.Seed%9)) * unit
		c.Events = append(c.Events, e)
	}
}

func (c *Case) String() string {
	return fmt.Sprintf("seed %d: %v, trigger %v, accumulating %t, retracting %t, each its gap %t, lateness %ds, final only %t, output %v, non-empty %t, empty last %t, bound %v, guard %t, batch %t, workers %d, rows %d, way %v, simulated %t, %d events",
		c.Seed, c.Windows, c.Trigger, c.Spec.Accumulating, c.Spec.Retracting, c.Spec.Window.Each, c.Spec.Lateness/second, c.Spec.FinalOnly, c.Spec.Output, c.Spec.OnlyIfNonEmpty, c.Spec.EmptyLast,
		c.Bound, c.Guard, c.Batch, c.Workers, c.Rows, c.Way, c.Simulate, len(c.Events))
}

// orderless says whether the answer is the same in whichever order elements with one watermark
// reach the window: not with triggers that count, nor for sessions if an element is behind W
// (S2.4).
func (c *Case) orderless() bool {
	if c.Spec.Window.Kind == oracle.Session && c.behind() {
		return false
	}
	if c.Spec.FinalOnly {
		return true
	}
	k := c.Spec.Trigger.Kind
	return k == oracle.Default || k == oracle.Never
}

// behind says whether any element is behind the watermark when it is read.
func (c *Case) behind() bool {
	for _, e := range c.judged() {
		if e.At < e.W {
			return true
		}
	}
	return false
}

// judged gives the events as the oracle takes them, each with the watermark before it.
func (c *Case) judged() []oracle.Event {
	events := make([]oracle.Event, len(c.Events))
	for i, e := range c.Events {
		events[i] = oracle.Event{Key: e.Key, Value: e.N, At: e.At, Gap: e.Gap, W: oracle.Before}
	}
	if !c.Batch {
		var guard int64
		if c.Guard {
			guard = 3600 * second
		}
		events = oracle.Bounded(events, c.Bound.Microseconds(), guard)
	}
	for i, e := range c.Events {
		events[i].Mark = e.Drop
	}
	return events
}
