package combine

import "testing"

func TestTheHashOfASampleIsTheSameInEveryProcess(t *testing.T) {
	// The first outputs of SplitMix64 with seed 0, as published with it.
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec, 0x1b39896a51a8749b} {
		if got := mix(uint64(i) * 0x9e3779b97f4a7c15); got != want {
			t.Errorf("output %d is %#x, want %#x", i, got, want)
		}
	}
	if got := stableHash(0, nil); got != 0xe220a8397b1dcdaf {
		t.Errorf("nothing, with seed 0, hashes to %#x", got)
	}
}

func TestEveryByteAndItsPlaceMattersToTheHash(t *testing.T) {
	seen := map[uint64]string{}
	for length := range 40 {
		for at := -1; at < length; at++ {
			b := make([]byte, length) // zeros of another length are other bytes
			if at >= 0 {
				b[at] = 1
			}
			for seed := range uint64(3) {
				h := stableHash(seed, b)
				if was, twice := seen[h]; twice {
					t.Fatalf("% x with seed %d hashes as %s", b, seed, was)
				}
				seen[h] = string(b)
			}
		}
	}
}
