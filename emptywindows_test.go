package strandline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/window"
)

// combined gathers the panes of an aggregation without keys.
func combined[T, O any](c strandline.Combined[T, O]) *lines {
	l := new(lines)
	strandline.Each(c.PCollection, "", func(x strandline.Pane[O]) { l.add("%s %v %v", span(x), x.Value, x.Pane) })
	return l
}

func TestWindowsWithoutElementsAreGivenIfTheyAreAskedFor(t *testing.T) {
	for _, opts := range [][]strandline.Option{nil, {strandline.Batch()}, {strandline.Workers(4)}} {
		p := strandline.New("empty")
		in := input(p, keyed("a13 b15 a42 c44 a71"), 5*time.Second).WindowInto(window.Fixed(10 * time.Second))
		asked := combined(in.EmptyWindows().Combine("asked", combine.Count[event]()))
		plain := combined(in.Combine("plain", combine.Count[event]()))
		mustRun(t, p, opts...)
		const only = "on time pane 0 (0), first, last"
		inOrder(t, "asked for", *asked, "[10, 20) 2 "+only, "[20, 30) 0 "+only, "[30, 40) 0 "+only, "[40, 50) 2 "+only, "[50, 60) 0 "+only, "[60, 70) 0 "+only, "[70, 80) 1 "+only)
		inOrder(t, "by default", *plain, "[10, 20) 2 "+only, "[40, 50) 2 "+only, "[70, 80) 1 "+only)
	}
}

// A window is given when the watermark passes its end, element or not; and one that is late by then
// finds it there.
func TestAWindowWithoutElementsIsGivenWhenTheWatermarkPassesIt(t *testing.T) {
	p := strandline.New("empty")
	s := strandlinetest.NewStream[event]("events")
	counts := s.Read(p).WindowInto(window.Fixed(10*time.Second)).AllowedLateness(time.Minute).EmptyWindows().Combine("count", combine.Count[event]())
	out := strandlinetest.Collect(counts.PCollection)
	s.AdvanceWatermark(time.Unix(0, 0)).ExpectNothing(out) // no element yet
	add(s, "a", 5)
	s.AdvanceWatermark(time.Unix(10, 0)).Expect(out, strandlinetest.Value(int64(1)).In(seconds(0, 10)).OnTime())
	s.AdvanceWatermark(time.Unix(29, 0)).Expect(out, strandlinetest.Value(int64(0)).In(seconds(10, 20)).OnTime().At(time.UnixMicro(19_999_999)))
	add(s, "b", 12)
	s.Expect(out, strandlinetest.Value(int64(1)).In(seconds(10, 20)).Late().Index(1))
	s.AdvanceWatermark(time.Unix(40, 0)).Expect(out, strandlinetest.Value(int64(0)).In(seconds(20, 30)), strandlinetest.Value(int64(0)).In(seconds(30, 40)))
	s.Run(t, p) // nothing beyond the last element at the end
}

// Days of Berlin around the change of the clocks, of which only the first and the last have readings.
func TestDaysWithoutElementsAreAsLongAsTheirZoneMakesThem(t *testing.T) {
	p := strandline.New("empty")
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	noon := func(day int) int64 { return time.Date(2026, 3, day, 12, 0, 0, 0, berlin).Unix() }
	var got lines
	strandline.Each(input(p, []event{{noon(27), "a", 1}, {noon(30), "a", 1}}, 0).WindowInto(window.Days().In(berlin)).EmptyWindows().
		Combine("count", combine.Count[event]()).PCollection, "", func(x strandline.Pane[int64]) {
		got.add("%s %v %d", x.Window.Start().In(berlin).Format("02"), x.Window.Span(), x.Value)
	})
	mustRun(t, p)
	inOrder(t, "days", got, "27 24h0m0s 1", "28 24h0m0s 0", "29 23h0m0s 0", "30 24h0m0s 1")
}

func TestACenturyOfEmptySecondsIsAMistake(t *testing.T) {
	p := strandline.New("empty")
	input(p, []event{{0, "a", 1}, {3_000_000_000, "a", 1}}, 0).WindowInto(window.Fixed(time.Second)).EmptyWindows().Combine("count", combine.Count[event]())
	if _, err := p.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `step "count": more than 1000000 windows in a row have no element`) {
		t.Error(err)
	}
}

func TestEmptyWindowsOfKeysOrOfSessionsAreAMistake(t *testing.T) {
	p := strandline.New("empty")
	in := input(p, nil, 0)
	in.WindowInto(window.Fixed(time.Second)).EmptyWindows().KeyBy("key", key).CombinePerKey("per key", combine.Count[event]())
	in.WindowInto(window.Session(time.Second)).EmptyWindows().Combine("sessions", combine.Count[event]())
	err := fmt.Sprint(p.Err())
	for _, want := range []string{`combine per key "per key": EmptyWindows: which keys there should be nobody knows`, `combine "sessions": EmptyWindows: it is for fixed and calendar windows`} {
		if !strings.Contains(err, want) {
			t.Errorf("without %q:\n%s", want, err)
		}
	}
}
