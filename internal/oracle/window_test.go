package oracle

import (
	"slices"
	"testing"
	"time"
	_ "time/tzdata"
)

func TestAssignment(t *testing.T) {
	sliding := Window{Kind: Sliding, Size: 10, Period: 5}
	for _, c := range []struct {
		name string
		w    Window
		t    int64
		want []Interval
	}{
		{"9 is before 10", Window{Kind: Fixed, Size: 10}, 9, []Interval{{0, 10}}},
		{"10 is not", Window{Kind: Fixed, Size: 10}, 10, []Interval{{10, 20}}},
		{"-1 is before 0", Window{Kind: Fixed, Size: 10}, -1, []Interval{{-10, 0}}},
		{"offset", Window{Kind: Fixed, Size: 10, Offset: 3}, 2, []Interval{{-7, 3}}},
		{"a negative offset", Window{Kind: Fixed, Size: 10, Offset: -3}, 7, []Interval{{7, 17}}},
		{"sliding", sliding, 7, []Interval{{0, 10}, {5, 15}}},
		{"sliding below zero", sliding, -1, []Interval{{-10, 0}, {-5, 5}}},
		{"size no multiple of the period", Window{Kind: Sliding, Size: 10, Period: 4}, 9, []Interval{{0, 10}, {4, 14}, {8, 18}}},
		{"in a gap", Window{Kind: Sliding, Size: 5, Period: 10}, 7, nil},
		{"before a gap", Window{Kind: Sliding, Size: 5, Period: 10}, 4, []Interval{{0, 5}}},
		{"cumulative", Window{Kind: Cumulative, Size: 12, Step: 4}, 5, []Interval{{0, 8}, {0, 12}}},
		{"cumulative at a step", Window{Kind: Cumulative, Size: 12, Step: 4}, 8, []Interval{{0, 12}}},
		{"a session of its own", Window{Kind: Session, Gap: 10}, 3, []Interval{{3, 13}}},
		{"global", Window{}, 3, []Interval{{Before, After}}},
	} {
		if got := c.w.assign(c.t); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestCalendar(t *testing.T) {
	day, week, month := Window{Days: 1}, Window{Days: 7, Anchor: -3}, Window{Months: 1}
	for _, c := range []struct {
		name, zone     string
		w              Window
		at, start, end string
		hours          float64
	}{
		{"a day", "UTC", day, "2026-03-29T23:59:59.999999Z", "2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z", 24},
		{"before 1970", "UTC", day, "1969-12-31T23:59:59.999999Z", "1969-12-31T00:00:00Z", "1970-01-01T00:00:00Z", 24},
		{"spring forward", "Europe/Berlin", day, "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", 23},
		{"fall back", "Europe/Berlin", day, "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", 25},
		{"half an hour less", "Australia/Lord_Howe", day, "2026-10-03T20:00:00Z", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z", 23.5},
		{"no midnight: the day begins at one", "America/Sao_Paulo", day, "2018-11-04T03:00:00Z", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z", 23},
		{"before no midnight", "America/Sao_Paulo", day, "2018-11-04T02:59:59Z", "2018-11-03T03:00:00Z", "2018-11-04T03:00:00Z", 24},
		{"midnight twice: the first", "America/St_Johns", day, "2010-11-07T03:00:00Z", "2010-11-07T02:30:00Z", "2010-11-08T03:30:00Z", 25},
		{"a skipped date is nowhere", "Pacific/Apia", day, "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z", 24},
		{"before a skipped date", "Pacific/Apia", day, "2011-12-30T09:59:59Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z", 24},
		{"a week from Monday", "UTC", week, "2026-01-01T00:00:00Z", "2025-12-29T00:00:00Z", "2026-01-05T00:00:00Z", 168},
		{"the week of 1970", "UTC", week, "1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z", "1970-01-05T00:00:00Z", 168},
		{"a leap February", "UTC", month, "2024-02-29T23:00:00Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z", 29 * 24},
		{"no leap in 2100", "UTC", month, "2100-02-28T23:00:00Z", "2100-02-01T00:00:00Z", "2100-03-01T00:00:00Z", 28 * 24},
		{"a month with a change", "Europe/Berlin", month, "2026-03-31T21:59:59Z", "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z", 31*24 - 1},
		{"a quarter before 1970", "UTC", Window{Months: 3}, "1969-11-11T00:00:00Z", "1969-10-01T00:00:00Z", "1970-01-01T00:00:00Z", 92 * 24},
		{"a year", "UTC", Window{Months: 12}, "1600-12-31T23:00:00Z", "1600-01-01T00:00:00Z", "1601-01-01T00:00:00Z", 366 * 24},
		{"year 9999", "UTC", Window{Months: 12}, "9999-12-31T23:00:00Z", "9999-01-01T00:00:00Z", "", 365 * 24},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		c.w.Kind, c.w.Zone = Calendar, zone
		got := c.w.assign(instant(t, c.at))[0]
		end := got.Start + int64(c.hours*3600)*second
		if c.end != "" {
			end = instant(t, c.end)
		}
		if want := (Interval{instant(t, c.start), end}); got != want || float64(got.End-got.Start) != c.hours*3600*second {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
}

func instant(t *testing.T, s string) int64 {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMicro()
}

func TestBoundedWatermark(t *testing.T) {
	for _, c := range []struct {
		name         string
		bound, guard int64
		at, want     []int64 // want: W before each, and after the last
	}{
		{"the greatest of the earlier ones", 5, 0, vals(10, 8, 20, 15), vals(Before, 5, 5, 15, 15)},
		{"no events", 5, 0, nil, vals(Before)},
		{"a lone row from the future drives nothing", 5, 100, vals(10, 11, 9000, 12, 13), vals(Before, Before, 6, 6, 7, 8)},
		{"a single record neither", 5, 100, vals(10), vals(Before, Before)},
		{"dense rows are their own support", 0, 100, vals(10, 20, 30, 25), vals(Before, Before, 20, 30, 30)},
		{"support exactly a guard away counts", 0, 10, vals(10, 20), vals(Before, Before, 20)},
		{"a microsecond more does not", 0, 10, vals(10, 21), vals(Before, Before, 10)},
		{"sparse rows are one behind", 0, 10, vals(100, 200, 300), vals(Before, Before, 100, 200)},
		{"support may come later", 0, 10, vals(1, 2, 500, 3, 495), vals(Before, Before, 2, 2, 3, 500)},
		{"two of the same time support each other", 0, 10, vals(7, 7), vals(Before, Before, 7)},
	} {
		var events []Event
		for _, at := range c.at {
			events = append(events, Event{At: at})
		}
		var got []int64
		out := Bounded(events, c.bound, c.guard)
		for _, e := range out {
			got = append(got, e.W)
		}
		if !slices.Equal(got, c.want) || !out[len(out)-1].Mark {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
