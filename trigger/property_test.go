package trigger

import (
	"math/rand/v2"
	"testing"
	"time"
)

// The oracle answers from the history of a window alone: it keeps no state, and works out anew
// each time, from Beam's definitions, what a trigger has made of the events since it started.
type (
	event struct {
		fired bool // else an element
		Moment
	}
	history struct {
		late   bool // the trigger started when the window's end was reached
		events []event
	}
)

func (h history) with(e event) history {
	return history{h.late, append(h.events[:len(h.events):len(h.events)], e)}
}

func startedAt(m Moment) history { return history{late: m.W >= m.Due} }

func (h history) elements() (n int, first int64) {
	for _, e := range h.events {
		if !e.fired {
			if n++; n == 1 {
				first = e.Now
			}
		}
	}
	return n, first
}

// hasFired says, for triggers that fire once, whether they did.
func (h history) hasFired() bool {
	for _, e := range h.events {
		if e.fired {
			return true
		}
	}
	return false
}

// oracle says whether t, with history h, is ready at m, and whether it has finished.
func oracle(t Trigger, h history, m Moment) (ready, finished bool) {
	switch t := t.(type) {
	case neverTrigger:
		return false, false
	case countTrigger:
		n, _ := h.elements()
		return n >= int(t.n), h.hasFired()
	case clockTrigger:
		n, first := h.elements()
		return n > 0 && m.Now >= first+t.d.Microseconds(), h.hasFired()
	case anyTrigger:
		for _, k := range t.kids {
			r, _ := oracle(k, h, m)
			ready = ready || r
		}
		return ready, h.hasFired()
	case allTrigger:
		ready = true
		for _, k := range t.kids {
			r, _ := oracle(k, h, m)
			ready = ready && r
		}
		return ready, h.hasFired()
	case repeatTrigger:
		ready, _ = oracle(t.t, sinceRestart(t.t, h), m)
		return ready, false
	case orderTrigger:
		turn, own := 0, history{late: h.late}
		for _, e := range h.events {
			own = own.with(e)
			if _, over := oracle(t.kids[turn], own, e.Moment); over && e.fired {
				if turn++; turn == len(t.kids) {
					return false, true
				}
				own = startedAt(e.Moment)
			}
		}
		ready, _ = oracle(t.kids[turn], own, m)
		return ready, false
	case finallyTrigger:
		main, until := history{late: h.late}, history{late: h.late}
		for _, e := range h.events {
			if !e.fired {
				main, until = main.with(e), until.with(e)
				continue
			}
			if last, _ := oracle(t.kids[1], until, e.Moment); last {
				return false, true
			}
			main = main.with(e)
			if _, over := oracle(t.kids[0], main, e.Moment); over {
				return false, true
			}
		}
		a, _ := oracle(t.kids[0], main, m)
		b, _ := oracle(t.kids[1], until, m)
		return a || b, false
	case WatermarkTrigger:
		for i, e := range h.events {
			if e.fired && e.W >= e.Due { // the on-time pane
				if t.late == nil {
					return false, true
				}
				late := startedAt(e.Moment)
				late.events = h.events[i+1:]
				ready, _ = oracle(t.late, sinceRestart(t.late, late), m)
				return ready, false
			}
		}
		if m.W >= m.Due {
			n, _ := h.elements()
			return n > 0 || !h.late, false
		}
		if t.early != nil {
			ready, _ = oracle(t.early, sinceRestart(t.early, h), m)
		}
		return ready, false
	}
	panic("unknown trigger")
}

// sinceRestart gives the history since t, repeated, last finished.
func sinceRestart(t Trigger, h history) history {
	own := history{late: h.late}
	for _, e := range h.events {
		own = own.with(e)
		if _, over := oracle(t, own, e.Moment); over && e.fired {
			own = startedAt(e.Moment)
		}
	}
	return own
}

func randomTrigger(r *rand.Rand, depth int) Trigger {
	if depth == 0 || r.IntN(4) == 0 {
		switch r.IntN(8) {
		case 0, 1, 2:
			return AfterCount(1 + r.IntN(4))
		case 3, 4:
			return AfterProcessingTime(time.Duration(r.IntN(4)) * us)
		case 5, 6:
			return AfterWatermark()
		default:
			return []Trigger{Never(), Always(), Default()}[r.IntN(3)]
		}
	}
	kids := make([]Trigger, 1+r.IntN(3))
	for i := range kids {
		kids[i] = randomTrigger(r, depth-1)
	}
	switch r.IntN(6) {
	case 0:
		return AfterAny(kids...)
	case 1:
		return AfterAll(kids...)
	case 2:
		return InOrder(kids...)
	case 3:
		return OrFinally(kids[0], randomTrigger(r, depth-1))
	case 4:
		return Repeat(kids[0])
	default:
		w := AfterWatermark()
		if r.IntN(3) > 0 {
			w = w.Early(kids[0])
		}
		if r.IntN(3) > 0 {
			w = w.Late(kids[len(kids)-1])
		}
		return w
	}
}

func TestRandomTriggersAgreeWithTheirDefinitions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	fired := 0
	for range 1500 {
		tr := randomTrigger(r, 3)
		p := compile(t, tr)
		s := make(State, p.Words())
		m := Moment{W: 0, Due: 5 + int64(r.IntN(30)), Now: int64(r.IntN(9)) - 4}
		var h history
		over := false
		for i := range 40 {
			element := false
			before := m
			switch r.IntN(5) {
			case 0:
				m.W += int64(r.IntN(8))
			case 1:
				m.Now += int64(r.IntN(3))
			default:
				element = true
				h = h.with(event{false, m})
				p.OnElement(s, m)
			}
			if i == 0 && !element { // a window begins with an element
				m = before
				continue
			}
			want, _ := oracle(tr, h, m)
			want = want && !over
			next := p.NextProcessing(s)
			if got := p.ShouldFire(s, m); got != want {
				t.Fatalf("%v, step %d, %+v, state %v: fires %v, want %v after %+v", tr, i, m, s, got, want, h)
			}
			if want && element && m.W < m.Due && !p.PerElement() && next > before.Now {
				t.Fatalf("%v fires at an element, which PerElement denies", tr)
			}
			if !want {
				checkForeseen(t, p, s, m)
				continue
			}
			fired++
			h = h.with(event{true, m})
			_, over = oracle(tr, h, m)
			if got := p.OnFire(s, m); got != over || got != p.Finished(s) {
				t.Fatalf("%v, step %d: finished %v, want %v after %+v", tr, i, got, over, h)
			}
			if over && !MayFinish(tr) {
				t.Fatalf("%v has finished, which MayFinish denies", tr)
			}
			if p.ShouldFire(s, m) {
				t.Fatalf("%v, step %d, %+v: fires again with nothing new", tr, i, m)
			}
		}
	}
	if fired < 5000 {
		t.Errorf("only %d firings: the scripts test little", fired)
	}
}

// checkForeseen compares NextProcessing with asking at one instant after the other. Once the
// watermark has passed the end it may name a later instant (see there).
func checkForeseen(t *testing.T, p *Program, s State, m Moment) {
	t.Helper()
	const never = int64(1<<63 - 1)
	at := never
	for now := m.Now; now < m.Now+10; now++ {
		if p.ShouldFire(s, Moment{m.W, m.Due, now}) {
			at = now
			break
		}
	}
	next := p.NextProcessing(s)
	switch {
	case at == never: // an instant that the watermark must join is allowed
	case m.W < m.Due && next != at, next < m.Now, next == never:
		t.Fatalf("%v, %+v, state %v: could fire at %d, foreseen %d", p.Trigger(), m, s, at, next)
	}
}

func TestEvaluationAllocatesNothing(t *testing.T) {
	p := compile(t, Repeat(OrFinally(
		AfterWatermark().Early(AfterAny(AfterCount(2), AfterProcessingTime(us))).Late(AfterAll(AfterCount(2), Always())),
		InOrder(AfterCount(9), Never()))))
	s, into := make(State, p.Words()), make(State, p.Words())
	from := []State{s, s}
	m := Moment{W: 0, Due: 50}
	if n := testing.AllocsPerRun(100, func() {
		m.W, m.Now = m.W+1, m.Now+1
		p.OnElement(s, m)
		if p.ShouldFire(s, m) {
			p.OnFire(s, m)
		}
		p.NextProcessing(s)
		p.Merge(into, from, m)
	}); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
}
