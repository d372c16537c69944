package codec

import (
	"math"
	"reflect"
	"testing"
	"time"
)

type (
	port   uint16
	flag   bool
	region string
)

// widens checks the bits of keys and that they come back.
func widens[T comparable](t *testing.T, keys []T, want ...uint64) {
	t.Helper()
	toBits, fromBits, ok := IntKey[T]()
	if !ok {
		t.Fatalf("%T is no integer key", *new(T))
	}
	got := make([]uint64, len(keys))
	toBits(keys, got)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v widens to %x, want %x", keys, got, want)
	}
	for i, k := range keys {
		if back := fromBits(got[i]); back != k {
			t.Errorf("%v came back as %v", k, back)
		}
	}
}

func TestIntegerKeysWidenWithTheirSign(t *testing.T) {
	const minus1 = math.MaxUint64
	widens(t, []int8{-1, 127, -128}, minus1, 127, 0xffffffffffffff80)
	widens(t, []int16{-1, 300}, minus1, 300)
	widens(t, []int32{-1, math.MinInt32}, minus1, 0xffffffff80000000)
	widens(t, []int64{-1, math.MinInt64}, minus1, 1<<63)
	widens(t, []int{-1, 5}, minus1, 5)
	widens(t, []uint8{255}, 255)
	widens(t, []port{65535, 80}, 65535, 80)
	widens(t, []uint32{math.MaxUint32}, math.MaxUint32)
	widens(t, []uint64{math.MaxUint64}, minus1)
	widens(t, []uint{7}, 7)
	widens(t, []bool{true, false}, 1, 0)
	widens(t, []flag{true, false}, 1, 0)
	widens(t, []time.Duration{-time.Microsecond}, 0xfffffffffffffc18)
	widens(t, []level{}, []uint64{}...)
}

func TestOtherTypesAreNoIntegerAndNoStringKeys(t *testing.T) {
	for name, ok := range map[string]bool{"float64": isInt[float64](), "string": isInt[string](), "uintptr": isInt[uintptr](), "struct": isInt[struct{ A int }](), "pointer": isInt[*int]()} {
		if ok {
			t.Errorf("%s is taken for an integer key", name)
		}
	}
	if _, _, ok := StringKey[int](); ok {
		t.Error("int is taken for a string key")
	}
	if _, ok := Strings([]int{1}); ok {
		t.Error("int is taken for a string key")
	}
}

func isInt[T comparable]() bool { _, _, ok := IntKey[T](); return ok }

func TestStringKeysAreViewedWithoutCopyingAndMadeFromCopies(t *testing.T) {
	bytesOf, fromBytes, ok := StringKey[region]()
	if !ok {
		t.Fatal("a named string is no string key")
	}
	k := region("north\xff")
	if got := bytesOf(&k); string(got) != "north\xff" {
		t.Errorf("bytes %q", got)
	}
	if n := testing.AllocsPerRun(100, func() { _ = bytesOf(&k) }); n != 0 {
		t.Errorf("%v allocations to view a key", n)
	}
	src := []byte("south")
	made := fromBytes(src)
	src[0] = 'x'
	if made != "south" {
		t.Errorf("a key shares memory with its source: %q", made)
	}
	if got := bytesOf(new(region(""))); len(got) != 0 {
		t.Errorf("the empty key has the bytes %q", got)
	}
	if view, ok := Strings([]region{"a", "b"}); !ok || !reflect.DeepEqual(view, []string{"a", "b"}) {
		t.Errorf("%q, %v", view, ok)
	}
}

func groupOf[T comparable](t *testing.T, k T) int {
	t.Helper()
	g, err := KeyGrouper[T]()
	if err != nil {
		t.Fatal(err)
	}
	return g(&k)
}

func TestKeyGroupsAreThoseOfTheFormat(t *testing.T) {
	// Computed outside Go: the upper ten bits of reference XXH3 and of SplitMix64's finalizer.
	for _, c := range []struct{ got, want int }{
		{groupOf(t, ""), 180}, {groupOf(t, "a"), 923}, {groupOf(t, "abc"), 482}, {groupOf(t, region("sensor-a")), 555},
		{groupOf(t, "sensor-b"), 459}, {groupOf(t, "münchen"), 22},
		{groupOf(t, 0), 0}, {groupOf(t, false), 0}, {groupOf(t, true), 346}, {groupOf(t, int8(2)), 879}, {groupOf(t, uint64(42)), 669},
		{groupOf(t, int64(-1)), 723}, {groupOf(t, int8(-7)), 878}, {groupOf(t, int64(math.MinInt64)), 151},
		{groupOf(t, struct {
			City  string
			Month int
		}{"Berlin", 4}), 752}, // the bytes 06 "Berlin" 08
		{KeyGroup([]byte("abc")), 482}, {KeyGroupOfBits(42), 669},
	} {
		if c.got != c.want {
			t.Errorf("group %d, want %d", c.got, c.want)
		}
	}
	if a, b := groupOf(t, int32(-5)), groupOf(t, int64(-5)); a != b {
		t.Errorf("a key changes its group with its width: %d, %d", a, b)
	}
	if a, b := groupOf(t, math.NaN()), groupOf(t, math.Float64frombits(0xfff8000000000001)); a != b {
		t.Errorf("NaN is in two groups: %d, %d", a, b)
	}
	if a, b := groupOf(t, 0.0), groupOf(t, negativeZero); a != b {
		t.Errorf("0 and -0 are in two groups: %d, %d", a, b)
	}
}

func TestKeysSpreadEvenlyOverGroups(t *testing.T) {
	var ints, strs [KeyGroups]int
	const n = 100 * KeyGroups
	for i := range n {
		ints[KeyGroupOfBits(uint64(i))]++
		strs[KeyGroup([]byte{'k', byte(i), byte(i >> 8), byte(i >> 16)})]++
	}
	for name, counts := range map[string][KeyGroups]int{"integers": ints, "strings": strs} {
		chi := 0.0
		for _, c := range counts {
			chi += float64(c-100) * float64(c-100) / 100
		}
		// 1,023 degrees of freedom: mean 1,023, standard deviation 45; six of them either way.
		if chi < 1023-270 || chi > 1023+270 {
			t.Errorf("%s: chi squared %.0f, want about 1023", name, chi)
		}
	}
}
