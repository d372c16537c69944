package trigger

import (
	"strings"
	"testing"
	"time"
)

func TestValidateReportsEveryProblemAtOnce(t *testing.T) {
	var none *WatermarkTrigger
	err := Validate(AfterAny(
		AfterCount(0),
		Repeat(AfterProcessingTime(-time.Second)),
		AfterWatermark().Early(nil).Late(none),
		InOrder(),
		OrFinally(nil, AfterProcessingTime(1500*time.Nanosecond)),
		nil,
		Repeat(nil),
	))
	want := []string{
		"trigger.AfterAny: argument 6 of 7 is nil",
		"trigger.AfterCount: n must be at least 1, is 0",
		"trigger.AfterProcessingTime: d must not be negative, is -1s",
		"trigger.AfterWatermark: Early was given no trigger",
		"trigger.AfterWatermark: Late was given no trigger",
		"trigger.InOrder: no triggers were given",
		"trigger.OrFinally: argument 1 of 2 is nil",
		"trigger.AfterProcessingTime: d must be of whole microseconds, is 1.5µs",
		"trigger.Repeat: no trigger was given",
	}
	if err == nil {
		t.Fatal("no error")
	}
	if got := strings.Split(err.Error(), "\n"); len(got) != len(want) {
		t.Errorf("%d problems, want %d:\n%v", len(got), len(want), err)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("missing: %s", w)
		}
	}
	if Validate(nil) == nil || Validate(none) == nil {
		t.Error("nil passes")
	}
	if p, err := Compile(AfterCount(0)); p != nil || err == nil {
		t.Error("Compile accepts what Validate does not")
	}
}

func TestTriggersDoNotChangeWithTheirArguments(t *testing.T) {
	kids := []Trigger{AfterCount(1), AfterCount(2)}
	w := AfterWatermark().Early(AfterCount(3))
	any, late, ptr := AfterAny(kids...), w.Late(AfterCount(4)), Repeat(&w)
	kids[0] = Never()
	w = AfterWatermark()
	for tr, want := range map[string]string{
		any.String():  "afterAny(afterCount(1), afterCount(2))",
		late.String(): "afterWatermark(early afterCount(3), late afterCount(4))",
		ptr.String():  "repeat(afterWatermark(early afterCount(3)))",
	} {
		if tr != want {
			t.Errorf("got %s, want %s", tr, want)
		}
	}
}

func TestEqualMeaningHasEqualText(t *testing.T) {
	for _, c := range [][2]Trigger{
		{Default(), Repeat(AfterWatermark())},
		{Default(), Repeat(Repeat(AfterWatermark()))},
		{Always(), Repeat(AfterCount(1))},
		{AfterWatermark().Early(Repeat(AfterCount(3))), AfterWatermark().Early(AfterCount(3))},
		{AfterWatermark().Late(Always()), AfterWatermark().Late(AfterCount(1))},
	} {
		if a, b := c[0].String(), c[1].String(); a != b {
			t.Errorf("%s and %s", a, b)
		}
	}
}

func TestContinuationPassesEachPaneOn(t *testing.T) {
	minute := AfterProcessingTime(time.Minute)
	for _, c := range []struct {
		trigger Trigger
		want    string
	}{
		{Default(), "default"},
		{Never(), "never"},
		{Always(), "always"},
		{AfterCount(100), "afterCount(1)"},
		{minute, "afterProcessingTime(0s)"},
		{AfterWatermark(), "afterWatermark"},
		{AfterWatermark().Early(minute).Late(AfterCount(7)), "afterWatermark(early afterProcessingTime(0s), late afterCount(1))"},
		{Repeat(AfterCount(7)), "always"},
		{AfterAny(AfterCount(7), minute), "afterAny(afterCount(1), afterProcessingTime(0s))"},
		{AfterAll(AfterCount(7), minute), "afterAll(afterCount(1), afterProcessingTime(0s))"},
		{InOrder(AfterCount(7), AfterWatermark()), "repeat(afterAny(afterCount(1), afterWatermark))"},
		{OrFinally(Repeat(AfterCount(7)), minute), "repeat(orFinally(always, afterProcessingTime(0s)))"},
	} {
		got := Continuation(c.trigger)
		if got.String() != c.want {
			t.Errorf("%v continues as %v, want %s", c.trigger, got, c.want)
		}
		if twice := Continuation(got); twice.String() != c.want {
			t.Errorf("%v continues as %v", got, twice)
		}
	}
	if Validate(Continuation(nil)) == nil {
		t.Error("the continuation of nil is valid")
	}
}

func TestWhatATriggerCanDoIsForeseen(t *testing.T) {
	minute := AfterProcessingTime(time.Minute)
	for _, c := range []struct {
		trigger                          Trigger
		mayFinish, perElement, usesClock bool
	}{
		{Default(), false, false, false},
		{AfterWatermark(), true, false, false},
		{AfterWatermark().Early(AfterCount(2)), true, true, false},
		{AfterWatermark().Early(minute), true, false, true},
		{AfterWatermark().Late(AfterCount(2)), false, false, false},
		{AfterWatermark().Late(minute), false, false, true},
		{AfterCount(2), true, true, false},
		{minute, true, false, true},
		{AfterProcessingTime(0), true, true, true},
		{Never(), false, false, false},
		{Always(), false, true, false},
		{Repeat(minute), false, false, true},
		{AfterAny(AfterCount(2), AfterWatermark()), true, true, false},
		{AfterAny(Never()), false, false, false},
		{AfterAll(AfterCount(2), AfterWatermark()), true, false, false},
		{AfterAll(AfterCount(2), minute), true, true, true},
		{AfterAll(AfterCount(2), Never()), false, false, false},
		{InOrder(AfterWatermark(), AfterCount(2)), true, false, false},
		{InOrder(minute, AfterCount(2)), true, true, true},
		{InOrder(Repeat(minute), AfterCount(2)), false, false, true},
		{InOrder(AfterCount(2), Always()), false, true, false},
		{OrFinally(Always(), AfterWatermark()), true, true, false},
		{OrFinally(Default(), Never()), false, false, false},
	} {
		p := compile(t, c.trigger)
		if got := MayFinish(c.trigger); got != c.mayFinish {
			t.Errorf("%v: MayFinish is %v", c.trigger, got)
		}
		if got := p.PerElement(); got != c.perElement {
			t.Errorf("%v: PerElement is %v", c.trigger, got)
		}
		if got := p.UsesProcessingTime(); got != c.usesClock {
			t.Errorf("%v: UsesProcessingTime is %v", c.trigger, got)
		}
		if got, want := p.IsDefault(), c.trigger.String() == "default"; got != want {
			t.Errorf("%v: IsDefault is %v", c.trigger, got)
		}
	}
}
