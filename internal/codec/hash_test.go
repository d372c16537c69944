package codec

import "testing"

// sanityBuffer is the input of the test vectors that xxHash publishes.
func sanityBuffer(n int) []byte {
	b := make([]byte, n)
	g := uint64(2654435761)
	for i := range b {
		b[i] = byte(g >> 56)
		g *= 11400714785074694797
	}
	return b
}

func TestHashBytesGivesThePublishedVectorsOfXXH3(t *testing.T) {
	// Computed with the reference implementation, xxHash 0.8.4 in C, seed 0.
	buf := sanityBuffer(4096)
	for _, c := range []struct {
		n    int
		want uint64
	}{
		{0, 0x2d06800538d394c2}, {1, 0xc44bdff4074eecdb}, {3, 0x54247382a8d6b94d}, {4, 0xe5dc74bc51848a51},
		{6, 0x27b56a84cd2d7325}, {8, 0x24ccc9acaa9f65e4}, {9, 0x14d5001c15dd3f2b}, {12, 0xa713daf0dfbb77e7},
		{16, 0x981b17d36c7498c9}, {17, 0x796f5acd3a60f862}, {24, 0xa3fe70bf9d3510eb}, {32, 0x9feaddbdbf57eed3},
		{33, 0xabfb2d081b400a10}, {48, 0x397da259ecba1f11}, {64, 0x9cb48487720ec49d}, {65, 0xfd81aac4bebc3883},
		{80, 0xbcdefbbb2c47c90a}, {96, 0x935a769a7f94776f}, {97, 0xca4ca268fd3c3a6c}, {128, 0xfcff24126754d861},
		{129, 0x98f1b0a679a2ca29}, {195, 0xcd94217ee362ec3a}, {240, 0x81c3c2b67f568ccf}, {241, 0xc5a639ecd2030e5e},
		{256, 0x55de574ad89d0ac5}, {257, 0xb17fd5a8ae75bb0b}, {403, 0xcdeb804d65c6dea4}, {512, 0x617e49599013cb6b},
		{1024, 0xdd85c9b5c1109c5c}, {1025, 0xd870c0fa13211c6a}, {1088, 0xcc1450ea6b52a8f4}, {2048, 0xdd59e2c3a5f038e0},
		{2240, 0x6e73a90539cf2948}, {2367, 0xcb37aeb9e5d361ed}, {4096, 0xe91206429d1f48f9},
	} {
		if got := HashBytes(buf[:c.n]); got != c.want {
			t.Errorf("%d bytes: %#016x, want %#016x", c.n, got, c.want)
		}
	}
	for s, want := range map[string]uint64{
		"a": 0xe6c632b61e964e1f, "abc": 0x78af5f94892f3950, "sensor-a": 0x8ae35237b9ce0575, "münchen": 0x05bbec6dce5492a1,
	} {
		if got := hashString(s); got != want {
			t.Errorf("%q: %#016x, want %#016x", s, got, want)
		}
	}
}

func TestHashBytesAgreesWithTheReferenceAtEveryLength(t *testing.T) {
	buf := sanityBuffer(2500)
	var sum uint64
	for n := range 2501 {
		sum = sum*31 + HashBytes(buf[:n])
	}
	if want := uint64(0xf0c41828a57a3e23); sum != want { // the same sum over the reference's hashes
		t.Errorf("hashes of 0..2500 bytes fold to %#x, want %#x", sum, want)
	}
}

func TestHashBitsIsTheFinalizerOfSplitMix64(t *testing.T) {
	// The published first outputs of SplitMix64 with seed 1234567.
	state := uint64(1234567)
	for i, want := range []uint64{
		6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
	} {
		state += 0x9e3779b97f4a7c15
		if got := HashBits(state); got != want {
			t.Errorf("output %d is %d, want %d", i, got, want)
		}
	}
}

func BenchmarkHashBytes(b *testing.B) {
	buf := sanityBuffer(4096)
	for _, c := range []struct {
		name string
		n    int
	}{{"3", 3}, {"8", 8}, {"10", 10}, {"24", 24}, {"100", 100}, {"4096", 4096}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(c.n))
			var s uint64
			for b.Loop() {
				s += HashBytes(buf[:c.n])
			}
			sink = s
		})
	}
}

var sink uint64
