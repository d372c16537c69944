package run

import (
	"math/rand/v2"
	"testing"

	"github.com/strandline-stream/strandline/internal/etime"
)

func TestScatterKeepsTheOrderWithinAWindowAndTakesNothingLate(t *testing.T) {
	var s scatter[int]
	s.start(10, 3)
	// Windows ..., [-7, 3), [3, 13), [13, 23), ...; the watermark is in the second.
	at := []int64{12, 3, 14, 13, 4, 40, 2, 5}
	w := []int64{5, 5, 6, 6, 7, 7, 12, 12}
	keys := []uint64{0, 1, 2, 3, 4, 5, 6, 7}
	n := s.take(keys, []int{0, 1, 2, 3, 4, 5, 6, 7}, at, w, etime.Max)
	if n != 6 {
		t.Fatalf("took %d, want the 6 before the late one", n)
	}
	got := map[int64][]int{}
	s.each(func(lo int64, keys []uint64, vs []int) {
		for i := range vs {
			if keys[i] != uint64(vs[i]) {
				t.Errorf("key %d with value %d", keys[i], vs[i])
			}
		}
		got[lo] = append([]int(nil), vs...)
	})
	want := map[int64][]int{3: {0, 1, 4}, 13: {2, 3}, 33: {5}}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for lo, vs := range want {
		for i := range vs {
			if len(got[lo]) != len(vs) || got[lo][i] != vs[i] {
				t.Errorf("window from %d: got %v, want %v", lo, got[lo], vs)
				break
			}
		}
	}
}

func TestScatterStopsWhereSomethingIsDue(t *testing.T) {
	var s scatter[int]
	s.start(10, 0)
	at := []int64{5, 15, 6, 16}
	w := []int64{3, 8, 9, 10} // at 10, [0, 10) is due
	if n := s.take(make([]uint64, 4), make([]int, 4), at, w, etime.Max); n != 3 {
		t.Errorf("took %d, want 3: the window that the watermark is in ends", n)
	}
	s.each(func(int64, []uint64, []int) {})
	if n := s.take(make([]uint64, 4), make([]int, 4), at, w, 9); n != 2 {
		t.Errorf("took %d, want 2: something is due at 9", n)
	}
}

func TestScatterDividesExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		size := 2 + r.Int64N(1<<r.IntN(50))
		var s scatter[int64]
		s.start(size, 0)
		var at, w []int64
		for q := range int64(lanes) {
			at = append(at, q*size, q*size+size-1, q*size+r.Int64N(size))
		}
		w = make([]int64, len(at))
		if n := s.take(make([]uint64, len(at)), at, at, w, etime.Max); n != len(at) {
			t.Fatalf("size %d: took %d of %d", size, n, len(at))
		}
		s.each(func(lo int64, _ []uint64, vs []int64) {
			if len(vs) != 3 || vs[0] < lo || vs[0] >= lo+size || vs[1] < lo || vs[1] >= lo+size || vs[2] < lo || vs[2] >= lo+size {
				t.Fatalf("size %d: the window from %d got %v", size, lo, vs)
			}
		})
	}
}

func BenchmarkScatter(b *testing.B) {
	type event [3]int64
	const n = 1024
	var s scatter[event]
	s.start(1_000_000, 0)
	r := rand.New(rand.NewPCG(1, 1))
	var keys [n]uint64
	var vs [n]event
	var at, w [n]int64
	for i := range at {
		at[i] = r.Int64N(4_000_000)
	}
	for i := 0; i < b.N; i += chunk {
		o := i % n
		s.take(keys[o:], vs[o:], at[o:], w[o:], etime.Max)
		s.each(func(int64, []uint64, []event) {})
	}
}
