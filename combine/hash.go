package combine

import "encoding/binary"

// stableHash gives 64 bits of b and seed that are the same in every process and on every machine.
// Each step is a bijection of the state for given bytes, so that two inputs of one length
// collide by chance only. It is no defence against somebody who chooses the bytes.
func stableHash(seed uint64, b []byte) uint64 {
	h := mix(seed + uint64(len(b))*0x9e3779b97f4a7c15)
	for ; len(b) >= 8; b = b[8:] {
		h = mix(h ^ binary.LittleEndian.Uint64(b))
	}
	if len(b) > 0 {
		var last [8]byte
		copy(last[:], b)
		h = mix(h ^ binary.LittleEndian.Uint64(last[:]))
	}
	return h
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, 2014), after its increment.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
