package instant

import (
	"fmt"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
)

var seeds = []string{
	"2026-03-29T01:30:00Z", "2026-03-29T01:30:59.999999Z", "2026-03-29T01:30:59.9999999Z", "2026-03-29T01:30:60Z", "2026-03-29T01:30:00+01:00",
	"2026-03-29t01:30:00z", "2026-03-29 01:30:01Z", "2026-03-29T01:30:01.Z", "2026-03-29T01:30:1Z", "2026-03-29T01:30:01", "2026-13-29T01:30:01Z",
	"0000-01-01T00:00:00Z", "1969-12-31T23:59:59.5Z", "", "2026-03-29T01:30:", "1774744200", "1.5", "2026-03-29T01:30:01.123456Z",
	`"2026-03-29T01:30:07.25Z"`, `"2026-03-29T01:30:07Z", "x"`, `"2026-03-29T01:30:07.Z"`,
}

func TestATimeInQuotesIsReadIfItsMinuteIsKnown(t *testing.T) {
	p := New(timestamp.RFC3339)
	if _, n := p.Quoted([]byte(`"2026-03-29T01:30:07.25Z"`)); n != 0 {
		t.Error("it was read before any other")
	}
	minute, err := p.Micros([]byte("2026-03-29T01:30:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	if at, n := p.Quoted([]byte(`"2026-03-29T01:30:07.25Z",`)); at != minute+7_250_000 || n != 25 {
		t.Errorf("got %d µs of the minute, %d bytes", at-minute, n)
	}
	if at, n := p.Quoted([]byte(`"2026-03-29T01:30:59Z"`)); at != minute+59_000_000 || n != 22 {
		t.Errorf("got %d µs of the minute, %d bytes", at-minute, n)
	}
}

// FuzzMicros: whatever was read before, an instant is that of package timestamp.
func FuzzMicros(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i*5+1)%len(seeds)])
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, layout := range []timestamp.Layout{timestamp.RFC3339, timestamp.Millis, timestamp.Format("02.01.2006", nil)} {
			p := New(layout)
			for _, text := range []string{first, second, first, second} {
				got, err := p.Micros([]byte(text))
				want, wrong := layout.ParseMicros([]byte(text))
				if got != want || fmt.Sprint(err) != fmt.Sprint(wrong) {
					t.Fatalf("%q after others: %d, %v; want %d, %v", text, got, err, want, wrong)
				}
				if got, n := p.Quoted([]byte(`"` + text + `",`)); n > 0 && (got != want || wrong != nil || n != len(text)+2) {
					t.Fatalf("%q in quotes: %d of %d bytes; want %d, %v", text, got, n, want, wrong)
				}
				if got, n := p.Quoted([]byte(text)); n > 0 {
					if want, wrong := layout.ParseMicros([]byte(text[1 : n-1])); got != want || wrong != nil {
						t.Fatalf("%q begins with %d of %d bytes; want %d, %v", text, got, n, want, wrong)
					}
				}
			}
		}
	})
}

func TestTimesInAndOutOfOrder(t *testing.T) {
	p := New(timestamp.RFC3339)
	at := time.Date(2026, 2, 28, 23, 59, 58, 0, time.UTC)
	for i := range 5000 {
		at = at.Add(time.Duration(i%7-2) * 1234567 * time.Microsecond)
		text := at.Format([]string{time.RFC3339, time.RFC3339Nano, "2006-01-02T15:04:05.000Z07:00"}[i%3])
		want, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Micros([]byte(text)); err != nil || got != want.UnixMicro() {
			t.Fatalf("%s: got %d, %v; want %d", text, got, err, want.UnixMicro())
		}
	}
}

func TestAUnitIsWhatPackageTimestampSays(t *testing.T) {
	for _, l := range []timestamp.Layout{timestamp.Seconds, timestamp.Millis, timestamp.Micros, timestamp.Nanos, timestamp.RFC3339, timestamp.Format("2006", nil)} {
		want, err := l.ParseMicros([]byte("1"))
		if err != nil {
			want = 0 // it is text
		}
		if got := New(l).Unit; got != want {
			t.Errorf("%v: got %d, want %d", l, got, want)
		}
	}
}
