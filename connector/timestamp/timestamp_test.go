package timestamp

import (
	"errors"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/strandline-stream/strandline/internal/etime"
)

func zone(t testing.TB, name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestNumbersAreExactAndCutTowardsThePast(t *testing.T) {
	for _, c := range []struct {
		layout Layout
		text   string
		want   int64
	}{
		{Seconds, "0", 0},
		{Seconds, "-0", 0},
		{Seconds, "2", 2_000_000},
		{Seconds, "1700000000", 1_700_000_000_000_000},
		{Seconds, "1700000000.123456", 1_700_000_000_123_456},
		{Seconds, "1700000000.1234569999999999999999", 1_700_000_000_123_456},
		{Seconds, "0.1", 100_000},
		{Seconds, "0.0000001", 0},
		{Seconds, "-0.0000001", -1},
		{Seconds, "-0.0000010", -1},
		{Seconds, "-0.00000100000000000001", -2},
		{Seconds, "-1.5", -1_500_000},
		{Seconds, "1.7e9", 1_700_000_000_000_000},
		{Seconds, "17E+8", 1_700_000_000_000_000},
		{Seconds, "1700000000000e-3", 1_700_000_000_000_000},
		{Seconds, "1e-400", 0},
		{Seconds, "-1e-400", -1},
		{Seconds, "0e999999999999999999999999", 0},
		{Seconds, "9223372036854.775806", etime.Max - 1},
		{Seconds, "9223372036854.7758069", etime.Max - 1},
		{Seconds, "-9223372036854.775807", etime.Min + 1},
		{Millis, "1700000000123", 1_700_000_000_123_000},
		{Millis, "1700000000123.4567", 1_700_000_000_123_456},
		{Millis, "-1", -1000},
		{Micros, "1700000000123456", 1_700_000_000_123_456},
		{Micros, "-1", -1},
		{Micros, "-1.5", -2},
		{Nanos, "1700000000123456789", 1_700_000_000_123_456},
		{Nanos, "999", 0},
		{Nanos, "-1", -1},
		{Nanos, "-1000", -1},
		{Nanos, "-1001", -2},
		{Nanos, "9223372036854775806999", etime.Max - 1},
	} {
		got, err := c.layout.ParseMicros([]byte(c.text))
		if err != nil || got != c.want {
			t.Errorf("%s as %v = %d, %v; want %d", c.text, c.layout, got, err, c.want)
		}
	}
}

func TestNumbersOutOfRangeAreAnErrorAndNeverSaturate(t *testing.T) {
	for _, c := range []struct {
		layout Layout
		text   string
	}{
		{Seconds, "1e400"}, {Seconds, "-1e400"}, {Seconds, "1e99999999999999999999"},
		{Seconds, "9223372036854.775807"}, {Seconds, "-9223372036854.775808"}, {Seconds, "-9223372036854.7758071"},
		{Seconds, "1700000000000000000"}, {Micros, "9223372036854775807"}, {Micros, "99999999999999999999"},
		{Nanos, "9223372036854775807000"},
	} {
		if got, err := c.layout.ParseMicros([]byte(c.text)); !errors.Is(err, ErrRange) {
			t.Errorf("%s as %v = %d, %v; want ErrRange", c.text, c.layout, got, err)
		}
	}
}

func TestWhatIsNoNumberIsAnError(t *testing.T) {
	for _, text := range []string{"", "-", "+1", "1.", ".5", "1e", "1e+", "1x", "0x10", " 1", "1 ", "NaN", "Infinity", "1_000", "١", "\"1\"", "1\x00"} {
		if got, err := Seconds.ParseMicros([]byte(text)); err == nil {
			t.Errorf("%q was read as %d", text, got)
		}
	}
}

func TestRFC3339(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
		{"2026-03-29T01:30:00.5+01:00", "2026-03-29T00:30:00.5Z"},
		{"2026-03-29t01:30:00z", "2026-03-29T01:30:00Z"},
		{"2026-03-29 01:30:00Z", "2026-03-29T01:30:00Z"},
		{"2026-03-29T01:30:00-00:00", "2026-03-29T01:30:00Z"},
		{"2024-02-29T23:59:59.999999999Z", "2024-02-29T23:59:59.999999Z"},
		{"1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"},
		{"2000-02-29T00:00:00+23:59", "2000-02-28T00:01:00Z"},
		{"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
		{"1600-02-29T00:00:00Z", "1600-02-29T00:00:00Z"},
		{"9999-12-31T23:59:59-23:59", ""}, // in the year 10000
	} {
		got, err := RFC3339.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if s := got.Format(time.RFC3339Nano); c.want != "" && s != c.want {
			t.Errorf("%s = %s, want %s", c.text, s, c.want)
		}
	}
	if got, _ := RFC3339.ParseMicros([]byte("1969-12-31T23:59:59.9999999Z")); got != -1 {
		t.Errorf("a tenth of a microsecond before 1970 is %d, want -1", got)
	}
}

func TestWhatIsNotRFC3339IsAnError(t *testing.T) {
	for _, text := range []string{
		"", "now", "2026-03-29", "2026-03-29T01:30:00", "2026-03-29T01:30Z", "2026-3-29T01:30:00Z",
		"2026-03-29T01:30:60Z", "2016-12-31T23:59:60Z", "2026-03-29T24:00:00Z", "2026-03-29T01:60:00Z",
		"2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-10T00:00:00Z", "2026-13-10T00:00:00Z", "2026-01-00T00:00:00Z",
		"2026-03-29T01:30:00.Z", "2026-03-29T01:30:00,5Z", "2026-03-29T01:30:00.5", "2026-03-29T01:30:00+0100", "2026-03-29T01:30:00+24:00", "2026-03-29T01:30:00+01:60",
		"2026-03-29T01:30:00ZZ", " 2026-03-29T01:30:00Z", "2026-03-29T01:30:00Z ", "2026-03-29T01:30:0xZ", "-026-03-29T01:30:00Z", "+2026-03-29T01:30:00Z", "2026-03-29_01:30:00Z", "1700000000",
	} {
		if got, err := RFC3339.Parse(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func TestLocalTimesFollowTheirZone(t *testing.T) {
	berlin, lordHowe := zone(t, "Europe/Berlin"), zone(t, "Australia/Lord_Howe")
	const german = "02.01.2006 15:04:05"
	for _, c := range []struct {
		name   string
		layout Layout
		text   string
		want   string
	}{
		{"winter", Format(german, berlin), "01.01.2026 12:00:00", "2026-01-01T11:00:00Z"},
		{"summer", Format(german, berlin), "01.07.2026 12:00:00.25", "2026-07-01T10:00:00.25Z"},
		{"the last second before the clock goes forward", Format(german, berlin), "29.03.2026 01:59:59", "2026-03-29T00:59:59Z"},
		{"the first after it", Format(german, berlin), "29.03.2026 03:00:00", "2026-03-29T01:00:00Z"},
		{"what came twice is the first", Format(german, berlin), "25.10.2026 02:30:00", "2026-10-25T00:30:00Z"},
		{"the first instant that came twice", Format(german, berlin), "25.10.2026 02:00:00", "2026-10-25T00:00:00Z"},
		{"after what came twice", Format(german, berlin), "25.10.2026 03:00:00", "2026-10-25T02:00:00Z"},
		{"half an hour twice", Format(german, lordHowe), "05.04.2026 01:45:00", "2026-04-04T14:45:00Z"},
		{"an offset in the text decides", Format("2006-01-02 15:04 -0700", berlin), "2026-03-29 02:30 +0500", "2026-03-28T21:30:00Z"},
		{"an abbreviation of the zone decides", Format("2006-01-02 15:04 MST", berlin), "2026-10-25 02:30 CET", "2026-10-25T01:30:00Z"},
		{"UTC is known everywhere", Format("2006-01-02 15:04 MST", berlin), "2026-10-25 02:30 UTC", "2026-10-25T02:30:00Z"},
		{"no zone is UTC", Format("2006-01-02", nil), "2026-10-25", "2026-10-25T00:00:00Z"},
	} {
		got, err := c.layout.Parse(c.text)
		if err != nil || got.Format(time.RFC3339Nano) != c.want {
			t.Errorf("%s: %q = %v, %v; want %s", c.name, c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"29.03.2026 02:00:00", "29.03.2026 02:30:00", "29.03.2026 02:59:59.999999"} {
		if got, err := Format(german, berlin).Parse(text); !errors.Is(err, ErrSkipped) {
			t.Errorf("%s, which Berlin skipped, = %v, %v; want ErrSkipped", text, got, err)
		}
	}
	// Samoa went over a whole day when it crossed the date line.
	if got, err := Format("2006-01-02 15:04", zone(t, "Pacific/Apia")).Parse("2011-12-30 12:00"); !errors.Is(err, ErrSkipped) {
		t.Errorf("the day that Samoa skipped = %v, %v; want ErrSkipped", got, err)
	}
	for _, text := range []string{"", "29.02.2026 00:00:00", "31.12.2016 23:59:60", "1.1.2026", "2026-01-01T00:00:00Z"} {
		if got, err := Format(german, berlin).Parse(text); err == nil {
			t.Errorf("%q was read as %v", text, got)
		}
	}
	if got, err := Format("2006-01-02 15:04 MST", berlin).Parse("2026-10-25 02:30 PST"); err == nil {
		t.Errorf("an abbreviation that Berlin does not have was read as %v", got)
	}
}

func TestALayoutWithoutYearIsRefused(t *testing.T) {
	if err := Format("15:04:05", nil).Check(); err == nil || !strings.Contains(err.Error(), "has no year") {
		t.Errorf("got %v", err)
	}
	for _, l := range []Layout{{}, RFC3339, Seconds, Nanos, Format("02.01.06", nil), Format("2006-002", nil)} {
		if err := l.Check(); err != nil {
			t.Errorf("%v: %v", l, err)
		}
	}
}

func TestAWrongUnitIsSuspected(t *testing.T) {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		layout Layout
		times  string
		hint   string // "" if nothing is suspected
	}{
		{"seconds read as milliseconds", Millis, "1700000000 1700000001 1700000002", "these look like seconds read as milliseconds"},
		{"milliseconds read as seconds", Seconds, "1700000000000", "these look like milliseconds read as seconds"},
		{"nanoseconds read as seconds, which is out of range", Seconds, "1700000000000000000", "these look like nanoseconds read as seconds"},
		{"microseconds read as milliseconds", Millis, "1700000000000000", "these look like microseconds read as milliseconds"},
		{"milliseconds read as nanoseconds", Nanos, "1700000000000", "these look like milliseconds read as nanoseconds"},
		{"the right unit", Seconds, "1700000000", ""},
		{"small numbers pass", Seconds, "2 5 8", ""},
		{"nothing below 10^8 is suspected", Millis, "99999999", ""},
		{"before 1990 and no unit helps", Seconds, "400000000", ""},
		{"one lone row of another unit", Seconds, "1700000000 1700000000000 1700000001", ""},
		{"a lone right row among wrong ones", Millis, "1700000000 1700000000000 1700000001", "seconds read as milliseconds"},
		{"next year is fine", Seconds, "1830297599", ""}, // 2027-12-31T23:59:59Z
		{"the year after is not, and no unit helps", Seconds, "1830297600", ""},
		{"text is not looked at", RFC3339, "1970-01-20T16:13:20Z", ""},
		{"nothing at all", Millis, "", ""},
		{"what is no number is not looked at", Millis, "x y z", ""},
	} {
		p := NewProbe(c.layout)
		for _, s := range strings.Fields(c.times) {
			p.Add([]byte(s))
		}
		err := p.Judge(now)
		if c.hint == "" && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.hint != "" && (!errors.Is(err, ErrUnlikely) || !strings.Contains(err.Error(), c.hint)) {
			t.Errorf("%s: got %v, want ErrUnlikely with %q", c.name, err, c.hint)
		}
	}
}

func TestTheProbeSaysWhatItSaw(t *testing.T) {
	p := NewProbe(Millis)
	p.Add([]byte("1700000000"))
	err := p.Judge(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	const want = "unlikely event times: the median of the first 1 is 1700000000, as milliseconds 1970-01-20T16:13:20Z: these look like seconds read as milliseconds"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestTheProbeLooksAtAHundredTimes(t *testing.T) {
	p := NewProbe(Seconds)
	for range 99 {
		p.Add([]byte("1"))
	}
	if p.Full() {
		t.Error("full after 99")
	}
	if p.Add([]byte("1")); !p.Full() {
		t.Error("not full after 100")
	}
	if !NewProbe(RFC3339).Full() {
		t.Error("text has no unit to mistake, but is looked at")
	}
}

func FuzzNumbersAgreeWithBigRationals(f *testing.F) {
	for _, s := range []string{"0", "-0.0000001", "1700000000.123456789", "1e400", "-1e-400", "17E+8", "9223372036854.775807", "00", "1.", "e5", "--1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shifts := map[Layout]int64{Seconds: 1_000_000_000, Millis: 1_000_000, Micros: 1000, Nanos: 1} // in nanoseconds
		for layout, scale := range shifts {
			got, err := layout.ParseMicros([]byte(text))
			d, ok := splitDecimal([]byte(text))
			if !ok {
				if err == nil {
					t.Fatalf("%q was read as %d", text, got)
				}
				continue
			}
			if d.exponent > 2000 || d.exponent < -2000 || len(text) > 4000 {
				continue // big.Rat would take all day
			}
			r, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("%q is a number here and none for math/big", text)
			}
			r.Mul(r, big.NewRat(scale, 1000))
			want := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: a floor, as the denominator is positive
			inRange := want.IsInt64() && want.Int64() != etime.Min && want.Int64() != etime.Max
			switch {
			case inRange && (err != nil || got != want.Int64()):
				t.Fatalf("%q as %v = %d, %v; want %v", text, layout, got, err, want)
			case !inRange && !errors.Is(err, ErrRange):
				t.Fatalf("%q as %v = %d, %v; want ErrRange", text, layout, got, err)
			}
		}
	})
}

var strict = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

func FuzzRFC3339AgreesWithPackageTime(f *testing.F) {
	for _, s := range []string{"2026-03-29T01:30:00.5+01:00", "2024-02-29 00:00:00z", "2016-12-31T23:59:60Z", "0000-01-01t00:00:00-23:59", "2026-03-29T1:30:00Z", "2026-03-29T01:30:00,5Z", "2026-03-29T01:30:00+00:60", "2026-03-29T01:30:00+24:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := RFC3339.ParseMicros([]byte(text))
		upper := []byte(strings.ToUpper(text))
		if len(upper) > 10 && upper[10] == ' ' {
			upper[10] = 'T'
		}
		want, theirs := time.Parse(time.RFC3339, string(upper))
		if err == nil && (theirs != nil || got != etime.Micros(want)) {
			t.Fatalf("%q = %s; package time: %v, %v", text, etime.Format(got), want, theirs)
		}
		// Package time reads a one-digit hour, a decimal comma, and an hour 24 and a minute 60 of offset too.
		if theirs == nil && strict.Match(upper) && err != nil {
			t.Fatalf("%q: %v, but package time reads it as %v", text, err, want)
		}
	})
}

// Every minute around both changes of Berlin's clock: the first instant that shows a local
// time, found by looking at all of them.
func TestFirstLocalAgreesWithASearch(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca"} {
		z := zone(t, name)
		for _, day := range []time.Time{time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC), time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC),
			time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 4, 5, 0, 0, 0, 0, time.UTC), time.Date(2026, 10, 4, 0, 0, 0, 0, time.UTC)} {
			first := map[string]time.Time{}
			const form = "2006-01-02 15:04"
			for m := -24 * 60; m < 48*60; m++ {
				at := day.Add(time.Duration(m) * time.Minute)
				if shown := at.In(z).Format(form); first[shown].IsZero() {
					first[shown] = at
				}
			}
			for m := range 24 * 60 {
				text := day.Add(time.Duration(m) * time.Minute).Format(form)
				got, err := Format(form, z).Parse(text)
				want, exists := first[text]
				if exists != (err == nil) || exists && !got.Equal(want) {
					t.Errorf("%s in %s = %v, %v; want %v", text, name, got, err, want)
				}
			}
		}
	}
}

func BenchmarkSeconds(b *testing.B) {
	text := []byte("1700000000.123")
	for b.Loop() {
		if _, err := Seconds.ParseMicros(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRFC3339(b *testing.B) {
	text := []byte("2026-03-29T01:30:00.123Z")
	for b.Loop() {
		if _, err := RFC3339.ParseMicros(text); err != nil {
			b.Fatal(err)
		}
	}
}
