package timestamp

import "fmt"

// parseRFC3339 reads a date and time of RFC 3339. Beyond its letter, T and Z may be small
// and a blank may stand for the T, which the RFC itself allows; second 60 is malformed,
// since no instant of the count of microseconds is a leap second (S1.4).
func parseRFC3339(s []byte) (int64, error) {
	us, ok := scanRFC3339(s)
	if !ok {
		return 0, fmt.Errorf("%s is not a time as in RFC 3339, such as 2026-03-29T01:30:00Z", quote(s))
	}
	return us, nil
}

func scanRFC3339(s []byte) (us int64, ok bool) {
	const date, clock = len("2006-01-02"), len("2006-01-02T15:04:05")
	if len(s) <= clock || s[4] != '-' || s[7] != '-' || s[13] != ':' || s[16] != ':' {
		return 0, false
	}
	if c := s[date]; c != 'T' && c != 't' && c != ' ' {
		return 0, false
	}
	year := 100*two(s[0], s[1]) + two(s[2], s[3])
	month, day := two(s[5], s[6]), two(s[8], s[9])
	hour, minute, second := two(s[11], s[12]), two(s[14], s[15]), two(s[17], s[18])
	if year > 9999 || month > 12 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	second += hour*3600 + minute*60
	if month == 0 || day == 0 || day > daysIn(year, month) {
		return 0, false
	}

	at, micros := clock, int64(0)
	if s[at] == '.' {
		at++
		unit := int64(100_000)
		for ; at < len(s) && '0' <= s[at] && s[at] <= '9'; at++ {
			micros += int64(s[at]-'0') * unit
			unit /= 10
		}
		if at == clock+1 {
			return 0, false
		}
	}

	offset := int64(0)
	switch zone := s[at:]; {
	case len(zone) == 1 && (zone[0] == 'Z' || zone[0] == 'z'):
	case len(zone) == len("+01:00") && (zone[0] == '+' || zone[0] == '-') && zone[3] == ':':
		hours, minutes := two(zone[1], zone[2]), two(zone[4], zone[5])
		if hours > 23 || minutes > 59 {
			return 0, false
		}
		if offset = hours*3600 + minutes*60; zone[0] == '-' {
			offset = -offset
		}
	default:
		return 0, false
	}
	return (daysSince1970(year, month, day)*86_400+second-offset)*1_000_000 + micros, true
}

// two is the number of two digits, and too great for any part of a time if they are none.
func two(tens, ones byte) int64 {
	if tens -= '0'; tens > 9 {
		return 100_000
	}
	if ones -= '0'; ones > 9 {
		return 100_000
	}
	return int64(tens)*10 + int64(ones)
}

func leap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if leap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSince1970 counts in the Gregorian calendar, also before its time, for years >= 0. It
// counts the year from March, so that the leap day is the last: the months from March then
// have 31, 30, 31, 30, 31 days over and over, which (153m+2)/5 sums.
func daysSince1970(year, month, day int64) int64 {
	if month <= 2 {
		year, month = year-1, month+12
	}
	year += 400 // one whole cycle of 146,097 days, so that no division is negative
	return year*365 + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - (719_468 + 146_097)
}
