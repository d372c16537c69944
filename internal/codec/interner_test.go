package codec

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestInternGivesEqualKeysOneIDAndIDsAreDense(t *testing.T) {
	in := NewInterner(0)
	key := []byte("a")
	if a, b, c, e := in.Intern(key), in.Intern([]byte("b")), in.Intern([]byte("a")), in.Intern(nil); a != 0 || b != 1 || c != 0 || e != 2 {
		t.Errorf("ids %d, %d, %d, %d, want 0, 1, 0, 2", a, b, c, e)
	}
	key[0] = 'x'
	if string(in.Bytes(0)) != "a" || len(in.Bytes(2)) != 0 || in.Len() != 3 {
		t.Errorf("keys %q, %q of %d", in.Bytes(0), in.Bytes(2), in.Len())
	}
	if id, ok := in.Lookup([]byte("b")); !ok || id != 1 {
		t.Errorf("b is %d, %v", id, ok)
	}
	if _, ok := in.Lookup([]byte("c")); ok {
		t.Error("c has an id")
	}
}

func TestAReleasedIDIsGivenOutAgain(t *testing.T) {
	in := NewInterner(0)
	a := in.Intern([]byte("a"))
	in.Retain(a)
	in.Retain(a)
	in.Release(a)
	if in.Len() != 1 {
		t.Fatalf("%d keys while one holder is left", in.Len())
	}
	in.Release(a)
	if in.Len() != 0 {
		t.Errorf("%d keys after the last release", in.Len())
	}
	in.Sweep()
	if b := in.Intern([]byte("b")); b != a || string(in.Bytes(b)) != "b" {
		t.Errorf("b is %d %q, want id %d again", b, in.Bytes(b), a)
	}
	if _, ok := in.Lookup([]byte("a")); ok {
		t.Error("a still has an id")
	}
}

func TestAnIDReleasedToZeroIsGoodUntilTheNextIntern(t *testing.T) {
	in := NewInterner(0)
	a := in.Intern([]byte("a"))
	in.Retain(a)
	in.Release(a) // its window fired
	if string(in.Bytes(a)) != "a" {
		t.Errorf("the key is %q", in.Bytes(a))
	}
	in.Retain(a) // the same batch puts it into the next window
	if in.Len() != 1 {
		t.Errorf("%d keys", in.Len())
	}
	if b := in.Intern([]byte("b")); b == a || in.Intern([]byte("a")) != a {
		t.Errorf("an id in use was given out again")
	}
	in.Release(a)
	in.Retain(a)
	in.Release(a)
	in.Sweep()
	if _, ok := in.Lookup([]byte("a")); ok {
		t.Error("a was not freed")
	}
}

func TestReleasedIDsAreFreedOnceTheyAreMoreThanThoseInUse(t *testing.T) {
	in := NewInterner(0)
	var freed []string
	in.Freed = func(id uint32) { freed = append(freed, string(in.Bytes(id))) }
	const n = 3 * spare
	for i := range uint32(2 * n) {
		in.Retain(in.Intern(fmt.Append(nil, i)))
	}
	for i := range uint32(n) {
		in.Release(i)
	}
	in.Intern([]byte("0"))
	if len(freed) != 0 || in.Len() != n {
		t.Errorf("%d freed of %d released with %d in use", len(freed), n, in.Len())
	}
	in.Retain(0) // it was not freed
	for i := range uint32(n / 2) {
		in.Release(n + i)
	}
	in.Intern([]byte("0"))
	if len(freed) != n+n/2-1 || freed[0] != "1" {
		t.Errorf("%d freed, want the %d that were released and not retained since, each by its name", len(freed), n+n/2-1)
	}
}

func TestSweepFreesWhatNobodyEverHeld(t *testing.T) {
	in := NewInterner(0)
	held := in.Intern([]byte("held"))
	in.Intern([]byte("late, and dropped"))
	in.Retain(held)
	in.Intern([]byte("x"))
	if in.Len() != 3 {
		t.Errorf("%d keys before the sweep", in.Len())
	}
	in.Sweep()
	if _, ok := in.Lookup([]byte("x")); ok || in.Len() != 1 || string(in.Bytes(held)) != "held" {
		t.Errorf("%d keys after the sweep, x known: %v", in.Len(), ok)
	}
}

func TestMisuseOfCountsPanics(t *testing.T) {
	for name, f := range map[string]func(*Interner){
		"release without retain": func(in *Interner) { in.Release(0) },
		"retain of a free id":    func(in *Interner) { in.Sweep(); in.Retain(0) },
		"release of a free id":   func(in *Interner) { in.Sweep(); in.Release(0) },
	} {
		t.Run(name, func(t *testing.T) {
			in := NewInterner(0)
			in.Intern([]byte("a"))
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f(in)
		})
	}
}

func TestBatchesGiveTheIDsOfSingleKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, lane - 1, lane, lane + 1, 5 * lane, 1000} {
		keys := make([]string, n)
		raw := make([][]byte, n)
		var flat []byte
		ends := make([]int, n)
		for i := range keys {
			// New ones and repeated ones in one batch, of 0 to 40 bytes.
			keys[i] = strings.Repeat(fmt.Sprint(r.IntN(n)), r.IntN(14))
			raw[i] = []byte(keys[i])
			flat = append(flat, keys[i]...)
			ends[i] = len(flat)
		}
		single, a, b, c := NewInterner(0), NewInterner(n), NewInterner(0), NewInterner(0)
		x, y, z := make([]uint32, n), make([]uint32, n), make([]uint32, n)
		a.InternStrings(keys, x)
		b.InternBatch(raw, y)
		c.InternEncoded(flat, ends, z)
		for i := range keys {
			if want := single.Intern(raw[i]); x[i] != want || y[i] != want || z[i] != want {
				t.Fatalf("%d keys, key %d: ids %d, %d, %d, want %d", n, i, x[i], y[i], z[i], want)
			}
		}
	}
}

func TestKeysWithTheSameHashTagAreToldApart(t *testing.T) {
	// 300,000 keys in a table whose tags have 32 bits of which 20 are the index: thousands of
	// pairs of neighbours share a tag by chance, and all must keep their own id.
	in := NewInterner(0)
	const n = 300_000
	for i := range uint32(n) {
		if id := in.Intern(fmt.Appendf(nil, "key-%d", i)); id != i {
			t.Fatalf("key %d has the id %d", i, id)
		}
	}
	for i := range uint32(n) {
		if got := string(in.Bytes(i)); got != fmt.Sprintf("key-%d", i) {
			t.Fatalf("id %d is %q", i, got)
		}
	}
}

func TestRandomUseAgreesWithAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 5))
	in := NewInterner(0)
	ids, refs := map[string]uint32{}, map[string]int{} // of the keys in use
	for step := range 200_000 {
		k := strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(30)) + fmt.Sprint(r.IntN(40))
		if grow := step/20_000%2 == 0; r.IntN(10) < 5 == grow || refs[k] == 0 {
			id := in.Intern([]byte(k))
			if was, ok := ids[k]; ok && was != id {
				t.Fatalf("step %d: %q had the id %d and has %d", step, k, was, id)
			}
			in.Retain(id)
			ids[k] = id
			refs[k]++
		} else {
			in.Release(ids[k])
			if refs[k]--; refs[k] == 0 {
				delete(ids, k)
				delete(refs, k)
			}
		}
		if in.Len() != len(ids) {
			t.Fatalf("step %d: %d keys, want %d", step, in.Len(), len(ids))
		}
	}
	seen := map[uint32]string{}
	for k, id := range ids {
		if other, ok := seen[id]; ok {
			t.Errorf("%q and %q share the id %d", k, other, id)
		}
		seen[id] = k
		if got := string(in.Bytes(id)); got != k {
			t.Errorf("id %d is %q, want %q", id, got, k)
		}
		if got, ok := in.Lookup([]byte(k)); !ok || got != id {
			t.Errorf("%q is found as %d, %v", k, got, ok)
		}
	}
}

func TestTheArenaOfPassingKeysStaysSmall(t *testing.T) {
	in := NewInterner(0)
	kept := in.Intern([]byte("kept"))
	in.Retain(kept)
	for i := range 200_000 { // 20 MB of keys in all, 100 at a time
		id := in.Intern(fmt.Appendf(nil, "%0100d", i))
		in.Retain(id)
		in.Release(id)
	}
	if in.Size() > 64<<10 || in.Len() != 1 || string(in.Bytes(kept)) != "kept" {
		t.Errorf("%d bytes held for %d keys", in.Size(), in.Len())
	}
}

func TestInterningKnownKeysAllocatesNothing(t *testing.T) {
	in := NewInterner(0)
	keys := []string{"sensor-a", "sensor-b", "x", "a longer key that takes more than sixteen bytes"}
	ids := make([]uint32, len(keys))
	raw := []byte("sensor-a")
	batch := [][]byte{raw, raw}
	if n := testing.AllocsPerRun(100, func() {
		in.InternStrings(keys, ids)
		in.InternBatch(batch, ids)
		in.Intern(raw)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
