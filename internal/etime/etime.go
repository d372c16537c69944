// Package etime is event time as the engine counts it: whole microseconds since
// 1970-01-01T00:00:00Z in a signed 64-bit integer, with saturating arithmetic and floor
// division (S1.1, S1.2).
//
// Layer: the lowest. It knows of nothing else in the project. The public API speaks
// [time.Time] and [time.Duration]; this package is where they turn into microseconds and back.
package etime

import (
	"fmt"
	"math"
	"time"
)

// Min and Max are the instants before and after everything. A watermark starts at Min, and
// stands at Max once its input has ended.
const (
	Min int64 = math.MinInt64
	Max int64 = math.MaxInt64
)

// Micros gives the instant of t, cut towards the past to whole microseconds. A time that
// microseconds cannot hold (beyond the years -290308 and 294247) gives Min or Max.
func Micros(t time.Time) int64 {
	s := t.Unix()
	if s > math.MaxInt64/1_000_000-1 {
		return Max
	}
	if s < math.MinInt64/1_000_000+1 {
		return Min
	}
	return s*1_000_000 + int64(t.Nanosecond()/1000)
}

// Time gives the instant us as a UTC time.
func Time(us int64) time.Time { return time.UnixMicro(us).UTC() }

// Span gives d in whole microseconds, cut towards zero.
func Span(d time.Duration) int64 { return int64(d / time.Microsecond) }

// Duration gives us microseconds as a duration, saturating at what a duration can hold
// (292 years).
func Duration(us int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Microsecond)
	switch {
	case us > most:
		return math.MaxInt64
	case us < -most:
		return math.MinInt64
	}
	return time.Duration(us) * time.Microsecond
}

// Add gives a+b, saturating. Min and Max absorb: nothing is added to "before everything" or
// "after everything".
func Add(a, b int64) int64 {
	if a == Min || a == Max {
		return a
	}
	s := a + b
	switch {
	case b > 0 && s < a:
		return Max
	case b < 0 && s > a:
		return Min
	}
	return s
}

// Sub gives a-b, saturating; Min and Max absorb as in [Add].
func Sub(a, b int64) int64 {
	if a == Min || a == Max {
		return a
	}
	d := a - b
	switch {
	case b < 0 && d < a:
		return Max
	case b > 0 && d > a:
		return Min
	}
	return d
}

// FloorDiv gives the greatest q with q*b <= a, for b > 0: -1/10 is -1.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Floor gives the greatest instant t <= a with t = offset + n*size, for size > 0, saturating
// at Min.
func Floor(a, size, offset int64) int64 {
	r := mod(a, size) - mod(offset, size)
	if r < 0 {
		r += size
	}
	return Sub(a, r)
}

func mod(a, b int64) int64 {
	if r := a % b; r < 0 {
		return r + b
	} else {
		return r
	}
}

// Format writes an instant for messages: RFC 3339 with as many decimals as it needs, or the
// words for Min and Max.
func Format(us int64) string {
	switch us {
	case Min:
		return "before everything"
	case Max:
		return "after everything"
	}
	t := Time(us)
	if y := t.Year(); y < 0 || y > 9999 {
		return fmt.Sprintf("%d µs since 1970", us)
	}
	return t.Format(time.RFC3339Nano)
}
