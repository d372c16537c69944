package jsonrow

import (
	"math/bits"
	"unsafe"

	"github.com/strandline-stream/strandline/internal/number"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/swar"
)

// exact is how many digits a float64 holds whatever they are, and powers the powers of ten
// that it holds: the quotient of two such is rounded once, as it must be (Clinger, How to Read
// Floating Point Numbers Accurately, 1990).
const exact = 15

var powers = [exact + 1]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// float reads the number that begins at i, which is a digit or a minus.
func (d *Decoder) float(i int, f *field) (v record.Value, end int) {
	p := unsafe.Pointer(unsafe.SliceData(d.buf))
	first := i
	if byteAt(p, i) == '-' {
		first++
	}
	w := word(p, first) ^ swar.Zeroes
	marks := swar.NotDigits(w)
	if marks == 0 {
		return d.longFloat(i, f)
	}
	whole := bits.TrailingZeros64(marks) / 8
	n, after := whole, 0
	end = first + whole
	if byteAt(p, end) == '.' {
		if marks &= marks - 1; marks == 0 {
			return d.longFloat(i, f)
		}
		n = bits.TrailingZeros64(marks)/8 - 1
		end = first + n + 1
		after = n - whole
		below := uint64(1)<<(8*whole) - 1
		w = w&below | w>>8&^below // without the point
		if after == 0 {
			return v, -1
		}
	}
	if whole == 0 || whole > 1 && byteAt(p, first) == '0' || byteAt(p, end)|0x20 == 'e' || end >= d.n {
		return d.unusual(i, f)
	}
	x := float64(swar.Number(w, n))
	if after > 0 {
		x /= powers[after]
	}
	if first > i {
		x = -x
	}
	return record.OfFloat(x), end
}

// longFloat reads a number of up to 15 digits.
func (d *Decoder) longFloat(i int, f *field) (v record.Value, end int) {
	b := d.buf
	from := i
	negative := b[i] == '-'
	if negative {
		i++
	}
	first := i
	m := uint64(0)
	for c := b[i] - '0'; c <= 9 && i < d.n; c = b[i] - '0' {
		m = m*10 + uint64(c)
		i++
	}
	digits, after := i-first, 0
	if b[i] == '.' {
		i++
		point := i
		for c := b[i] - '0'; c <= 9 && i < d.n; c = b[i] - '0' {
			m = m*10 + uint64(c)
			i++
		}
		after = i - point
		if digits += after; after == 0 {
			return v, -1
		}
	}
	if i >= d.n || digits-after == 0 || digits > exact || b[first] == '0' && digits-after > 1 || b[i]|0x20 == 'e' {
		return d.unusual(from, f)
	}
	x := float64(m)
	if after > 0 {
		x /= powers[after]
	}
	if negative {
		x = -x
	}
	return record.OfFloat(x), i
}

// unusual reads a number that is not just a few digits.
func (d *Decoder) unusual(i int, f *field) (v record.Value, end int) {
	if end = d.number(i); end < 0 {
		return v, -1
	}
	if f.kind == record.Int {
		n, err := number.Int(d.buf[i:end], 64)
		if err != nil {
			return v, d.unfit(i, end, f, err)
		}
		return record.OfInt(n), end
	}
	x, err := number.Float(d.buf[i:end], 64)
	if err != nil {
		return v, d.unfit(i, end, f, err)
	}
	return record.OfFloat(x), end
}

// integer reads the number that begins at i, which is a digit or a minus.
func (d *Decoder) integer(i int, f *field) (v record.Value, end int) {
	p := unsafe.Pointer(unsafe.SliceData(d.buf))
	first := i
	if byteAt(p, i) == '-' {
		first++
	}
	m, end := d.whole(p, first)
	if end < 0 {
		return d.unusual(i, f)
	}
	if first > i {
		m = -m
	}
	return record.OfInt(m), end
}

// whole reads up to 15 digits, and nothing that is written in another way.
func (d *Decoder) whole(p unsafe.Pointer, i int) (m int64, end int) {
	w := word(p, i) ^ swar.Zeroes
	end = i
	if marks := swar.NotDigits(w); marks != 0 {
		n := bits.TrailingZeros64(marks) / 8
		if n == 0 {
			return 0, -1
		}
		m, end = swar.Number(w, n), i+n
	} else {
		if end += 8; end >= d.n {
			return 0, -1
		}
		m = swar.Number(w, 8)
		w = word(p, end) ^ swar.Zeroes
		marks := swar.NotDigits(w)
		if marks == 0 {
			return 0, -1
		}
		if n := bits.TrailingZeros64(marks) / 8; n > 0 {
			m = m*tens[n] + swar.Number(w, n)
			end += n
		}
	}
	if c := byteAt(p, end); end >= d.n || c == '.' || c|0x20 == 'e' || end > i+1 && byteAt(p, i) == '0' {
		return 0, -1
	}
	return m, end
}

var tens = [8]int64{1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000}

// number passes over a number as JSON writes it. What follows is for the caller to judge.
func (d *Decoder) number(i int) int {
	if d.buf[i] == '-' {
		i++
	}
	whole := d.digits(i)
	if whole == i || d.buf[i] == '0' && whole > i+1 {
		return -1
	}
	i = whole
	if i < d.n && d.buf[i] == '.' {
		from := i + 1
		if i = d.digits(from); i == from {
			return -1
		}
	}
	if i < d.n && d.buf[i]|0x20 == 'e' {
		if i++; i < d.n && (d.buf[i] == '+' || d.buf[i] == '-') {
			i++
		}
		from := i
		if i = d.digits(from); i == from {
			return -1
		}
	}
	return i
}

func (d *Decoder) digits(i int) int {
	for i < d.n && '0' <= d.buf[i] && d.buf[i] <= '9' {
		i++
	}
	return i
}
