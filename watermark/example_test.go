package watermark_test

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// Elements may come up to five seconds after later ones.
func ExampleBounded() {
	s := watermark.Bounded(5 * time.Second)
	g := s.Start() // a runner's part: one per split

	at := []int64{2_000_000, 5_000_000, 8_000_000, 13_000_000, 16_000_000}
	after, _ := g.Observe(watermark.Columns{At: at}, make([]int64, len(at)))
	fmt.Println(s, "stands at", etime.Time(after).Format("05"), "s")
	// Output: bounded(5s) stands at 11 s
}

// One row from the far future does not make all others late.
func ExampleBoundedStrategy_Guard() {
	s := watermark.Bounded(0).Guard(watermark.Guard{Support: 10 * time.Minute})
	g := s.Start()

	noon := etime.Micros(time.Date(2026, 2, 18, 12, 0, 0, 0, time.UTC))
	tomorrow := noon + 24*3600*1_000_000
	at := []int64{noon, noon + 1_000_000, tomorrow, noon + 2_000_000}
	after, _ := g.Observe(watermark.Columns{At: at}, make([]int64, len(at)))
	fmt.Println(etime.Format(after), "with", g.Future(), "from the future")
	// Output: 2026-02-18T12:00:02Z with 1 from the future
}

// Nine records in ten come at once, the tenth three seconds late: the bound settles above that.
func ExampleAdaptive() {
	s := watermark.Adaptive(0.95, time.Second, time.Minute)
	g := s.Start()

	at := make([]int64, 1000)
	for i := range at {
		at[i] = int64(i) * 100_000 // ten a second
		if i%10 == 9 {
			at[i] -= 3_000_000
		}
	}
	after, _ := g.Observe(watermark.Columns{At: at}, make([]int64, len(at)))
	fmt.Println(s, "stands", time.Duration(at[998]-after)*time.Microsecond, "behind")
	// Output: adaptive(0.95, floor 1s, ceiling 1m) stands 3.014655s behind
}

// A sender says now and then that all before some time has been sent.
func ExamplePunctuated() {
	type line struct{ CompleteTo time.Time }
	s := watermark.Punctuated(func(l *line) (time.Time, bool) {
		return l.CompleteTo, !l.CompleteTo.IsZero()
	})
	for _, l := range []line{{}, {time.Unix(60, 0)}} {
		fmt.Println(etime.Format(s.Mark(&l)))
	}
	// Output:
	// before everything
	// 1970-01-01T00:01:00Z
}

// A replay uses the arrival that the first receiver wrote into the record.
func ExampleArrivalFrom() {
	type event struct{ Received time.Time }
	s := watermark.ArrivalFrom(watermark.Arrival(time.Minute), func(e *event) time.Time { return e.Received })
	fmt.Println(s, s.Validate())
	// Output: arrival(1m).recorded <nil>
}

// Meter readings may come one month after their own.
func ExamplePeriods() {
	g := watermark.Periods(window.Months(), 1).Start()

	july := etime.Micros(time.Date(2026, 7, 31, 23, 59, 59, 0, time.UTC))
	august := july + 1_000_000
	w := make([]int64, 2)
	g.Observe(watermark.Columns{At: make([]int64, 2), Arrival: []int64{july, august}}, w)
	fmt.Println(etime.Format(w[0]))
	fmt.Println(etime.Format(w[1]))
	// Output:
	// 2026-06-01T00:00:00Z
	// 2026-07-01T00:00:00Z
}

// All that is wrong is reported at once.
func ExampleStrategy_validate() {
	s := watermark.Bounded(-time.Second).Idle(-time.Minute)
	fmt.Println(s.Validate())
	// Output:
	// watermark.Bounded: bound must not be negative, is -1s
	// watermark.Bounded: idle timeout must not be negative, is -1m0s
}
