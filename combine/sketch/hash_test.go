package sketch

import (
	"testing"

	"github.com/strandline-stream/strandline/internal/codec"
)

// The hashes are in checkpoints: they must not change.
func TestHashesAreTheSameInEveryProcess(t *testing.T) {
	ints, err := newHasher[int8]()
	if err != nil {
		t.Fatal(err)
	}
	hs := make([]uint64, 1)
	// The first output of SplitMix64 with seed 0, as published with it.
	if ints.hash([]int8{0}, hs); hs[0] != 0xe220a8397b1dcdaf {
		t.Errorf("0 hashes to %#x", hs[0])
	}
	type name string
	texts, err := newHasher[name]()
	if err != nil {
		t.Fatal(err)
	}
	if texts.hash([]name{"strandline"}, hs); hs[0] != codec.HashBytes([]byte("strandline")) {
		t.Errorf("a string hashes to %#x", hs[0])
	}
	if texts.hash([]name{""}, hs); hs[0] != 0x2d06800538d394c2 { // XXH3 of nothing, as published
		t.Errorf("nothing hashes to %#x", hs[0])
	}
}
