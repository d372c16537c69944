package timestamp

import (
	"fmt"
	"math"
)

// parseDecimal reads a decimal number as JSON writes it, times 10 to the power shift, cut
// towards the past to a whole number. It is exact for any number of digits, and takes time
// linear in their number.
func parseDecimal(text []byte, shift int) (int64, error) {
	if us, ok := plain(text, shift); ok {
		return us, nil
	}
	number, ok := splitDecimal(text)
	if !ok {
		return 0, fmt.Errorf("%s is not a number", quote(text))
	}
	us, ok := number.floor(shift)
	if !ok {
		return 0, fmt.Errorf("%s: %w", quote(text), ErrRange)
	}
	return us, nil
}

// plain is parseDecimal of a few digits and nothing else, which almost all numbers are.
func plain(text []byte, shift int) (int64, bool) {
	const digits = 19 // as many as are below 2^63 for sure, and one
	if len(text) == 0 || shift < 0 || len(text)+shift >= digits {
		return 0, false
	}
	v := int64(0)
	for _, c := range text {
		if c -= '0'; c > 9 {
			return 0, false
		}
		v = v*10 + int64(c)
	}
	for range shift {
		v *= 10
	}
	return v, true
}

// decimal is whole.fraction times 10 to the power exponent.
type decimal struct {
	negative        bool
	whole, fraction []byte
	exponent        int64
}

// hugeExponent is beyond what any number of digits in memory could make up for.
const hugeExponent = 1 << 40

func splitDecimal(s []byte) (d decimal, ok bool) {
	if len(s) > 0 && s[0] == '-' {
		d.negative, s = true, s[1:]
	}
	d.whole, s = cutDigits(s)
	if len(d.whole) == 0 {
		return d, false
	}
	if len(s) > 0 && s[0] == '.' {
		d.fraction, s = cutDigits(s[1:])
		if len(d.fraction) == 0 {
			return d, false
		}
	}
	if len(s) > 0 && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		sign := int64(1)
		if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
			if s[0] == '-' {
				sign = -1
			}
			s = s[1:]
		}
		var digits []byte
		digits, s = cutDigits(s)
		if len(digits) == 0 {
			return d, false
		}
		for _, c := range digits {
			d.exponent = min(d.exponent*10+int64(c-'0'), hugeExponent)
		}
		d.exponent *= sign
	}
	return d, len(s) == 0
}

func cutDigits(s []byte) (digits, rest []byte) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

func (d decimal) digit(i int) byte {
	if i < len(d.whole) {
		return d.whole[i] - '0'
	}
	return d.fraction[i-len(d.whole)] - '0'
}

// floor gives the greatest integer not above d times 10 to the power shift; ok is false if
// that, or what means "before" or "after everything", is not between the two.
func (d decimal) floor(shift int) (v int64, ok bool) {
	n := len(d.whole) + len(d.fraction)
	first := 0
	for first < n && d.digit(first) == 0 {
		first++
	}
	if first == n {
		return 0, true
	}
	// The point stands that many digits after the first that counts.
	point := int64(len(d.whole)-first) + d.exponent + int64(shift)
	if point > 19 {
		return 0, false
	}
	var magnitude uint64 // below 10^19, which 64 bits hold
	next := first
	for range point {
		magnitude *= 10
		if next < n {
			magnitude += uint64(d.digit(next))
			next++
		}
	}
	if d.negative {
		for ; next < n; next++ {
			if d.digit(next) != 0 {
				magnitude++ // something was cut, and the past is further from zero
				break
			}
		}
	}
	if d.negative {
		return -int64(magnitude), magnitude <= math.MaxInt64
	}
	return int64(magnitude), magnitude < math.MaxInt64
}
