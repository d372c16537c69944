package trigger

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// window is a window of a merge test.
type window struct {
	due      int64
	elements int   // told while the watermark stands at w
	w        int64 // reached afterwards
	now      int64 // of the elements
	late     int   // elements told after that
}

// play gives the state of such a window, asked after every step. One without elements stays
// fresh.
func (x window) play(p *Program) State {
	s := make(State, p.Words())
	if x.elements == 0 {
		return s
	}
	m := Moment{W: -100, Due: x.due, Now: x.now}
	for range x.elements {
		p.OnElement(s, m)
		ask(p, s, m)
	}
	m.W = x.w
	ask(p, s, m)
	for range x.late {
		p.OnElement(s, m)
		ask(p, s, m)
	}
	return s
}

func TestMergedWindowsContinueTogether(t *testing.T) {
	session := AfterWatermark().Early(AfterCount(2)).Late(AfterCount(3))
	for _, c := range []struct {
		name    string
		trigger Trigger
		windows []window
		due     int64
		w, now  int64
		want    string // the answer to the merged window, then to each of four further elements
	}{
		{"counts add up", Repeat(AfterCount(5)),
			[]window{{elements: 2, due: 10}, {elements: 2, due: 14}}, 14, 0, 0, "- fire - - -"},
		{"a sum at or above the count fires at once", Repeat(AfterCount(3)),
			[]window{{elements: 2, due: 10}, {elements: 2, due: 14}}, 14, 0, 0, "fire - - fire -"},
		{"the earliest deadline holds", AfterProcessingTime(5 * us),
			[]window{{elements: 1, due: 10, now: 3}, {elements: 1, due: 14, now: 1}}, 14, 0, 6, "finish - - - -"},
		{"an earlier deadline than the earliest there is not", AfterProcessingTime(5 * us),
			[]window{{elements: 1, due: 10, now: 3}, {elements: 1, due: 14, now: 1}}, 14, 0, 5, "- - - - -"},

		{"S5.3: a fired session that is extended past W is pending again", session,
			[]window{{elements: 1, due: 10, w: 12}}, 17, 12, 0, "- - fire - fire"},
		{"a fired session that is not extended past W stays late", session,
			[]window{{elements: 1, due: 14, w: 100}}, 14, 100, 0, "- - - fire -"},
		{"a window of its own that has had no element changes nothing", session,
			[]window{{due: 11, w: 100}, {elements: 1, due: 14, w: 100}}, 14, 100, 0, "- - - fire -"},
		{"late elements not yet fired count in the pane that is pending again", session,
			[]window{{elements: 1, due: 10, w: 12, late: 1}}, 17, 12, 0, "- fire - fire -"},
		{"late elements that a late pane took do not", session,
			[]window{{elements: 1, due: 10, w: 12, late: 3}}, 17, 12, 0, "- - fire - fire"},
		{"late counts of fired windows add up", session,
			[]window{{elements: 1, due: 10, w: 100, late: 1}, {elements: 1, due: 14, w: 100, late: 1}}, 14, 100, 0, "- fire - - fire"},
		{"one window that has not fired makes all pending, and due", session,
			[]window{{elements: 1, due: 10, w: 12}, {elements: 1, due: 14, w: 12}}, 14, 20, 0, "fire - - fire -"},

		{"the default fires once for a session extended past W, when W gets there", Default(),
			[]window{{elements: 1, due: 10, w: 12}}, 17, 12, 0, "- - - - -"},
		{"the default's fired windows merge without a pane", Default(),
			[]window{{elements: 1, due: 10, w: 100}, {elements: 1, due: 14, w: 100}}, 14, 100, 0, "- fire fire fire fire"},

		{"a finished on-time trigger that is not extended past W stays finished", AfterWatermark(),
			[]window{{elements: 1, due: 10, w: 12}}, 11, 12, 0, "- - - - -"},
		{"a count that has finished in one window has finished", AfterCount(2),
			[]window{{elements: 2, due: 10}, {elements: 1, due: 14}}, 14, 0, 0, "- - - - -"},
		{"any that fired on time is revived with it", AfterAny(AfterCount(3), AfterWatermark()),
			[]window{{elements: 2, due: 10, w: 12}}, 17, 12, 0, "- - - finish -"},
		{"all waits for what is pending again", AfterAll(AfterCount(2), AfterWatermark()),
			[]window{{elements: 2, due: 10, w: 12}}, 17, 12, 0, "- - - - -"},
		{"all remembers a count that one window had reached", AfterAll(AfterCount(2), AfterWatermark()),
			[]window{{elements: 2, due: 10, w: 12}, {elements: 1, due: 17, w: 12}}, 17, 20, 0, "finish - - - -"},
		{"in order gives the turn to the first that is not finished", InOrder(AfterCount(2), AfterCount(3)),
			[]window{{elements: 3, due: 10}, {elements: 1, due: 14}}, 14, 0, 0, "- finish - - -"},
		{"in order goes back to a watermark that is pending again", InOrder(AfterWatermark(), Repeat(AfterCount(2))),
			[]window{{elements: 1, due: 10, w: 12, late: 1}}, 17, 12, 0, "- - - - -"},
		{"in order going back finds no element that another has fired",
			InOrder(AfterWatermark().Early(AfterCount(2)), Repeat(AfterCount(2))),
			[]window{{elements: 1, due: 10, w: 12, late: 2}}, 17, 12, 0, "- - fire - fire"},
		{"in order going back finds those that none has",
			InOrder(AfterWatermark().Early(AfterCount(2)), Repeat(AfterCount(2))),
			[]window{{elements: 1, due: 10, w: 12, late: 3}}, 17, 12, 0, "- fire - fire -"},
		{"until adds up", OrFinally(Repeat(AfterCount(2)), AfterCount(5)),
			[]window{{elements: 2, due: 10}, {elements: 2, due: 14}}, 14, 0, 0, "- finish - - -"},
		{"until that fired on time is revived", OrFinally(Repeat(AfterCount(2)), AfterWatermark()),
			[]window{{elements: 1, due: 10, w: 12}}, 17, 12, 0, "- - fire - fire"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := compile(t, c.trigger)
			m := Moment{W: c.w, Due: c.due, Now: c.now}
			var from []State
			for _, w := range c.windows {
				from = append(from, w.play(p))
			}
			for range 2 { // once as given, once in reverse order
				s := slices.Repeat(State{-1}, p.Words()) // what was in it does not matter
				p.Merge(s, from, m)
				got := ask(p, s, m)
				for range 4 {
					p.OnElement(s, m)
					got += " " + ask(p, s, m)
				}
				if got != c.want {
					t.Errorf("%v: got %s, want %s", c.trigger, got, c.want)
				}
				slices.Reverse(from)
			}
		})
	}
}

func TestFinishedOnTimeTriggerIsRevivedWhenExtendedPastW(t *testing.T) {
	for _, tr := range []Trigger{
		AfterWatermark(), AfterWatermark().Early(AfterCount(5)), AfterAny(AfterCount(5), AfterWatermark()),
		InOrder(AfterWatermark(), AfterWatermark()), OrFinally(Repeat(AfterCount(5)), AfterWatermark()),
	} {
		p := compile(t, tr)
		old := window{elements: 1, due: 10, w: 12, late: 1}.play(p)
		if !p.Finished(old) {
			t.Fatalf("%v: the window that is to be extended has not finished", tr)
		}
		s := make(State, p.Words())
		p.Merge(s, []State{old}, Moment{W: 12, Due: 17})
		if p.Finished(s) || p.ShouldFire(s, Moment{W: 16, Due: 17}) {
			t.Errorf("%v: not pending", tr)
		}
		p.OnElement(s, Moment{W: 16, Due: 17})
		if !p.ShouldFire(s, Moment{W: 17, Due: 17}) {
			t.Errorf("%v: does not fire at the new end", tr)
		}
	}
}

func TestDelayThatHasPassedInOneWindowHasPassedInTheMergedOne(t *testing.T) {
	p := compile(t, AfterProcessingTime(5*us))
	a, b, s := make(State, p.Words()), make(State, p.Words()), make(State, p.Words())
	p.OnElement(a, Moment{Due: 10, Now: 0})
	p.OnElement(b, Moment{Due: 10, Now: 4})
	if got := ask(p, a, Moment{Due: 10, Now: 5}); got != "finish" {
		t.Fatal(got)
	}
	p.Merge(s, []State{a, b}, Moment{Due: 14, Now: 6})
	if !p.Finished(s) || p.ShouldFire(s, Moment{Due: 14, Now: 9}) {
		t.Error("the merged window is not closed")
	}
}

func TestMergingNothingGivesAFreshWindow(t *testing.T) {
	p := compile(t, Repeat(AfterCount(2)))
	s := State{9, 9, 9}
	p.Merge(s, nil, Moment{Due: 10})
	if !slices.Equal(s, State{0, 0, 0}) {
		t.Errorf("got %v", s)
	}
}

// Windows that merge before any of them fired go on as one window that received all of their
// elements, under every trigger, in whatever grouping they merge.
func TestMergedPendingWindowsAreOneWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 3000 {
		tr := randomTrigger(r, 3)
		p := compile(t, tr)
		one := make(State, p.Words())
		three := []State{make(State, p.Words()), make(State, p.Words()), make(State, p.Words())}
		m := Moment{W: 0, Due: 100}
		pending := true
		for i := range r.IntN(6) {
			m.Now = int64(i)
			s := three[r.IntN(3)]
			p.OnElement(one, m)
			p.OnElement(s, m)
			pending = pending && !p.ShouldFire(one, m)
		}
		if !pending {
			continue
		}
		pair, merged, flat := make(State, p.Words()), make(State, p.Words()), make(State, p.Words())
		p.Merge(pair, three[:2], m)
		p.Merge(merged, []State{three[2], pair}, m)
		p.Merge(flat, three, m)
		if !slices.Equal(merged, flat) {
			t.Fatalf("%v: merged by twos %v, at once %v", tr, merged, flat)
		}
		for i := range 30 {
			switch r.IntN(4) {
			case 0:
				m.W += int64(r.IntN(40))
			case 1:
				m.Now += int64(r.IntN(4))
			default:
				p.OnElement(one, m)
				p.OnElement(merged, m)
			}
			if a, b := ask(p, one, m), ask(p, merged, m); a != b {
				t.Fatalf("%v, step %d: one window answers %s, the merged one %s", tr, i, a, b)
			}
		}
	}
}
