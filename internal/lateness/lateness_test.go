package lateness

import (
	"encoding/json/v2"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const second = 1_000_000

func TestAQuantileIsTheLeastNumberThatAShareDoesNotExceed(t *testing.T) {
	sorted := counted([]int64{3, 1, 2, 10, 9, 8, 7, 4, 5, 6})
	for _, c := range []struct {
		p    float64
		want int64
	}{{0, 1}, {0.1, 1}, {0.11, 2}, {0.5, 5}, {0.9, 9}, {0.91, 10}, {1, 10}} {
		if got := Quantile(sorted, c.p); got != c.want {
			t.Errorf("%v: %d, not %d", c.p, got, c.want)
		}
	}
	if Quantile(nil, 0.5) != 0 {
		t.Error("of nothing it is 0")
	}
}

// Each delay is in a bin whose upper end is at most an eighth greater than it is.
func TestBinsHoldEveryDelayAndAreNarrow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var delays []int64
	for range 2000 {
		delays = append(delays, r.Int64N(1<<r.IntN(50)+1))
	}
	d := Distribution("x", Bound, slices.Clone(delays))
	n, last := 0, Span(-1)
	for _, b := range d.Bins {
		in := 0
		for _, x := range delays {
			if Span(x) > last && Span(x) <= b.Upto {
				in++
				if int64(b.Upto) > x+x/8 {
					t.Fatalf("%d is in the bin up to %d", x, int64(b.Upto))
				}
			}
		}
		if in != b.N {
			t.Fatalf("the bin up to %d has %d, not %d", int64(b.Upto), b.N, in)
		}
		n, last = n+in, b.Upto
	}
	if n != len(delays) || d.Max != Span(slices.Max(delays)) {
		t.Errorf("%d of %d in bins, the greatest %v", n, len(delays), d.Max)
	}
}

func TestSettingsToTryAreTheDelaysThatPeopleWouldChoose(t *testing.T) {
	delays := make([]int64, 1000)
	for i := range delays {
		if i >= 950 {
			delays[i] = int64(i-949) * second // 1 s to 50 s, one in twenty
		}
	}
	// None are behind at the median and at 90 %; 990 of 1000 are at most 40 s behind, 999 at most 49 s.
	if got, want := Distances(Bound, counted(delays), nil), []int64{0, 45 * second, 60 * second}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	if got, want := Distances(Bound, counted(delays), []float64{0.95, 0.96, 1}), []int64{0, 10 * second, 50 * second}; !slices.Equal(got, want) {
		t.Errorf("of quantiles: %v, not %v", got, want)
	}
	if got, want := Distances(Periods, counted([]int64{0, 0, 0, 3}), nil), []int64{0, 1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("of periods: %v, not %v", got, want)
	}
	if got := Distances(Bound, nil, nil); !slices.Equal(got, []int64{0}) {
		t.Errorf("of no delays: %v", got)
	}
}

func TestAGridHasEachSettingOnceInAscendingOrder(t *testing.T) {
	got := Grid(Bound, []int64{5 * second, 0, 5 * second}, []Span{second, 0, 0})
	if fmt.Sprint(got) != "[bound 0s, allowed lateness 0s bound 0s, allowed lateness 1s bound 5s, allowed lateness 0s bound 5s, allowed lateness 1s]" {
		t.Errorf("%v", got)
	}
	b, err := json.Marshal(Grid(Periods, []int64{2}, nil)[0])
	if err != nil || string(b) != `{"periods":2,"allowed_lateness":"0s"}` {
		t.Errorf("%s, %v", b, err)
	}
}

func TestCellsThatDifferAreMissingOrShouldNotBeThereArePolluted(t *testing.T) {
	want := Cells[int]{{"w1", "a"}: 1, {"w1", "b"}: 2, {"w2", "a"}: 3}
	got := Cells[int]{{"w1", "a"}: 1, {"w1", "b"}: 5, {"w3", "a"}: 9}
	o := Compare(Output{Step: "Sum"}, want, got, 2, func(a, b int) bool { return a == b }, func(n int) string { return fmt.Sprint(n) })
	if o.Polluted != 3 || o.Changed != 1 || o.Missing != 1 || o.Extra != 1 || o.Complete != 3 || o.Cells != 3 {
		t.Errorf("%+v", o)
	}
	if fmt.Sprint(o.Sample) != "[{w1 b 2 5} {w2 a 3 }]" {
		t.Errorf("%v", o.Sample)
	}
}

// A span is written as a duration is, also where it is longer than one can be.
func TestSpansOfThousandsOfYearsHaveTheirText(t *testing.T) {
	const hour = 3600 * second
	for _, c := range []struct {
		span int64
		want string
	}{
		{2_000_000 * hour, "2000000h"}, {4_500_000 * hour, "4500000h"}, {-4_500_000 * hour, "-4500000h"},
		{4_500_000*hour - 85*second, "4499999h58m35s"}, {70_000_000*hour + 5*second, "70000000h0m5s"}, {90 * second, "1m30s"}, {0, "0s"},
	} {
		if got := Span(c.span).String(); got != c.want {
			t.Errorf("%d: %s, not %s", c.span, got, c.want)
		}
	}
}

// Without a key a row is a cell, as often as it is there.
func TestRowsWithoutAKeyAreToldApartByTheirNumber(t *testing.T) {
	want, got := Cells[int]{}, Cells[int]{}
	want.Each("w", "x", 1)
	want.Each("w", "x", 1)
	got.Each("w", "x", 1)
	o := Compare(Output{}, want, got, 5, func(a, b int) bool { return a == b }, func(n int) string { return fmt.Sprint(n) })
	if o.Polluted != 1 || o.Missing != 1 {
		t.Errorf("%+v", o)
	}
}

// The records of a block are dropped all or none here: by chance 10 of 100 blocks are among those
// drawn about 10 ± 2·3 times.
func TestTheIntervalIsThatOfDrawingBlocks(t *testing.T) {
	dropped := make([]int, Blocks)
	for i := range 10 {
		dropped[i*10] = 100
	}
	low, high := Interval(dropped, 10_000)
	if low < 0.82 || low > 0.86 || high < 0.93 || high > 0.97 {
		t.Errorf("%v to %v", low, high)
	}
	if again, _ := Interval(dropped, 10_000); again != low {
		t.Error("it differs from call to call")
	}
	// Of n trials without a failure the rate is below 3/n with 95 %.
	if low, high := Interval(make([]int, Blocks), 3000); low != 0.999 || high != 1 {
		t.Errorf("of none: %v to %v", low, high)
	}
}

func outcomeOf(bound, allowed int64, dropped int64, polluted int, p99 int64) Outcome {
	return Outcome{
		Setting: Setting{Kind: Bound, Behind: bound * second, Allowed: Span(allowed * second)}, Dropped: dropped, Polluted: polluted,
		State: 10 * (bound + allowed), StateBytes: 1000 * (bound + allowed), DroppedAt: make([]int, Blocks), Outputs: make([]Output, 1),
		Freshness: Freshness{Cells: 1, Event: &Spread{P50: Span(p99 * second), P99: Span(p99 * second), Max: Span(p99 * second)}},
	}
}

func TestTheSmallestSettingThatReachesTheObjectiveIsAdvised(t *testing.T) {
	r := &Result{Kind: Bound, Records: 1000, Complete: 50, Delays: []Delays{{Max: 12 * second}}, Settings: []Outcome{
		outcomeOf(0, 0, 100, 20, 1), outcomeOf(0, 20, 0, 0, 30), outcomeOf(5, 0, 2, 1, 6), outcomeOf(10, 0, 1, 0, 11), outcomeOf(30, 0, 0, 0, 31),
	}}
	for _, c := range []struct {
		o    Objective
		want string
	}{
		{DefaultObjective(), "Take bound 10s, allowed lateness 0s, the smallest that reaches the objective (at most 0.1 % of records dropped and no cell polluted): it drops 1 of 1000 records (0.1 %) and pollutes no cell, at the cost of at most 100 entries of state (10 kB), 100 more than with bound 0s, allowed lateness 0s, and its results are final 11s after the end of their window at the median, 11s for 99 % of them, in event time."},
		{Objective{MaxDropped: 0}, "Take bound 0s, allowed lateness 20s,"},
		{Objective{MaxDropped: -1, MaxRecords: 2, MaxPolluted: 1}, "Take bound 5s, allowed lateness 0s,"},
		{Objective{MaxDropped: 1, MaxPolluted: 50}, "Take bound 0s, allowed lateness 0s,"},
		{Objective{MaxDropped: 0, MaxDelay: 10 * second}, "No setting of these reaches the objective (no record dropped and no cell polluted, final within 10s of the window's end); the nearest is bound 0s, allowed lateness 20s, which drops none of 1000 records and pollutes no cell, final 30s after the window's end in event time for 99 %."},
	} {
		if got := Advise(r, c.o, nil, nil).Text; !strings.HasPrefix(got, c.want) {
			t.Errorf("%v:\n%s\nnot\n%s", c.o, got, c.want)
		}
	}
	sure := Advise(r, DefaultObjective(), []int64{second}, []int64{2 * second})
	if want := "the longest delay seen is 12s, 2s more than the setting is sure to cover; the last tenth of the input drops 0 % and has 99 % of its delays up to 2s, the first tenth 0 % and 1s."; !strings.HasSuffix(sure.Sureness, want) {
		t.Errorf("%s\nnot\n%s", sure.Sureness, want)
	}
}

func TestSharesAreWrittenWithTheDigitsThatTell(t *testing.T) {
	for share, want := range map[float64]string{0: "0 %", 1: "100 %", 0.5: "50 %", 0.001: "0.1 %", 0.000004: "0.0004 %", 0.999999: "99.9999 %", 0.0167: "1.67 %"} {
		if got := Percent(share); got != want {
			t.Errorf("%v is written %s, not %s", share, got, want)
		}
	}
	for n, want := range map[int64]string{999: "999 bytes", 1000: "1 kB", 1_234_567: "1.23 MB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes are written %s, not %s", n, got, want)
		}
	}
}
