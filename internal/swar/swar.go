// Package swar looks at text eight bytes at a time, as one word (SIMD within a register): fields
// and digits are short, and a processor guesses wrongly where a loop over their bytes ends. What is
// found of bytes is said by marks, the top bits of a word's bytes.
//
// Layer: below what reads text.
package swar

import (
	"encoding/binary"
	"math/bits"
)

// Size is how many bytes a word has.
const Size = 8

const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// Load gives the first eight bytes of text, the first of them lowest. What is above the end of text
// is of no meaning: it is what lies behind it in memory, if anything does.
func Load(text []byte) uint64 {
	if cap(text) >= Size {
		return binary.LittleEndian.Uint64(text[:Size])
	}
	return short(text)
}

// short is Load where nothing lies behind text.
func short(text []byte) uint64 {
	var all [Size]byte
	copy(all[:], text)
	return binary.LittleEndian.Uint64(all[:])
}

// All is a word whose bytes are all c.
func All(c byte) uint64 { return uint64(c) * ones }

// Differ marks the bytes in which two words differ.
func Differ(v, w uint64) uint64 {
	w ^= v
	return (w&^tops + ^uint64(tops) | w) & tops
}

// Bits packs marks: bit i is that of byte i.
func Bits(marks uint64) uint64 {
	const gather = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42 | 1<<49 // moves the mark of byte i to bit 56+i
	return marks * gather >> 56
}

// First is the place of the first mark; 8 if there is none.
func First(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

// ASCII says whether all bytes of text are below 0x80.
func ASCII(text []byte) bool {
	for ; len(text) > Size; text = text[Size:] {
		if Load(text)&tops != 0 {
			return false
		}
	}
	return Load(text)&tops<<(64-8*len(text)) == 0
}

// Zeroes is eight times the digit 0: the difference (xor) makes digits their values.
const Zeroes = '0' * ones

// NotDigits marks, of values that the difference to Zeroes made, those that were no digits.
func NotDigits(values uint64) uint64 {
	return ((values&^tops + 0x76*ones) | values) & tops
}

// Number is the number whose n digits, 1 to 8, have the values that are the bytes of w from the
// lowest on. Bytes above them do not matter.
func Number(w uint64, n int) int64 {
	w <<= (64 - 8*n) & 63 // zeros come before
	w = w*10 + w>>8
	const pairs = 0x000000ff000000ff
	return int64((w&pairs*(100+1_000_000<<32) + w>>16&pairs*(1+10_000<<32)) >> 32)
}
