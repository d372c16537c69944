package combine

import (
	"math/big"
	"math/bits"
)

// Integer is what Sum and Mean take.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Int128 is a signed 128-bit integer in two's complement, Hi·2⁶⁴ + Lo: the exact sum of up to
// 2⁶³ integers of any type (S7.3).
type Int128 struct {
	Hi int64
	Lo uint64
}

// String gives the number in decimal.
func (a Int128) String() string { return a.big().String() }

func (a *Int128) add(hi int64, lo uint64) {
	sum, carry := bits.Add64(a.Lo, lo, 0)
	a.Lo = sum
	a.Hi += hi + int64(carry)
}

func (a *Int128) sub(hi int64, lo uint64) {
	diff, borrow := bits.Sub64(a.Lo, lo, 0)
	a.Lo = diff
	a.Hi -= hi + int64(borrow)
}

// over gives a/n as the nearest float64. n is positive.
func (a Int128) over(n int64) float64 {
	const exact = 1 << 53 // integers up to here are float64s, and their quotient is rounded once
	if x := int64(a.Lo); a.Hi == x>>63 && -exact <= x && x <= exact && n <= exact {
		return float64(x) / float64(n)
	}
	q, _ := new(big.Rat).SetFrac(a.big(), big.NewInt(n)).Float64()
	return q
}

func (a Int128) big() *big.Int {
	hi := new(big.Int).Lsh(big.NewInt(a.Hi), 64)
	return hi.Add(hi, new(big.Int).SetUint64(a.Lo))
}

// widen gives x in 128 bits. The condition is settled when N is compiled, so that no branch
// depends on the value.
func widen[N Integer](x N) (hi int64, lo uint64) {
	if ^N(0) < 0 { // signed
		hi = int64(x) >> 63
	}
	return hi, uint64(x)
}

// narrow gives a as an N, and whether it fits.
func narrow[N Integer](a Int128) (N, bool) {
	x := N(a.Lo)
	hi, lo := widen(x)
	return x, hi == a.Hi && lo == a.Lo
}
