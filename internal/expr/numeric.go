package expr

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// exact is up to where a float holds each integer.
const exact = 1 << 53

// quotient is v/w for w != 0, rounded once, also where the integers themselves would be.
func quotient(v, w int64) float64 {
	if v == 0 || -exact <= v && v <= exact && -exact <= w && w <= exact { // 0 over less than 0 is -0
		return float64(v) / float64(w)
	}
	q, _ := new(big.Rat).SetFrac(big.NewInt(v), big.NewInt(w)).Float64()
	return q
}

// floorDivide gives the greatest whole q with q*w <= v (for w > 0), and the rest, which has the
// sign of w. It is Python's, to the last bit: the rest is exact if it has the sign of v, and the
// quotient is that of the rest.
func floorDivide(v, w float64) (q, rest float64) {
	rest = math.Mod(v, w)
	q = (v - rest) / w
	if rest == 0 {
		rest = math.Copysign(0, w)
	} else if (w < 0) != (rest < 0) {
		rest += w
		q--
	}
	if q == 0 {
		return math.Copysign(0, v/w), rest
	}
	whole := math.Floor(q)
	if q-whole > 0.5 {
		whole++
	}
	return whole, rest
}

// intPower is v to the power e >= 0; ok is false if 64 bits do not hold it.
func intPower(v, e int64) (p int64, ok bool) {
	p = 1
	for {
		if e&1 == 1 {
			if p, ok = multiply(p, v); !ok {
				return 0, false
			}
		}
		if e >>= 1; e == 0 {
			return p, true
		}
		if v, ok = multiply(v, v); !ok {
			return 0, false
		}
	}
}

// floatPower is v to the power e, or what is wrong.
func floatPower(v, e float64) (p float64, wrong string) {
	if v == 0 && e < 0 {
		return 0, "zero has no negative powers"
	}
	p = math.Pow(v, e)
	switch {
	case p != p && v == v && e == e:
		return 0, "a negative number has only whole powers"
	case math.IsInf(p, 0) && !math.IsInf(v, 0) && !math.IsInf(e, 0):
		return 0, "the result is too large for a number of 64 bits"
	}
	return p, ""
}

// formatFloat writes the shortest text that reads back the same, as Python does: 1.0, 1e+16.
func formatFloat(f float64) string {
	switch {
	case f != f:
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	exponent, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	if exponent < -4 || exponent >= 16 {
		return s
	}
	s = strconv.FormatFloat(f, 'f', -1, 64)
	if strings.IndexByte(s, '.') < 0 {
		s += ".0"
	}
	return s
}

// roundFloat rounds to so many digits after the point, to even in the middle. The middle is that
// of the exact value: round(2.675, 2) is 2.67, since 2.675 is a little less in 64 bits.
func roundFloat(f float64, digits int64) float64 {
	switch {
	case f != f || math.IsInf(f, 0) || f == 0 || digits > 323: // more than any float has
		return f
	case digits < -308: // greater than any float
		return math.Copysign(0, f)
	case digits >= 0:
		r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', int(digits), 64), 64)
		return r
	}
	whole, _ := big.NewFloat(math.Trunc(f)).Int(nil)
	// What is behind the point only decides whether the middle is the middle.
	whole.Lsh(whole, 1)
	if f != math.Trunc(f) {
		whole.Add(whole, big.NewInt(int64(math.Copysign(1, f))))
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(-digits), nil)
	rounded := roundBig(whole, new(big.Int).Lsh(ten, 1))
	r, _ := new(big.Float).SetInt(rounded.Mul(rounded, ten)).Float64()
	return math.Copysign(r, f)
}

// roundBig is v/unit as a whole number, to even in the middle.
func roundBig(v, unit *big.Int) *big.Int {
	q, m := new(big.Int).DivMod(v, unit, new(big.Int)) // 0 <= m < unit
	switch c := m.Lsh(m, 1).Cmp(unit); {
	case c > 0, c == 0 && q.Bit(0) == 1:
		q.Add(q, big.NewInt(1))
	}
	return q
}

// roundInt rounds to tens, hundreds and so on for negative digits; ok is false if 64 bits do not
// hold it.
func roundInt(i, digits int64) (r int64, ok bool) {
	if digits >= 0 {
		return i, true
	}
	if digits < -19 {
		return 0, true
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(-digits), nil)
	rounded := roundBig(big.NewInt(i), unit)
	rounded.Mul(rounded, unit)
	return rounded.Int64(), rounded.IsInt64()
}

// toInt gives a whole float as an integer; ok is false if 64 bits do not hold it.
func toInt(f float64) (i int64, ok bool) {
	if f >= -1<<63 && f < 1<<63 {
		return int64(f), true
	}
	return 0, false
}

// parseInt reads an integer as Python's int does: blanks around it, a sign, underscores between
// digits; nothing else.
func parseInt(s string) (int64, bool) {
	s = strings.TrimFunc(s, isNumberBlank)
	if strings.IndexByte(s, '_') >= 0 {
		if underscoreAtEdge(strings.TrimLeft(s, "+-")) {
			return 0, false
		}
		s = strings.ReplaceAll(s, "_", "")
	}
	i, err := strconv.ParseInt(s, 10, 64)
	return i, err == nil
}

// parseFloat reads a number as Python's float does; too large ones are infinite.
func parseFloat(s string) (float64, bool) {
	s = strings.TrimFunc(s, isNumberBlank)
	if strings.IndexByte(s, '_') >= 0 {
		if underscoreAtEdge(s) {
			return 0, false
		}
		s = strings.ReplaceAll(s, "_", "")
	}
	if strings.ContainsAny(s, "xXpP") {
		return 0, false // hexadecimal
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil || isRange(err)
}

// isNumberBlank says whether Python's int and float skip a character around a number: white space
// but for the separators of information.
func isNumberBlank(r rune) bool { return isBlank(r) && (r < 0x1c || r > 0x1f) }

// isBlank says whether a character is white space to Python, which counts separators of
// information, too.
func isBlank(r rune) bool {
	switch {
	case r <= ' ':
		return r == ' ' || '\t' <= r && r <= '\r' || 0x1c <= r && r <= 0x1f
	case r < 0x1680:
		return r == 0x85 || r == 0xa0
	}
	return r == 0x1680 || 0x2000 <= r && r <= 0x200a || r == 0x2028 || r == 0x2029 || r == 0x202f || r == 0x205f || r == 0x3000
}
