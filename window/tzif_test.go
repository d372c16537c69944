package window

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This file reads zone files (RFC 8536) and reckons with dates, both without package time: the
// means of computing days independently of what is tested.

// span is a stretch of time in which a zone's offset from UTC does not change, both in seconds.
// It ends where the next begins.
type span struct{ from, offset int64 }

// zoneSpans gives the spans of a zone file, and those by the rule at its end for the years first
// to last.
func zoneSpans(t testing.TB, name string, first, last int) []span {
	t.Helper()
	f, err := zoneFiles()[name].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	spans, rule, err := readTZif(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	more, err := expand(rule, spans[len(spans)-1].from, first, last)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	spans = append(spans, more...)
	return slices.CompactFunc(spans, func(a, b span) bool { return a.offset == b.offset })
}

// readTZif reads the second part of a zone file, which has times of 64 bits, and the rule after
// it. The first span begins before everything.
func readTZif(data []byte) ([]span, string, error) {
	const header = 44
	if len(data) < header || string(data[:4]) != "TZif" || data[4] < '2' {
		return nil, "", fmt.Errorf("no zone file of version 2 or later")
	}
	counts := func(b []byte) (n [6]int) { // isut, isstd, leap, time, type, char
		for i := range n {
			n[i] = int(binary.BigEndian.Uint32(b[20+4*i:]))
		}
		return n
	}
	n := counts(data)
	data = data[header+n[3]*5+n[4]*6+n[5]+n[2]*8+n[1]+n[0]:]
	n = counts(data)
	data = data[header:]
	times, kinds := data[:n[3]*8], data[n[3]*8:n[3]*9]
	types := data[n[3]*9:]
	offset := func(kind byte) int64 { return int64(int32(binary.BigEndian.Uint32(types[int(kind)*6:]))) }

	spans := []span{{-1 << 62, offset(0)}} // by the RFC the first type is that of earlier times
	for i := range n[3] {
		spans = append(spans, span{int64(binary.BigEndian.Uint64(times[8*i:])), offset(kinds[i])})
	}
	rule := types[n[4]*6+n[5]+n[2]*12+n[1]+n[0]:]
	return spans, strings.Trim(string(rule), "\n"), nil
}

// expand gives the spans by a rule such as "CET-1CEST,M3.5.0,M10.5.0/3" that begin after the
// instant after, in the years first to last.
func expand(rule string, after int64, first, last int) ([]span, error) {
	name, rest := zoneName(rule)
	standard, rest, err := clock(rest)
	if err != nil || name == "" {
		return nil, fmt.Errorf("rule %q: %v", rule, err)
	}
	standard = -standard // POSIX counts to the west
	if rest == "" {
		return []span{{max(after, -1<<62), standard}}, nil
	}
	summer := standard + 3600
	if _, rest = zoneName(rest); rest[0] != ',' {
		if summer, rest, err = clock(rest); err != nil {
			return nil, fmt.Errorf("rule %q: %v", rule, err)
		}
		summer = -summer
	}
	dates := strings.Split(rest, ",")
	if len(dates) != 3 {
		return nil, fmt.Errorf("rule %q has not two dates", rule)
	}
	var spans []span
	for year := first; year <= last; year++ {
		start, err1 := ruleTime(dates[1], year)
		end, err2 := ruleTime(dates[2], year)
		if cmp.Or(err1, err2) != nil {
			return nil, fmt.Errorf("rule %q: %v", rule, cmp.Or(err1, err2))
		}
		spans = append(spans, span{start - standard, summer}, span{end - summer, standard})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return slices.DeleteFunc(spans, func(s span) bool { return s.from <= after }), nil
}

// zoneName takes an abbreviation, plain or in angle brackets, off a rule.
func zoneName(rule string) (name, rest string) {
	if strings.HasPrefix(rule, "<") {
		name, rest, _ = strings.Cut(rule[1:], ">")
		return name, rest
	}
	i := 0
	for i < len(rule) && (rule[i]|0x20) >= 'a' && (rule[i]|0x20) <= 'z' {
		i++
	}
	return rule[:i], rule[i:]
}

// clock takes hours, and minutes if there are any, off a rule: "-9:30" is -34,200 s.
func clock(rule string) (seconds int64, rest string, err error) {
	sign, i := int64(1), 0
	if strings.HasPrefix(rule, "-") {
		sign, rule = -1, rule[1:]
	}
	for i < len(rule) && (rule[i] >= '0' && rule[i] <= '9' || rule[i] == ':') {
		i++
	}
	unit := int64(3600)
	for part := range strings.SplitSeq(rule[:i], ":") {
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return 0, "", err
		}
		seconds += sign * n * unit
		unit /= 60
	}
	return seconds, rule[i:], nil
}

// ruleTime gives the local time, in seconds since 1970 as clocks show it, of a date such as
// "M10.5.0/3", the fifth or last Sunday of October at three, in a year.
func ruleTime(date string, year int) (int64, error) {
	date, at, timed := strings.Cut(date, "/")
	seconds := int64(2 * 3600)
	if timed {
		var err error
		if seconds, _, err = clock(at); err != nil {
			return 0, err
		}
	}
	var month, week, weekday int64
	if _, err := fmt.Sscanf(date, "M%d.%d.%d", &month, &week, &weekday); err != nil {
		return 0, err
	}
	first := daysTo(int64(year), month)
	day := first + (weekday-weekdayOf(first)+7)%7 + 7*(week-1)
	if next := daysTo(int64(year), month+1); day >= next {
		day -= 7
	}
	return day*86_400 + seconds, nil
}

// leap says whether a year of the Gregorian calendar has 366 days.
func leap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// daysTo counts the days from 1970-01-01 to the first of a month, which may be the 13th.
func daysTo(year, month int64) int64 {
	days := int64(0)
	for y := int64(1970); y < year; y++ {
		days += yearDays(y)
	}
	for y := year; y < 1970; y++ {
		days -= yearDays(y)
	}
	for m := int64(1); m < month; m++ {
		days += monthDays(year, m)
	}
	return days
}

func yearDays(year int64) int64 {
	if leap(year) {
		return 366
	}
	return 365
}

func monthDays(year, month int64) int64 {
	switch {
	case month == 2 && leap(year):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

// weekdayOf gives the weekday of a date, 0 for Sunday: 1970-01-01 was a Thursday.
func weekdayOf(day int64) int64 { return ((day+4)%7 + 7) % 7 }
