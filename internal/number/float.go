package number

import (
	"bytes"
	"math/big"
	"strconv"
	"unsafe"

	"github.com/strandline-stream/strandline/internal/swar"
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
	var v float64
	var ok bool
	if len(text) <= swar.Size {
		v, ok = brief(text)
	} else {
		v, ok = digitwise(text)
	}
	if negative {
		v = -v
	}
	return v, ok
}

// brief is plain for what is in one word. It does not branch by whether there is a point, and where:
// that would be guessed wrongly all the time.
func brief(text []byte) (float64, bool) {
	n := len(text)
	if n == 0 {
		return 0, false
	}
	w := swar.Load(text) ^ swar.Zeroes
	others := swar.NotDigits(w) & (^uint64(0) >> ((64 - 8*n) & 63))
	if others&(others-1|swar.Differ(w, points)) != 0 { // more than one, or no point
		return 0, false
	}
	point := min(swar.First(others), n)
	after := max(n-1-point, 0)
	if point+after == 0 {
		return 0, false
	}
	before := uint64(1)<<(8*point) - 1
	w = w&before | w>>8&^before // without the point
	return float64(swar.Number(w, point+after)) / powers[after], true
}

// points are points where zeroes are 0.
const points = swar.Zeroes ^ '.'*0x0101010101010101

// digitwise is plain for what is longer.
func digitwise(text []byte) (float64, bool) {
	if len(text) > 16 {
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
	if count > 15 {
		return 0, false
	}
	return float64(m) / powers[after], true
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
