package strandline_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// beside gives f's text of an element with its side: "a1 7" or "a1 none".
func beside(_ *strandline.Context, e *event, n *int64, emit func(string)) {
	if n == nil {
		emit(fmt.Sprintf("%s%d none", e.Key, e.At))
		return
	}
	emit(fmt.Sprintf("%s%d %d", e.Key, e.At, *n))
}

func seconds(lo, hi int64) window.Interval {
	return window.FromMicros(lo*1e6, hi*1e6)
}

// twoStreams reads a main stream and one whose values are counted per window, as the side.
func twoStreams(main, side window.Assigner) (*strandline.Pipeline, *strandlinetest.Stream[event], *strandlinetest.Stream[event], strandline.PCollection[event], strandline.PCollection[int64]) {
	p := strandline.New("side")
	a := strandlinetest.NewStream[event]("main")
	b := a.Beside[event]("side")
	return p, a, b, a.Read(p).WindowInto(main), b.Read(p).WindowInto(side).Combine("count", combine.Count[event]()).PCollection
}

func add(s *strandlinetest.Stream[event], key string, at int64) {
	s.Add(time.Unix(at, 0), event{at, key, 1})
}

func TestAnElementWaitsUntilTheSideOfItsWindowIsReady(t *testing.T) {
	p, a, b, main, side := twoStreams(window.Fixed(10*time.Second), window.Fixed(10*time.Second))
	out := strandlinetest.Collect(main.WithSide("beside", side, beside).PCollection)
	add(a, "a", 3)
	a.ExpectNothing(out)
	add(b, "x", 1)
	a.ExpectNothing(out)
	add(b, "y", 7)
	b.AdvanceWatermark(time.Unix(9, 0)).ExpectNothing(out)
	b.AdvanceWatermark(time.Unix(10, 0)).Expect(out, strandlinetest.Value("a3 2").In(seconds(0, 10)).At(time.Unix(3, 0)))
	add(a, "b", 4)
	a.Expect(out, strandlinetest.Value("b4 2"))
	add(a, "c", 12)
	b.AdvanceWatermark(time.Unix(20, 0)).Expect(out, strandlinetest.Value("c12 none").In(seconds(10, 20)))
	add(a, "d", 25)
	a.AtEnd(out, strandlinetest.Value("d25 none"))
	a.Run(t, p)
}

// What waits holds the watermark: a grouping behind the step waits with it, and nothing becomes
// late on the way (S3.6).
func TestAnElementThatWaitsHoldsTheWatermark(t *testing.T) {
	p, a, b, main, side := twoStreams(window.Fixed(10*time.Second), window.Fixed(10*time.Second))
	counts := main.WithSide("beside", side, func(_ *strandline.Context, e *event, n *int64, emit func(event)) { emit(*e) }).
		KeyBy("key", key).CombinePerKey("later", combine.Count[event]())
	out := strandlinetest.Collect(counts.PCollection)
	late := strandlinetest.Collect(counts.OnLate(func(l strandline.Late[event]) event { return l.Value }))
	add(a, "a", 3)
	a.AdvanceWatermark(time.Unix(100, 0)).ExpectNothing(out)
	b.AdvanceWatermark(time.Unix(10, 0)).Expect(out, strandlinetest.Entry("a", int64(1)).In(seconds(0, 10)).OnTime())
	a.ExpectNothing(late)
	a.Run(t, p)
}

func TestAnElementLooksIntoTheSideWindowOfItsLastInstant(t *testing.T) {
	const s = time.Second
	main := []event{{3, "a", 1}, {12, "b", 1}, {29, "c", 1}}
	side := []event{{0, "x", 1}, {11, "x", 1}, {14, "x", 1}, {26, "x", 1}, {27, "x", 1}, {28, "x", 1}}
	for _, c := range []struct {
		main, side window.Assigner
		want       []string
	}{
		{window.Fixed(10 * s), window.Fixed(10 * s), []string{"a3 1", "b12 2", "c29 3"}},
		{window.Fixed(10 * s), window.Fixed(30 * s), []string{"a3 6", "b12 6", "c29 6"}},
		// [0, 30) ends in [20, 30).
		{window.Fixed(30 * s), window.Fixed(10 * s), []string{"a3 3", "b12 3", "c29 3"}},
		{window.Fixed(10 * s), window.Global(), []string{"a3 6", "b12 6", "c29 6"}},
		{window.Global(), window.Global(), []string{"a3 6", "b12 6", "c29 6"}},
		// Of [-5, 15) and [5, 25), which have 9.999999 in them, the first to end has 0, 11 and 14.
		{window.Fixed(10 * s), window.Sliding(20*s, 10*s).Offset(5 * s), []string{"a3 3", "b12 2", "c29 3"}},
		// An element in two windows looks into two.
		{window.Sliding(20*s, 10*s), window.Fixed(10 * s), []string{"a3 1", "a3 2", "b12 2", "b12 3", "c29 3", "c29 none"}},
		// 9.999999 is in [0, 10); 19.999999 and 29.999999 are in the gap up to 40.
		{window.Fixed(10 * s), window.Sliding(10*s, 40*s), []string{"a3 1", "b12 none", "c29 none"}},
		// A session looks as the one that the element opened.
		{window.Session(5 * s), window.Fixed(10 * s), []string{"a3 1", "b12 2", "c29 none"}},
	} {
		for workers := 1; workers <= 3; workers++ {
			p := strandline.New("side")
			counts := strandline.Read(p, memory.Slice("side", side).Batch(2), watermark.Ascending(), at).WindowInto(c.side).Combine("count", combine.Count[event]())
			got := new(lines)
			out := strandline.Read(p, memory.Slice("main", main).Batch(1), watermark.Ascending(), at).WindowInto(c.main).WithSide("beside", counts.PCollection, beside)
			strandline.Each(out.PCollection, "", func(x strandline.Pane[string]) { got.add("%s", x.Value) })
			mustRun(t, p, strandline.Workers(workers))
			expect(t, fmt.Sprintf("%v in %v, %d workers", c.main, c.side, workers), *got, c.want...)
		}
	}
}

// Sessions that pass a step with a side input merge behind it.
func TestSessionsMergeBehindASideInput(t *testing.T) {
	p := strandline.New("side")
	side := strandline.Read(p, memory.Slice("side", keyed("x1")), watermark.Ascending(), at)
	got := values(input(p, keyed("a0 a7 a30"), 0).WindowInto(window.Session(10*time.Second)).
		WithSide("beside", side, func(_ *strandline.Context, e *event, _ *event, emit func(event)) { emit(*e) }).
		KeyBy("key", key).CombinePerKey("count", combine.Count[event]()))
	mustRun(t, p)
	expect(t, "sessions", *got, "[0, 17) a 2", "[30, 40) a 1")
}

func TestALaterPaneOfTheSideReplacesItForWhatComesAfter(t *testing.T) {
	p := strandline.New("side")
	a := strandlinetest.NewStream[event]("main")
	b := a.Beside[event]("side")
	total := b.Read(p).WindowInto(window.Fixed(10*time.Second)).AllowedLateness(time.Minute).Combine("count", combine.Count[event]())
	out := strandlinetest.Collect(a.Read(p).WindowInto(window.Fixed(10*time.Second)).WithSide("beside", total.PCollection, beside).PCollection)
	add(b, "x", 1)
	b.AdvanceWatermark(time.Unix(10, 0))
	add(a, "a", 3)
	a.Expect(out, strandlinetest.Value("a3 1"))
	add(b, "x", 2)
	add(a, "b", 4)
	a.Expect(out, strandlinetest.Value("b4 2"))
	a.Run(t, p)
}

// An early pane does not make a side ready: what it says may change.
func TestAnEarlyPaneDoesNotMakeASideReady(t *testing.T) {
	p := strandline.New("side")
	a := strandlinetest.NewStream[event]("main")
	b := a.Beside[event]("side")
	total := b.Read(p).WindowInto(window.Fixed(10*time.Second)).Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(1))).Combine("count", combine.Count[event]())
	out := strandlinetest.Collect(a.Read(p).WindowInto(window.Fixed(10*time.Second)).WithSide("beside", total.PCollection, beside).PCollection)
	add(a, "a", 3)
	add(b, "x", 1)
	add(b, "x", 2)
	a.ExpectNothing(out)
	b.AdvanceWatermark(time.Unix(10, 0)).Expect(out, strandlinetest.Value("a3 2"))
	a.Run(t, p)
}

func TestSideMapsAndLists(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p := strandline.New("side")
		side := input(p, keyed("x1 y2 x12 x3"), 20*time.Second).WindowInto(window.Fixed(10 * time.Second))
		main := strandline.Read(p, memory.Slice("main", keyed("a5 a15 a25")), watermark.Ascending(), at).WindowInto(window.Fixed(10 * time.Second))
		var maps, list lines
		strandline.Each(main.WithSideMap("map", side.KeyBy("key", key).CombinePerKey("count", combine.Count[event]()).Keyed(),
			func(_ *strandline.Context, e *event, s map[string]int64, emit func(string)) {
				emit(fmt.Sprint(e, " ", s))
			}).PCollection, "maps", func(x strandline.Pane[string]) { maps.add("%s", x.Value) })
		strandline.Each(main.WithSideList("list", side, func(_ *strandline.Context, e *event, s []event, emit func(string)) {
			all := slices.Clone(s)
			slices.SortFunc(all, func(a, b event) int { return int(a.At - b.At) })
			emit(fmt.Sprint(e, " ", all))
		}).PCollection, "list", func(x strandline.Pane[string]) { list.add("%s", x.Value) })
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "maps", maps, "a@5 map[x:2 y:1]", "a@15 map[x:1]", "a@25 map[]")
		expect(t, "lists", list, "a@5 [x@1 y@2 x@3]", "a@15 [x@12]", "a@25 []")
	}
}

func TestASideWithTwoValuesIsAnError(t *testing.T) {
	run := func(step func(main, side strandline.PCollection[event])) error {
		p := strandline.New("side")
		side := input(p, keyed("x1 x2"), 0).WindowInto(window.Fixed(10 * time.Second))
		step(strandline.Read(p, memory.Slice("main", keyed("a5")), watermark.Ascending(), at).WindowInto(window.Fixed(10*time.Second)), side)
		_, err := p.Run(context.Background())
		return err
	}
	for name, step := range map[string]func(main, side strandline.PCollection[event]){
		"more than one value, x@1 and x@2": func(main, side strandline.PCollection[event]) {
			main.WithSide("beside", side, func(_ *strandline.Context, e *event, _ *event, emit func(event)) {})
		},
		"key x has more than one value, x@1 and x@2": func(main, side strandline.PCollection[event]) {
			main.WithSideMap("beside", side.KeyBy("key", key), func(_ *strandline.Context, e *event, _ map[string]event, emit func(event)) {})
		},
	} {
		if err := run(step); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), `step "beside"`) {
			t.Errorf("want %q, it says %v", name, err)
		}
	}
}

func TestMistakesWithSidesAreFoundAtBuild(t *testing.T) {
	ignore := func(_ *strandline.Context, e *event, _ *event, emit func(event)) {}
	for says, step := range map[string]func(main, side strandline.PCollection[event]){
		"put WindowInto before it": func(main, side strandline.PCollection[event]) {
			main.WithSide("s", side.WindowInto(window.Fixed(time.Second)), ignore)
		},
		"merge": func(main, side strandline.PCollection[event]) {
			main.WindowInto(window.Fixed(time.Second)).WithSide("s", side.WindowInto(window.Session(time.Second)), ignore)
		},
		"the function is nil": func(main, side strandline.PCollection[event]) {
			main.WithSide[event, event]("s", side, nil)
		},
		"the side belongs to another pipeline": func(main, _ strandline.PCollection[event]) {
			main.WithSide("s", input(strandline.New("other"), nil, 0), ignore)
		},
		"FinalOnly or Accumulating": func(main, side strandline.PCollection[event]) {
			side = side.WindowInto(window.Fixed(time.Second)).AllowedLateness(time.Second).Retracting()
			main.WindowInto(window.Fixed(time.Second)).WithSide("s", side.Combine("count", combine.Count[event]()).PCollection,
				func(_ *strandline.Context, e *event, _ *int64, emit func(event)) {})
		},
		"FinalOnly or Discarding": func(main, side strandline.PCollection[event]) {
			main.WithSideList("s", side.WindowInto(window.Global()).Trigger(trigger.Repeat(trigger.AfterCount(1))).Combine("count", combine.Count[event]()).PCollection,
				func(_ *strandline.Context, e *event, _ []int64, emit func(event)) {})
		},
	} {
		p := strandline.New("side")
		step(input(p, nil, 0), strandline.Read(p, memory.Slice("side", keyed("")), watermark.Ascending(), at))
		if err := p.Err(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, it says %v", says, err)
		}
	}
}

// An element whose window has expired is late, whether or not its side is still there.
func TestAnElementTooLateForItsWindowGoesToTheLateOutput(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p := strandline.New("side")
		side := strandline.Read(p, memory.Slice("side", keyed("x1 x11")), watermark.Ascending(), at).WindowInto(window.Fixed(10 * time.Second))
		sided := input(p, keyed("a5 b16 c8 d21 e7 f12"), 0).WindowInto(window.Fixed(10*time.Second)).AllowedLateness(8*time.Second).
			WithSide("beside", side, func(_ *strandline.Context, e *event, s *event, emit func(string)) { emit(fmt.Sprint(e, s)) })
		var got, late lines
		strandline.Each(sided.PCollection, "given", func(x strandline.Pane[string]) { got.add("%s", x.Value) })
		strandline.Each(sided.OnLate(func(l strandline.Late[event]) string { return fmt.Sprint(l.Value, l.Missed) }), "late", func(x strandline.Pane[string]) { late.add("%s", x.Value) })
		mustRun(t, p, strandline.Workers(workers))
		// 8 comes at W 16, before 18; 7 comes at W 21, behind it; 12 may come until 28.
		expect(t, "given", got, "a@5 x@1", "b@16 x@11", "c@8 x@1", "d@21 <nil>", "f@12 x@11")
		expect(t, "late", late, "e@7 [[1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z)]")
	}
}

func TestAPanicForAnElementThatWaitedNamesIt(t *testing.T) {
	for workers := 1; workers <= 2; workers++ {
		p := strandline.New("side")
		main := input(p, keyed("a5 b6"), 0)
		side := strandline.Read(p, memory.Slice("side", keyed("x1")), watermark.Ascending(), at)
		main.WithSide("beside", side, func(_ *strandline.Context, e *event, s *event, emit func(string)) {
			if e.Key == "b" {
				panic("not b")
			}
		})
		_, err := p.Run(context.Background(), strandline.Workers(workers))
		var panicked *strandline.PanicError
		if !errors.As(err, &panicked) || panicked.Step != "beside" || panicked.Element != "b@6" {
			t.Errorf("the error is %v", err)
		}
	}
}

// Each element's share of its window's total, computed by hand and by runs of every kind: main
// and side are parts of the same input, and neither waits for the other in any fixed order.
func TestAnswersWithASideDoNotDependOnTheRun(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	for seed := range uint64(3) {
		events := make([]event, 200)
		for i := range events {
			events[i] = event{r.Int64N(300), string(rune('a' + r.IntN(5))), 1 + r.Int64N(50)}
		}
		build := func(in strandline.PCollection[event]) strandline.PCollection[strandline.KV[string, int64]] {
			byMinute := in.WindowInto(window.Fixed(time.Minute))
			best := byMinute.KeyBy("side key", key).CombinePerKey("best", combine.Max(value))
			return in.Reshuffle("spread").WindowInto(window.Fixed(20*time.Second)).
				WithSideMap("beside", best.Keyed(), func(_ *strandline.Context, e *event, best map[string]int64, emit func(event)) {
					emit(event{e.At, e.Key, best[e.Key] - e.N})
				}).
				KeyBy("key", key).CombinePerKey("behind", combine.Sum(value)).PCollection
		}
		strandlinetest.Verification[event, strandline.KV[string, int64]]{Data: events, Time: at, Bound: 45 * time.Second, Seed: seed, Orders: 2, Build: build}.Run(t)

		best, behind := map[string]int64{}, map[string]int64{}
		for _, e := range events {
			k := fmt.Sprint(e.At/60, e.Key)
			best[k] = max(best[k], e.N)
		}
		for _, e := range events {
			behind[fmt.Sprintf("[%d, %d) %s", e.At/20*20, e.At/20*20+20, e.Key)] += best[fmt.Sprint(e.At/60, e.Key)] - e.N
		}
		var want []string
		for k, n := range behind {
			want = append(want, fmt.Sprint(k, " ", n))
		}
		p := strandline.New("side")
		got := new(lines)
		strandline.Each(build(input(p, events, 300*time.Second)), "", func(x strandline.Pane[strandline.KV[string, int64]]) {
			got.add("%s %s %d", span(x), x.Value.Key, x.Value.Value)
		})
		mustRun(t, p, strandline.Workers(2))
		expect(t, "by hand", *got, want...)
	}
}

// A run that is stopped has its books balanced with what waits.
func TestElementsThatWaitAreOpenInTheLedger(t *testing.T) {
	noneLeft(t)
	p := strandline.New("side")
	never := make(chan event)
	side := strandline.Read(p, memory.Channel("side", never), watermark.Ascending(), at)
	main := make(chan event, 2)
	main <- event{1, "a", 1}
	main <- event{2, "b", 1}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	seen := 0
	in := strandline.Read(p, memory.Channel("main", main), watermark.Ascending(), at).Filter("count", func(*event) bool { seen++; return true })
	in.WithSide("beside", side, func(_ *strandline.Context, e *event, s *event, emit func(string)) {})
	strandline.Each(in, "stop", func(strandline.Pane[event]) {
		if seen == 2 {
			stop()
		}
	})
	r, err := p.Run(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	balances(t, r)
	if c := counts(t, r, "beside").Counts; c.Open != 2 || c.InWindow != 2 {
		t.Errorf("%d of %d are open, want 2 of 2", c.Open, c.InWindow)
	}
}
