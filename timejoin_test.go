package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// twoSides reads text such as "a5 A7": small letters are the left side, capital ones the right
// side of the same key. Everything is one split, so W is the greatest time so far less the bound.
func twoSides(p *strandline.Pipeline, text string, bound time.Duration) (left, right strandline.Keyed[string, event]) {
	in := input(p, keyed(text), bound)
	capital := func(e *event) bool { return e.Key != strings.ToLower(e.Key) }
	left = in.Filter("small", func(e *event) bool { return !capital(e) }).KeyBy("by small", key)
	right = in.Filter("capital", capital).KeyBy("by capital", func(e *event) string { return strings.ToLower(e.Key) })
	return left, right
}

// pair writes a match down.
func pair(_ string, l, r *event) string {
	if r == nil {
		return fmt.Sprint(l, " none")
	}
	return fmt.Sprint(l, " ", r)
}

// matches gathers what a join gives, with its time, and what was late.
func matches(j strandline.Joined[string, event, event, string]) (got, late *lines) {
	got, late = new(lines), new(lines)
	strandline.Each(j.PCollection, "", func(x strandline.Pane[string]) { got.add("%s at %d", x.Value, x.Time.Unix()) })
	text := func(l strandline.Late[event]) string {
		lo, hi := l.Missed[0].Micros()
		return fmt.Sprintf("%v by %v, missed [%g, %g)", l.Value, l.By(), float64(lo)/1e6, float64(hi)/1e6)
	}
	strandline.Each(j.OnLate(text, text), "", func(x strandline.Pane[string]) { late.add("%s", x.Value) })
	return got, late
}

func TestAnIntervalJoinIncludesBothBounds(t *testing.T) { // S10.3
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("interval")
		left, right := twoSides(p, "A14 A15 a20 A20 A30 A31 B20 b31 b31 B41", time.Hour)
		got, _ := matches(left.IntervalJoin("join", right, -5*time.Second, 10*time.Second, pair))
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "pairs", *got, "a@20 A@15 at 20", "a@20 A@20 at 20", "a@20 A@30 at 30", "b@31 B@41 at 41", "b@31 B@41 at 41")
	})
}

func TestAnIntervalJoinTakesBoundsToTheMicrosecond(t *testing.T) { // S1.1
	for _, x := range []struct {
		lo, hi time.Duration
		want   string
	}{
		{-500 * time.Nanosecond, 1500 * time.Nanosecond, "0 1"},
		{500 * time.Nanosecond, 2 * time.Microsecond, "1 2"},
		{-2500 * time.Nanosecond, -500 * time.Nanosecond, "-2 -1"},
		{100 * time.Nanosecond, 900 * time.Nanosecond, ""},
	} {
		p := strandline.New("interval")
		at := func(n *int64) int64 { return *n }
		same := func(*int64) int { return 0 }
		left := strandline.ReadMicros(p, memory.Slice("left", []int64{0}), watermark.EndOfInput(), at).KeyBy("l", same)
		right := strandline.ReadMicros(p, memory.Slice("right", []int64{-3, -2, -1, 0, 1, 2, 3}), watermark.EndOfInput(), at).KeyBy("r", same)
		var got []string
		strandline.Each(left.IntervalJoin("join", right, x.lo, x.hi, func(_ int, _, r *int64) string { return fmt.Sprint(*r) }).PCollection, "",
			func(x strandline.Pane[string]) { got = append(got, x.Value) })
		mustRun(t, p)
		if g := strings.Join(got, " "); g != x.want {
			t.Errorf("from %v to %v: %q, want %q", x.lo, x.hi, g, x.want)
		}
	}
}

func TestAnIntervalJoinIsLateByElementAndNotByWindow(t *testing.T) { // S10.3, S4.4
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("interval")
		left, right := twoSides(p, "a10 A20 a15 A30 a24 a25 A9", 0)
		got, late := matches(left.AllowedLateness(5*time.Second).IntervalJoin("join", right, 0, 10*time.Second, pair))
		rep := mustRun(t, p, strandline.Workers(workers))
		// W is 20 at a15 and 30 from a24 on: what is before 15, and then 25, is late.
		expect(t, "pairs", *got, "a@10 A@20 at 20", "a@15 A@20 at 20", "a@25 A@30 at 30")
		expect(t, "late", *late, "a@24 by 6s, missed [24, 34.000001)", "A@9 by 21s, missed [-1, 9.000001)")
		n := counts(t, rep, "join").Counts
		if n.Assigned != 7 || n.InWindow != 5 || n.DroppedLate != 2 || n.LateKept != 2 || n.Emitted != 5 || n.LateRecords != 2 {
			t.Errorf("the books say %+v", n)
		}
	})
}

func TestJoinsByTimeDoNotMatchNullKeys(t *testing.T) { // S7.4
	type maybe = combine.Null[string]
	null := func(e *event) maybe { return maybe{V: e.Key, Valid: e.Key != "z"} }
	p := strandline.New("null")
	left := input(p, keyed("a1 z2"), 0).KeyBy("left", null)
	right := input(p, keyed("a1 z2"), 0).KeyBy("right", null)
	text := func(k maybe, l, r *event) string { return pair("", l, r) }
	var interval, asOf lines
	strandline.Each(left.IntervalJoin("interval", right, 0, time.Second, text).PCollection, "", func(x strandline.Pane[string]) { interval.add("%s", x.Value) })
	strandline.Each(left.AsOfJoin("as of", right, text).PCollection, "", func(x strandline.Pane[string]) { asOf.add("%s", x.Value) })
	mustRun(t, p, strandline.Batch())
	expect(t, "pairs", interval, "a@1 a@1")
	expect(t, "versions", asOf, "a@1 a@1", "z@2 none")
}

func TestJoinsByTimeForgetTheWindowsOfTheirInputs(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("windows")
		left, right := twoSides(p, "a1 a2 A5 a11 A12", 0)
		count := func(k strandline.Keyed[string, event], name string) strandline.Keyed[string, int64] {
			return k.WindowInto(window.Fixed(10*time.Second)).CombinePerKey(name, combine.Count[event]()).Keyed()
		}
		// Counts come at 9.999999 and 19.999999.
		both := count(left, "left").IntervalJoin("join", count(right, "right"), 0, 10*time.Second, func(k string, l, r *int64) string { return fmt.Sprint(k, *l, *r) })
		var got lines
		strandline.Each(both.PCollection, "", func(x strandline.Pane[string]) {
			if !x.Window.IsGlobal() {
				t.Errorf("%s is in the window %v", x.Value, x.Window)
			}
			got.add("%s at %d", x.Value, x.Time.Unix())
		})
		again := both.WindowInto(window.Fixed(time.Minute)).Combine("in a minute", combine.Count[string]())
		strandline.Each(again.PCollection, "", func(x strandline.Pane[int64]) { got.add("%d in %s", x.Value, span(x)) })
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "pairs", got, "a2 1 at 9", "a2 1 at 19", "a1 1 at 19", "3 in [0, 60)")
	})
}

func TestAnAsOfJoinFindsTheNewestVersionThatIsNotAhead(t *testing.T) { // S10.4
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("as of")
		left, right := twoSides(p, "a25 a9 A20 A0 a10 A10 B11 b10 a0", time.Hour)
		got, _ := matches(left.AsOfJoin("join", right, pair))
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "versions", *got, "a@0 A@0 at 0", "a@9 A@0 at 9", "a@10 A@10 at 10", "b@10 none at 10", "a@25 A@20 at 25")
	})
}

func TestAnAsOfJoinWaitsForVersionsThatMayStillCome(t *testing.T) { // S10.4
	p := strandline.New("as of")
	left, right := twoSides(p, "a15 A10 a12 A16 b30 a26", 5*time.Second)
	got, _ := matches(left.AsOfJoin("join", right, pair))
	mustRun(t, p)
	// The 30 takes W from 11 to 25: the answers to what is before that come, in order of time.
	inOrder(t, "versions", *got, "a@12 A@10 at 12", "a@15 A@10 at 15", "a@26 A@16 at 26", "b@30 none at 30")
}

func TestAnAsOfJoinWithLateElements(t *testing.T) { // S10.4
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("as of")
		left, right := twoSides(p, "A0 A10 a20 a16 A17 a18 a14 A13 z30", 0)
		got, late := matches(left.AllowedLateness(5*time.Second).AsOfJoin("join", right, pair))
		rep := mustRun(t, p, strandline.Workers(workers))
		// W is 20 from the 16 on, and what is before 15 is late. All that wait come when the 30
		// takes W past 20; the 17 is in by then.
		expect(t, "versions", *got, "a@20 A@17 at 20", "a@16 A@10 at 16", "a@18 A@17 at 18", "z@30 none at 30")
		expect(t, "late", *late, "a@14 by 6s, missed [-9.223372036854775e+12, 14.000001)", "A@13 by 7s, missed [13, 9.223372036854775e+12)")
		n := counts(t, rep, "join").Counts
		if n.Assigned != 9 || n.InWindow != 7 || n.DroppedLate != 2 || n.LateKept != 3 || n.Emitted != 7 || n.Open != 0 {
			t.Errorf("the books say %+v", n)
		}
	})
}

func TestVersionsOfOneTimeAreOrderedByEncodingAndNotByArrival(t *testing.T) { // S10.4
	for _, events := range [][]event{
		{{At: 10, Key: "A", N: 1}, {At: 10, Key: "A", N: 3}, {At: 10, Key: "A", N: 2}, {At: 12, Key: "a"}},
		{{At: 10, Key: "A", N: 3}, {At: 12, Key: "a"}, {At: 10, Key: "A", N: 2}, {At: 10, Key: "A", N: 1}},
	} {
		p := strandline.New("ties")
		in := input(p, events, time.Hour)
		left := in.Filter("left", func(e *event) bool { return e.Key == "a" }).KeyBy("l", func(*event) int { return 0 })
		right := in.Filter("right", func(e *event) bool { return e.Key == "A" }).KeyBy("r", func(*event) int { return 0 })
		var got lines
		strandline.Each(left.AsOfJoin("join", right, func(_ int, _, r *event) int64 { return r.N }).PCollection, "", func(x strandline.Pane[int64]) { got.add("%d", x.Value) })
		mustRun(t, p)
		expect(t, "version", got, "3")
	}
}

func TestDeduplicateKeepsTheFirstWithinTheHorizon(t *testing.T) { // S10.5
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("dedup")
		first := input(p, keyed("a10 a15 a5 a19 a20 a29 a30 b10"), time.Hour).KeyBy("key", key).Deduplicate("first", 10*time.Second)
		var got lines
		strandline.Each(first.MapEntries("", func(k string, e *event) string { return fmt.Sprint(k, " ", e) }), "", func(x strandline.Pane[string]) { got.add("%s at %d", x.Value, x.Time.Unix()) })
		rep := mustRun(t, p, strandline.Workers(workers))
		// 20 is not before 10 + 10, and 30 not before 20 + 10.
		expect(t, "kept", got, "a a@10 at 10", "a a@20 at 20", "a a@30 at 30", "b b@10 at 10")
		if n := counts(t, rep, "first").Counts; n.In != 8 || n.Kept != 4 || n.Filtered != 4 {
			t.Errorf("in %d, kept %d, filtered %d, want 8, 4 and 4", n.In, n.Kept, n.Filtered)
		}
	})
}

func TestDeduplicateForgetsWhenTheWatermarkPassesTheHorizon(t *testing.T) { // S10.5
	for lateness, want := range map[time.Duration][]string{
		0:               {"a@10", "z@20", "a@12"}, // W is 20 at the 12, and what came at 10 is forgotten
		5 * time.Second: {"a@10", "z@20"},
	} {
		p := strandline.New("dedup")
		var got lines
		first := input(p, keyed("a10 a15 z20 a12"), 0).KeyBy("key", key).AllowedLateness(lateness).Deduplicate("first", 10*time.Second)
		strandline.Each(first.MapEntries("", func(_ string, e *event) string { return e.String() }), "", func(x strandline.Pane[string]) { got.add("%s", x.Value) })
		mustRun(t, p)
		inOrder(t, fmt.Sprint("kept with allowed lateness ", lateness), got, want...)
	}
}

func TestDeduplicateKeepsWindows(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("dedup")
		counted := input(p, keyed("a1 b2 a3 a11 a21"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
		// Counts of a come at 9.999999, 19.999999 and 29.999999.
		first := counted.Keyed().Deduplicate("first", 15*time.Second)
		var got lines
		strandline.Each(strandline.GroupByKey("group", first).PCollection, "", func(x strandline.Pane[strandline.KV[string, []int64]]) { got.add("%s %v", span(x), x.Value) })
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "groups", got, "[0, 10) {a [2]}", "[0, 10) {b [1]}", "[20, 30) {a [1]}")
	})
}

func TestMistakesInStepsByTimeAreFoundWhenThePipelineIsBuilt(t *testing.T) {
	mistake := func(what, want string, build func(left, right strandline.Keyed[string, event])) {
		t.Helper()
		p := strandline.New("mistake")
		left, right := twoSides(p, "a1", 0)
		build(left, right)
		if err := p.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", what, err, want)
		}
	}
	untimed := func(k strandline.Keyed[string, event]) strandline.Keyed[string, event] {
		return strandline.Read(strandline.New("other"), memory.Slice("events", []event{}), watermark.EndOfInput(), nil).KeyBy("key", key)
	}
	type sides = strandline.Keyed[string, event]
	mistake("bounds", "is empty", func(l, r sides) { l.IntervalJoin("j", r, 2, 1, pair) })
	mistake("function", "the function", func(l, r sides) { l.IntervalJoin[event, string]("j", r, 0, 1, nil) })
	mistake("pipeline", "another pipeline", func(l, r sides) { l.AsOfJoin("j", untimed(r), pair) })
	mistake("time", strandline.ErrNoEventTime.Error(), func(l, r sides) { l.IntervalJoin("j", untimed(r), 0, 1, pair) })
	mistake("lateness", "negative", func(l, r sides) { l.AllowedLateness(-1).AsOfJoin("j", r, pair) })
	mistake("repeats", "joined again", func(l, r sides) {
		l.WindowInto(window.Fixed(time.Second)).AllowedLateness(time.Second).CombinePerKey("count", combine.Count[event]()).Keyed().
			AsOfJoin("j", r, func(string, *int64, *event) int { return 0 })
	})
	mistake("retractions", "takes back", func(l, r sides) {
		l.WindowInto(window.Fixed(time.Second)).AllowedLateness(time.Second).Retracting().CombinePerKey("count", combine.Count[event]()).Keyed().Deduplicate("d", time.Second)
	})
	mistake("version", "encodable", func(l, r sides) {
		l.AsOfJoin("j", r.MapValues("f", func(*event) func() { return nil }), func(string, *event, *func()) int { return 0 })
	})
	mistake("horizon", "a microsecond or longer", func(l, r sides) { l.Deduplicate("d", 0) })
}

func TestThePlanStatesHowMuchAStepByTimeKeeps(t *testing.T) { // S10.2, materialize#26029, risingwave#16045
	p := strandline.New("plan")
	left, right := twoSides(p, "a1", 0)
	left.AllowedLateness(time.Minute).IntervalJoin("near", right, -5*time.Second, 10*time.Second, pair)
	left.IntervalJoin("before", right, -20*time.Second, -10*time.Second, pair)
	left.AllowedLateness(time.Minute).AsOfJoin("as of", right, pair)
	left.Deduplicate("first", time.Hour)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"near: interval join from -5s to 10s, allowed lateness 1m0s",
		"[state: a left element is kept until the watermark is more than 1m10s past its time, a right one until it is more than 1m5s past its time]",
		"[state: a left element is kept until the watermark is within 10s of its time, a right one until it is more than 20s past its time]",
		"[state: the newest version of each key that is 1m0s behind the watermark, for ever, and all later ones; left elements until the watermark has passed them]",
		"[depends on the order of arrival; state: an instant for each key until the watermark is 1h0m0s past it]",
	} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("the plan does not say %q:\n%s", want, p)
		}
	}
}

func TestAPanicInAJoinByTimeNamesThePair(t *testing.T) {
	p := strandline.New("panic")
	left, right := twoSides(p, "a1 A2", 0)
	left.IntervalJoin("join", right, 0, time.Minute, func(string, *event, *event) int { panic("no") })
	_, err := p.Run(context.Background())
	var panicked *strandline.PanicError
	if !errors.As(err, &panicked) || panicked.Step != "join" || panicked.Element != "{Key:a Left:a@1 Right:A@2}" {
		t.Errorf("got %v", err)
	}
}
