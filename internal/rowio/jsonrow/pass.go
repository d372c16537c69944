package jsonrow

import (
	"math/bits"
	"unsafe"
)

// The first four letters of the literals, as they stand in a word.
const (
	wordTrue = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	wordFals = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24
	wordNull = 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24
)

// pass passes over fields of no use for as long as their keys are those expected: from i, the
// place of a key, to the next that is of use or not as expected, or to the end of the object,
// which it says by closed, with the position behind it. What it cannot pass over it leaves to
// [Decoder.object], which begins with the same key.
//
// Most of a line is passed over here, and where a value ends decides where all that follows
// is looked for: each would have to wait for the one before. So a value is taken to be as long
// as the one at its place in the line before, and then it is checked: a processor that has
// learnt that this is so reads on in the meantime. Lines of values of the same lengths are read
// a third faster for it, and others as fast as without.
func pass(p unsafe.Pointer, i, end int, expected []expect, place, levels int) (after, at int, closed bool) {
	for ; place < len(expected); place++ {
		e := &expected[place]
		if e.field >= 0 || e.rest != "" || (word(p, i)^e.lo)&e.loMask|(word(p, i+8)^e.hi)&e.hiMask != 0 {
			return i, place, false
		}
		from := i + e.n
		if from >= end {
			return i, place, false
		}
		at := from
		switch c := byteAt(p, at); {
		case c == '"':
			at++
			for {
				w := word(p, at)
				marks := zeros(w^quotes) | zeros(w^slashes)
				if marks != 0 {
					at += bits.TrailingZeros64(marks) / 8
					break
				}
				if at += 8; at >= end {
					return i, place, false
				}
			}
			if byteAt(p, at) != '"' {
				return i, place, false
			}
			at++
		case c-'0' <= 9 || c == '-':
			for {
				w := word(p, at)
				marks := zeros((w|bits26)^bits7f) | (w-'-'*ones)&^w&tops
				if marks != 0 {
					at += bits.TrailingZeros64(marks) / 8
					break
				}
				if at += 8; at >= end {
					return i, place, false
				}
			}
		case c == 't' && uint32(word(p, at)) == wordTrue, c == 'n' && uint32(word(p, at)) == wordNull:
			at += len("true")
		case c == 'f' && uint32(word(p, at)) == wordFals && byteAt(p, at+4) == 'e':
			at += len("false")
		case c == '{' && e.inner != nil && levels > 0:
			var whole bool
			if at, _, whole = pass(p, at+1, end, e.inner.expect, 0, levels-1); !whole {
				return i, place, false
			}
		default:
			return i, place, false
		}
		if guess := from + e.length; at == guess {
			at = guess
		} else {
			e.length = at - from
		}
		if at >= end {
			return i, place, false
		}
		switch byteAt(p, at) {
		case ',':
			if i = at + 1; i >= end {
				return i, place + 1, false
			}
		case '}':
			return at + 1, place, true
		default:
			return i, place, false
		}
	}
	return i, place, false
}
