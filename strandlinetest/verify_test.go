package strandlinetest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

type gauge struct {
	Sensor string
	At     int64 // seconds since 1970
	Value  int64
}

func gaugeAt(r *gauge) time.Time  { return time.Unix(r.At, 0) }
func gaugeSensor(r *gauge) string { return r.Sensor }

// gauges are 300 of three sensors, one a second.
func gauges() (all []gauge) {
	for i := range int64(300) {
		all = append(all, gauge{string(rune('a' + i%3)), i, i * i % 101})
	}
	return all
}

type sums = strandline.PCollection[strandline.KV[string, int64]]

func TestAnswersThatGoByEventTimeAreTheSame(t *testing.T) {
	sum := combine.Sum(func(r *gauge) int64 { return r.Value })
	for name, build := range map[string]func(strandline.PCollection[gauge]) sums{
		"sessions": func(in strandline.PCollection[gauge]) sums {
			return in.Filter("some", func(r *gauge) bool { return r.Value%4 == 0 }).KeyBy("sensor", gaugeSensor).
				WindowInto(window.Session(10*time.Second)).CombinePerKey("sum", sum).PCollection
		},
		"sliding windows, in two steps": func(in strandline.PCollection[gauge]) sums {
			return in.Reshuffle("spread").KeyBy("sensor", gaugeSensor).WindowInto(window.Sliding(30*time.Second, 10*time.Second)).
				CombinePerKey("sum", sum).
				KeyByWith("parity", func(v *strandline.KV[string, int64]) (string, int64) { return fmt.Sprint(v.Value % 2), v.Value }).
				CombinePerKey("max", combine.Max(func(n *int64) int64 { return *n })).PCollection
		},
		"early panes that accumulate": func(in strandline.PCollection[gauge]) sums {
			return in.KeyBy("sensor", gaugeSensor).WindowInto(window.Fixed(time.Minute)).
				Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(3))).CombinePerKey("sum", sum).PCollection
		},
	} {
		if err := (strandlinetest.Verification[gauge, strandline.KV[string, int64]]{Data: gauges(), Time: gaugeAt, Bound: 15 * time.Second, Build: build}).Check(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGroupsAreComparedInAnyOrder(t *testing.T) {
	strandlinetest.Verify(t, gauges(), gaugeAt, 9*time.Second, func(in strandline.PCollection[gauge]) strandline.PCollection[strandline.KV[string, []gauge]] {
		return strandline.GroupByKey("group", in.KeyBy("sensor", gaugeSensor).WindowInto(window.Fixed(time.Minute))).PCollection
	})
}

func TestPanesThatDiscardAreMerged(t *testing.T) {
	v := strandlinetest.Verification[gauge, strandline.KV[string, int64]]{
		Data: gauges(), Time: gaugeAt, Bound: 9 * time.Second,
		Build: func(in strandline.PCollection[gauge]) sums {
			return in.KeyBy("sensor", gaugeSensor).WindowInto(window.Fixed(time.Minute)).
				Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(3))).Discarding().
				CombinePerKey("count", combine.Count[gauge]()).PCollection
		},
		Merge: func(a, b strandline.KV[string, int64]) strandline.KV[string, int64] {
			a.Value += b.Value
			return a
		},
	}
	v.Run(t)
}

// Sessions that fire early and merge take back what they gave: the changes add up to the answer.
func TestRetractionsAddUpToTheAnswer(t *testing.T) {
	strandlinetest.Verify(t, gauges(), gaugeAt, 15*time.Second, func(in strandline.PCollection[gauge]) sums {
		return in.Filter("some", func(r *gauge) bool { return r.Value%4 == 0 }).KeyBy("sensor", gaugeSensor).
			WindowInto(window.Session(10*time.Second)).Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(1))).Retracting().
			CombinePerKey("count", combine.Count[gauge]()).PCollection
	})
}

func TestADifferenceNamesStepKeyWindowAndBothValues(t *testing.T) {
	first := true
	err := strandlinetest.Verification[gauge, strandline.KV[string, int64]]{
		Data: []gauge{{"a", 7, 1}, {"b", 8, 2}}, Time: gaugeAt,
		Build: func(in strandline.PCollection[gauge]) sums {
			more := int64(0)
			if first {
				more = 10
			}
			first = false
			return in.KeyBy("sensor", gaugeSensor).WindowInto(window.Fixed(10*time.Second)).
				CombinePerKey("sum", combine.Sum(func(r *gauge) int64 { return r.Value*r.Value + more*(r.Value-1) })).PCollection
		},
	}.Check(context.Background())
	const want = `Answers differ: step "sum", seed 0, of two runs that are alike in everything
	A: batch mode, 1 worker, 1 split of at most 1024, in the order given
	B: batch mode, 1 worker, 1 split of at most 1024, in the order given
	"b" in [1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z)
		A: 14
		B: 4
	They agree when they are repeated, so no smaller input was found`
	if err == nil || err.Error() != want {
		t.Errorf("it says\n%v\nwant\n%s", err, want)
	}
}

func TestARunThatFailsSaysWhatItWasLike(t *testing.T) {
	err := strandlinetest.Verification[gauge, gauge]{
		Data: gauges(), Time: gaugeAt,
		Build: func(in strandline.PCollection[gauge]) strandline.PCollection[gauge] {
			return in.Filter("fails", func(r *gauge) bool { panic("not today") })
		},
	}.Check(t.Context())
	if err == nil || !strings.Contains(err.Error(), "batch mode, 1 worker") || !strings.Contains(err.Error(), "not today") {
		t.Errorf("it says %v", err)
	}
}

// Values without a key, of several panes, cannot be told apart: that is said, and not guessed.
func TestPanesWithoutAKeyAreRefused(t *testing.T) {
	err := strandlinetest.Verification[gauge, int64]{
		Data: gauges(), Time: gaugeAt,
		Build: func(in strandline.PCollection[gauge]) strandline.PCollection[int64] {
			return in.KeyBy("sensor", gaugeSensor).WindowInto(window.Fixed(time.Minute)).
				Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(3))).
				CombinePerKey("count", combine.Count[gauge]()).Map("bare", func(v *strandline.KV[string, int64]) int64 { return v.Value })
		},
	}.Check(t.Context())
	if err == nil || errors.Is(err, strandlinetest.ErrDiffer) || !strings.Contains(err.Error(), "FinalOnly") {
		t.Errorf("it says %v", err)
	}
}

// Sessions that gave something before they became part of others, and do not take it back, leave panes
// of which nobody can tell that they are none of the answer. Sliding windows overlap, and do not merge.
func TestEarlyPanesOfSessionsThatDoNotRetractAreRefused(t *testing.T) {
	early := func(w window.Assigner) func(strandline.PCollection[gauge]) sums {
		return func(in strandline.PCollection[gauge]) sums {
			return in.Filter("some", func(r *gauge) bool { return r.Value%4 == 0 }).KeyBy("sensor", gaugeSensor).
				WindowInto(w).Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(1))).
				CombinePerKey("count", combine.Count[gauge]()).PCollection
		}
	}
	err := strandlinetest.Verification[gauge, strandline.KV[string, int64]]{
		Data: gauges(), Time: gaugeAt, Bound: 15 * time.Second, Build: early(window.Session(10 * time.Second)),
	}.Check(t.Context())
	if err == nil || errors.Is(err, strandlinetest.ErrDiffer) || !strings.Contains(err.Error(), "Make the aggregation Retracting or FinalOnly") {
		t.Errorf("it says %v", err)
	}
	strandlinetest.Verify(t, gauges(), gaugeAt, 15*time.Second, early(window.Sliding(30*time.Second, 10*time.Second)))
}

func TestABoundThatTheDataExceedsIsRaised(t *testing.T) {
	data := []gauge{{"a", 100, 1}, {"a", 3, 1}}
	strandlinetest.Verify(t, data, gaugeAt, 0, func(in strandline.PCollection[gauge]) sums {
		return in.KeyBy("sensor", gaugeSensor).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[gauge]()).PCollection
	})
}

func TestFloatsMayDifferInTheLastBits(t *testing.T) {
	strandlinetest.Verify(t, gauges(), gaugeAt, 20*time.Second, func(in strandline.PCollection[gauge]) strandline.PCollection[float64] {
		return in.Map("tenth", func(r *gauge) float64 { return float64(r.Value) / 10 }).WindowInto(window.Fixed(time.Minute)).
			Combine("sum", combine.Reduce(func(a, b float64) float64 { return a + b })).PCollection
	})
}
