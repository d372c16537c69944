package strandlinetest_test

import (
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// words is a pipeline that counts words, windowed by the caller.
func words(with func(k strandline.Keyed[string, string]) strandline.Keyed[string, string]) (
	*strandline.Pipeline, *strandlinetest.Stream[string], *strandlinetest.Collected[strandline.KV[string, int64]],
) {
	p := strandline.New("words")
	s := strandlinetest.NewStream[string]("words")
	k := s.Read(p).KeyBy("word", func(w *string) string { return *w }).WindowInto(window.Fixed(10 * time.Second))
	counts := with(k).CombinePerKey("count", combine.Count[string]())
	return p, s, strandlinetest.Collect(counts.PCollection)
}

func asIs(k strandline.Keyed[string, string]) strandline.Keyed[string, string] { return k }

func TestWatermark9DoesNotFireTheFirstWindowAnd10DoesAndNeverAgain(t *testing.T) {
	p, s, out := words(asIs)
	s.Add(at(0), "a").Add(at(9), "a").Add(at(12), "a").
		AdvanceWatermark(at(9)).ExpectNothing(out).
		AdvanceWatermark(at(10)).
		Expect(out, strandlinetest.Entry("a", int64(2)).In(tens(0)).OnTime().Index(0).First().Last().At(at(10).Add(-time.Microsecond))).
		AdvanceWatermark(at(10)).ExpectNothing(out).
		AdvanceWatermark(at(19)).ExpectNothing(out).
		AdvanceWatermark(at(20)).Expect(out, strandlinetest.Entry("a", int64(1)).In(tens(10)).OnTime()).
		Run(t, p)
}

func TestLaterWindowsStayOpen(t *testing.T) {
	p, s, out := words(asIs)
	s.Add(at(3), "a").Add(at(13), "a").
		AdvanceWatermark(at(10)).Expect(out, strandlinetest.Entry("a", int64(1)).In(tens(0))).
		Add(at(14), "a", "b").ExpectNothing(out).
		AtEnd(out, strandlinetest.Entry("b", int64(1)).In(tens(10)), strandlinetest.Entry("a", int64(2)).In(tens(10))).
		Run(t, p)
}

func TestEarlyOnTimeAndLatePanes(t *testing.T) {
	p, s, out := words(func(k strandline.Keyed[string, string]) strandline.Keyed[string, string] {
		return k.Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(2)).Late(trigger.AfterCount(1))).
			AllowedLateness(20 * time.Second)
	})
	a := func(n int64) strandlinetest.Want[strandline.KV[string, int64]] {
		return strandlinetest.Entry("a", n).In(tens(0))
	}
	s.Add(at(1), "a").ExpectNothing(out).
		Add(at(2), "a").Expect(out, a(2).Early().Index(0).NonEarly(-1).First().NotLast()).
		Add(at(3), "a").ExpectNothing(out).
		AdvanceWatermark(at(10)).Expect(out, a(3).OnTime().Index(1).NonEarly(0).NotLast()).
		Add(at(4), "a").Expect(out, a(4).Late().Index(2).NonEarly(1).NotLast()).
		AdvanceWatermark(at(30)).ExpectNothing(out). // 10 s + 20 s: forgotten
		Add(at(5), "a").ExpectNothing(out).
		Run(t, p)
}

func TestDiscardingPanesContainOnlyWhatIsNew(t *testing.T) {
	p, s, out := words(func(k strandline.Keyed[string, string]) strandline.Keyed[string, string] {
		return k.Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(2))).Discarding()
	})
	s.AddBatch(strandlinetest.At(at(1), "a"), strandlinetest.At(at(2), "a"), strandlinetest.At(at(3), "a")).
		Expect(out, strandlinetest.Entry("a", int64(2)).Early()).
		AdvanceWatermark(at(10)).Expect(out, strandlinetest.Entry("a", int64(1)).OnTime().Last()).
		Run(t, p)
}

// A pane comes 5 s of processing time after its first element, and not a second before.
func TestProcessingTimeTriggerFollowsTheVirtualClock(t *testing.T) {
	p, s, out := words(func(k strandline.Keyed[string, string]) strandline.Keyed[string, string] {
		return k.Trigger(trigger.Repeat(trigger.AfterProcessingTime(5 * time.Second)))
	})
	a := func(n int64) strandlinetest.Want[strandline.KV[string, int64]] {
		return strandlinetest.Entry("a", n).In(tens(0))
	}
	s.Add(at(1), "a").ExpectNothing(out).
		AdvanceProcessingTime(4*time.Second).ExpectNothing(out).
		Add(at(2), "a").ExpectNothing(out).
		AdvanceProcessingTime(time.Second).Expect(out, a(2).Early().Index(0)).
		AdvanceProcessingTime(time.Hour).ExpectNothing(out).
		Add(at(3), "a").
		AdvanceProcessingTime(5*time.Second).Expect(out, a(3).Early().Index(1)).
		Run(t, p)
}

func TestGivenClockIsTheRunsClock(t *testing.T) {
	clock := strandlinetest.NewClock(at(1_000_000))
	p, s, out := words(func(k strandline.Keyed[string, string]) strandline.Keyed[string, string] {
		return k.Trigger(trigger.AfterProcessingTime(time.Minute))
	})
	s.Add(at(1), "a").
		AdvanceProcessingTime(time.Minute).Expect(out, strandlinetest.Entry("a", int64(1))).
		Run(t, p, strandline.Clock(clock))
	if want := at(1_000_060); !clock.Time().Equal(want) {
		t.Errorf("the clock stands at %v, want %v", clock.Time(), want)
	}
}

func TestWindowsOfAKeyFireInOrderOfTheirEnds(t *testing.T) {
	p, s, out := words(asIs)
	s.Add(at(25), "a").Add(at(5), "a", "b").Add(at(15), "a").
		AdvanceWatermark(at(30)).
		Expect(out,
			strandlinetest.Entry("b", int64(1)).In(tens(0)),
			strandlinetest.Entry("a", int64(1)).In(tens(0)),
			strandlinetest.Entry("a", int64(1)).In(tens(10)),
			strandlinetest.Entry("a", int64(1)).In(tens(20))).
		Run(t, p)
}

func TestElementIsInEachOfItsSlidingWindows(t *testing.T) {
	p := strandline.New("sliding")
	s := strandlinetest.NewStream[string]("letters")
	out := strandlinetest.Collect(s.Read(p).WindowInto(window.Sliding(10*time.Second, 5*time.Second)))
	s.Add(at(7), "x").
		Expect(out,
			strandlinetest.Value("x").In(window.Between(at(5), at(15))),
			strandlinetest.Value("x").In(window.Between(at(0), at(10)))).
		Run(t, p)
	strandlinetest.AssertValues(t, out, "x", "x")
}

// The watermark of what two streams meet in is the lesser of theirs.
func TestStreamsSideBySideHaveWatermarksOfTheirOwn(t *testing.T) {
	p := strandline.New("two")
	left := strandlinetest.NewStream[string]("left")
	right := left.Beside[string]("right")
	both := strandline.Flatten("both", left.Read(p), right.Read(p)).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[string]())
	out := strandlinetest.Collect(both.PCollection)

	left.Add(at(1), "l").AdvanceWatermark(at(10)).ExpectNothing(out)
	right.Add(at(2), "r", "r").AdvanceWatermark(at(9)).ExpectNothing(out)
	left.Add(at(3), "behind left, not both").ExpectNothing(out)
	right.AdvanceWatermark(at(10))
	left.Expect(out, strandlinetest.Value(int64(4)).In(tens(0)).OnTime())
	right.Run(t, p)
}

// With triggers by processing time each stream is read by a goroutine of its own; the order of
// the script holds all the same.
func TestStreamsSideBySideKeepTheirOrderWhenReadConcurrently(t *testing.T) {
	p := strandline.New("two")
	left := strandlinetest.NewStream[int]("left")
	right := left.Beside[int]("right")
	all := strandline.Flatten("both", left.Read(p), right.Read(p)).
		WindowInto(window.Global()).
		Trigger(trigger.Repeat(trigger.AfterProcessingTime(time.Second))).
		Combine("list", combine.List[int]{})
	out := strandlinetest.Collect(all.PCollection)
	var want []int
	for i := range 50 {
		left.Add(at(int64(i)), 2*i)
		right.Add(at(int64(i)), 2*i+1).AdvanceProcessingTime(time.Second)
		want = append(want, 2*i, 2*i+1)
		left.Expect(out, strandlinetest.Value(want[:len(want):len(want)]).Early().Index(int64(i)))
	}
	left.Run(t, p)
}

func TestInBatchModeEverythingComesAtTheEnd(t *testing.T) {
	p, s, out := words(asIs)
	s.AdvanceWatermark(at(10)).Add(at(1), "a").AdvanceWatermark(at(100)).ExpectNothing(out).
		AtEnd(out, strandlinetest.Entry("a", int64(1)).In(tens(0)).OnTime()).
		Run(t, p, strandline.Batch())
}
