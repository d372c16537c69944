package watermark

import (
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/window"
)

func TestArrivalMovesTheWatermarkBeforeItsRecordIsJudged(t *testing.T) {
	g := Arrival(5 * time.Second).Start()
	got := take(t, g, Columns{At: seconds(1, 2, 3, 4), Arrival: []int64{10 * sec, etime.Min, 8 * sec, 20 * sec}})
	if want := seconds(5, 5, 5, 15, 15); !slices.Equal(got, want) {
		t.Errorf("W for each and after %v, want %v", got, want)
	}
}

func TestRecordedArrivalIsReadFromTheRecord(t *testing.T) {
	type row struct{ seen time.Time }
	s := ArrivalFrom(Arrival(time.Second).Idle(time.Minute).IdleAdvance(), func(r *row) time.Time { return r.seen })
	arriver, ok := Strategy(s).(Arriver[row])
	if !ok {
		t.Fatal("no Arriver of its type")
	}
	if got := arriver.ArrivalOf(&row{time.Unix(3, 1999)}); got != 3*sec+1 {
		t.Errorf("arrival %d, want 3000001", got)
	}
	if IdleTimeout(s) != time.Minute || !IdleAdvances(s) {
		t.Error("the strategy's idleness is lost")
	}
	if !s.Needs().Arrival {
		t.Error("the arrivals are not asked for")
	}
}

// month gives the start of a month of 2026, 1 to 12, or of the years around it.
func month(m int) int64 { return etime.Micros(time.Date(2026, time.Month(m), 1, 0, 0, 0, 0, time.UTC)) }

func TestPeriodsStandTheToleranceBehindThePeriodOfArrival(t *testing.T) {
	for _, n := range []int{0, 1, 2, 11} {
		g := Periods(window.Months(), n).Start()
		for m := 1; m <= 12; m++ {
			first, last := month(m), month(m+1)-1
			w := take(t, g, Columns{At: make([]int64, 3), Arrival: []int64{first, first + 9*day, last}})
			for i, got := range w {
				if want := month(m - n); got != want {
					t.Errorf("tolerance %d, arrival %d of month %d: W %s, want %s", n, i, m, etime.Format(got), etime.Format(want))
				}
			}
		}
	}
}

// The forty readings of July from A001..A040 come late by some periods. Two hundred
// subscribers have one reading per period of 2026; the figures of the lesson follow from which
// of the forty are behind the watermark when they come.
func TestLateMeterReadingsAreDroppedByTheTolerance(t *testing.T) {
	for _, c := range []struct{ delay, tolerance, want int }{
		{0, 0, 0}, {0, 1, 0}, {1, 0, 40}, {1, 1, 0}, {2, 0, 40}, {2, 1, 40}, {2, 2, 0},
	} {
		var in Columns
		for m := 1; m <= 12; m++ {
			// The late ones come first: the month's first reading is itself late.
			if m == 7+c.delay && c.delay > 0 {
				for range 40 {
					in.At, in.Arrival = append(in.At, month(7)), append(in.Arrival, month(m))
				}
			}
			for sub := range 200 {
				if m != 7 || sub >= 40 || c.delay == 0 {
					in.At, in.Arrival = append(in.At, month(m)), append(in.Arrival, month(m))
				}
			}
		}
		if len(in.At) != 2400 {
			t.Fatalf("%d readings, want 2400", len(in.At))
		}
		w := take(t, Periods(window.Months(), c.tolerance).Start(), in)
		dropped := 0
		for i, at := range in.At {
			// A month [at, end) is closed once W has reached its end.
			if end := etime.Micros(etime.Time(at).AddDate(0, 1, 0)); w[i] >= end {
				dropped++
			}
		}
		if dropped != c.want {
			t.Errorf("delay %d, tolerance %d: %d dropped, want %d", c.delay, c.tolerance, dropped, c.want)
		}
	}
}

func TestPeriodsNeverGoBackWithAnArrivalOutOfOrder(t *testing.T) {
	g := Periods(window.Months(), 1).Start()
	got := take(t, g, Columns{At: make([]int64, 4), Arrival: []int64{month(8), month(3), etime.Min, month(8) + day}})
	if want := []int64{month(7), month(7), month(7), month(7), month(7)}; !slices.Equal(got, want) {
		t.Errorf("%v, want July all along", got)
	}
}

func TestPeriodsFollowTheCalendarOfAZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(d, h int) int64 { return etime.Micros(time.Date(2026, 3, d, h, 0, 0, 0, berlin)) }
	g := Periods(window.Days().InZone("Europe/Berlin"), 1).Start()
	// The 29th of March has 23 hours; at 00:30 on the 30th it is the day before.
	take(t, g, Columns{At: []int64{0}, Arrival: []int64{at(30, 0) + 30*mins}})
	if g.W() != at(29, 0) || at(30, 0)-g.W() != 23*hour {
		t.Errorf("W %s, want the start of the day of 23 hours", etime.Format(g.W()))
	}
}
