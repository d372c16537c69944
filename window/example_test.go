package window_test

import (
	"fmt"
	"time"

	"github.com/strandline-stream/strandline/window"
)

// show prints a windowing and the windows that it assigns to an instant, in UTC.
func show(a window.Assigner, instant string) {
	t, err := time.Parse(time.DateTime, instant)
	if err != nil {
		panic(err)
	}
	fmt.Println(a)
	for _, w := range a.Assign(nil, t.UnixMicro()) {
		fmt.Println(" ", w)
	}
}

func ExampleGlobal() {
	show(window.Global(), "2026-03-28 12:07:00")
	// Output:
	// global
	//   global
}

func ExampleFixed() {
	show(window.Fixed(10*time.Second), "2026-03-28 12:00:09")
	show(window.Fixed(10*time.Second), "2026-03-28 12:00:10")
	// Output:
	// fixed(10s)
	//   [2026-03-28T12:00:00Z, 2026-03-28T12:00:10Z)
	// fixed(10s)
	//   [2026-03-28T12:00:10Z, 2026-03-28T12:00:20Z)
}

func ExampleFixedWindows_Offset() {
	show(window.Fixed(24*time.Hour).Offset(6*time.Hour), "2026-03-28 05:59:59")
	// Output:
	// fixed(24h, offset 6h)
	//   [2026-03-27T06:00:00Z, 2026-03-28T06:00:00Z)
}

func ExampleSliding() {
	show(window.Sliding(10*time.Second, 5*time.Second), "2026-03-28 12:00:07")
	// Output:
	// sliding(10s, 5s)
	//   [2026-03-28T12:00:00Z, 2026-03-28T12:00:10Z)
	//   [2026-03-28T12:00:05Z, 2026-03-28T12:00:15Z)
}

// With a period greater than the size, an element in a gap is in no window.
func ExampleSliding_gaps() {
	show(window.Sliding(time.Minute, time.Hour), "2026-03-28 12:00:07")
	show(window.Sliding(time.Minute, time.Hour), "2026-03-28 12:07:00")
	// Output:
	// sliding(1m, 1h)
	//   [2026-03-28T12:00:00Z, 2026-03-28T12:01:00Z)
	// sliding(1m, 1h)
}

func ExampleCumulative() {
	show(window.Cumulative(4*time.Hour, time.Hour), "2026-03-28 13:30:00")
	// Output:
	// cumulative(4h, 1h)
	//   [2026-03-28T12:00:00Z, 2026-03-28T14:00:00Z)
	//   [2026-03-28T12:00:00Z, 2026-03-28T15:00:00Z)
	//   [2026-03-28T12:00:00Z, 2026-03-28T16:00:00Z)
}

// Three clicks: the second comes 20 minutes after the first, the third 30 minutes after the
// second, which is exactly the gap.
func ExampleSession() {
	noon := time.Date(2026, 3, 28, 12, 0, 0, 0, time.UTC)
	clicks := []time.Time{noon, noon.Add(20 * time.Minute), noon.Add(50 * time.Minute)}

	for _, s := range []window.SessionWindows{
		window.Session(30 * time.Minute),
		window.Session(30 * time.Minute).MergeTouching(),
	} {
		var ws []window.Interval
		for _, t := range clicks {
			ws = s.Assign(ws, t.UnixMicro())
		}
		fmt.Println(s)
		for _, m := range s.Merge(ws) {
			fmt.Println(" ", m.From, "become", m.Into)
		}
	}
	// Output:
	// session(30m)
	//   [0 1] become [2026-03-28T12:00:00Z, 2026-03-28T12:50:00Z)
	// session(30m, touching)
	//   [0 1 2] become [2026-03-28T12:00:00Z, 2026-03-28T13:20:00Z)
}

// In Berlin the 29th of March 2026 has 23 hours.
func ExampleDays() {
	show(window.Days().InZone("Europe/Berlin"), "2026-03-29 12:00:00")
	// Output:
	// days(Europe/Berlin)
	//   [2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z)
}

func ExampleWeeks() {
	show(window.Weeks(), "2026-03-29 12:00:00") // a Sunday
	show(window.Weeks().StartingOn(time.Sunday), "2026-03-29 12:00:00")
	// Output:
	// weeks(UTC)
	//   [2026-03-23T00:00:00Z, 2026-03-30T00:00:00Z)
	// weeks(UTC, starting Sunday)
	//   [2026-03-29T00:00:00Z, 2026-04-05T00:00:00Z)
}

func ExampleMonths() {
	show(window.Months(), "2024-02-29 12:00:00")
	// Output:
	// months(UTC)
	//   [2024-02-01T00:00:00Z, 2024-03-01T00:00:00Z)
}

func ExampleQuarters() {
	show(window.Quarters(), "2026-03-29 12:00:00")
	// Output:
	// quarters(UTC)
	//   [2026-01-01T00:00:00Z, 2026-04-01T00:00:00Z)
}

func ExampleYears() {
	show(window.Years().Every(10), "2026-03-29 12:00:00")
	// Output:
	// years(UTC, every 10)
	//   [2020-01-01T00:00:00Z, 2030-01-01T00:00:00Z)
}

// A fiscal year from April on, and its quarters and halves.
func ExampleCalendarWindows_StartingIn() {
	show(window.Years().StartingIn(time.April), "2026-03-29 12:00:00")
	show(window.Quarters().StartingIn(time.February), "2026-03-29 12:00:00")
	show(window.Quarters().Every(2).StartingIn(time.April), "2026-03-29 12:00:00")
	// Output:
	// years(UTC, starting April)
	//   [2025-04-01T00:00:00Z, 2026-04-01T00:00:00Z)
	// quarters(UTC, starting February)
	//   [2026-02-01T00:00:00Z, 2026-05-01T00:00:00Z)
	// quarters(UTC, every 2, starting April)
	//   [2025-10-01T00:00:00Z, 2026-04-01T00:00:00Z)
}

func ExampleZone() {
	berlin, err := window.Zone("Europe/Berlin")
	fmt.Println(berlin, err)
	_, err = window.Zone("Europe/Berln")
	fmt.Println(err)
	// Output:
	// Europe/Berlin <nil>
	// window: no IANA time zone is named "Europe/Berln": is it "Europe/Berlin"?
}

// Shifts of 8 hours from 06:00 and from 14:00; at night nobody works.
func ExampleCustom() {
	shifts := window.Custom("shifts", func(t time.Time) []window.Interval {
		six := time.Date(t.Year(), t.Month(), t.Day(), 6, 0, 0, 0, time.UTC)
		for _, start := range []time.Time{six, six.Add(8 * time.Hour)} {
			if w := window.Between(start, start.Add(8*time.Hour)); w.Contains(t) {
				return []window.Interval{w}
			}
		}
		return nil
	})
	show(shifts, "2026-03-28 15:00:00")
	show(shifts, "2026-03-28 23:00:00")
	// Output:
	// custom("shifts")
	//   [2026-03-28T14:00:00Z, 2026-03-28T22:00:00Z)
	// custom("shifts")
}

// Outputs bear the start of their window instead of its last instant.
func ExampleCustomWindows_OutputTimes() {
	hours := window.Custom("hours", func(t time.Time) []window.Interval {
		start := t.Truncate(time.Hour)
		return []window.Interval{window.Between(start, start.Add(time.Hour))}
	}).OutputTimes(func(w window.Interval, _ time.Time) time.Time { return w.Start() })

	w := hours.Assign(nil, time.Date(2026, 3, 28, 12, 7, 0, 0, time.UTC).UnixMicro())[0]
	out := window.OutputTime(hours, w, w.Last().UnixMicro())
	fmt.Println(time.UnixMicro(out).UTC())
	// Output:
	// 2026-03-28 12:00:00 +0000 UTC
}

// Constructors accept anything; Validate reports every fault.
func Example_validate() {
	fmt.Println(window.Sliding(0, 1500*time.Nanosecond).Validate())
	fmt.Println(window.Days().In(time.Local).Validate())
	// Output:
	// window.Sliding: size must be more than 0, is 0s
	// window.Sliding: period must be of whole microseconds, is 1.5µs
	// window.Days: time.Local depends on the machine: name an IANA zone, such as "Europe/Berlin"
}
