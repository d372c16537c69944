package expr

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/window"
)

// at compiles an expression of the field at.
func at(t *testing.T, text string) *Program {
	t.Helper()
	p, errs := Compile(text, record.Schema{{Name: "at", Type: record.Type{Kind: record.Time}}})
	if errs != nil {
		t.Fatalf("%s: %v", text, errs)
	}
	return p
}

func TestTimesOnTheDaysOfClockChanges(t *testing.T) {
	for _, c := range []struct{ at, text, want string }{
		// Europe/Berlin put its clocks from 02:00 to 03:00 on 2026-03-29 and puts them back on
		// 2026-10-25 from 03:00 to 02:00.
		{"2026-03-29T12:00:00Z", "truncate(at, 'day', 'Europe/Berlin')", `"2026-03-28T23:00:00Z"`},
		{"2026-03-30T12:00:00Z", "truncate(at, 'days', 'Europe/Berlin')", `"2026-03-29T22:00:00Z"`},
		{"2026-10-25T23:30:00Z", "difference(at, truncate(at, 'day', 'Europe/Berlin'), 'hours')", `0.5`},
		{"2026-10-25T22:30:00Z", "difference(at, truncate(at, 'day', 'Europe/Berlin'), 'hours')", `24.5`},
		{"2026-03-29T00:59:59Z", "hour(at, 'Europe/Berlin')", `1`},
		{"2026-03-29T01:00:00Z", "hour(at, 'Europe/Berlin')", `3`},
		{"2026-10-25T00:30:00Z", "truncate(at, 'hour', 'Europe/Berlin')", `"2026-10-25T00:00:00Z"`},
		{"2026-10-25T01:30:00Z", "truncate(at, 'hour', 'Europe/Berlin')", `"2026-10-25T01:00:00Z"`},
		{"2026-06-01T10:20:00Z", "truncate(at, 'hour', 'Asia/Kolkata')", `"2026-06-01T09:30:00Z"`},
		{"2026-06-01T10:20:00Z", "truncate(at, 'hour')", `"2026-06-01T10:00:00Z"`},
		// Lord Howe puts its clocks back by half an hour at 15:00 UTC on 2026-04-04: from 02:00 to 01:30.
		{"2026-04-04T15:15:00Z", "truncate(at, 'hour', 'Australia/Lord_Howe')", `"2026-04-04T15:00:00Z"`},
		{"2026-04-04T15:45:00Z", "truncate(at, 'hour', 'Australia/Lord_Howe')", `"2026-04-04T15:30:00Z"`},
		{"1969-12-31T23:59:59.5Z", "truncate(at, 'second')", `"1969-12-31T23:59:59Z"`},
		{"1969-12-31T23:59:59.5Z", "truncate(at, 'week')", `"1969-12-29T00:00:00Z"`},
		{"1969-12-31T23:59:59.5Z", "truncate(at, 'quarter')", `"1969-10-01T00:00:00Z"`},
		{"1969-12-31T23:59:59.5Z", "millis(at)", `-500`},
		{"1969-12-31T23:59:59.9995Z", "millis(at)", `-1`},
		{"1969-12-31T23:59:59.5Z", "seconds(at)", `-0.5`},
		{"2026-03-29T00:30:00Z", "formatTime(at, '%d.%m.%Y %H:%M %z', 'Europe/Berlin')", `"29.03.2026 01:30 +0100"`},
		{"2026-03-29T00:30:00Z", "formatTime(at, '02.01.2006 15:04', 'Europe/Berlin')", `"29.03.2026 01:30"`},
		{"2026-03-29T00:30:00Z", "timestamp(formatTime(at, '%Y-%m-%dT%H:%M:%S.%f')+'Z') == at", `true`},
		{"2026-03-29T00:30:00Z", "addTime(at, 1, 'day')", `"2026-03-30T00:30:00Z"`},
		{"2026-03-29T00:30:00Z", "addTime(at, 0.5, 'seconds')", `"2026-03-29T00:30:00.5Z"`},
		{"2026-03-29T00:30:00Z", "addTime(at, 9223372036854775807, 'weeks')", "addTime(at, 9223372036854775807, 'weeks'): the time is out of range"},
		{"2026-03-29T00:30:00Z", "parseTime('2026-03-29 02:30', '%Y-%m-%d %H:%M', 'Europe/Berlin')",
			"parseTime('2026-03-29 02:30', '%Y-%m-%d %H:%M', 'Europe/Berl...: \"2026-03-29 02:30\" in Europe/Berlin: local time skipped by its zone"},
		{"2026-03-29T00:30:00Z", "parseTime('2026-10-25 02:30', '%Y-%m-%d %H:%M', 'Europe/Berlin')", `"2026-10-25T00:30:00Z"`}, // the first of two
		{"2026-03-29T00:30:00Z", "timestamp('2026-03-29T01:30:00+01:00') == at", `true`},
		{"2026-03-29T00:30:00Z", "timestamp('29.03.2026 01:30', '%d.%m.%Y %H:%M', 'Europe/Berlin') == at", `true`},
		{"2026-03-29T00:30:00Z", "timestamp('1774744200', 'seconds') == timestamp(1774744200, 'seconds') == timestamp(1774744200000, 'millis') == timestamp(1774744200000000000, 'nanos') == at", `true`},
		{"2026-03-29T00:30:00Z", "timestamp(1774744200.25, 'seconds')", `"2026-03-29T00:30:00.25Z"`},
		{"2026-03-29T00:30:00Z", "timestamp(-1, 'nanoseconds')", `"1969-12-31T23:59:59.999999Z"`},
		{"2026-03-29T00:30:00Z", "timestamp(9223372036854775807, 'seconds')", "timestamp(9223372036854775807, 'seconds'): the time is out of range"},
		{"2026-03-29T00:30:00Z", "timestamp('soon')", `timestamp('soon'): "soon" is not a time as in RFC 3339, such as 2026-03-29T01:30:00Z`},
		{"2026-03-29T00:30:00Z", "timestamp(at) > timestamp('2026-01-01T00:00:00Z')", `true`},
		{"2026-03-29T00:30:00Z", "max(at, timestamp('2026-01-01T00:00:00Z')) == at", `true`},
	} {
		instant, err := time.Parse(time.RFC3339Nano, c.at)
		if err != nil {
			t.Fatal(err)
		}
		v, err := at(t, c.text).Eval(record.Row{record.OfTime(instant.UnixMicro())})
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s at %s is %s, want %s", c.text, c.at, got, c.want)
		}
	}
}

func TestInstantsAtTheEndsOfTimeAreNoPanic(t *testing.T) {
	for _, text := range []string{
		"truncate(at, 'day', 'Europe/Berlin')", "truncate(at, 'year')", "truncate(at, 'hour', 'Asia/Kolkata')", "truncate(at, 'week')", "str(at)", "year(at)", "formatTime(at, '%Y')",
		"difference(at, timestamp(0, 'seconds'), 'days')", "addTime(at, 1, 'second')", "addTime(at, -1, 'second')", "seconds(at)", "millis(at)",
	} {
		for _, us := range []int64{-1 << 63, -1<<63 + 1, 1<<63 - 1, 1<<63 - 2} {
			at(t, text).Eval(record.Row{record.OfTime(us)})
		}
	}
}

// Python's datetime and zoneinfo are the oracle for zones, layouts and parts. The times are of
// years whose rules all releases of the time zone database tell alike, and the zones have no
// clock change by parts of an hour.
func TestTimesAreWhatPythonSays(t *testing.T) {
	oracle := startPython(t)
	if s := oracle.eval(t, "hour(0, 'Europe/Berlin')", map[string]any{}); s != "integer 1" {
		t.Skipf("Python has no time zones here: %s", s)
	}
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu", "America/Sao_Paulo", "Pacific/Auckland", "Africa/Cairo"}
	texts := []string{"formatTime(at, LAYOUT, ZONE)", "micros(parseTime(formatTime(at, LAYOUT), LAYOUT))"}
	for _, unit := range []string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"} {
		texts = append(texts, "micros(truncate(at, '"+unit+"', ZONE))")
	}
	for _, p := range parts {
		texts = append(texts, p.name+"(at, ZONE)", p.name+"(at)")
	}
	layouts := []string{
		"%Y-%m-%d %H:%M:%S.%f", "%d.%m.%Y", "%d/%b/%Y:%H:%M:%S %z", "%A, %d %B %Y %I:%M %p", "%y%m%d%H%M%S", "%Y%j", "%a %b %d %H:%M:%S %Y", "_%Y_%m_%d", "%%%Y%%", "%m.%d.%y %S.%f", "at %H on %d %m %Y",
	}
	var questions []question
	w := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		us := w.Int64N(54*365*86_400) * 1_000_000 // 1970 to 2023
		if w.IntN(2) == 0 {
			us += w.Int64N(1_000_000)
		}
		for _, text := range texts {
			text = strings.ReplaceAll(text, "LAYOUT", "'"+layouts[w.IntN(len(layouts))]+"'")
			text = strings.ReplaceAll(text, "ZONE", "'"+zones[w.IntN(len(zones))]+"'")
			questions = append(questions, question{text, map[string]any{"at": us}})
		}
	}
	for i, python := range oracle.evalAll(t, questions) {
		text, us := questions[i].Text, questions[i].Fields["at"].(int64)
		v, err := at(t, text).Eval(record.Row{record.OfTime(us)})
		if got := answer(v); err != nil || got != python {
			t.Errorf("%s at %d is %s (%v), Python says %s", text, us, got, err, python)
		}
	}
	t.Attr("cases", strconv.Itoa(len(questions)))
}

// The stretch of one offset that a clock remembers must not reach beyond a clock change, also in
// the last days of leap years, whose bounds package time gives in the past.
func TestAClockRemembersOneOffsetOnly(t *testing.T) {
	w := rand.New(rand.NewPCG(3, 4))
	leap := time.Date(2028, 12, 30, 0, 0, 0, 0, time.UTC).UnixMicro()
	for _, name := range []string{"Europe/Berlin", "Europe/Dublin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "Antarctica/Troll"} {
		zone, err := window.Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		c := &clock{zone: zone}
		us := int64(0)
		for range 20_000 {
			switch w.IntN(40) {
			case 0:
				us = w.Int64N(100*365*86_400_000_000) - 20*365*86_400_000_000
			case 1:
				us = leap + w.Int64N(4*86_400_000_000)
			case 2:
				us = []int64{-1 << 63, 1<<63 - 1}[w.IntN(2)]
			default:
				us = etime.Add(us, w.Int64N(20*86_400_000_000)-8*86_400_000_000)
			}
			want, got := time.UnixMicro(us).In(zone), c.shows(us)
			if got.Format("2006-01-02 15:04:05.000000") != want.Format("2006-01-02 15:04:05.000000") {
				t.Fatalf("%s at %d shows %v, want %v", name, us, got, want)
			}
		}
	}
}

func TestALayoutOfPythonHasNothingThatGoTakesForATime(t *testing.T) {
	for layout, want := range map[string]string{
		"%Y-%m-%d": "2006-01-02", "%d.%m.%Y": "02.01.2006", "%H%M%S.%f": "150405.000000", "100%% %Y": "", "%Y Jan": "", "%d 2006": "", "%f": "", "%": "", "%Q": "", "%%": "",
		"%Y%": "", "%S.%f%d": "",
	} {
		got, wrong, _ := fromPercent(layout)
		if got != want && !(want == "" && wrong != "") {
			t.Errorf("%s is %q (%s), want %q", layout, got, wrong, want)
		}
		if want == "" && wrong == "" {
			t.Errorf("%s is %q, and must be refused", layout, got)
		}
	}
}
