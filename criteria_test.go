package strandline_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

func TestMapsKeepTimestampsAndWindows(t *testing.T) {
	p := strandline.New("maps")
	counts := input(p, keyed("a1 a2 a15"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
	mapped := counts.
		Map("double", func(x *strandline.KV[string, int64]) int64 { return 2 * x.Value }).
		Filter("all", func(*int64) bool { return true }).
		FlatMap("twice", func(v *int64, emit func(int64)) { emit(*v); emit(*v + 1) })
	var got lines
	strandline.Each(mapped, "got", func(x strandline.Pane[int64]) {
		got.add("%s %d at %s %v", span(x), x.Value, x.Time.UTC().Format("05.000000"), x.Pane)
	})
	mustRun(t, p)
	inOrder(t, "after map, filter and flat map", got,
		"[0, 10) 4 at 09.999999 on time pane 0 (0), first, last",
		"[0, 10) 5 at 09.999999 on time pane 0 (0), first, last",
		"[10, 20) 2 at 19.999999 on time pane 0 (0), first, last",
		"[10, 20) 3 at 19.999999 on time pane 0 (0), first, last")
}

func TestMapsKeepTheTimestampsOfWhatWasRead(t *testing.T) {
	p := strandline.New("maps")
	var got lines
	strandline.Each(input(p, keyed("a1 b-7"), 0).Map("n", func(e *event) int64 { return e.N }), "got", func(x strandline.Pane[int64]) {
		got.add("%d at %d in %v", x.Value, x.Time.Unix(), x.Window)
	})
	mustRun(t, p)
	inOrder(t, "times", got, "1 at 1 in global", "2 at -7 in global")
}

func TestGroupsArePerWindowAndKey(t *testing.T) {
	p := strandline.New("groups")
	got := values(strandline.GroupByKey("groups", input(p, keyed("a1 b2 a3 a11 b12"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second))))
	mustRun(t, p)
	expect(t, "groups", *got, "[0, 10) a [a@1 a@3]", "[0, 10) b [b@2]", "[10, 20) a [a@11]", "[10, 20) b [b@12]")
}

func TestTheSameKeyInTwoWindowsIsTwoGroups(t *testing.T) {
	p := strandline.New("groups")
	got := values(strandline.GroupByKey("groups", input(p, keyed("a9 a10"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second))))
	mustRun(t, p)
	expect(t, "t = 9 is in [0, 10), t = 10 in [10, 20)", *got, "[0, 10) a [a@9]", "[10, 20) a [a@10]")
}

func TestSlidingWindowsOverlap(t *testing.T) {
	p := strandline.New("sliding")
	got := values(strandline.GroupByKey("groups", input(p, keyed("a7"), 0).KeyBy("key", key).WindowInto(window.Sliding(10*time.Second, 5*time.Second))))
	mustRun(t, p)
	expect(t, "size 10, period 5, t = 7", *got, "[0, 10) a [a@7]", "[5, 15) a [a@7]")
}

func TestWindowingWithoutEventTimeIsANamedError(t *testing.T) {
	p := strandline.New("timeless")
	strandline.Read(p, memory.Slice("numbers", []int{1}), watermark.Ascending(), nil).
		WindowInto(window.Fixed(time.Second)).Combine("count", combine.Count[int]())
	if _, err := p.Run(t.Context()); !errors.Is(err, strandline.ErrNoEventTime) {
		t.Errorf("got %v, want ErrNoEventTime", err)
	}
}

func TestTheGlobalWindowNeedsNoEventTime(t *testing.T) {
	p := strandline.New("timeless")
	var got []int64
	c := strandline.Read(p, memory.Slice("numbers", []int{1, 2, 3}), watermark.Ascending(), nil).Combine("count", combine.Count[int]())
	c.WriteTo(memory.Collect(&got))
	mustRun(t, p)
	if len(got) != 1 || got[0] != 3 {
		t.Errorf("got %v, want [3]", got)
	}
}

// A watermark of exactly 9, then exactly 10: elements of ascending time move it there.
func TestAWindowFiresAtItsEndAndNeverAgain(t *testing.T) {
	p := strandline.New("fires")
	log := new(lines)
	in := input(p, keyed("a1 b9 c10 d11 e29"), 0).Map("log", func(e *event) event { log.add("read %v", *e); return *e })
	strandline.Each(in.WindowInto(window.Fixed(10*time.Second)).Combine("count", combine.Count[event]()).PCollection, "panes",
		func(x strandline.Pane[int64]) { log.add("%s %d", span(x), x.Value) })
	mustRun(t, p)
	inOrder(t, "watermark 9 does not fire [0, 10), 10 does, [10, 20) stays open until 20", *log,
		"read a@1", "read b@9", "read c@10", "[0, 10) 2", "read d@11", "read e@29", "[10, 20) 2", "[20, 30) 1")
}

func TestAWatermarkThatMovesBackwardsIsRefused(t *testing.T) {
	p := strandline.New("backwards")
	marks := watermark.Punctuated(func(e *event) (time.Time, bool) { return time.Unix(e.At, 0), true })
	strandline.Read(p, memory.Slice("events", keyed("a5 a7 a6")), marks, at).WindowInto(window.Fixed(time.Minute)).Combine("count", combine.Count[event]())
	_, err := p.Run(t.Context())
	if !errors.Is(err, strandline.ErrWatermarkBackwards) || !strings.Contains(err.Error(), "1970-01-01T00:00:07Z") || !strings.Contains(err.Error(), "1970-01-01T00:00:06Z") {
		t.Errorf("got %v, want ErrWatermarkBackwards with both values", err)
	}
}

func TestBatchAndStreamingGiveTheSame(t *testing.T) {
	events := keyed("a1 b4 a3 c12 a9 b11 b19 c17 a31 c28 b33 a44")
	for _, w := range []window.Assigner{window.Fixed(10 * time.Second), window.Sliding(10*time.Second, 5*time.Second)} {
		run := func(opts ...strandline.Option) string {
			p := strandline.New("both")
			r := input(p, events, 10*time.Second).KeyBy("key", key).WindowInto(w).CombinePerKey("sum", combine.Sum(value))
			got := values(r)
			mustRun(t, p, opts...)
			return got.sorted()
		}
		if batch, stream := run(strandline.Batch()), run(); batch != stream || batch == "" {
			t.Errorf("%v:\nbatch\n%s\nstreaming\n%s", w, batch, stream)
		}
	}
}

func TestWordCount(t *testing.T) {
	p := strandline.New("words")
	text := []string{"to be or not", "to be that is", "the question"}
	var got lines
	words := strandline.Read(p, memory.Slice("text", text), watermark.Ascending(), nil).
		FlatMap("split", func(s *string, emit func(string)) {
			for w := range strings.FieldsSeq(*s) {
				emit(w)
			}
		}).
		KeyByValue("word", func(w string) string { return w }).
		CombinePerKey("count", combine.Count[string]())
	strandline.Each(words.PCollection, "got", func(x strandline.Pane[strandline.KV[string, int64]]) {
		got.add("%s %d", x.Value.Key, x.Value.Value)
	})
	mustRun(t, p, strandline.Workers(3))
	expect(t, "words", got, "to 2", "be 2", "or 1", "not 1", "that 1", "is 1", "the 1", "question 1")
}

func TestSessionsMergePerKey(t *testing.T) {
	p := strandline.New("sessions")
	// Gap 5. a: 1, 4 and 8 chain to [1, 13); 20 is apart. b: 3 and 13 are apart.
	got := values(strandline.GroupByKey("groups", input(p, keyed("a1 b3 a8 a4 b13 a20"), 10*time.Second).KeyBy("key", key).WindowInto(window.Session(5*time.Second))))
	mustRun(t, p)
	expect(t, "sessions", *got, "[1, 13) a [a@1 a@8 a@4]", "[20, 25) a [a@20]", "[3, 8) b [b@3]", "[13, 18) b [b@13]")
}

func TestALateElementWithinAllowedLatenessFiresAnAccumulatingPaneAgain(t *testing.T) {
	for _, workers := range []int{1, 4} {
		p := strandline.New("late")
		got := panes(input(p, keyed("a1 a2 a11 a5 a31"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).
			AllowedLateness(10*time.Second).CombinePerKey("count", combine.Count[event]()))
		mustRun(t, p, strandline.Workers(workers))
		expect(t, fmt.Sprint(workers, " workers"), *got,
			"[0, 10) a 2 on time pane 0 (0), first", "[0, 10) a 3 late pane 1 (1)",
			"[10, 20) a 1 on time pane 0 (0), first", "[30, 40) a 1 on time pane 0 (0), first, last")
	}
}

func TestADiscardingPaneHasOnlyWhatIsNew(t *testing.T) {
	p := strandline.New("late")
	got := panes(input(p, keyed("a1 a2 a11 a5"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).Discarding().
		AllowedLateness(10*time.Second).CombinePerKey("count", combine.Count[event]()))
	mustRun(t, p)
	expect(t, "panes", *got, "[0, 10) a 2 on time pane 0 (0), first", "[0, 10) a 1 late pane 1 (1)", "[10, 20) a 1 on time pane 0 (0), first, last")
}

func TestMergingPartsInAnyGroupingEqualsCombiningTheWhole(t *testing.T) {
	events := keyed("a1 a5 a2 a9 a4 a7 a3")
	c := combine.Mean(value)
	whole, err := combine.Fold(c, events)
	if err != nil || whole != 4 { // the mean of 1 to 7
		t.Fatalf("the whole: %v, %v, want 4", whole, err)
	}
	for split := range 1 << (len(events) - 1) { // every way to cut the list into runs
		all, part := c.Create(), c.Create()
		for i := range events {
			c.Add(&part, &events[i])
			if split>>i&1 == 1 {
				c.Merge(&all, &part)
				part = c.Create()
			}
		}
		c.Merge(&all, &part)
		if got, err := c.Extract(&all); err != nil || got != whole {
			t.Fatalf("cut %b: %v, %v, want %v", split, got, err, whole)
		}
	}
}

func TestFinalOnlyGivesOnePaneWhenLatenessIsOver(t *testing.T) {
	for _, w := range []window.Assigner{window.Fixed(10 * time.Second), window.Sliding(10*time.Second, 10*time.Second)} {
		p := strandline.New("final")
		r := input(p, keyed("a1 a11 a5 a22 a3 a40"), 0).KeyBy("key", key).WindowInto(w).Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(1))).
			AllowedLateness(10*time.Second).FinalOnly().CombinePerKey("count", combine.Count[event]())
		got := panes(r)
		rep := mustRun(t, p)
		expect(t, w.String(), *got, "[0, 10) a 2 on time pane 0 (0), first, last", "[10, 20) a 1 on time pane 0 (0), first, last",
			"[20, 30) a 1 on time pane 0 (0), first, last", "[40, 50) a 1 on time pane 0 (0), first, last")
		if n := counts(t, rep, "count").Counts.DroppedLate; n != 1 {
			t.Errorf("%v: %d late, want the 3, at watermark 22", w, n)
		}
	}
}
