package oracle

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// at gives an element of a key at so many seconds, its value the same number.
func at(key string, t int64) Event { return Event{Key: key, Value: t, At: t * second} }

// The lab's ten events under a bound of 5 s: after 5, W is 3 before the end of the input. The 3
// comes when W is 8, in time; the 7 when W is 20, too late.
func TestTheLabsTenEvents(t *testing.T) {
	var events []Event
	for _, s := range vals(2, 5, 8, 13, 3, 16, 25, 7, 22, 28) {
		events = append(events, at("", s))
	}
	got := Evaluate(Spec{Window: tens, Ended: true}, Bounded(events, 5*second, 0))
	want := Result{
		Panes: []Pane{
			pane(0, 10, vals(2, 5, 8, 3), eow(10), OnTime, 0, 0, true),
			pane(10, 20, vals(13, 16), eow(20), OnTime, 0, 0, true),
			pane(20, 30, vals(25, 22, 28), eow(30), OnTime, 0, 0, true),
		},
		Late:   []LateRecord{{7, []Interval{{0, 10 * second}}, 20 * second}},
		Ledger: Ledger{Assigned: 10, InWindow: 9, DroppedLate: 1, Emitted: 9},
	}
	want.Panes[0].W, want.Panes[1].W, want.Panes[2].W = 11*second, 20*second, After
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestScripts(t *testing.T) {
	session := Window{Kind: Session, Gap: 10 * second}
	touching := Window{Kind: Session, Gap: 10 * second, Touching: true}
	atEnd := of(Watermark, none, none)
	everyTwo := of(Repeat, count(2))
	const L = 100 * second
	for _, c := range []struct {
		name  string
		spec  Spec
		steps []step
	}{
		{"a window does not fire before its end, and only once (S4.1)", Spec{Window: tens}, []step{
			in(1), mark(9), mark(10), expect(pane(0, 10, vals(1), eow(10), OnTime, 0, 0, true)), mark(11), mark(30)}},
		{"dropped only from expiry on (S4.3)", Spec{Window: tens, Lateness: 5 * second}, []step{
			in(1), mark(14), expect(pane(0, 10, vals(1), eow(10), OnTime, 0, 0, false)),
			in(2), expect(pane(0, 10, vals(2), eow(10), Late, 1, 1, false)), mark(15), in(3)}},
		{"a late element may open its window: late, index 0 (S5.3)", Spec{Window: tens, Lateness: L}, []step{
			mark(50), in(1), expect(pane(0, 10, vals(1), eow(10), Late, 0, 0, false))}},
		{"never: everything at expiry, late and last (S4.2)", Spec{Window: tens, Trigger: never, Lateness: 5 * second}, []step{
			in(1), mark(14), in(2), mark(15), expect(pane(0, 10, vals(1, 2), eow(10), Late, 0, 0, true))}},
		{"never without lateness: on time", Spec{Window: tens, Trigger: never}, []step{
			in(1), mark(10), expect(pane(0, 10, vals(1), eow(10), OnTime, 0, 0, true))}},
		{"an unfinished count at expiry (S4.2)", Spec{Window: tens, Trigger: everyTwo, Accumulating: true, Lateness: 5 * second}, []step{
			in(1, 2), expect(pane(0, 10, vals(1, 2), eow(10), Early, 0, -1, false)),
			in(3), mark(50), expect(pane(0, 10, vals(1, 2, 3), eow(10), Late, 1, 0, true))}},
		{"nothing new at expiry, no pane", Spec{Window: tens, Trigger: everyTwo, Lateness: 5 * second}, []step{
			in(1, 2), expect(pane(0, 10, vals(1, 2), eow(10), Early, 0, -1, false)), mark(50)}},
		{"an empty last pane if asked for (S5.6)", Spec{Window: tens, Accumulating: true, EmptyLast: true, Lateness: 5 * second}, []step{
			in(1), mark(10), expect(pane(0, 10, vals(1), eow(10), OnTime, 0, 0, false)),
			mark(15), expect(pane(0, 10, vals(1), eow(10), Late, 1, 1, true))}},
		{"no empty last pane after a last one", Spec{Window: tens, EmptyLast: true}, []step{
			in(1), mark(10), expect(pane(0, 10, vals(1), eow(10), OnTime, 0, 0, true)), mark(30)}},
		{"no empty on-time pane if not wanted (S5.6)", Spec{Window: tens, Trigger: of(Watermark, count(1), count(1)), OnlyIfNonEmpty: true, Lateness: L}, []step{
			in(1), expect(pane(0, 10, vals(1), eow(10), Early, 0, -1, false)), mark(10),
			in(2), expect(pane(0, 10, vals(2), eow(10), Late, 1, 0, false))}},
		{"on time without anything new repeats the values when accumulating", Spec{Window: tens, Accumulating: true, Trigger: of(Watermark, count(1), none), Lateness: L}, []step{
			in(1), expect(pane(0, 10, vals(1), eow(10), Early, 0, -1, false)),
			mark(10), expect(pane(0, 10, vals(1), eow(10), OnTime, 1, 0, true)), in(2), mark(500)}},
		{"final only: one pane, at expiry, on time (S5.5)", Spec{Window: tens, FinalOnly: true, Lateness: 5 * second}, []step{
			in(1), mark(14), in(2), mark(15), expect(pane(0, 10, vals(1, 2), eow(10), OnTime, 0, 0, true)), in(3)}},
		{"one advance handles expiries and dues in order of instant", Spec{Window: tens, Trigger: of(Watermark, none, count(9)), Lateness: 5 * second}, []step{
			in(1), mark(10), expect(pane(0, 10, vals(1), eow(10), OnTime, 0, 0, false)),
			in(2, 12), mark(40), expect(
				pane(0, 10, vals(2), eow(10), Late, 1, 1, true),
				pane(10, 20, vals(12), eow(20), OnTime, 0, 0, false))}},

		{"any: the first to fire finishes", Spec{Window: tens, Trigger: of(Any, count(2), atEnd), Lateness: L}, []step{
			in(1, 2), expect(pane(0, 10, vals(1, 2), eow(10), Early, 0, -1, true)), in(3), mark(500)}},
		{"any: W may be first", Spec{Window: tens, Trigger: of(Any, count(2), atEnd), Lateness: L}, []step{
			in(1), mark(10), expect(pane(0, 10, vals(1), eow(10), OnTime, 0, 0, true)), in(3), mark(500)}},
		{"all: at due if the count is there", Spec{Window: tens, Trigger: of(All, count(2), atEnd), Lateness: L}, []step{
			in(1, 2, 3), mark(10), expect(pane(0, 10, vals(1, 2, 3), eow(10), OnTime, 0, 0, true))}},
		{"all: after due the element that makes the count, late", Spec{Window: tens, Trigger: of(All, count(2), atEnd), Lateness: L}, []step{
			in(1), mark(10), in(2), expect(pane(0, 10, vals(1, 2), eow(10), Late, 0, 0, true))}},
		{"each: one after another", Spec{Window: tens, Trigger: of(Each, count(1), count(2), count(1))}, []step{
			in(1), expect(pane(0, 10, vals(1), eow(10), Early, 0, -1, false)),
			in(2), in(3), expect(pane(0, 10, vals(2, 3), eow(10), Early, 1, -1, false)),
			in(4), expect(pane(0, 10, vals(4), eow(10), Early, 2, -1, true)), in(5), mark(10)}},
		{"each: its watermark fires at due, no element needed", Spec{Window: tens, Trigger: of(Each, count(1), atEnd), Lateness: L}, []step{
			in(1), expect(pane(0, 10, vals(1), eow(10), Early, 0, -1, false)),
			mark(10), expect(pane(0, 10, nil, eow(10), OnTime, 1, 0, true))}},
		{"each: a watermark not in turn at due fires with a late element", Spec{Window: tens, Trigger: of(Each, count(2), atEnd), Lateness: L}, []step{
			in(1), mark(10),
			in(2), expect(pane(0, 10, vals(1, 2), eow(10), Late, 0, 0, false)),
			in(3), expect(pane(0, 10, vals(3), eow(10), Late, 1, 1, true))}},
		{"or finally", Spec{Window: tens, Trigger: of(OrFinally, everyTwo, count(5))}, []step{
			in(1, 2), expect(pane(0, 10, vals(1, 2), eow(10), Early, 0, -1, false)),
			in(3, 4), expect(pane(0, 10, vals(3, 4), eow(10), Early, 1, -1, false)),
			in(5), expect(pane(0, 10, vals(5), eow(10), Early, 2, -1, true)), in(6)}},
		{"repeated first of: the other count starts anew", Spec{Window: tens, Trigger: of(Repeat, of(Any, count(2), count(3)))}, []step{
			in(1, 2), expect(pane(0, 10, vals(1, 2), eow(10), Early, 0, -1, false)),
			in(3), in(4), expect(pane(0, 10, vals(3, 4), eow(10), Early, 1, -1, false))}},
		{"always fires with every element, not at due", Spec{Window: tens, Trigger: Trigger{Kind: Always}, Accumulating: true}, []step{
			in(1), expect(pane(0, 10, vals(1), eow(10), Early, 0, -1, false)),
			in(2), expect(pane(0, 10, vals(1, 2), eow(10), Early, 1, -1, false)), mark(10)}},
		{"late panes by count (S5.1)", Spec{Window: tens, Trigger: of(Watermark, none, count(2)), Lateness: 20 * second}, []step{
			in(1), mark(10), expect(pane(0, 10, vals(1), eow(10), OnTime, 0, 0, false)),
			in(2), in(3), expect(pane(0, 10, vals(2, 3), eow(10), Late, 1, 1, false)),
			in(4), mark(30), expect(pane(0, 10, vals(4), eow(10), Late, 2, 2, true))}},

		{"sessions exactly a gap apart are two (S2.4)", Spec{Window: session}, []step{
			in(0, 10), mark(10), expect(pane(0, 10, vals(0), eow(10), OnTime, 0, 0, true)),
			mark(20), expect(pane(10, 20, vals(10), eow(20), OnTime, 0, 0, true))}},
		{"touching sessions are one, and wait for it (S2.4)", Spec{Window: touching}, []step{
			in(0), mark(10), in(10), mark(20), mark(21), expect(pane(0, 20, vals(0, 10), eow(20), OnTime, 0, 0, true))}},
		{"an element joins two sessions, contents in order of arrival", Spec{Window: session, Accumulating: true}, []step{
			in(15, 0, 8), mark(40), expect(pane(0, 25, vals(15, 0, 8), eow(25), OnTime, 0, 0, true))}},
		{"counts of merged sessions add up (S2.4)", Spec{Window: session, Trigger: of(Repeat, count(3))}, []step{
			in(0), in(15), in(8), expect(pane(0, 25, vals(0, 15, 8), eow(25), Early, 0, -1, false))}},
		{"a session inside which an element falls keeps its pane numbers (S5.3)", Spec{Window: session, Trigger: of(Repeat, count(1))}, []step{
			in(0), expect(pane(0, 10, vals(0), eow(10), Early, 0, -1, false)),
			in(5), expect(pane(0, 15, vals(5), eow(15), Early, 0, -1, false)),
			in(3), expect(pane(0, 15, vals(3), eow(15), Early, 1, -1, false))}},
		{"a fired session that is extended past W is pending again (S5.3)", Spec{Window: session, Accumulating: true, Trigger: of(Watermark, none, count(1)), Lateness: L}, []step{
			in(0), mark(10), expect(pane(0, 10, vals(0), eow(10), OnTime, 0, 0, false)),
			in(9), mark(18), mark(19), expect(pane(0, 19, vals(0, 9), eow(19), OnTime, 0, 0, false)),
			in(2), expect(pane(0, 19, vals(0, 9, 2), eow(19), Late, 1, 1, false))}},
		{"so is a finished one, without what it had (S4.2)", Spec{Window: session, Accumulating: true, Trigger: atEnd, Lateness: L}, []step{
			in(0), mark(10), expect(pane(0, 10, vals(0), eow(10), OnTime, 0, 0, true)),
			in(0),
			in(9), mark(19), expect(pane(0, 19, vals(9), eow(19), OnTime, 0, 0, true))}},
		{"and counts from nothing", Spec{Window: session, Trigger: of(OrFinally, count(3), atEnd), Lateness: L}, []step{
			in(0), mark(10), expect(pane(0, 10, vals(0), eow(10), OnTime, 0, 0, true)),
			in(9), in(8), mark(19), expect(pane(0, 19, vals(9, 8), eow(19), OnTime, 0, 0, true))}},
		{"all with a kid that never finishes goes on", Spec{Window: tens, Trigger: of(All, count(2), Trigger{Kind: Always})}, []step{
			in(1), in(2), expect(pane(0, 10, vals(1, 2), eow(10), Early, 0, -1, false)),
			in(3), expect(pane(0, 10, vals(3), eow(10), Early, 1, -1, false))}},
		{"first of: the count that was not ready keeps counting", Spec{Window: tens, Trigger: of(Any, everyTwo, of(Repeat, count(3)))}, []step{
			in(1, 2), expect(pane(0, 10, vals(1, 2), eow(10), Early, 0, -1, false)),
			in(3), expect(pane(0, 10, vals(3), eow(10), Early, 1, -1, false))}},
		{"a session that grew behind W stays fired", Spec{Window: session, Trigger: of(Watermark, none, count(2)), Lateness: L}, []step{
			in(0), mark(50), expect(pane(0, 10, vals(0), eow(10), OnTime, 0, 0, false)),
			in(9), in(18), expect(pane(0, 28, vals(9, 18), eow(28), Late, 0, 0, false))}},
		{"a count that has finished closes all that merges with it", Spec{Window: session, Trigger: count(2), Lateness: L}, []step{
			in(0, 0), expect(pane(0, 10, vals(0, 0), eow(10), Early, 0, -1, true)),
			in(15), in(9), in(20), mark(200), expect(pane(0, 30, vals(15), eow(30), Late, 0, 0, true))}},
		{"an element that meets an expired session opens its own (S2.4)", Spec{Window: session}, []step{
			in(0), mark(10), expect(pane(0, 10, vals(0), eow(10), OnTime, 0, 0, true)),
			in(9), mark(19), expect(pane(9, 19, vals(9), eow(19), OnTime, 0, 0, true))}},
		{"a session is judged by the element's own window (S4.3)", Spec{Window: session}, []step{
			in(12, 20, 5), mark(15), in(4), mark(40), expect(pane(5, 30, vals(12, 20, 5), eow(30), OnTime, 0, 0, true))}},

		{"every pane clears the hold (S5.8)", Spec{Window: tens, Output: AtEarliest, Trigger: of(Watermark, count(2), none)}, []step{
			in(3, 4), expect(pane(0, 10, vals(3, 4), 3*second, Early, 0, -1, false)),
			in(6, 7), expect(pane(0, 10, vals(6, 7), 6*second, Early, 1, -1, false)),
			mark(10), expect(pane(0, 10, nil, eow(10), OnTime, 2, 0, true))}},
		{"also in the accumulating mode (S5.8)", Spec{Window: tens, Output: AtEarliest, Accumulating: true, Trigger: everyTwo}, []step{
			in(3, 4), expect(pane(0, 10, vals(3, 4), 3*second, Early, 0, -1, false)),
			in(7, 6), expect(pane(0, 10, vals(3, 4, 7, 6), 6*second, Early, 1, -1, false))}},
		{"late panes come out at the end (S5.8)", Spec{Window: tens, Output: AtLatest, Accumulating: true, Lateness: L}, []step{
			in(3, 7), mark(10), expect(pane(0, 10, vals(3, 7), 7*second, OnTime, 0, 0, false)),
			in(9), expect(pane(0, 10, vals(3, 7, 9), eow(10), Late, 1, 1, false))}},
		{"an element at W is not behind it (S5.8)", Spec{Window: tens, Output: AtEarliest}, []step{
			mark(5), in(4, 5), mark(10), expect(pane(0, 10, vals(4, 5), 5*second, OnTime, 0, 0, true))}},
		{"merged sessions take the earlier hold", Spec{Window: session, Output: AtEarliest}, []step{
			in(15, 0, 8), mark(25), expect(pane(0, 25, vals(15, 0, 8), 0, OnTime, 0, 0, true))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := play(c.spec, c.steps...); err != nil {
				t.Error(err)
			}
		})
	}
}

// brief is what a test of order looks at.
type brief struct {
	key    string
	end    int64
	n      int
	timing Timing
	last   bool
}

func briefs(r Result) (out []brief) {
	for _, p := range r.Panes {
		out = append(out, brief{p.Key, p.Window.End / second, len(p.Values), p.Timing, p.Last})
	}
	return out
}

func TestTheEndOfInputLetsEverythingOutOnTimeAndLast(t *testing.T) {
	events := Bounded([]Event{at("a", 1), at("b", 12), at("a", 15), at("a", 3)}, 100*second, 0)
	for _, c := range []struct {
		name    string
		trigger Trigger
	}{{"never", never}, {"a count not reached", of(Repeat, count(9))}, {"default", Trigger{}}, {"late panes", of(Watermark, none, count(2))}} {
		t.Run(c.name, func(t *testing.T) {
			got := Evaluate(Spec{Window: tens, Trigger: c.trigger, Lateness: 50 * second, Ended: true}, events)
			want := []brief{{"a", 10, 2, OnTime, true}, {"b", 20, 1, OnTime, true}, {"a", 20, 1, OnTime, true}}
			if !slices.Equal(briefs(got), want) {
				t.Errorf("got %+v, want %+v", briefs(got), want)
			}
		})
	}
}

// W passes 10 within the input, so what the window still holds at the end is late, and comes
// before the later window's pane.
func TestTheEndOfInputLetsLateElementsOutLate(t *testing.T) {
	events := Bounded([]Event{at("", 1), at("", 11), at("", 2), at("", 12)}, 0, 0)
	got := briefs(Evaluate(Spec{Window: tens, Trigger: of(Watermark, none, count(2)), Lateness: 50 * second, Ended: true}, events))
	want := []brief{{"", 10, 1, OnTime, false}, {"", 10, 1, Late, true}, {"", 20, 2, OnTime, true}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAStoppedInputFiresNothing(t *testing.T) {
	got := Evaluate(Spec{Window: tens}, Bounded([]Event{at("", 1), at("", 11)}, 5*second, 0))
	if len(got.Panes) != 0 || got.Ledger != (Ledger{Assigned: 2, InWindow: 2, Open: 2}) {
		t.Errorf("got %+v", got)
	}
}

func TestTheGlobalWindowFiresAtTheEndOfInput(t *testing.T) {
	got := Evaluate(Spec{Lateness: second, Ended: true}, Bounded([]Event{at("", 1), at("", 2)}, 0, 0))
	want := []Pane{{Window: Interval{Before, After}, Values: vals(1, 2), At: After, Timing: OnTime, First: true, Last: true, W: After}}
	if !reflect.DeepEqual(got.Panes, want) {
		t.Errorf("got %+v, want %+v", got.Panes, want)
	}
}

func TestEmptyInputGivesNothing(t *testing.T) {
	if got := Evaluate(Spec{Window: tens, Ended: true, EmptyLast: true}, nil); !reflect.DeepEqual(got, Result{}) {
		t.Errorf("got %+v", got)
	}
}

// t=7 is in [0,10) and [5,15). At W=12 the first is over and the second is not; at W=15 both
// are: one late record names both (S4.4).
func TestEachSlidingWindowJudgesForItself(t *testing.T) {
	spec := Spec{Window: Window{Kind: Sliding, Size: 10 * second, Period: 5 * second}}
	got := Evaluate(spec, []Event{
		{At: 7 * second, Value: 7, W: 12 * second}, {At: 8 * second, Value: 8, W: 15 * second}, {W: 15 * second, Mark: true},
	})
	want := Result{
		Panes: []Pane{pane(5, 15, vals(7), eow(15), OnTime, 0, 0, true)},
		Late: []LateRecord{
			{0, []Interval{{0, 10 * second}}, 12 * second},
			{1, []Interval{{0, 10 * second}, {5 * second, 15 * second}}, 15 * second},
		},
		Ledger: Ledger{Assigned: 4, InWindow: 1, DroppedLate: 3, Emitted: 1},
	}
	want.Panes[0].W = 15 * second
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestTheLedgerTellsGapsAndLateButKept(t *testing.T) {
	spec := Spec{Window: Window{Kind: Sliding, Size: 5 * second, Period: 10 * second}, Lateness: 10 * second}
	got := Evaluate(spec, []Event{
		{At: 2 * second}, {At: 7 * second}, {At: 3 * second, W: 8 * second}, {At: 4 * second, W: 15 * second},
	}).Ledger
	if want := (Ledger{Assigned: 4, InWindow: 2, Gap: 1, DroppedLate: 1, Emitted: 2, LateButKept: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAWatermarkThatMovesBackIsRefused(t *testing.T) {
	defer func() {
		if got, want := recover(), "oracle: the watermark moves back from 5 to 4"; got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}()
	Evaluate(Spec{}, []Event{{W: 5}, {W: 4}})
}

// The oracle's own law, over many random aggregations: the books balance, keys are alone,
// panes are numbered without holes, and one goal of W is as good as every step towards it.
func TestInvariantsOfRandomAggregations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	windows := []Window{
		tens, {}, {Kind: Sliding, Size: 10 * second, Period: 4 * second}, {Kind: Sliding, Size: 4 * second, Period: 10 * second},
		{Kind: Session, Gap: 3 * second}, {Kind: Session, Gap: 3 * second, Touching: true},
		{Kind: Cumulative, Size: 12 * second, Step: 4 * second}, {Kind: Calendar, Days: 1},
	}
	for range 3000 {
		spec := Spec{
			Window: windows[rng.IntN(len(windows))], Trigger: randomTrigger(rng, 3), Accumulating: rng.IntN(2) == 0,
			Lateness: rng.Int64N(3) * 7 * second, FinalOnly: rng.IntN(8) == 0, Output: Output(rng.IntN(3)),
			OnlyIfNonEmpty: rng.IntN(3) == 0, EmptyLast: rng.IntN(3) == 0, Ended: rng.IntN(2) == 0,
		}
		var events []Event
		for i := range rng.Int64N(40) {
			events = append(events, Event{Key: string(rune('a' + rng.IntN(2))), Value: i, At: (i + rng.Int64N(20) - 10) * second})
		}
		events = Bounded(events, rng.Int64N(5)*second, 0)
		got := Evaluate(spec, events)
		l := got.Ledger
		if l.Assigned != l.InWindow+l.Gap+l.DroppedLate+l.Closed || l.InWindow != l.Emitted+l.Open || spec.Ended && l.Open != 0 {
			t.Fatalf("%+v: the books do not balance: %+v", spec, l)
		}
		next := map[brief]int{}
		for _, p := range got.Panes {
			b := brief{key: p.Key, end: p.Window.End, n: int(p.Window.Start % 1000)}
			if p.Index != next[b] && p.Index != 0 {
				t.Fatalf("%+v: pane %d follows %d: %+v", spec, p.Index, next[b]-1, p)
			}
			next[b] = p.Index + 1
		}
		var fine []Event
		for i, e := range events {
			if i > 0 {
				for w := max(events[i-1].W, -30*second); w < e.W; w += second {
					fine = append(fine, Event{W: max(w, events[i-1].W), Mark: true})
				}
			}
			fine = append(fine, e)
		}
		if again := Evaluate(spec, fine); !slices.EqualFunc(got.Panes, again.Panes, func(a, b Pane) bool {
			a.W = b.W
			return reflect.DeepEqual(a, b)
		}) || again.Ledger != l {
			t.Fatalf("%+v: smaller steps of W give\n%+v, not\n%+v", spec, again.Panes, got.Panes)
		}
		for _, key := range []string{"a", "b"} {
			alone := Evaluate(spec, slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return e.Key != key && !e.Mark })).Panes
			among := slices.DeleteFunc(slices.Clone(got.Panes), func(p Pane) bool { return p.Key != key })
			if !slices.EqualFunc(alone, among, func(a, b Pane) bool { a.W = b.W; return reflect.DeepEqual(a, b) }) {
				t.Fatalf("%+v: key %s alone gives\n%+v, not\n%+v", spec, key, alone, among)
			}
		}
	}
}

func randomTrigger(rng *rand.Rand, depth int) Trigger {
	kid := func() Trigger { return randomTrigger(rng, depth-1) }
	kinds := []TriggerKind{Default, Count, Never, Always, Watermark, Repeat, Any, All, Each, OrFinally}
	n := len(kinds)
	if depth == 0 {
		n = 4
	}
	switch k := kinds[rng.IntN(n)]; k {
	case Count:
		return count(1 + rng.IntN(4))
	case Watermark:
		parts := []Trigger{none, none}
		for i := range parts {
			if rng.IntN(2) == 0 {
				parts[i] = kid()
			}
		}
		return of(k, parts...)
	case Repeat:
		return of(k, kid())
	case Any, All, Each, OrFinally:
		return of(k, kid(), kid())
	default:
		return Trigger{Kind: k}
	}
}
