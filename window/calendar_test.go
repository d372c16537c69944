package window

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestDaysAreAsLongAsTheZoneMakesThem(t *testing.T) {
	for _, c := range []struct {
		about, zone, instant string
		start                string
		span                 time.Duration
	}{
		{"an ordinary day", "Europe/Berlin", "2026-07-26T12:00:00Z", "2026-07-25T22:00:00Z", 24 * time.Hour},
		{"clocks go forward", "Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", 23 * time.Hour},
		{"the last instant of that day", "Europe/Berlin", "2026-03-29T21:59:59.999999Z", "2026-03-28T23:00:00Z", 23 * time.Hour},
		{"the day after", "Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-29T22:00:00Z", 24 * time.Hour},
		{"clocks go back", "Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", 25 * time.Hour},
		{"the second 2:30 of that day", "Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-24T22:00:00Z", 25 * time.Hour},
		{"half an hour less", "Australia/Lord_Howe", "2026-10-04T00:00:00Z", "2026-10-03T13:30:00Z", 23*time.Hour + 30*time.Minute},
		{"half an hour more", "Australia/Lord_Howe", "2026-04-05T00:00:00Z", "2026-04-04T13:00:00Z", 24*time.Hour + 30*time.Minute},
		{"midnight skipped: starts at 1:00", "America/Sao_Paulo", "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z", 23 * time.Hour},
		{"the day before ends there", "America/Sao_Paulo", "2018-11-04T02:59:59.999999Z", "2018-11-03T03:00:00Z", 24 * time.Hour},
		{"midnight put off by an hour", "America/Sao_Paulo", "2018-02-18T02:30:00Z", "2018-02-17T02:00:00Z", 25 * time.Hour},
		{"midnight skipped", "Asia/Beirut", "2021-03-28T12:00:00Z", "2021-03-27T22:00:00Z", 23 * time.Hour},
		{"midnight put off", "Asia/Beirut", "2021-10-30T12:00:00Z", "2021-10-29T21:00:00Z", 25 * time.Hour},
		{"midnight twice: starts at the first", "America/Havana", "2025-11-02T04:30:00Z", "2025-11-02T04:00:00Z", 25 * time.Hour},
		{"after the second midnight", "America/Havana", "2025-11-02T05:00:00Z", "2025-11-02T04:00:00Z", 25 * time.Hour},
		// At 0:01 clocks went back to 23:01 of the date before.
		{"a date begins twice", "America/St_Johns", "2010-11-07T02:30:30Z", "2010-11-07T02:30:00Z", 25 * time.Hour},
		{"the old date shown again", "America/St_Johns", "2010-11-07T03:00:00Z", "2010-11-07T02:30:00Z", 25 * time.Hour},
		{"the date before", "America/St_Johns", "2010-11-07T02:29:59Z", "2010-11-06T02:30:00Z", 24 * time.Hour},
		{"before a skipped date", "Pacific/Apia", "2011-12-30T09:59:59.999999Z", "2011-12-29T10:00:00Z", 24 * time.Hour},
		{"after a skipped date", "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", 24 * time.Hour},
		{"the 366th day of a leap year", "Europe/Berlin", "2024-12-31T12:00:00Z", "2024-12-30T23:00:00Z", 24 * time.Hour},
		{"the day after it", "Europe/Berlin", "2025-01-01T12:00:00Z", "2024-12-31T23:00:00Z", 24 * time.Hour},
		{"the 366th day west of UTC", "America/New_York", "2028-12-31T12:00:00Z", "2028-12-31T05:00:00Z", 24 * time.Hour},
		{"before 1970", "UTC", "1969-12-31T23:59:59.999999Z", "1969-12-31T00:00:00Z", 24 * time.Hour},
		{"long before", "UTC", "1600-02-29T12:00:00Z", "1600-02-29T00:00:00Z", 24 * time.Hour},
		{"long after", "Europe/Berlin", "9999-12-31T22:59:59Z", "9999-12-30T23:00:00Z", 24 * time.Hour},
		{"by the mean time of Berlin, 53 min 28 s ahead", "Europe/Berlin", "1600-02-29T12:00:00Z", "1600-02-28T23:06:32Z", 24 * time.Hour},
		{"by the rule for years to come", "Europe/Berlin", "9999-03-28T12:00:00Z", "9999-03-27T23:00:00Z", 23 * time.Hour}, // a last Sunday
	} {
		days := Days().InZone(c.zone)
		if err := days.Validate(); err != nil {
			t.Fatal(err)
		}
		start := us(t, c.start)
		want := []Interval{{start, start + c.span.Microseconds()}}
		if got := days.Assign(nil, us(t, c.instant)); !slices.Equal(got, want) {
			t.Errorf("%s: %s in %s is in %v, want %v", c.about, c.instant, c.zone, got, want)
		}
	}
}

func TestCalendarUnits(t *testing.T) {
	for _, c := range []struct {
		a                   CalendarWindows
		instant, start, end string
	}{
		{Months(), "1600-02-10T00:00:00Z", "1600-02-01", "1600-03-01"},
		{Months(), "1600-02-29T23:59:59Z", "1600-02-01", "1600-03-01"}, // a leap year
		{Months(), "1900-02-28T23:59:59.999999Z", "1900-02-01", "1900-03-01"},
		{Months(), "1900-03-01T00:00:00Z", "1900-03-01", "1900-04-01"}, // not one
		{Months(), "2000-02-29T00:00:00Z", "2000-02-01", "2000-03-01"},
		{Months(), "2024-02-29T12:00:00Z", "2024-02-01", "2024-03-01"},
		{Months(), "2026-01-31T23:59:59.999999Z", "2026-01-01", "2026-02-01"},
		{Months(), "2026-04-30T23:59:59.999999Z", "2026-04-01", "2026-05-01"},
		{Months(), "2026-12-31T23:59:59.999999Z", "2026-12-01", "2027-01-01"},
		{Months(), "1969-12-31T23:59:59.999999Z", "1969-12-01", "1970-01-01"},
		{Months().Every(2), "2026-02-15T00:00:00Z", "2026-01-01", "2026-03-01"},
		{Months().Every(5), "1969-12-31T00:00:00Z", "1969-08-01", "1970-01-01"},
		{Months().Every(5), "1970-06-01T00:00:00Z", "1970-06-01", "1970-11-01"},
		{Quarters(), "2026-07-26T00:00:00Z", "2026-07-01", "2026-10-01"},
		{Quarters(), "2026-03-31T23:59:59Z", "2026-01-01", "2026-04-01"},
		{Quarters().Every(2), "2026-05-01T00:00:00Z", "2026-01-01", "2026-07-01"},
		{Years(), "1600-12-31T23:59:59Z", "1600-01-01", "1601-01-01"},
		{Years(), "9998-12-31T23:59:59Z", "9998-01-01", "9999-01-01"},
		{Years().Every(10), "1969-07-20T00:00:00Z", "1960-01-01", "1970-01-01"},
		{Years().Every(10), "2026-07-26T00:00:00Z", "2020-01-01", "2030-01-01"},
		{Days().Every(3), "1970-01-03T23:00:00Z", "1970-01-01", "1970-01-04"},
		{Days().Every(3), "1969-12-31T23:00:00Z", "1969-12-29", "1970-01-01"},
		// 1970-01-01 was a Thursday, 2026-07-26 a Sunday.
		{Weeks(), "1970-01-01T00:00:00Z", "1969-12-29", "1970-01-05"},
		{Weeks(), "1969-12-28T23:59:59Z", "1969-12-22", "1969-12-29"},
		{Weeks(), "2026-07-26T12:00:00Z", "2026-07-20", "2026-07-27"},
		{Weeks().StartingOn(time.Sunday), "2026-07-26T12:00:00Z", "2026-07-26", "2026-08-02"},
		{Weeks().StartingOn(time.Sunday), "1970-01-01T00:00:00Z", "1969-12-28", "1970-01-04"},
		{Weeks().StartingOn(time.Thursday).Every(2), "1970-01-01T00:00:00Z", "1970-01-01", "1970-01-15"},
		{Weeks().StartingOn(time.Friday).Every(2), "1970-01-01T00:00:00Z", "1969-12-26", "1970-01-09"},
		{Weeks().Every(2), "1970-01-11T23:00:00Z", "1969-12-29", "1970-01-12"},
		{Weeks().Every(2), "1969-12-28T00:00:00Z", "1969-12-15", "1969-12-29"},
		// 2026-07-26 was a Sunday: a week that starts on a Monday began six days before, ...
		{Weeks().StartingOn(time.Monday), "2026-07-26T12:00:00Z", "2026-07-20", "2026-07-27"},
		{Weeks().StartingOn(time.Tuesday), "2026-07-26T12:00:00Z", "2026-07-21", "2026-07-28"},
		{Weeks().StartingOn(time.Wednesday), "2026-07-26T12:00:00Z", "2026-07-22", "2026-07-29"},
		{Weeks().StartingOn(time.Thursday), "2026-07-26T12:00:00Z", "2026-07-23", "2026-07-30"},
		{Weeks().StartingOn(time.Friday), "2026-07-26T12:00:00Z", "2026-07-24", "2026-07-31"},
		{Weeks().StartingOn(time.Saturday), "2026-07-26T12:00:00Z", "2026-07-25", "2026-08-01"},
		// Fiscal years: the United Kingdom's companies from April, Australia's from July, the
		// United States' from October.
		{Years().StartingIn(time.April), "2026-03-31T23:59:59.999999Z", "2025-04-01", "2026-04-01"},
		{Years().StartingIn(time.April), "2026-04-01T00:00:00Z", "2026-04-01", "2027-04-01"},
		{Years().StartingIn(time.July), "2024-02-29T12:00:00Z", "2023-07-01", "2024-07-01"},
		{Years().StartingIn(time.October), "1970-01-01T00:00:00Z", "1969-10-01", "1970-10-01"},
		{Years().StartingIn(time.October), "1969-09-30T23:59:59Z", "1968-10-01", "1969-10-01"},
		{Years().StartingIn(time.January), "2026-07-26T00:00:00Z", "2026-01-01", "2027-01-01"},
		{Years().StartingIn(time.December), "1600-11-30T00:00:00Z", "1599-12-01", "1600-12-01"},
		{Years().StartingIn(time.February), "9999-01-31T00:00:00Z", "9998-02-01", "9999-02-01"},
		{Years().Every(2).StartingIn(time.April), "1970-01-01T00:00:00Z", "1969-04-01", "1971-04-01"},
		{Years().Every(2).StartingIn(time.April), "1969-03-31T00:00:00Z", "1967-04-01", "1969-04-01"},
		{Quarters().StartingIn(time.February), "2026-01-31T00:00:00Z", "2025-11-01", "2026-02-01"},
		{Quarters().StartingIn(time.February), "2026-02-01T00:00:00Z", "2026-02-01", "2026-05-01"},
		{Quarters().StartingIn(time.May), "2026-02-01T00:00:00Z", "2026-02-01", "2026-05-01"}, // the same quarters
		{Quarters().StartingIn(time.April), "2026-07-26T00:00:00Z", "2026-07-01", "2026-10-01"},
		{Quarters().StartingIn(time.December), "1970-01-01T00:00:00Z", "1969-12-01", "1970-03-01"},
		{Quarters().Every(2).StartingIn(time.April), "2026-09-30T23:00:00Z", "2026-04-01", "2026-10-01"},
		{Months().Every(6).StartingIn(time.April), "2026-10-01T00:00:00Z", "2026-10-01", "2027-04-01"},
		{Months().Every(4).StartingIn(time.March), "1969-12-31T00:00:00Z", "1969-11-01", "1970-03-01"},
		{Months().StartingIn(time.April), "2026-02-15T00:00:00Z", "2026-02-01", "2026-03-01"},
	} {
		want := []Interval{{us(t, c.start+"T00:00:00Z"), us(t, c.end+"T00:00:00Z")}}
		if got := c.a.Assign(nil, us(t, c.instant)); !slices.Equal(got, want) {
			t.Errorf("%v: %s is in %v, want %v", c.a, c.instant, got, want)
		}
	}
}

func TestUnitsOfAZoneStartAtItsMidnights(t *testing.T) {
	for _, c := range []struct {
		a                   CalendarWindows
		instant, start, end string
	}{
		{Months().InZone("Europe/Berlin"), "2026-03-01T00:00:00Z", "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z"},
		{Months().InZone("Europe/Berlin"), "2026-10-31T22:59:59Z", "2026-09-30T22:00:00Z", "2026-10-31T23:00:00Z"},
		{Weeks().InZone("Europe/Berlin"), "2026-03-29T21:59:59Z", "2026-03-22T23:00:00Z", "2026-03-29T22:00:00Z"},
		{Years().InZone("Asia/Tokyo"), "2025-12-31T15:00:00Z", "2025-12-31T15:00:00Z", "2026-12-31T15:00:00Z"},
		// The local date 1970-01-01 counts, not that of UTC.
		{Days().Every(2).InZone("Asia/Tokyo"), "1969-12-31T15:00:00Z", "1969-12-31T15:00:00Z", "1970-01-02T15:00:00Z"},
		{Weeks().InZone("Pacific/Apia"), "2011-12-31T00:00:00Z", "2011-12-26T10:00:00Z", "2012-01-01T10:00:00Z"}, // six dates
		{Years().StartingIn(time.April).InZone("Europe/Berlin"), "2026-03-31T22:00:00Z", "2026-03-31T22:00:00Z", "2027-03-31T22:00:00Z"},
		{Quarters().StartingIn(time.April).InZone("Europe/Berlin"), "2026-03-31T21:59:59Z", "2025-12-31T23:00:00Z", "2026-03-31T22:00:00Z"},
	} {
		want := []Interval{{us(t, c.start), us(t, c.end)}}
		if got := c.a.Assign(nil, us(t, c.instant)); !slices.Equal(got, want) {
			t.Errorf("%v: %s is in %v, want %v", c.a, c.instant, got, want)
		}
	}
}

// The oracle looks at the clock minute by minute: a day starts where a date is shown that is
// later than all before.
func TestDaysStartWhereTheClockFirstShowsTheDate(t *testing.T) {
	for _, c := range []struct {
		zone string
		year int
	}{
		{"UTC", 1969}, {"Europe/Berlin", 2026}, {"America/Sao_Paulo", 2018}, {"Asia/Beirut", 2021}, {"Pacific/Apia", 2011},
		{"Australia/Lord_Howe", 2026}, {"America/St_Johns", 2010}, {"America/Havana", 2025}, {"Pacific/Kwajalein", 1993},
		{"Pacific/Kwajalein", 1969}, {"Antarctica/Troll", 2024}, {"Asia/Kathmandu", 1986}, {"Africa/Casablanca", 2024}, {"Asia/Pyongyang", 2015},
	} {
		zone, err := Zone(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		var starts []int64
		shown := -1
		end := time.Date(c.year+1, 1, 2, 0, 0, 0, 0, time.UTC).Unix()
		for s := time.Date(c.year-1, 12, 30, 0, 0, 0, 0, time.UTC).Unix(); s < end; s += 60 {
			y, m, d := time.Unix(s, 0).In(zone).Date()
			if date := y*10000 + int(m)*100 + d; date > shown {
				if shown >= 0 {
					starts = append(starts, s*second)
				}
				shown = date
			}
		}
		days := Days().In(zone)
		cursor := ForWorker(days)
		for i := 0; i+1 < len(starts); i++ {
			want := Interval{starts[i], starts[i+1]}
			for _, instant := range []int64{want.lo, want.lo + 1, (want.lo + want.hi) / 2, want.hi - 3600*second, want.hi - 1} {
				if got := days.Assign(nil, instant)[0]; got != want {
					t.Fatalf("%v: %s is in %v, want %v", days, etime.Format(instant), got, want)
				}
				if got := cursor.Assign(nil, instant)[0]; got != want {
					t.Fatalf("%v, with a cursor: %s is in %v, want %v", days, etime.Format(instant), got, want)
				}
			}
		}
		if n := len(starts); n < 364 {
			t.Errorf("%s, %d: only %d days", c.zone, c.year, n)
		}
	}
}

func TestCalendarWindowsTileTheLineInEveryZone(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for name := range zoneFiles() {
		zone, err := Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []CalendarWindows{Days(), Days().Every(1 + r.IntN(40)), Weeks().StartingOn(time.Weekday(r.IntN(7))),
			Months(), Quarters().Every(1 + r.IntN(3)), Years(), Years().StartingIn(time.Month(1 + r.IntN(12))),
			Quarters().Every(1 + r.IntN(3)).StartingIn(time.Month(1 + r.IntN(12)))} {
			a = a.In(zone)
			first, last := us(t, "1800-01-01T00:00:00Z"), us(t, "2100-01-01T00:00:00Z")
			instant := first + r.Int64N(last-first)
			before := a.Assign(nil, instant)[0]
			if instant < before.lo || instant >= before.hi {
				t.Fatalf("%v: %s is in %v", a, etime.Format(instant), before)
			}
			for range 12 {
				w := a.Assign(nil, before.hi)[0]
				if w.lo != before.hi || w.hi <= w.lo {
					t.Fatalf("%v: after %v comes %v", a, before, w)
				}
				for _, inside := range []int64{w.hi - 1, w.lo + r.Int64N(w.hi-w.lo)} {
					if got := a.Assign(nil, inside)[0]; got != w {
						t.Fatalf("%v: %s is in %v, but also in %v", a, etime.Format(inside), got, w)
					}
				}
				before = w
			}
		}
	}
}

func TestCursorAssignsAsItsWindowsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	for _, a := range []CalendarWindows{Days().InZone("Europe/Berlin"), Weeks().InZone("America/Havana").Every(2), Months()} {
		cursor := ForWorker(a)
		now := us(t, "2026-01-01T00:00:00Z")
		for range 20_000 {
			now += r.Int64N(3600 * second)
			instant := now - r.Int64N(72*3600*second)
			if got, want := cursor.Assign(nil, instant), a.Assign(nil, instant); !slices.Equal(got, want) {
				t.Fatalf("%v: with a cursor %s is in %v, without in %v", a, etime.Format(instant), got, want)
			}
		}
	}
}

func TestWorkersShareAnAssigner(t *testing.T) {
	shared := Days().InZone("Europe/Berlin")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			mine := ForWorker(shared)
			for i := range int64(2000) {
				if got, want := mine.Assign(nil, i*7200*second), shared.Assign(nil, i*7200*second); !slices.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
					return
				}
			}
		})
	}
	wg.Wait()
	if a := Assigner(Fixed(time.Second)); ForWorker(a) != a {
		t.Error("a worker has a copy of an assigner that remembers nothing")
	}
}

func BenchmarkDays(b *testing.B) {
	a := Days().InZone("Europe/Berlin")
	start := us(b, "2026-01-01T00:00:00Z")
	for _, c := range []struct {
		name string
		a    Assigner
	}{{"value", a}, {"cursor", ForWorker(a)}} {
		b.Run(c.name, func(b *testing.B) {
			buf := make([]Interval, 0, 1)
			for i := range b.N {
				buf = c.a.Assign(buf[:0], start+int64(i)*1000)
			}
		})
	}
}
