package run

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
)

// tableAgrees looks up batches of keys in t and adds one to each, and compares with a map.
func tableAgrees(t *testing.T, tab *table[int64], batches [][]uint64) {
	t.Helper()
	want := map[uint64]int64{}
	made := 0
	fresh := func(uint64) int64 { made++; return 100 }
	slots := make([]uint32, 1024)
	for _, keys := range batches {
		tab.lookup(keys, slots, fresh)
		for i, k := range keys {
			if want[k] == 0 {
				want[k] = 100
			}
			want[k]++
			tab.accs[slots[i]]++
		}
	}
	got := map[uint64]int64{}
	for k, slot := range tab.all {
		if _, twice := got[k]; twice {
			t.Fatalf("key %d comes twice", k)
		}
		got[k] = tab.accs[slot]
		if s, ok := tab.find(k); !ok || s != slot {
			t.Fatalf("key %d is found in slot %d, %v, and is in %d", k, s, ok, slot)
		}
	}
	if made != len(want) || tab.n != len(want) || !maps.Equal(got, want) {
		t.Fatalf("%d keys, %d made, %d counted, want %d; the values are equal: %v", len(got), made, tab.n, len(want), maps.Equal(got, want))
	}
	for _, k := range []uint64{12345678901, 1 << 63, 77777} {
		if _, ok := tab.find(k); ok != (want[k] != 0) {
			t.Fatalf("key %d is found: %v", k, ok)
		}
	}
}

func TestATableAgreesWithAMapInEitherLayoutAndAfterReset(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	dense, hashed := 0, 0
	for range 300 {
		tab := newTable[int64](0)
		for range 3 { // and used again
			span := uint64(1) << r.IntN(20)
			if r.IntN(4) == 0 {
				span = 1 << 63
			}
			outliers := r.IntN(2) == 0
			var batches [][]uint64
			for range 1 + r.IntN(30) {
				keys := make([]uint64, 1+r.IntN(300))
				for i := range keys {
					keys[i] = r.Uint64N(span)
					if outliers && r.IntN(200) == 0 {
						keys[i] = r.Uint64() >> r.IntN(64)
					}
				}
				batches = append(batches, keys)
			}
			tableAgrees(t, tab, batches)
			if tab.seen != nil {
				dense++
			} else {
				hashed++
			}
			if !tab.reset() {
				tab = newTable[int64](0)
			}
		}
	}
	if dense < 50 || hashed < 50 {
		t.Errorf("%d tables were dense and %d hashed in the end: the test does not tell much", dense, hashed)
	}
}

func TestRunningNumbersMakeADenseTable(t *testing.T) {
	tab := newTable[int64](0)
	keys := make([]uint64, 1000)
	for i := range keys {
		keys[i] = uint64(i * 37 % 1000)
	}
	slots := make([]uint32, 1000)
	tab.lookup(keys, slots, func(uint64) int64 { return 0 })
	if tab.seen == nil || len(tab.accs) > 4*1000 {
		t.Errorf("%d slots, dense: %v", len(tab.accs), tab.seen != nil)
	}
	// A key far away does not make it huge.
	tab.lookup([]uint64{1 << 40}, slots, func(uint64) int64 { return 0 })
	if tab.seen != nil || len(tab.accs) > 4*1000 {
		t.Errorf("%d slots with a key of 2^40, dense: %v", len(tab.accs), tab.seen != nil)
	}
}

// Of running numbers a second worker gets every second one, more or less.
func TestHalfOfTheRunningNumbersMakeADenseTable(t *testing.T) {
	type acc [2]int64
	r := rand.New(rand.NewPCG(5, 6))
	tab := newTable[acc](0)
	var keys []uint64
	for _, k := range r.Perm(100_000)[:50_000] {
		keys = append(keys, uint64(k))
	}
	tab.lookup(keys, make([]uint32, len(keys)), func(uint64) acc { return acc{} })
	if tab.seen == nil {
		t.Errorf("the table is hashed, with %d slots for %d keys", len(tab.keys), tab.n)
	}
}

func TestATableThatIsMostlyEmptyIsNotKept(t *testing.T) {
	tab := newTable[int64](10_000)
	tab.lookup([]uint64{1, 2, 3}, make([]uint32, 3), func(uint64) int64 { return 0 })
	if tab.reset() {
		t.Error("a table for 10,000 keys is kept for 3")
	}
}

func BenchmarkTable(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		for _, layout := range []string{"dense", "hashed"} {
			b.Run(fmt.Sprintf("%s/%d", layout, n), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				keys := make([]uint64, 1<<20)
				for i := range keys {
					keys[i] = r.Uint64N(uint64(n))
					if layout == "hashed" {
						keys[i] *= 0x9e3779b97f4a7c15
					}
				}
				tab := newTable[int64](0)
				slots := make([]uint32, 1024)
				fresh := func(uint64) int64 { return 0 }
				for i := 0; i < len(keys); i += 1024 {
					tab.lookup(keys[i:i+1024], slots, fresh)
				}
				b.ResetTimer()
				for i := 0; i < b.N; i += 1024 {
					o := i % len(keys)
					tab.lookup(keys[o:o+1024], slots, fresh)
				}
			})
		}
	}
}
