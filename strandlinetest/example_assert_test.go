package strandlinetest_test

import (
	"context"
	"errors"
	"fmt"
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

// perMinute counts letters, each at its second.
func perMinute(in strandline.PCollection[string]) strandline.Results[string, string, int64] {
	return in.KeyBy("letter", func(s *string) string { return *s }).
		WindowInto(window.Fixed(time.Minute)).
		CombinePerKey("count", combine.Count[string]())
}

// What came out of any run can be compared afterwards: all that is known of a pane, or as much of it
// as the test cares for; or the values alone.
func ExampleAssertPanes() {
	var t testing.TB = new(testing.T) // a test's own

	p := strandline.New("letters")
	in := strandline.Read(p, memory.Slice("letters", []string{"a", "b", "a"}), watermark.Ascending(), func(*string) time.Time { return time.Unix(7, 0) })
	out := strandlinetest.Collect(perMinute(in).PCollection)
	lists := strandlinetest.Collect(strandline.GroupByKey("lists", in.KeyBy("again", func(s *string) string { return *s })).PCollection)
	if _, err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	minute := window.Between(time.Unix(0, 0), time.Unix(60, 0))
	only := trigger.Pane{Timing: trigger.OnTime, First: true, Last: true}
	strandlinetest.AssertPanes(t, out,
		strandlinetest.Exactly(strandline.Pane[strandline.KV[string, int64]]{
			Value: strandline.KV[string, int64]{Key: "a", Value: 2}, Time: minute.Last(), Window: minute, Pane: only}),
		strandlinetest.Entry("b", int64(1)).In(minute).NonEarly(0).First().Last())
	strandlinetest.AssertValues(t, out, strandline.KV[string, int64]{Key: "a", Value: 2}, strandline.KV[string, int64]{Key: "b", Value: 1})
	strandlinetest.AssertPanes(t, lists, strandlinetest.Group("a", "a", "a"), strandlinetest.Group("b", "b"))
	fmt.Println(t.Failed(), len(out.Panes()), len(out.Values()))
	// Output: false 2 2
}

// A script that does not hold says in which way.
func ExampleStream_Watch() {
	p := strandline.New("letters")
	s := strandlinetest.NewStream[string]("letters")
	out := strandlinetest.Collect(perMinute(s.Read(p)).PCollection)
	_, err := s.AddBatch(strandlinetest.At(time.Unix(1, 0), "a"), strandlinetest.At(time.Unix(2, 0), "b")).
		Watch(out). // nothing may come that is not expected
		AdvanceWatermark(time.Unix(60, 0)).Expect(out, strandlinetest.Entry("a", int64(2))).
		Play(context.Background(), p)
	fmt.Println(errors.Is(err, strandlinetest.ErrUnmatched), errors.Is(err, strandlinetest.ErrUnexpected))

	// What comes at the end may be left open, and a pane be described by a condition.
	many := func(x strandline.Pane[strandline.KV[string, int64]]) bool { return x.Value.Value > 1 }
	s = strandlinetest.NewStream[string]("letters")
	p = strandline.New("letters")
	out = strandlinetest.Collect(perMinute(s.Read(p)).PCollection)
	var batch []strandlinetest.Element[string] = []strandlinetest.Element[string]{{time.Unix(1, 0), "a"}, {time.Unix(2, 0), "a"}}
	_, err = s.AddBatch(batch...).
		AdvanceWatermark(time.Unix(60, 0)).Expect(out, strandlinetest.Any[strandline.KV[string, int64]]().Where("more than one", many)).
		Add(time.Unix(61, 0), "c").AnyAtEnd(out).
		Play(context.Background(), p)
	fmt.Println(err)
	// Output:
	// true false
	// <nil>
}

// Two inputs play in one script. A window that waits for late elements says that its pane is not the
// last.
func ExampleStream_Beside() {
	p := strandline.New("letters")
	left := strandlinetest.NewStream[string]("left")
	right := left.Beside[string]("right")
	both := strandline.Flatten("both", left.Read(p), right.Read(p))
	counts := both.KeyBy("letter", func(s *string) string { return *s }).WindowInto(window.Fixed(time.Minute)).AllowedLateness(time.Hour).
		CombinePerKey("count", combine.Count[string]())
	out := strandlinetest.Collect(counts.PCollection)
	left.Add(time.Unix(1, 0), "a").AdvanceWatermark(time.Unix(60, 0)).ExpectNothing(out)
	right.Add(time.Unix(2, 0), "a").AdvanceWatermark(time.Unix(60, 0)).Expect(out, strandlinetest.Entry("a", int64(2)).OnTime().NotLast())
	_, err := left.Play(context.Background(), p)
	fmt.Println(err)
	// Output: <nil>
}

// A clock that moves only when it is told to, for pipelines that look at processing time.
func ExampleClock() {
	clock := strandlinetest.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	woken, giveUp := clock.After(clock.Now() + 60_000_000)
	defer giveUp()
	clock.Advance(time.Minute)
	fmt.Println((<-woken).UTC().Format(time.TimeOnly), clock.Time().Format(time.TimeOnly))
	_ = strandline.Clock(clock) // an option of a run
	// Output: 12:01:00 12:01:00
}

// A function that goes by the order of arrival is found out.
func ExampleVerify() {
	letters := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	at := func(s *string) time.Time { return time.Unix(int64((*s)[0]), 0) }
	_ = func(t *testing.T) { // in a test
		strandlinetest.Verify(t, letters, at, time.Second, func(in strandline.PCollection[string]) strandline.PCollection[strandline.KV[string, int64]] {
			return perMinute(in).PCollection
		})
	}
	err := strandlinetest.Verification[string, string]{Data: letters, Time: at, Bound: time.Minute,
		Build: func(in strandline.PCollection[string]) strandline.PCollection[string] {
			return in.KeyBy("all", func(*string) int { return 0 }).Stateful("number", strandline.PerKey,
				func(x *strandline.Turn[int, string], n *int, s *string) {
					*n++
					x.Emit(fmt.Sprint(*n, *s))
				}, nil).PCollection
		}}.Check(context.Background())
	fmt.Println(errors.Is(err, strandlinetest.ErrDiffer))
	// Output: true
}
