package strandline_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// What has gone wrong for people elsewhere, small.

func TestATimestampBeforeTheEpochIsInTheWindowBeforeTheEpoch(t *testing.T) {
	p := strandline.New("negative")
	ms := []int64{-1, -10_000, -10_001, 0, -100}
	c := strandline.Read(p, memory.Slice("ms", ms), watermark.Bounded(time.Minute), func(ms *int64) time.Time { return time.UnixMilli(*ms) }).
		WindowInto(window.Fixed(10*time.Second)).Combine("count", combine.Count[int64]())
	var got lines
	strandline.Each(c.PCollection, "", func(x strandline.Pane[int64]) { got.add("%s %d", span(x), x.Value) })
	mustRun(t, p)
	expect(t, "windows", got, "[-20, -10) 1", "[-10, 0) 3", "[0, 10) 1")
}

// honest gives ten rows, one a day ahead, and ten rows again.
func honest(from int64) (all []event) {
	for i := range int64(20) {
		if i == 10 {
			all = append(all, event{At: from + 86400, Key: "x"})
		}
		all = append(all, event{At: from + i, Key: "a"})
	}
	return all
}

func TestALoneRowFromTheFutureMakesNothingLate(t *testing.T) {
	p := strandline.New("poison")
	r := tally(p, strandline.Read(p, memory.Slice("rows", honest(0)), watermark.Bounded(0), at))
	got := values(r)
	rep := mustRun(t, p)
	expect(t, "counts", *got, "[0, 10) a 10", "[10, 20) a 10", "[86400, 86410) x 1")
	if n := counts(t, rep, "count").Counts.DroppedLate; n != 0 {
		t.Errorf("%d late", n)
	}
	if n := counts(t, rep, "read rows").Counts.Future; n != 1 {
		t.Errorf("%d from the future, want 1", n)
	}
}

func TestALoneRowFromTheFutureMakesNothingLateOnALiveSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan event, 100)
		now := time.Now().Unix() / 10 * 10 // the bubble's clock
		time.Sleep(20 * time.Second)       // of the bubble's clock
		for _, e := range honest(now) {
			c <- e
		}
		close(c)
		p := strandline.New("poison")
		r := tally(p, strandline.Read(p, memory.Channel("rows", c), watermark.Bounded(0), at))
		rep := mustRun(t, p)
		if n := counts(t, rep, "count").Counts; n.DroppedLate != 0 || n.Assigned != 21 {
			t.Errorf("%d late of %d", n.DroppedLate, n.Assigned)
		}
		if n := counts(t, rep, "read rows").Counts.Future; n != 1 {
			t.Errorf("%d from the future, want 1", n)
		}
		_ = r
	})
}

func TestAReplayStartsItsOwnWatermark(t *testing.T) {
	data := splits(1, honest(1_000_000))
	p := strandline.New("replay")
	r := tally(p, strandline.Read(p, &data, watermark.Bounded(0), at))
	got := values(r)
	mustRun(t, p)
	data, *got = splits(1, honest(0)), nil // the past, by the same pipeline
	rep := mustRun(t, p)
	expect(t, "the past", *got, "[0, 10) a 10", "[10, 20) a 10", "[86400, 86410) x 1")
	if n := counts(t, rep, "count").Counts.DroppedLate; n != 0 {
		t.Errorf("%d late", n)
	}
}

func TestAClosedWindowGivesNoSecondResult(t *testing.T) {
	for _, workers := range []int{1, 3} {
		p := strandline.New("closed")
		r := tally(p, input(p, keyed("a1 a2 a3 a12 a4 b5 a25"), 0))
		got := panes(r)
		late := new(lines)
		strandline.Each(strandline.LateOf(r), "", func(x strandline.Pane[strandline.Late[strandline.KV[string, event]]]) {
			l := x.Value
			late.add("%s %v by %v, missed %d", l.Value.Key, l.Value.Value, l.By(), len(l.Missed))
		})
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "one result a cell", *got, "[0, 10) a 3 on time pane 0 (0), first, last", "[10, 20) a 1 on time pane 0 (0), first, last", "[20, 30) a 1 on time pane 0 (0), first, last")
		expect(t, "the others are late, also a key's first", *late, "a a@4 by 8s, missed 1", "b b@5 by 7s, missed 1")
	}
}

func TestALateRecordThatNobodyConsumesIsCountedWithASample(t *testing.T) {
	p := strandline.New("late")
	tally(p, input(p, keyed("a1 a12 a4"), 0))
	s := counts(t, mustRun(t, p), "count")
	if s.Counts.LateRecords != 1 || len(s.Late) != 1 || !strings.Contains(s.Late[0], "a@4") || s.LateUsed {
		t.Errorf("%d late, sample %q", s.Counts.LateRecords, s.Late)
	}
}

func TestTheSameEventsFastAndSlowGiveTheSamePanes(t *testing.T) {
	var events []event
	for i := range int64(500) {
		events = append(events, event{At: i + (i*7919)%23 - 11, Key: string(rune('a' + i%5)), N: i})
	}
	run := func(pause time.Duration) (out string) {
		synctest.Test(t, func(t *testing.T) {
			c := make(chan event)
			p := strandline.New("speed")
			r := strandline.Read(p, memory.Channel("rows", c), watermark.Bounded(5*time.Second), at).KeyBy("key", key).
				WindowInto(window.Fixed(10*time.Second)).AllowedLateness(5*time.Second).CombinePerKey("sum", combine.Sum(value))
			got := panes(r)
			late := new(lines)
			strandline.Each(r.OnLate(func(l strandline.Late[event]) strandline.Late[event] { return l }), "", func(x strandline.Pane[strandline.Late[event]]) {
				late.add("%v at %v", x.Value.Value, x.Value.Watermark.Unix())
			})
			go func() {
				defer close(c)
				for _, e := range events {
					time.Sleep(pause) // of the bubble's clock
					c <- e
				}
			}()
			mustRun(t, p, strandline.Workers(2))
			out = got.sorted() + "\nlate\n" + late.sorted()
		})
		return out
	}
	fast, slow := run(0), run(time.Second)
	if fast != slow || !strings.Contains(fast, "late pane") || strings.HasSuffix(fast, "late\n") {
		t.Errorf("fast\n%s\nslow\n%s", fast, slow)
	}
}

func TestAHistoricalFileClosesItsWindowsAsItIsRead(t *testing.T) {
	p := strandline.New("history")
	from := time.Date(2019, 5, 1, 0, 0, 0, 0, time.UTC).Unix()
	var events []event
	for i := range int64(24 * 60) {
		events = append(events, event{At: from + 60*i, Key: "a", N: 1})
	}
	var read int64
	var open []int64 // rows read when a pane came
	in := input(p, events, 5*time.Minute).Map("count", func(e *event) event { read++; return *e })
	strandline.Each(in.WindowInto(window.Fixed(time.Hour)).Combine("hours", combine.Count[event]()).PCollection, "", func(x strandline.Pane[int64]) {
		if x.Value != 60 {
			t.Errorf("%v has %d rows, want 60", x.Window, x.Value)
		}
		open = append(open, read)
	})
	mustRun(t, p)
	var want []int64
	for h := range int64(24) {
		want = append(want, min(60*(h+1)+6, 1440)) // the row at 5 past moves the watermark to the hour
	}
	if !slices.Equal(open, want) {
		t.Errorf("panes came after rows %v, want %v", open, want)
	}
}

func TestALateRowJustBeforeExpiryIsGivenBeforeItIsForgotten(t *testing.T) {
	for _, w := range []window.Assigner{window.Fixed(10 * time.Second), window.Sliding(10*time.Second, 10*time.Second), window.Session(9 * time.Second)} {
		p := strandline.New("expiry")
		// Expiry at 15: at watermark 14 the row still counts, at 15 it does not.
		r := input(p, keyed("a1 a14 a2 a15 a3"), 0).KeyBy("key", key).WindowInto(w).AllowedLateness(5*time.Second).CombinePerKey("count", combine.Count[event]())
		got := finals(r)
		rep := mustRun(t, p)
		n := counts(t, rep, "count").Counts
		if _, session := w.(window.SessionWindows); session {
			// Its own [2, 11) expires at 16, and so does [1, 11); the 3's own [3, 12) at 17.
			expect(t, w.String(), got.lines(), "[1, 10) a 1", "[1, 11) a 2", "[1, 12) a 3", "[14, 24) a 2")
			continue
		}
		expect(t, w.String(), got.lines(), "[0, 10) a 2", "[10, 20) a 2")
		if n.LateKept != 1 || n.DroppedLate != 1 {
			t.Errorf("%v: %d kept, %d dropped, want 1 and 1", w, n.LateKept, n.DroppedLate)
		}
	}
}

func TestSessionsOfKeysThatInterleaveHaveEachElementOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		p := strandline.New("sessions")
		var events []event
		for i := range int64(100) {
			events = append(events, event{At: i + i/20*10, Key: []string{"a", "b"}[i%2], N: i})
		}
		// Every 20 elements 10 s are left out, more than the gap: five sessions of ten for each key.
		got := values(input(p, events, 0).KeyBy("key", key).WindowInto(window.Session(5*time.Second)).CombinePerKey("count", combine.Both(combine.Count[event](), combine.Sum(value))))
		mustRun(t, p, strandline.Workers(workers))
		var want lines
		for s := range int64(5) {
			for k := range int64(2) {
				first := 20*s + k // elements first, first+2, ..., first+18, from 30 s + k on
				want.add("[%d, %d) %s {10 %d}", 30*s+k, 30*s+k+18+5, []string{"a", "b"}[k], 10*first+90)
			}
		}
		expect(t, fmt.Sprint(workers, " workers"), *got, want...)
	}
}

func TestAnElementCountsForTheSlidingWindowsThatAreOpenAndIsReportedForTheOthers(t *testing.T) {
	for _, workers := range []int{1, 3} {
		p := strandline.New("sliding")
		r := input(p, keyed("a1 a12 a7"), 0).KeyBy("key", key).WindowInto(window.Sliding(10*time.Second, 5*time.Second)).CombinePerKey("count", combine.Count[event]())
		got := values(r)
		late := new(lines)
		strandline.Each(r.OnLate(func(l strandline.Late[event]) strandline.Late[event] { return l }), "", func(x strandline.Pane[strandline.Late[event]]) {
			late.add("%v missed %v", x.Value.Value, x.Value.Missed)
		})
		rep := mustRun(t, p, strandline.Workers(workers))
		expect(t, "counts", *got, "[-5, 5) a 1", "[0, 10) a 1", "[5, 15) a 2", "[10, 20) a 1")
		expect(t, "late", *late, "a@7 missed [[1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z)]")
		if n := counts(t, rep, "count").Counts; n.Assigned != 6 || n.InWindow != 5 || n.DroppedLate != 1 || n.LateRecords != 1 {
			t.Errorf("assigned %d, in a window %d, dropped %d, late records %d; want 6, 5, 1, 1", n.Assigned, n.InWindow, n.DroppedLate, n.LateRecords)
		}
	}
}

// hourly counts the hours in each window of a stretch of time.
func hourly(t *testing.T, w window.Assigner, from time.Time, hours int) lines {
	t.Helper()
	p := strandline.New("calendar")
	var rows []time.Time
	for i := range hours {
		rows = append(rows, from.Add(time.Duration(i)*time.Hour))
	}
	var got lines
	c := strandline.Read(p, memory.Slice("hours", rows), watermark.Ascending(), func(t *time.Time) time.Time { return *t }).WindowInto(w).Combine("count", combine.Count[time.Time]())
	strandline.Each(c.PCollection, "", func(x strandline.Pane[int64]) {
		got.add("%s %d", x.Window.Start().Add(12*time.Hour).Format("2006-01-02"), x.Value)
	})
	mustRun(t, p)
	return got
}

func TestDaysInBerlinHave23And25HoursWhenTheClocksChange(t *testing.T) {
	berlin, err := window.Zone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	days := window.Days().In(berlin)
	inOrder(t, "spring", hourly(t, days, time.Date(2026, 3, 28, 0, 0, 0, 0, berlin), 24+23+24), "2026-03-28 24", "2026-03-29 23", "2026-03-30 24")
	inOrder(t, "autumn", hourly(t, days, time.Date(2026, 10, 24, 0, 0, 0, 0, berlin), 24+25+24), "2026-10-24 24", "2026-10-25 25", "2026-10-26 24")
}

func TestMonthsAreCalendarMonths(t *testing.T) {
	inOrder(t, "a leap year", hourly(t, window.Months(), time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC), 24*(31+29+31+30)),
		"2028-01-01 744", "2028-02-01 696", "2028-03-01 744", "2028-04-01 720")
	inOrder(t, "another", hourly(t, window.Months(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), 24*28+1), "2026-02-01 672", "2026-03-01 1")
}

func TestNaNIsOneKeyAndMinusZeroIsZero(t *testing.T) {
	for _, workers := range []int{1, 4} {
		p := strandline.New("floats")
		keys := []float64{math.NaN(), 0, math.Copysign(0, -1), math.NaN(), 1, math.Float64frombits(0x7ff8000000000002)}
		var got lines
		r := strandline.Read(p, memory.Slice("keys", keys), watermark.Ascending(), nil).KeyByValue("key", func(f float64) float64 { return f }).CombinePerKey("count", combine.Count[float64]())
		strandline.Each(r.PCollection, "", func(x strandline.Pane[strandline.KV[float64, int64]]) { got.add("%v %d", x.Value.Key, x.Value.Value) })
		mustRun(t, p, strandline.Workers(workers))
		expect(t, fmt.Sprint(workers, " workers"), got, "NaN 3", "0 2", "1 1")
	}
}

func TestNullIsAKeyOfItsOwn(t *testing.T) {
	for _, workers := range []int{1, 4} {
		p := strandline.New("nulls")
		type maybe = combine.Null[string]
		keys := []maybe{{}, combine.Some(""), combine.Some("a"), {}, combine.Some("")}
		k := strandline.Read(p, memory.Slice("keys", keys), watermark.Ascending(), nil).KeyByValue("key", func(k maybe) maybe { return k })
		var got, joined lines
		strandline.Each(k.CombinePerKey("count", combine.Count[maybe]()).PCollection, "", func(x strandline.Pane[strandline.KV[maybe, int64]]) {
			got.add("%q %t %d", x.Value.Key.V, x.Value.Key.Valid, x.Value.Value)
		})
		strandline.Each(k.InnerJoin("join", k, func(k maybe, _, _ *maybe) maybe { return k }).PCollection, "", func(x strandline.Pane[maybe]) { joined.add("%q", x.Value.V) })
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "groups", got, `"" false 2`, `"" true 2`, `"a" true 1`)
		expect(t, "null matches nothing in a join", joined, `""`, `""`, `""`, `""`, `"a"`)
	}
}

// tallying counts the calls of a combiner.
type tallying struct{ adds, merges *int }

func (c tallying) Create() int64                     { return 0 }
func (c tallying) Add(acc *int64, e *event)          { *c.adds++; *acc += e.N }
func (c tallying) Merge(acc, other *int64)           { *c.merges++; *acc += *other }
func (c tallying) Extract(acc *int64) (int64, error) { return *acc, nil }
func (c tallying) Neutral() bool                     { return true }

func TestTheCostOfAnElementDoesNotGrowWithTheNumberOfSlidingWindows(t *testing.T) {
	p := strandline.New("sliding")
	var events []event
	for i := range int64(20_000) {
		events = append(events, event{At: i / 3, Key: "a", N: 1})
	}
	adds, merges, panes := 0, 0, 0
	r := input(p, events, 0).KeyBy("key", key).WindowInto(window.Sliding(time.Hour, time.Second)).CombinePerKey("sum", combine.Combiner[event, int64, int64](tallying{&adds, &merges}))
	var most int64
	strandline.Each(r.PCollection, "", func(x strandline.Pane[strandline.KV[string, int64]]) { panes++; most = max(most, x.Value.Value) })
	rep := mustRun(t, p)
	// 6,667 seconds have elements, so 6,666 + 3,600 windows do; a full one has 3 a second.
	if panes != 10_266 || most != 3*3600 {
		t.Errorf("%d panes, the greatest %d; want 10266 and 10800", panes, most)
	}
	if n := counts(t, rep, "sum").Counts.Assigned; n != 20_000*3600 {
		t.Errorf("%d assigned, want %d", n, 20_000*3600)
	}
	if adds > 2*len(events) || merges > 4*(len(events)+panes) {
		t.Errorf("%d additions and %d merges for %d elements and %d panes", adds, merges, len(events), panes)
	}
}

func TestOfTwoEqualTimestampsNeitherIsLate(t *testing.T) {
	p := strandline.New("equal")
	r := tally(p, strandline.Read(p, memory.Slice("events", keyed("a9 a10 a10 a10")), watermark.Ascending().NoGuard(), at))
	got := values(r)
	rep := mustRun(t, p)
	expect(t, "counts", *got, "[0, 10) a 1", "[10, 20) a 3")
	if n := counts(t, rep, "count").Counts.DroppedLate; n != 0 {
		t.Errorf("%d late", n)
	}
}

func TestWindowsWithoutElementsGiveNoPanes(t *testing.T) {
	p := strandline.New("empty")
	got := values(tally(p, input(p, keyed("a1 b95"), 0)))
	mustRun(t, p)
	expect(t, "counts", *got, "[0, 10) a 1", "[90, 100) b 1")
}

func TestAnElementBehindTheWatermarkIsOnTimeWhileItsWindowIsOpen(t *testing.T) {
	for _, workers := range []int{1, 4} {
		p := strandline.New("behind")
		r := tally(p, input(p, keyed("a1 a8 a3 a9 a2 a11"), 0))
		got := panes(r)
		rep := mustRun(t, p, strandline.Workers(workers))
		expect(t, "panes", *got, "[0, 10) a 5 on time pane 0 (0), first, last", "[10, 20) a 1 on time pane 0 (0), first, last")
		if n := counts(t, rep, "count").Counts; n.LateKept != 0 || n.DroppedLate != 0 {
			t.Errorf("late: %d kept, %d dropped", n.LateKept, n.DroppedLate)
		}
	}
}
