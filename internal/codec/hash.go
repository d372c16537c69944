package codec

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// HashBits mixes an integer key into 64 bits that are all equally good. It is a bijection (the
// finalizer of SplitMix64), without seed, and part of the format: see [KeyGroupOfBits].
func HashBits(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// HashBytes is XXH3 in its 64-bit form with seed 0 and the default secret, as published in the
// xxHash specification. It is the same everywhere and part of the format: see [KeyGroup]. It is
// no defence against somebody who chooses keys to collide.
func HashBytes(b []byte) uint64 {
	switch n := len(b); {
	case n > 240:
		return hashLong(b)
	case n > 16:
		return hashMid(b)
	case n > 8:
		lo := le64(b) ^ (0x1f67b3b7a4a44072 ^ 0x78e5c0cc4ee679cb)
		hi := le64(b[n-8:]) ^ (0x2172ffcc7dd05a82 ^ 0x8e2443f7744608b8)
		return avalanche(uint64(n) + bits.ReverseBytes64(lo) + hi + fold(lo, hi))
	case n >= 4:
		lo, hi := uint64(le32(b)), uint64(le32(b[n-4:]))
		h := (hi | lo<<32) ^ (0x1cad21f72c81017c ^ 0xdb979083e96dd4de)
		h ^= bits.RotateLeft64(h, 49) ^ bits.RotateLeft64(h, 24)
		h *= 0x9fb21c651e98df25
		h = (h ^ (h>>35 + uint64(n))) * 0x9fb21c651e98df25
		return h ^ h>>28
	case n > 0:
		h := uint64(uint32(b[0])<<16 | uint32(b[n>>1])<<24 | uint32(b[n-1]) | uint32(n)<<8)
		return avalanche64(h ^ (0x396cfeb8 ^ 0xbe4ba423))
	default:
		return avalanche64(0x4c263a81e69035e0 ^ 0xcb00c391bb52283c)
	}
}

func hashString(s string) uint64 { return HashBytes(unsafe.Slice(unsafe.StringData(s), len(s))) }

// hashMid takes 17 to 240 bytes.
func hashMid(b []byte) uint64 {
	n := len(b)
	h := uint64(n) * prime64x1
	if n <= 32 { // the common length of composite keys, written out
		h += fold(le64(b)^0xbe4ba423396cfeb8, le64(b[8:])^0x1cad21f72c81017c)
		return avalanche(h + fold(le64(b[n-16:])^0xdb979083e96dd4de, le64(b[n-8:])^0x1f67b3b7a4a44072))
	}
	if n <= 128 {
		for i := (n - 1) / 32; i >= 0; i-- {
			h += mix16(b[16*i:], secret[32*i:]) + mix16(b[n-16*(i+1):], secret[32*i+16:])
		}
		return avalanche(h)
	}
	for i := range 8 {
		h += mix16(b[16*i:], secret[16*i:])
	}
	h = avalanche(h)
	for i := 8; i < n/16; i++ {
		h += mix16(b[16*i:], secret[16*(i-8)+3:])
	}
	return avalanche(h + mix16(b[n-16:], secret[136-17:]))
}

// hashLong takes more than 240 bytes, in stripes of 64 and blocks of 16 stripes.
func hashLong(b []byte) uint64 {
	const stripe, block = 64, 1024
	n := len(b)
	acc := [8]uint64{prime32x3, prime64x1, prime64x2, prime64x3, prime64x4, prime32x2, prime64x5, prime32x1}
	last := b[n-stripe:]
	for len(b) > block {
		for i := range block / stripe {
			accumulate(&acc, b[stripe*i:], secret[8*i:])
		}
		for i := range acc {
			acc[i] = (acc[i] ^ acc[i]>>47 ^ le64(secret[len(secret)-stripe+8*i:])) * prime32x1
		}
		b = b[block:]
	}
	for i := range (len(b) - 1) / stripe {
		accumulate(&acc, b[stripe*i:], secret[8*i:])
	}
	accumulate(&acc, last, secret[len(secret)-stripe-7:])
	h := uint64(n) * prime64x1
	for i := range 4 {
		h += fold(acc[2*i]^le64(secret[11+16*i:]), acc[2*i+1]^le64(secret[19+16*i:]))
	}
	return avalanche(h)
}

func accumulate(acc *[8]uint64, b, key []byte) {
	for i := range acc {
		v := le64(b[8*i:])
		k := v ^ le64(key[8*i:])
		acc[i^1] += v
		acc[i] += uint64(uint32(k)) * (k >> 32)
	}
}

func mix16(b, key []byte) uint64 { return fold(le64(b)^le64(key), le64(b[8:])^le64(key[8:])) }

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func avalanche(h uint64) uint64 {
	h = (h ^ h>>37) * 0x165667919e3779f9
	return h ^ h>>32
}

func avalanche64(h uint64) uint64 {
	h = (h ^ h>>33) * prime64x2
	h = (h ^ h>>29) * prime64x3
	return h ^ h>>32
}

func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

const (
	prime32x1 = 0x9e3779b1
	prime32x2 = 0x85ebca77
	prime32x3 = 0xc2b2ae3d
	prime64x1 = 0x9e3779b185ebca87
	prime64x2 = 0xc2b2ae3d27d4eb4f
	prime64x3 = 0x165667b19e3779f9
	prime64x4 = 0x85ebca77c2b2ae63
	prime64x5 = 0x27d4eb2f165667c5
)

// secret is the default secret of the specification. The constants of the short forms above are
// its words at 0, 4, 8, 16, 24, 32, 40, 48, 56 and 64.
var secret = []byte("" +
	"\xb8\xfe\x6c\x39\x23\xa4\x4b\xbe\x7c\x01\x81\x2c\xf7\x21\xad\x1c\xde\xd4\x6d\xe9\x83\x90\x97\xdb" +
	"\x72\x40\xa4\xa4\xb7\xb3\x67\x1f\xcb\x79\xe6\x4e\xcc\xc0\xe5\x78\x82\x5a\xd0\x7d\xcc\xff\x72\x21" +
	"\xb8\x08\x46\x74\xf7\x43\x24\x8e\xe0\x35\x90\xe6\x81\x3a\x26\x4c\x3c\x28\x52\xbb\x91\xc3\x00\xcb" +
	"\x88\xd0\x65\x8b\x1b\x53\x2e\xa3\x71\x64\x48\x97\xa2\x0d\xf9\x4e\x38\x19\xef\x46\xa9\xde\xac\xd8" +
	"\xa8\xfa\x76\x3f\xe3\x9c\x34\x3f\xf9\xdc\xbb\xc7\xc7\x0b\x4f\x1d\x8a\x51\xe0\x4b\xcd\xb4\x59\x31" +
	"\xc8\x9f\x7e\xc9\xd9\x78\x73\x64\xea\xc5\xac\x83\x34\xd3\xeb\xc3\xc5\x81\xa0\xff\xfa\x13\x63\xeb" +
	"\x17\x0d\xdd\x51\xb7\xf0\xda\x49\xd3\x16\x55\x26\x29\xd4\x68\x9e\x2b\x16\xbe\x58\x7d\x47\xa1\xfc" +
	"\x8f\xf8\xb8\xd1\x7a\xd0\x31\xce\x45\xcb\x3a\x8f\x95\x16\x04\x28\xaf\xd7\xfb\xca\xbb\x4b\x40\x7e")
