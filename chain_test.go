package strandline_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/window"
)

type count = strandline.KV[string, int64]

func amount(x *count) int64 { return x.Value }

// eachWorkers runs a test with 1 to 8 workers.
func eachWorkers(t *testing.T, f func(t *testing.T, workers int)) {
	for workers := 1; workers <= 8; workers++ {
		t.Run(fmt.Sprint(workers, " workers"), func(t *testing.T) { f(t, workers) })
	}
}

func TestCountsPerSensorAddUpPerWindow(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("chain")
		per := input(p, keyed("a1 b2 a3 c4 a11 b12 c33"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("per key", combine.Count[event]())
		var got lines
		total := per.Combine("total", combine.Both(combine.Count[count](), combine.Sum(amount)))
		strandline.Each(total.PCollection, "", func(x strandline.Pane[combine.Pair[int64, int64]]) { got.add("%s %v %v", span(x), x.Value, x.Pane) })
		mustRun(t, p, strandline.Workers(workers))
		// Keys and events in each window, counted by hand.
		inOrder(t, "keys and events", got,
			"[0, 10) {3 4} on time pane 0 (0), first, last",
			"[10, 20) {2 2} on time pane 0 (0), first, last",
			"[30, 40) {1 1} on time pane 0 (0), first, last")
	})
}

func TestSessionsAreCountedInFixedWindows(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("chain")
		// Gap 5. a: [1, 9) of 2, [20, 25) of 1, [58, 66) of 2; b: [3, 8) of 1, [61, 66) of 1. A
		// session is counted in the minute of its last instant.
		sessions := input(p, keyed("a1 b3 a4 a20 a58 b61 a61"), 0).KeyBy("key", key).WindowInto(window.Session(5*time.Second)).CombinePerKey("sessions", combine.Count[event]())
		got := values(sessions.Keyed().WindowInto(window.Fixed(time.Minute)).CombinePerKey("per minute", combine.Both(combine.Count[int64](), combine.Sum(combine.Self[int64]))))
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "sessions and events", *got, "[0, 60) a {2 3}", "[0, 60) b {1 1}", "[60, 120) a {1 2}", "[60, 120) b {1 1}")
	})
}

// A late pane of the first aggregation is a late element of the second, which inherits window and
// allowed lateness, and adds what is new.
func TestLatePanesReachTheSecondAggregation(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("chain")
		per := input(p, keyed("a1 b2 a12 a5 b6 a31 a7"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).AllowedLateness(10*time.Second).Discarding().
			CombinePerKey("per key", combine.Count[event]())
		var got lines
		total := per.Combine("total", combine.Sum(amount))
		strandline.Each(total.PCollection, "", func(x strandline.Pane[int64]) { got.add("%s %v %v", span(x), x.Value, x.Pane) })
		rep := mustRun(t, p, strandline.Workers(workers))
		// The 5 and the 6 are late at 12; the 7 is too late at 31.
		inOrder(t, "totals", got,
			"[0, 10) 2 on time pane 0 (0), first", "[0, 10) 1 late pane 1 (1)", "[0, 10) 1 late pane 2 (2)",
			"[10, 20) 1 on time pane 0 (0), first",
			"[30, 40) 1 on time pane 0 (0), first, last")
		if n := counts(t, rep, "per key").Counts; n.DroppedLate != 1 || n.LateKept != 2 {
			t.Errorf("dropped %d, kept %d, want 1 and 2", n.DroppedLate, n.LateKept)
		}
		if n := counts(t, rep, "total").Counts; n.DroppedLate != 0 || n.LateKept != 2 {
			t.Errorf("second: dropped %d, kept %d, want 0 and 2", n.DroppedLate, n.LateKept)
		}
	})
}

func TestFinalOnlyPanesAreNotLateDownstream(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("chain")
		per := input(p, keyed("a1 b2 a12 a5 b6 a31 a7"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).AllowedLateness(10*time.Second).FinalOnly().
			CombinePerKey("per key", combine.Count[event]())
		var got lines
		strandline.Each(per.Combine("total", combine.Sum(amount)).PCollection, "", func(x strandline.Pane[int64]) { got.add("%s %v %v", span(x), x.Value, x.Pane) })
		rep := mustRun(t, p, strandline.Workers(workers))
		inOrder(t, "totals", got, "[0, 10) 4 on time pane 0 (0), first, last", "[10, 20) 1 on time pane 0 (0), first, last", "[30, 40) 1 on time pane 0 (0), first, last")
		if n := counts(t, rep, "total").Counts.DroppedLate; n != 0 {
			t.Errorf("%d of the second are late", n)
		}
	})
}

// The earliest output time holds the watermark back, so that what is windowed anew by it is on time
// (S3.6).
func TestAnOutputTimeBeforeTheWatermarkHoldsItBack(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("chain")
		per := input(p, keyed("a1 b2 a55 c61 c130"), 0).KeyBy("key", key).WindowInto(window.Fixed(time.Minute)).OutputTime(strandline.Earliest).CombinePerKey("per key", combine.Count[event]())
		again := per.Keyed().WindowInto(window.Fixed(10*time.Second)).CombinePerKey("again", combine.Sum(combine.Self[int64]))
		got := values(again)
		rep := mustRun(t, p, strandline.Workers(workers))
		expect(t, "by the first event's time", *got, "[0, 10) a 2", "[0, 10) b 1", "[60, 70) c 1", "[130, 140) c 1")
		if n := counts(t, rep, "again").Counts.DroppedLate; n != 0 {
			t.Errorf("%d late", n)
		}
	})
}

func TestTwoExchangesInARowKeepEveryElement(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("chain")
		var events []event
		for i := range int64(1000) {
			events = append(events, event{At: i, Key: string(rune('a' + i%7)), N: i})
		}
		got := values(input(p, events, 0).Reshuffle("one").Reshuffle("two").KeyBy("key", key).WindowInto(window.Fixed(500*time.Second)).CombinePerKey("sum", combine.Sum(value)))
		mustRun(t, p, strandline.Workers(workers))
		want := map[string]int64{}
		for _, e := range events {
			lo := e.At / 500 * 500
			want[fmt.Sprintf("[%d, %d) %s", lo, lo+500, e.Key)] += e.N
		}
		var w lines
		for k, n := range want {
			w.add("%s %d", k, n)
		}
		expect(t, "sums", *got, w...)
	})
}
