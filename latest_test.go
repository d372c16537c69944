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
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// seen gives an element with the number of the latest value of the side.
func seen(_ *strandline.Context, e *event, latest *event, emit func(string)) {
	if latest == nil {
		emit(fmt.Sprint(e, " none"))
		return
	}
	emit(fmt.Sprint(e, " ", latest.N))
}

// twoLatest is a main stream that looks at the latest value of a side.
func twoLatest() (*strandline.Pipeline, *strandlinetest.Stream[event], *strandlinetest.Stream[event], strandline.PCollection[string]) {
	p := strandline.New("latest")
	a := strandlinetest.NewStream[event]("main")
	b := a.Beside[event]("side")
	return p, a, b, a.Read(p).WithLatest("look", b.Read(p), seen)
}

func price(s *strandlinetest.Stream[event], at, n int64) {
	s.Add(time.Unix(at, 0), event{at, "p", n})
}

func TestAnElementSeesTheLatestValueThatHasArrived(t *testing.T) {
	p, a, b, looked := twoLatest()
	out := strandlinetest.Collect(looked)
	price(b, 10, 1)
	add(a, "a", 3) // the element is older than the value: it is the latest all the same
	a.Expect(out, strandlinetest.Value("a@3 1").At(time.Unix(3, 0)))
	price(b, 20, 2)
	add(a, "b", 12)
	a.Expect(out, strandlinetest.Value("b@12 2"))
	price(b, 15, 3) // arrives later, and is older
	add(a, "c", 25)
	a.Expect(out, strandlinetest.Value("c@25 2"))
	price(b, 20, 4) // of one time: the last to arrive
	add(a, "d", 25)
	a.Expect(out, strandlinetest.Value("d@25 4"))
	a.Run(t, p)
}

func TestAnElementWaitsForTheFirstValueOnly(t *testing.T) {
	p, a, b, looked := twoLatest()
	out := strandlinetest.Collect(looked)
	add(a, "a", 3)
	add(a, "b", 8)
	a.ExpectNothing(out)
	price(b, 100, 7)
	b.Expect(out, strandlinetest.Value("a@3 7"), strandlinetest.Value("b@8 7"))
	add(a, "c", 9)
	a.Expect(out, strandlinetest.Value("c@9 7"))
	a.Run(t, p)
}

// The side says by its watermark that it has nothing up to 4: an element at 3 has none to wait
// for, one at 8 has.
func TestAnElementDoesNotWaitForWhatTheSideSaysThereIsNot(t *testing.T) {
	p, a, b, looked := twoLatest()
	out := strandlinetest.Collect(looked)
	add(a, "a", 3)
	add(a, "b", 8)
	b.AdvanceWatermark(time.Unix(4, 0)).Expect(out, strandlinetest.Value("a@3 none"))
	add(a, "c", 2)
	a.Expect(out, strandlinetest.Value("c@2 none"))
	a.AtEnd(out, strandlinetest.Value("b@8 none"))
	a.Run(t, p)
}

// What waits for the first value holds the watermark: nothing becomes late on the way (S3.6).
func TestAnElementThatWaitsForTheFirstValueHoldsTheWatermark(t *testing.T) {
	p := strandline.New("latest")
	a := strandlinetest.NewStream[event]("main")
	b := a.Beside[event]("side")
	looked := a.Read(p).WithLatest("look", b.Read(p), func(_ *strandline.Context, e *event, _ *event, emit func(event)) { emit(*e) })
	counts := looked.WindowInto(window.Fixed(10*time.Second)).KeyBy("key", key).CombinePerKey("count", combine.Count[event]())
	out := strandlinetest.Collect(counts.PCollection)
	late := strandlinetest.Collect(counts.OnLate(func(l strandline.Late[event]) event { return l.Value }))
	add(a, "a", 3)
	a.AdvanceWatermark(time.Unix(100, 0)).ExpectNothing(out)
	price(b, 1, 1)
	b.Expect(out, strandlinetest.Entry("a", int64(1)).In(seconds(0, 10)).OnTime())
	a.ExpectNothing(late)
	a.Run(t, p)
}

// The classic form of a slowly changing side: an aggregation in the global window that fires with
// every element. Its panes have one event time; the newest counts.
func TestOfAnAggregationTheNewestPaneIsTheLatest(t *testing.T) {
	p := strandline.New("latest")
	a := strandlinetest.NewStream[event]("main")
	b := a.Beside[event]("side")
	sum := b.Read(p).WindowInto(window.Global()).Trigger(trigger.Repeat(trigger.AfterCount(1))).Combine("sum", combine.Sum(value))
	out := strandlinetest.Collect(a.Read(p).WithLatest("look", sum.PCollection, beside))
	price(b, 10, 1)
	add(a, "a", 3)
	a.Expect(out, strandlinetest.Value("a3 1"))
	price(b, 4, 5)
	add(a, "b", 3)
	a.Expect(out, strandlinetest.Value("b3 6"))
	a.Run(t, p)
}

func TestTheLatestValueOfEachKey(t *testing.T) {
	p := strandline.New("latest")
	a := strandlinetest.NewStream[event]("main")
	b := a.Beside[event]("side")
	out := strandlinetest.Collect(a.Read(p).WithLatestMap("look", b.Read(p).KeyBy("key", key).MapValues("number", value),
		func(_ *strandline.Context, e *event, latest map[string]int64, emit func(string)) {
			emit(fmt.Sprint(e, latest))
		}))
	b.Add(time.Unix(10, 0), event{10, "x", 1})
	b.Add(time.Unix(12, 0), event{12, "y", 2})
	b.Add(time.Unix(9, 0), event{9, "x", 3})
	add(a, "a", 1)
	a.Expect(out, strandlinetest.Value("a@1 map[x:1 y:2]"))
	b.Add(time.Unix(11, 0), event{11, "x", 4})
	add(a, "b", 1)
	a.Expect(out, strandlinetest.Value("b@1 map[x:4 y:2]"))
	a.Run(t, p)
}

// Every element comes out once, in the windows and panes that it has, whatever is in the side.
func TestALookAtTheLatestValueKeepsWindowsAndCounts(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		p := strandline.New("latest")
		side := strandline.Read(p, memory.Slice("side", keyed("x1 x2 x3")), watermark.Ascending(), at)
		counted := input(p, keyed("a1 b2 a12 a3 c25"), 30*time.Second).WindowInto(window.Sliding(20*time.Second, 10*time.Second)).
			KeyBy("key", key).CombinePerKey("count", combine.Count[event]())
		var got lines
		strandline.Each(counted.WithLatest("look", side, func(x *strandline.Context, v *strandline.KV[string, int64], latest *event, emit func(string)) {
			emit(fmt.Sprint(v.Key, v.Value, latest != nil))
		}), "", func(x strandline.Pane[string]) { got.add("%s %s", span(x), x.Value) })
		r := mustRun(t, p, strandline.Workers(workers))
		expect(t, "panes", got, "[-10, 10) a2 true", "[-10, 10) b1 true", "[0, 20) a3 true", "[0, 20) b1 true", "[10, 30) a1 true", "[10, 30) c1 true", "[20, 40) c1 true")
		if c := counts(t, r, "look").Counts; c.InWindow != 7 || c.Emitted != 7 || c.In != 7+3 {
			t.Errorf("%d in, %d in a window, %d given, want 10, 7 and 7", c.In, c.InWindow, c.Emitted)
		}
	}
}

func TestAPanicOfALookNamesTheElementThatWaited(t *testing.T) {
	for workers := 1; workers <= 2; workers++ {
		p := strandline.New("latest")
		main := input(p, keyed("a5 b6"), 0)
		side := strandline.Read(p, memory.Slice("side", keyed("x1")), watermark.Ascending(), at)
		main.WithLatest("look", side, func(_ *strandline.Context, e *event, _ *event, emit func(string)) {
			if e.Key == "b" {
				panic("not b")
			}
		})
		_, err := p.Run(context.Background(), strandline.Workers(workers))
		var panicked *strandline.PanicError
		if !errors.As(err, &panicked) || panicked.Step != "look" || panicked.Element != "b@6" {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestMistakesWithTheLatestValueAreFoundAtBuild(t *testing.T) {
	ignore := func(*strandline.Context, *event, *event, func(int)) {}
	for says, build := range map[string]func(main, side strandline.PCollection[event]){
		"the function is nil": func(main, side strandline.PCollection[event]) { main.WithLatest[event, int]("look", side, nil) },
		"the side belongs to another pipeline": func(main, _ strandline.PCollection[event]) {
			main.WithLatest("look", input(strandline.New("other"), nil, 0), ignore)
		},
		"an input takes back what it gave": func(main, side strandline.PCollection[event]) {
			sums := side.WindowInto(window.Fixed(time.Second)).AllowedLateness(time.Hour).Retracting().Combine("sum", combine.Sum(value))
			main.WithLatest("look", sums.PCollection, func(*strandline.Context, *event, *int64, func(int)) {})
		},
	} {
		p := strandline.New("latest")
		build(input(p, nil, 0), strandline.Read(p, memory.Slice("side", keyed("")), watermark.Ascending(), at))
		if err := p.Err(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, it says %v", says, err)
		}
	}
}
