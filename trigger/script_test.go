package trigger

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// run plays a script on one window that ends at 10 and gives what fired. A step is "e" (an
// element), "w 12" (the watermark) or "now 5" (processing time), in microseconds; steps are
// separated by commas. After each the trigger is asked, as a runner would. The answer has a word
// a step: "-", "fire" or "finish" (fires and finishes).
func run(t *testing.T, tr Trigger, script string) string {
	t.Helper()
	p := compile(t, tr)
	s := make(State, p.Words())
	m := Moment{W: -100, Due: 10}
	var got []string
	for step := range strings.SplitSeq(script, ",") {
		var v int64
		switch step = strings.TrimSpace(step); {
		case step == "e":
			p.OnElement(s, m)
		case scan(step, "w %d", &v):
			m.W = v
		case scan(step, "now %d", &v):
			m.Now = v
		default:
			t.Fatalf("no such step: %q", step)
		}
		got = append(got, ask(p, s, m))
	}
	return strings.Join(got, " ")
}

func scan(s, format string, v *int64) bool {
	_, err := fmt.Sscanf(s, format, v)
	return err == nil
}

func ask(p *Program, s State, m Moment) string {
	switch {
	case !p.ShouldFire(s, m):
		return "-"
	case p.OnFire(s, m):
		return "finish"
	default:
		return "fire"
	}
}

func compile(t *testing.T, tr Trigger) *Program {
	t.Helper()
	p, err := Compile(tr)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const us = time.Microsecond

func TestEachTriggerFiresAndFinishesAsBeamDefines(t *testing.T) {
	for _, c := range []struct {
		name    string
		trigger Trigger
		script  string
		want    string
	}{
		{"S4.1: on time at the end, not before it, and only once",
			AfterWatermark(), "e, w 9, w 10, e, w 20", "- - finish - -"},
		{"S5.2: the default fires on time, then once for each late element",
			Default(), "e, e, w 9, w 10, w 11, e, w 12, e, e, now 7", "- - - fire - fire - fire fire -"},
		{"S4.3: an element behind W in a window that has not ended fires nothing",
			Default(), "w 9, e, w 10", "- - fire"},
		{"late elements of a window that has fired fire it at once",
			Default(), "e, w 15, e, e", "- fire fire fire"},
		{"counts are judged after every element",
			AfterCount(3), "e, e, e, e, w 10", "- - finish - -"},
		{"a repeated count starts afresh with each pane",
			Repeat(AfterCount(2)), "e, e, e, w 10, e, e", "- fire - - fire -"},
		{"always fires after each element, and not for time",
			Always(), "e, e, w 10, now 9, e", "fire fire - - fire"},
		{"never does not fire",
			Never(), "e, w 10, e, now 100", "- - - -"},
		{"a delay counts from the first element of the pane",
			AfterProcessingTime(5 * us), "now 100, e, now 104, e, now 105, e", "- - - - finish -"},
		{"a delay of zero fires at the element",
			Repeat(AfterProcessingTime(0)), "e, now 3, e", "fire - fire"},
		{"a repeated delay is armed by the next element, not by the firing",
			Repeat(AfterProcessingTime(5 * us)), "e, now 5, now 50, e, now 54, now 55", "- fire - - - fire"},
		{"a deadline at zero, and one before it, are deadlines",
			Repeat(AfterProcessingTime(5 * us)), "now -5, e, now -1, now 0, now -20, e, now -15", "- - - fire - - fire"},

		{"early panes repeat; the on-time pane finishes, also when it is empty",
			AfterWatermark().Early(AfterCount(2)), "e, e, e, e, w 10, e", "- fire - fire finish -"},
		{"late panes repeat after the on-time pane, and count only late elements",
			AfterWatermark().Late(AfterCount(2)), "e, w 10, e, e, e, e", "- fire - fire - fire"},
		{"early elements do not count for a late pane, nor for the next early one",
			AfterWatermark().Early(AfterCount(2)).Late(AfterCount(3)),
			"e, e, e, w 10, e, e, w 11, e, e", "- fire - fire - - - fire -"},
		{"the on-time pane takes what an early pane waits for",
			AfterWatermark().Early(AfterProcessingTime(5 * us)).Late(AfterProcessingTime(5 * us)),
			"e, w 10, now 5, e, now 9, now 10", "- fire - - - fire"},
		{"an early trigger that passes through phases starts them again",
			AfterWatermark().Early(InOrder(AfterCount(1), AfterCount(2))), "e, e, e, e, e, e", "fire - fire fire - fire"},
		{"late Always is the default",
			AfterWatermark().Late(Always()), "e, w 10, w 11, e, e", "- fire - fire fire"},
		{"a late watermark trigger fires once per late element",
			AfterWatermark().Late(AfterWatermark()), "e, w 10, w 11, e, w 12, e", "- fire - fire - fire"},

		{"any: the first one fires and finishes",
			AfterAny(AfterCount(3), AfterWatermark()), "e, w 10, e", "- finish -"},
		{"any finishes even if what fired repeats",
			AfterAny(Repeat(AfterCount(2)), AfterWatermark()), "e, e, e, e, w 10", "- finish - - -"},
		{"any, repeated: each firing clears all that were waiting",
			Repeat(AfterAny(AfterCount(3), AfterProcessingTime(10*us))),
			"e, now 9, e, now 10, e, e, e, now 30", "- - - fire - - fire -"},
		{"any of count and watermark, repeated: on time, then per late element",
			Repeat(AfterAny(AfterCount(2), AfterWatermark())), "e, e, w 10, w 11, e, e, w 12", "- fire fire - fire fire -"},
		{"all: the last condition to hold fires",
			AfterAll(AfterCount(2), AfterWatermark()), "e, w 10, w 11, e, e", "- - - finish -"},
		{"all, repeated: each pane needs the elements anew; the end stays reached",
			Repeat(AfterAll(AfterCount(2), AfterWatermark())), "e, e, e, w 10, w 11, e, e, w 12, e, e", "- - - fire - - fire - - fire"},
		{"all of two delays waits for the longer",
			AfterAll(AfterProcessingTime(3*us), AfterProcessingTime(7*us)), "e, now 3, now 6, now 7", "- - - finish"},
		{"all with never does not fire",
			AfterAll(AfterCount(1), Never()), "e, w 10", "- -"},

		{"in order: each starts with the pane after its predecessor's",
			InOrder(AfterCount(2), AfterCount(3)), "e, e, e, e, e, e", "- fire - - finish -"},
		{"in order stays with what never finishes",
			InOrder(Repeat(AfterCount(2)), AfterCount(1)), "e, e, e, e", "- fire - fire"},
		{"in order: on time, then by count",
			InOrder(AfterWatermark(), Repeat(AfterCount(2))), "e, e, w 10, e, w 11, e, e", "- - fire - - fire -"},
		{"in order: a watermark whose turn comes late waits for an element",
			InOrder(AfterWatermark(), AfterWatermark(), AfterCount(1)), "e, w 10, w 11, e, e", "- fire - fire finish"},
		{"in order, nested, is one sequence",
			InOrder(InOrder(AfterCount(1), AfterCount(2)), AfterCount(1)), "e, e, e, e", "fire - fire finish"},

		{"until counts across main's firings and fires a last pane",
			OrFinally(Repeat(AfterCount(2)), AfterCount(5)), "e, e, e, e, e, e", "- fire - fire finish -"},
		{"until wins when both are ready",
			OrFinally(Repeat(AfterCount(2)), AfterCount(4)), "e, e, e, e", "- fire - finish"},
		{"or finally finishes with main",
			OrFinally(AfterCount(1), AfterCount(5)), "e, e", "finish -"},
		{"until a time since the first element, without a new one",
			OrFinally(Repeat(AfterCount(2)), AfterProcessingTime(10*us)), "e, now 4, e, now 10, e", "- - fire finish -"},
		{"until the end of the window",
			OrFinally(Repeat(AfterCount(2)), AfterWatermark()), "e, e, e, w 10, e", "- fire - finish -"},
		{"until a repeated trigger fires",
			OrFinally(Repeat(AfterCount(2)), Repeat(AfterCount(3))), "e, e, e, e", "- fire finish -"},
		{"an early part of a chain that ends it",
			InOrder(OrFinally(Repeat(AfterCount(2)), AfterCount(5)), AfterCount(1)), "e, e, e, e, e, e, e", "- fire - fire fire finish -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := run(t, c.trigger, c.script); got != c.want {
				t.Errorf("%v\n     %s\ngot  %s\nwant %s", c.trigger, c.script, got, c.want)
			}
		})
	}
}

func TestAskingMoreOftenChangesNothing(t *testing.T) {
	for _, tr := range []Trigger{
		Default(), AfterWatermark().Late(Default()), Repeat(AfterAny(AfterWatermark(), Always())),
		InOrder(AfterWatermark(), AfterWatermark()), Repeat(AfterWatermark().Early(AfterCount(2))),
	} {
		p := compile(t, tr)
		s := make(State, p.Words())
		for _, w := range []int64{0, 10, 20} {
			m := Moment{W: w, Due: 10}
			p.OnElement(s, m)
			for p.ShouldFire(s, m) {
				if p.OnFire(s, m); p.ShouldFire(s, m) {
					t.Fatalf("%v at W %d: fires again with nothing new", tr, w)
				}
			}
		}
	}
}

func TestProcessingTimeIsForeseen(t *testing.T) {
	const never = int64(1<<63 - 1)
	for _, c := range []struct {
		trigger Trigger
		script  string
		want    int64
	}{
		{Default(), "e", never},
		{AfterCount(2), "e", never},
		{AfterProcessingTime(5 * us), "now 3", never},
		{AfterProcessingTime(5 * us), "now 3, e", 8},
		{AfterProcessingTime(5 * us), "now 3, e, now 8", never},
		{Repeat(AfterProcessingTime(5 * us)), "now 3, e, now 8", never},
		{Repeat(AfterProcessingTime(5 * us)), "now 3, e, now 8, e", 13},
		{AfterWatermark().Early(AfterProcessingTime(5 * us)), "now 3, e", 8},
		{AfterWatermark().Late(AfterProcessingTime(5 * us)), "now 3, e", never},
		{AfterWatermark().Late(AfterProcessingTime(5 * us)), "now 3, e, w 10, now 4, e", 9},
		{AfterAny(AfterProcessingTime(5*us), AfterProcessingTime(2*us)), "e", 2},
		{AfterAll(AfterProcessingTime(5*us), AfterProcessingTime(2*us)), "e", 5},
		{AfterAll(AfterProcessingTime(5*us), AfterCount(2)), "e", never},
		{AfterAll(AfterProcessingTime(5*us), AfterCount(2)), "e, e", 5},
		{AfterAll(AfterProcessingTime(5*us), AfterWatermark()), "e", 5},
		{OrFinally(Repeat(AfterCount(2)), AfterProcessingTime(9*us)), "e, e", 9},
		{InOrder(AfterCount(2), AfterProcessingTime(9*us)), "e", never},
		{InOrder(AfterCount(2), AfterProcessingTime(9*us)), "e, e, now 4, e", 13},
	} {
		p := compile(t, c.trigger)
		s := make(State, p.Words())
		m := Moment{W: -100, Due: 10}
		for step := range strings.SplitSeq(c.script, ",") {
			step = strings.TrimSpace(step)
			if !scan(step, "w %d", &m.W) && !scan(step, "now %d", &m.Now) {
				p.OnElement(s, m)
			}
			ask(p, s, m)
		}
		if got := p.NextProcessing(s); got != c.want {
			t.Errorf("%v after %s: next processing time %d, want %d", c.trigger, c.script, got, c.want)
		}
	}
}

func TestFirstElementOfAnEndedWindowFiresItAtOnce(t *testing.T) {
	p := compile(t, Default())
	s := make(State, p.Words())
	m := Moment{W: 15, Due: 10}
	var got []string
	for range 2 {
		p.OnElement(s, m)
		got = append(got, ask(p, s, m), ask(p, s, m))
	}
	if want := []string{"fire", "-", "fire", "-"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDelaySaturates(t *testing.T) {
	p := compile(t, AfterProcessingTime(5*us))
	s := make(State, p.Words())
	const end = int64(1<<63 - 1)
	p.OnElement(s, Moment{Due: 10, Now: end - 2})
	if p.ShouldFire(s, Moment{Due: 10, Now: end}) {
		t.Error("fires at the end of all time, to which its deadline saturates")
	}
}
