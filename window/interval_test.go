package window

import (
	"math"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
)

// at reads an RFC 3339 time.
func at(t testing.TB, s string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// us reads an RFC 3339 time in microseconds.
func us(t testing.TB, s string) int64 { return etime.Micros(at(t, s)) }

func TestIntervalHasItsStartAndNotItsEnd(t *testing.T) {
	w := Between(at(t, "2026-01-01T00:00:00Z"), at(t, "2026-01-02T00:00:00Z"))
	for _, c := range []struct {
		instant string
		want    bool
	}{
		{"2025-12-31T23:59:59.999999Z", false},
		{"2026-01-01T00:00:00Z", true},
		{"2026-01-01T23:59:59.999999Z", true},
		{"2026-01-01T23:59:59.999999999Z", true}, // cut to the microsecond
		{"2026-01-02T00:00:00Z", false},
	} {
		if got := w.Contains(at(t, c.instant)); got != c.want {
			t.Errorf("%v contains %s: %v, want %v", w, c.instant, got, c.want)
		}
	}
	if got, want := w.Last(), at(t, "2026-01-01T23:59:59.999999Z"); !got.Equal(want) {
		t.Errorf("the last instant is %v, want %v", got, want)
	}
	if w.Span() != 24*time.Hour {
		t.Errorf("the span is %v, want 24h", w.Span())
	}
}

func TestIntervalIsCutToMicrosecondsTowardsThePast(t *testing.T) {
	w := Between(time.Unix(-1, 999_999_999), time.Unix(0, 1999))
	if lo, hi := w.Micros(); lo != -1 || hi != 1 {
		t.Errorf("[-1 ns, 1999 ns) is [%d µs, %d µs), want [-1 µs, 1 µs)", lo, hi)
	}
}

func TestIntervalOfMicrosecondsIsTheIntervalOfItsTimes(t *testing.T) {
	w := FromMicros(-1, 2_000_000)
	if w.Lo() != -1 || w.Hi() != 2_000_000 || w != Between(w.Start(), w.End()) {
		t.Errorf("-1 µs to 2 s is %d to %d, of times %v", w.Lo(), w.Hi(), Between(w.Start(), w.End()))
	}
	if got := w.Start(); got.Location() != time.UTC || !got.Equal(time.Unix(-1, 999_999_000)) {
		t.Errorf("it starts at %v", got)
	}
}

func TestIntervalsOverlapWhereTheyShareAnInstant(t *testing.T) {
	for _, c := range []struct {
		a, b Interval
		want bool
	}{
		{Interval{0, 10}, Interval{5, 15}, true},
		{Interval{0, 10}, Interval{9, 11}, true},
		{Interval{0, 10}, Interval{10, 20}, false}, // they touch
		{Interval{0, 10}, Interval{20, 30}, false},
		{Interval{0, 10}, Interval{3, 4}, true},
		{Interval{0, 10}, Interval{5, 5}, false}, // empty
		{everything, Interval{-5, -4}, true},
	} {
		if c.a.Overlaps(c.b) != c.want || c.b.Overlaps(c.a) != c.want {
			t.Errorf("%v and %v overlap: %v and %v, want %v both ways", c.a, c.b, c.a.Overlaps(c.b), c.b.Overlaps(c.a), c.want)
		}
	}
}

func TestIntervalIsWrittenForPeople(t *testing.T) {
	for want, w := range map[string]Interval{
		"[2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z)":        {us(t, "2026-01-01T00:00:00Z"), us(t, "2026-01-02T00:00:00Z")},
		"[1969-12-31T23:59:59.999999Z, 1970-01-01T00:00:00Z)": {-1, 0},
		"[1970-01-01T00:00:00Z, after everything)":            {0, etime.Max},
		"global": everything,
	} {
		if got := w.String(); got != want {
			t.Errorf("%d to %d is written %s, want %s", w.lo, w.hi, got, want)
		}
	}
}

func TestGlobalIntervalHoldsEverything(t *testing.T) {
	ws := Global().Assign(nil, 0)
	if len(ws) != 1 || !ws[0].IsGlobal() {
		t.Fatalf("the global windowing assigned %v", ws)
	}
	for _, instant := range []time.Time{{}, time.Unix(0, 0), etime.Time(etime.Min), etime.Time(etime.Max), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)} {
		if !ws[0].Contains(instant) {
			t.Errorf("the global window lacks %v", instant)
		}
	}
	if ws[0].Span() != math.MaxInt64 {
		t.Errorf("the global window spans %v, want the greatest duration", ws[0].Span())
	}
	if (Interval{0, 10}).IsGlobal() {
		t.Error("[0, 10) says it is global")
	}
	if got := (Interval{10, 4}).Span(); got != -6*time.Microsecond {
		t.Errorf("[10 µs, 4 µs) spans %v, want -6µs", got)
	}
}
