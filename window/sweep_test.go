package window

import (
	"crypto/sha256"
	"io"
	"maps"
	"os"
	"slices"
	"sort"
	"strconv"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// full says whether a sweep takes in every day of every zone. Otherwise it takes in every day
// near a clock change and some of the others. It is asked for by STRANDLINE_SWEEP=full.
var full = os.Getenv("STRANDLINE_SWEEP") == "full"

// differentZones gives the names of all zones but those that repeat the rules of another one.
func differentZones(t *testing.T) []string {
	seen := map[[32]byte]bool{}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(zoneFiles())) {
		f, err := zoneFiles()[name].Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); !seen[sum] || full {
			seen[sum] = true
			names = append(names, name)
		}
	}
	return names
}

// dayStart is a date, in days since 1970-01-01, and the first instant at which clocks show it,
// in seconds.
type dayStart struct{ date, at int64 }

// dayStarts walks through a zone's spans from one to the next, and notes whenever the clock shows
// a date later than all before: the dates of the years first to last, and some around them.
func dayStarts(spans []span, first, last int64) []dayStart {
	from, to := (daysTo(first, 1)-400)*86_400, (daysTo(last+1, 1)+400)*86_400
	var starts []dayStart
	shown := int64(-1 << 62)
	for i, s := range spans {
		begin, end := max(s.from, from), to
		if i+1 < len(spans) {
			end = min(spans[i+1].from, to)
		}
		if begin >= end {
			continue
		}
		if d := etime.FloorDiv(begin+s.offset, 86_400); d > shown {
			starts, shown = append(starts, dayStart{d, begin}), d
		}
		for d := shown + 1; d <= etime.FloorDiv(end-1+s.offset, 86_400); d++ {
			starts, shown = append(starts, dayStart{d, d*86_400 - s.offset}), d
		}
	}
	return starts[1:] // the walk began in the middle of a date
}

// probe asks a windowing for the window of instants in and at the edges of [lo, hi), in seconds.
func probe(t *testing.T, a Assigner, lo, hi int64, more ...int64) (asked int) {
	t.Helper()
	want := Interval{lo * second, hi * second}
	for _, instant := range append([]int64{want.lo, want.lo + 1, (want.lo + want.hi) / 2, want.hi - 1}, more...) {
		if instant < want.lo || instant >= want.hi {
			continue
		}
		asked++
		if got := a.Assign(nil, instant); len(got) != 1 || got[0] != want {
			t.Errorf("%v: %s is in %v, want %v", a, etime.Format(instant), got, want)
		}
	}
	return asked
}

func TestDaysOfEveryZoneAreThoseOfItsTransitions(t *testing.T) {
	asked, zones, transitions := 0, 0, 0
	for n, name := range differentZones(t) {
		spans := zoneSpans(t, name, 1970, 2039)
		starts := dayStarts(spans, 1970, 2037)
		days := Days().InZone(name)
		zones++
		next := 0 // the first transition that is not long before
		for i := 0; i+1 < len(starts); i++ {
			lo, hi := starts[i].at, starts[i+1].at
			if lo < 0 || lo > 68*366*86_400 {
				continue
			}
			for next < len(spans) && spans[next].from < lo-86_400 {
				next++
			}
			near := next < len(spans) && spans[next].from < hi+86_400
			if !near && !full && (i+n)%41 != 0 {
				continue
			}
			var edges []int64
			if near {
				transitions++
				edges = []int64{spans[next].from*second - 1, spans[next].from * second, (lo+hi)/2*second + 3600*second, hi*second - 3600*second}
			}
			asked += probe(t, days, lo, hi, edges...)
		}
		if t.Failed() {
			return
		}
	}
	if zones < 400 || transitions < 30_000 {
		t.Errorf("only %d zones and %d days near a transition", zones, transitions)
	}
	t.Attr("instants", strconv.Itoa(asked))
}

// A date of the Gregorian calendar, and its place since January 1970.
type civil struct{ date, months, day int64 }

func TestUnitsOfEveryZoneBeginWithTheirFirstDate(t *testing.T) {
	var dates []civil
	for year := int64(1968); year <= 2039; year++ {
		for month := int64(1); month <= 12; month++ {
			first := daysTo(year, month)
			for day := range monthDays(year, month) {
				dates = append(dates, civil{first + day, (year-1970)*12 + month - 1, day + 1})
			}
		}
	}
	ofMonths := func(n, anchor int64) func(civil) bool {
		return func(d civil) bool { return d.day == 1 && ((d.months-anchor)%n+n)%n == 0 }
	}
	asked := 0
	for i, name := range differentZones(t) {
		starts := dayStarts(zoneSpans(t, name, 1970, 2041), 1968, 2039)
		weekday := int64(i % 7)
		for _, u := range []struct {
			a      CalendarWindows
			begins func(civil) bool
		}{
			{Weeks().StartingOn(time.Weekday(weekday)), func(d civil) bool { return weekdayOf(d.date) == weekday }},
			{Months(), ofMonths(1, 0)},
			{Months().Every(5), ofMonths(5, 0)},
			{Quarters(), ofMonths(3, 0)},
			{Quarters().Every(2).StartingIn(time.April), ofMonths(6, 3)},
			{Years(), ofMonths(12, 0)},
			{Years().StartingIn(time.July), ofMonths(12, 6)},
		} {
			a := u.a.InZone(name)
			lo, n := int64(0), 0
			for _, d := range dates {
				if !u.begins(d) {
					continue
				}
				first := sort.Search(len(starts), func(k int) bool { return starts[k].date >= d.date })
				hi := starts[first].at
				if n++; n > 1 && lo < hi && (full || (n+i)%7 == 0) {
					asked += probe(t, a, lo, hi)
				}
				lo = hi
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Attr("instants", strconv.Itoa(asked))
}

// Before the first transition a zone has its local mean time, after the last its rule.
func TestDaysOfEveryZoneInTheYears1600And9999(t *testing.T) {
	monthsOf := map[int64][]int64{} // year to the first dates of its months and of the next January
	for _, year := range []int64{1600, 9999} {
		for month := range int64(13) {
			monthsOf[year] = append(monthsOf[year], daysTo(year, month+1))
		}
	}
	asked := 0
	for n, name := range differentZones(t) {
		spans := zoneSpans(t, name, 9996, 10_001)
		days, months := Days().InZone(name), Months().InZone(name)
		for year, firsts := range monthsOf {
			starts := dayStarts(spans, year, year)
			for i := 0; i+1 < len(starts); i++ {
				d := starts[i].date
				if d < firsts[0] || d >= firsts[12] {
					continue
				}
				if full || (i+n)%17 == 0 || starts[i+1].at-starts[i].at != 86_400 {
					asked += probe(t, days, starts[i].at, starts[i+1].at)
				}
				if m, first := slices.BinarySearch(firsts, d); first {
					asked += probe(t, months, starts[i].at, starts[i+int(firsts[m+1]-d)].at)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Attr("instants", strconv.Itoa(asked))
}

// The walk from span to span is checked by looking at the clock every half minute.
func TestTheWalkThroughTransitionsFindsWhereClocksFirstShowADate(t *testing.T) {
	looked := 0
	for n, name := range differentZones(t) {
		if !full && n%40 != 0 {
			continue
		}
		spans := zoneSpans(t, name, 1970, 2039)
		starts := dayStarts(spans, 1970, 2037)
		for i, s := range spans {
			if s.from < 0 || s.from > 68*365*86_400 {
				continue
			}
			from := (s.from/86_400 - 2) * 86_400
			at := sort.Search(len(starts), func(k int) bool { return starts[k].at > from })
			shown, now := starts[at-1].date, i-1
			for instant := from; instant < from+4*86_400; instant += 30 {
				looked++
				for now+1 < len(spans) && spans[now+1].from <= instant {
					now++
				}
				for spans[now].from > instant {
					now--
				}
				if d := etime.FloorDiv(instant+spans[now].offset, 86_400); d > shown {
					if starts[at] != (dayStart{d, instant}) {
						t.Fatalf("%s: the clock shows date %d at %d first, but the walk says %v", name, d, instant, starts[at])
					}
					shown = d
					at++
				}
			}
		}
	}
	t.Attr("instants", strconv.Itoa(looked))
}

// Midnights that did not exist, from the decrees: Brazil's clocks went forward at 0:00 of the
// third Sunday of October from 2008 on, in 2018 of the first of November; Lebanon's do at 0:00 of
// the last Sunday of March.
func TestADayWithoutMidnightStartsAtOne(t *testing.T) {
	for _, c := range []struct {
		zone   string
		offset int // of the zone before, in hours
		dates  []string
	}{
		{"America/Sao_Paulo", -3, []string{"2008-10-19", "2009-10-18", "2010-10-17", "2011-10-16", "2012-10-21", "2013-10-20",
			"2014-10-19", "2015-10-18", "2016-10-16", "2017-10-15", "2018-11-04"}},
		{"Asia/Beirut", 2, []string{"2015-03-29", "2016-03-27", "2017-03-26", "2018-03-25", "2019-03-31", "2020-03-29",
			"2021-03-28", "2022-03-27", "2023-03-26", "2024-03-31", "2025-03-30", "2026-03-29", "2027-03-28"}},
	} {
		days := Days().InZone(c.zone)
		for _, date := range c.dates {
			// Midnight by the old offset is 1:00 by the new one, and the day has 23 hours.
			start := us(t, date+"T00:00:00Z") - int64(c.offset)*3600*second
			want := Interval{start, start + 23*3600*second}
			for _, instant := range []int64{want.lo, want.lo + 1, want.hi - 1} {
				if got := days.Assign(nil, instant); len(got) != 1 || got[0] != want {
					t.Errorf("%v: %s is in %v, want %v", days, etime.Format(instant), got, want)
				}
			}
			if got := days.Assign(nil, start-1)[0]; got.hi != start {
				t.Errorf("%v: the day before %s ends at %s", days, date, etime.Format(got.hi))
			}
		}
	}
}
