package number

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// The reasons why a number does not fit.
var (
	// ErrSyntax: it is no number.
	ErrSyntax = errors.New("not a number")
	// ErrWhole: it has a fraction, and the type is an integer.
	ErrWhole = errors.New("not a whole number")
	// ErrRange: it is too great or too small for the type, or negative for an unsigned one.
	ErrRange = errors.New("out of range")
	// ErrRounded: a whole number, written out, that a float cannot hold.
	ErrRounded = errors.New("it would be rounded")
)

// fits is how many digits fit a uint64 and an int64 whatever they are.
const fits = 18

// Int reads an integer of so many bits. It keeps nothing of text.
func Int(text []byte, bits int) (int64, error) {
	if v, ok := short(text); ok {
		if shift := 64 - bits; v<<shift>>shift != v {
			return 0, ErrRange
		}
		return v, nil
	}
	digits, err := whole(text)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseInt(digits, 10, bits)
	if err != nil {
		return 0, ErrRange
	}
	return v, nil
}

// Uint reads an unsigned integer of so many bits. It keeps nothing of text.
func Uint(text []byte, bits int) (uint64, error) {
	if v, ok := short(text); ok {
		if v < 0 || uint64(v) > math.MaxUint64>>(64-bits) {
			return 0, ErrRange
		}
		return uint64(v), nil
	}
	digits, err := whole(text)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseUint(digits, 10, bits)
	if err != nil {
		return 0, ErrRange
	}
	return v, nil
}

// short reads what almost every integer is: a few digits, with a minus perhaps.
func short(text []byte) (int64, bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > fits {
		return 0, false
	}
	v := int64(0)
	for _, c := range text {
		if c -= '0'; c > 9 {
			return 0, false
		}
		v = v*10 + int64(c)
	}
	if negative {
		return -v, true
	}
	return v, true
}

// whole gives the digits of a whole number, with a minus if it is negative.
func whole(text []byte) (string, error) {
	if !valid(text) {
		return "", ErrSyntax
	}
	digits, ok := WholeDigits(string(text))
	if !ok {
		return "", ErrWhole
	}
	return digits, nil
}

// WholeDigits writes a number without point and exponent. It gives false if the number is not
// whole. Where there are more than 20 digits, how many zeros they end with is not kept:
// nothing fits then.
func WholeDigits(raw string) (digits string, ok bool) {
	sign := ""
	switch {
	case strings.HasPrefix(raw, "-"):
		sign, raw = "-", raw[1:]
	case strings.HasPrefix(raw, "+"):
		raw = raw[1:]
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(raw), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", true
	}
	shift := int64(0)
	if exponent != "" {
		shift, _ = strconv.ParseInt(exponent, 10, 64) // clamped if it is out of range
		shift = min(max(shift, -1<<40), 1<<40)
	}
	// So many zeros more than the digits have; negative if they end with a fraction.
	zeros := shift - int64(len(fraction))
	trimmed := strings.TrimRight(digits, "0")
	zeros += int64(len(digits) - len(trimmed))
	if zeros < 0 {
		return "", false
	}
	zeros = min(zeros, 20)
	return sign + trimmed + strings.Repeat("0", int(zeros)), true
}

// valid says whether text is a decimal number: a sign, digits with a point among or around
// them, and an exponent.
func valid(text []byte) bool {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	before := digits(text)
	text = text[before:]
	after := 0
	if len(text) > 0 && text[0] == '.' {
		after = digits(text[1:])
		text = text[1+after:]
	}
	if before+after == 0 {
		return false
	}
	if len(text) > 0 && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
			text = text[1:]
		}
		n := digits(text)
		return n > 0 && n == len(text)
	}
	return len(text) == 0
}

// digits counts the digits that text begins with.
func digits(text []byte) int {
	for i, c := range text {
		if c < '0' || c > '9' {
			return i
		}
	}
	return len(text)
}
