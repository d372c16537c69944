package number

import (
	"bytes"
	"math/big"
	"strconv"
	"unsafe"
)

// Float reads a float of 32 or 64 bits, the nearest to the number. It keeps nothing of text.
func Float(text []byte, bits int) (float64, error) {
	if bits == 64 {
		if v, ok := plain(text); ok {
			return v, nil
		}
	}
	if !valid(text) {
		return 0, ErrSyntax
	}
	v, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), bits)
	if err != nil {
		return 0, ErrRange
	}
	if rounds(text, v) {
		return 0, ErrRounded
	}
	return v, nil
}

// powers are the powers of ten that a float64 holds exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// plain reads a number of at most 15 digits without an exponent: digits and power of ten are
// exact in a float64 then, and so their quotient is rounded once, as it must be (Clinger, How
// to Read Floating Point Numbers Accurately, 1990).
func plain(text []byte) (float64, bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 16 {
		return 0, false
	}
	m, point := uint64(0), -1
	for i, c := range text {
		if c -= '0'; c <= 9 {
			m = m*10 + uint64(c)
			continue
		}
		if text[i] != '.' || point >= 0 {
			return 0, false
		}
		point = i
	}
	count, after := len(text), 0
	if point >= 0 {
		count--
		after = count - point
	}
	if count == 0 || count > 15 {
		return 0, false
	}
	v := float64(m) / powers[after]
	if negative {
		v = -v
	}
	return v, true
}

// rounds says whether v is another number than a whole one that is written out.
func rounds(text []byte, v float64) bool {
	if len(text) < 8 || bytes.ContainsAny(text, ".eE") {
		return false // 2^24 has eight digits
	}
	written, ok := new(big.Int).SetString(string(bytes.TrimPrefix(text, []byte("+"))), 10)
	held, _ := new(big.Float).SetFloat64(v).Int(nil)
	return !ok || written.Cmp(held) != 0
}
