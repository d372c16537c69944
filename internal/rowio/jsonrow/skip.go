package jsonrow

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// skip passes over any value.
func (d *Decoder) skip(i int) int {
	if i >= d.n {
		return -1
	}
	switch c := d.buf[i]; {
	case c == '"':
		return d.skipText(i)
	case c <= '9':
		if c == '-' || '0' <= c {
			return d.skipNumber(i)
		}
		return -1
	case c == '{' || c == '[':
		return d.skipNested(i)
	}
	return d.literal(i)
}

// skipText passes over the string that begins at i.
func (d *Decoder) skipText(i int) int {
	b, p := d.buf, unsafe.Pointer(unsafe.SliceData(d.buf))
	i++
	for {
		w := word(p, i)
		marks := zeros(w^quotes) | zeros(w^slashes)
		if marks == 0 {
			if i += 8; i >= d.n {
				return -1
			}
			continue
		}
		if i += bits.TrailingZeros64(marks) / 8; i >= d.n {
			return -1
		}
		if b[i] == '"' {
			return i + 1
		}
		if i += 2; i >= d.n {
			return -1
		}
	}
}

// skipNumber passes over what stands until the next blank, comma or bracket.
func (d *Decoder) skipNumber(i int) int {
	b, p := d.buf, unsafe.Pointer(unsafe.SliceData(d.buf))
	for {
		w := word(p, i)
		// Below '-' are blanks, quotes, commas, and '+'.
		marks := zeros((w|bits26)^bits7f) | (w-'-'*ones)&^w&tops
		if marks == 0 {
			if i += 8; i >= d.n {
				return -1
			}
			continue
		}
		if i += bits.TrailingZeros64(marks) / 8; i >= d.n {
			return min(i, d.n)
		}
		if b[i] != '+' {
			return i
		}
		i++
	}
}

// skipNested passes over an array or object. Of brackets it only counts how deep they are: a
// byte with the bits of 0x26 set is 0x7f if it is one of {}[] (or Y, y, _ or 0x7f).
func (d *Decoder) skipNested(i int) int {
	b, p := d.buf, unsafe.Pointer(unsafe.SliceData(d.buf))
	for depth := 0; ; {
		w := word(p, i)
		marks := zeros((w|bits26)^bits7f) | zeros(w^quotes)
		if marks == 0 {
			if i += 8; i >= d.n {
				return -1
			}
			continue
		}
		if i += bits.TrailingZeros64(marks) / 8; i >= d.n {
			return -1
		}
		switch b[i] {
		case '"':
			if i = d.skipText(i); i < 0 {
				return -1
			}
		case '{', '[':
			if depth++; d.level+depth > MaxDepth {
				return d.deep()
			}
			i++
		case '}', ']':
			i++
			if depth--; depth == 0 {
				return i
			}
		default:
			return -1
		}
	}
}

// literal passes over true, false and null.
func (d *Decoder) literal(i int) int {
	word := "null"
	switch d.buf[i] {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	}
	if d.n-i < len(word) || string(d.buf[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

// Ordinary is how many bytes of a string's text come before the next quote, backslash or
// control character: all if there is none.
func Ordinary(text []byte) int {
	i := 0
	for ; len(text)-i >= 8; i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		if marks := zeros(w^quotes) | zeros(w^slashes) | (w-' '*ones)&^w&tops; marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	for i < len(text) && text[i] != '"' && text[i] != '\\' && text[i] >= ' ' {
		i++
	}
	return i
}
