package strandlinetest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/window"
)

// A minute's window fires when the watermark reaches its end, and what comes then is late. In a
// test, Run(t, p) takes the place of Play.
func Example() {
	minute := func(m, s int) time.Time { return time.Date(2026, 7, 1, 12, m, s, 0, time.UTC) }
	p := strandline.New("visits")
	s := strandlinetest.NewStream[string]("visits")
	counts := s.Read(p).
		KeyBy("page", func(page *string) string { return *page }).
		WindowInto(window.Fixed(time.Minute)).
		CombinePerKey("count", combine.Count[string]())
	out := strandlinetest.Collect(counts.PCollection)
	late := strandlinetest.Collect(counts.OnLate(func(l strandline.Late[string]) string { return l.Value }))

	_, err := s.
		Add(minute(0, 7), "/home", "/home", "/help").
		Add(minute(1, 2), "/home").
		AdvanceWatermark(minute(0, 59)).ExpectNothing(out).
		AdvanceWatermark(minute(1, 0)).
		Expect(out,
			strandlinetest.Entry("/home", int64(2)).OnTime().Last(),
			strandlinetest.Entry("/help", int64(1)).OnTime().Last()).
		Add(minute(0, 8), "/help").Expect(late, strandlinetest.Value("/help")).
		AtEnd(out, strandlinetest.Entry("/home", int64(1)).In(window.Between(minute(1, 0), minute(2, 0)))).
		Play(context.Background(), p)
	fmt.Println("it holds:", err == nil)
	// Output: it holds: true
}
