package etime

import (
	"math/big"
	"testing"
	"time"
)

func TestFloorDivisionPutsNegativeTimesInTheWindowBefore(t *testing.T) {
	for _, c := range []struct{ a, size, offset, want int64 }{
		{-1, 10, 0, -10}, {0, 10, 0, 0}, {9, 10, 0, 0}, {10, 10, 0, 10}, {-10, 10, 0, -10}, {-11, 10, 0, -20},
		{4, 10, 5, -5}, {5, 10, 5, 5}, {5, 10, -5, 5}, {4, 10, -5, -5}, {-100, 30, 0, -120},
	} {
		if got := Floor(c.a, c.size, c.offset); got != c.want {
			t.Errorf("Floor(%d, %d, %d) = %d, want %d", c.a, c.size, c.offset, got, c.want)
		}
	}
	if got := FloorDiv(-1, 10); got != -1 {
		t.Errorf("FloorDiv(-1, 10) = %d, want -1", got)
	}
}

func TestArithmeticSaturates(t *testing.T) {
	for _, c := range []struct{ a, b, sum, diff int64 }{
		{Min, 5, Min, Min}, {Max, -5, Max, Max}, {Max - 1, 5, Max, Max - 6}, {Min + 1, -5, Min, Min + 6},
		{1, 2, 3, -1}, {-7, Max, Max - 7, Min}, {0, Min + 1, Min + 1, Max},
	} {
		if got := Add(c.a, c.b); got != c.sum {
			t.Errorf("Add(%d, %d) = %d, want %d", c.a, c.b, got, c.sum)
		}
		if got := Sub(c.a, c.b); got != c.diff {
			t.Errorf("Sub(%d, %d) = %d, want %d", c.a, c.b, got, c.diff)
		}
	}
}

func TestYears1600And9999AreOrdinary(t *testing.T) {
	for _, s := range []string{"1600-02-29T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"} {
		want, _ := time.Parse(time.RFC3339Nano, s)
		if got := Format(Micros(want)); got != s {
			t.Errorf("%s came back as %s", s, got)
		}
	}
	far := time.Date(400_000, 1, 1, 0, 0, 0, 0, time.UTC)
	if Micros(far) != Max {
		t.Errorf("year 400000 is %d, want Max", Micros(far))
	}
	if got := Micros(time.Unix(-1, 999_999_999)); got != -1 {
		t.Errorf("a nanosecond before 1970 is %d µs, want -1: cut towards the past", got)
	}
}

func FuzzFloorAgreesWithBigIntegers(f *testing.F) {
	f.Add(int64(-1), int64(10), int64(3))
	f.Fuzz(func(t *testing.T, a, size, offset int64) {
		if size <= 0 {
			t.Skip("a size is positive")
		}
		r := new(big.Int).Mod(new(big.Int).Sub(big.NewInt(a), big.NewInt(offset)), big.NewInt(size))
		want := new(big.Int).Sub(big.NewInt(a), r)
		if a == Min || a == Max {
			return
		}
		if got := Floor(a, size, offset); want.IsInt64() && got != want.Int64() {
			t.Errorf("Floor(%d, %d, %d) = %d, want %s", a, size, offset, got, want)
		}
	})
}
