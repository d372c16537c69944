package number

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		text string
		bits int
		want int64
		err  error
	}{
		{"0", 64, 0, nil},
		{"-0", 64, 0, nil},
		{"007", 64, 7, nil},
		{"+5", 64, 5, nil},
		{"12.0", 64, 12, nil},
		{"12.", 64, 12, nil},
		{".0", 64, 0, nil},
		{"1e3", 64, 1000, nil},
		{"-12000e-3", 64, -12, nil},
		{"9223372036854775807", 64, math.MaxInt64, nil},
		{"-9.223372036854775808E+18", 64, math.MinInt64, nil},
		{"9223372036854775808", 64, 0, ErrRange},
		{"127", 8, 127, nil},
		{"-128", 8, -128, nil},
		{"128", 8, 0, ErrRange},
		{"-129", 8, 0, ErrRange},
		{"128.0", 8, 0, ErrRange},
		{"1e999999999999", 64, 0, ErrRange},
		{"0e999999999999", 64, 0, nil},
		{"1.5", 64, 0, ErrWhole},
		{"1e-1", 64, 0, ErrWhole},
		{"", 64, 0, ErrSyntax},
		{"-", 64, 0, ErrSyntax},
		{".", 64, 0, ErrSyntax},
		{"1e", 64, 0, ErrSyntax},
		{"e1", 64, 0, ErrSyntax},
		{"1e+", 64, 0, ErrSyntax},
		{" 1", 64, 0, ErrSyntax},
		{"1 ", 64, 0, ErrSyntax},
		{"0x10", 64, 0, ErrSyntax},
		{"1_000", 64, 0, ErrSyntax},
		{"1,000", 64, 0, ErrSyntax},
		{"--1", 64, 0, ErrSyntax},
		{"1.2.3", 64, 0, ErrSyntax},
		{"inf", 64, 0, ErrSyntax},
		{"٣", 64, 0, ErrSyntax}, // a digit, and no ASCII
	} {
		if got, err := Int([]byte(c.text), c.bits); got != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%q in %d bits: got %d, %v; want %d, %v", c.text, c.bits, got, err, c.want, c.err)
		}
	}
	for _, c := range []struct {
		text string
		bits int
		want uint64
		err  error
	}{
		{"18446744073709551615", 64, math.MaxUint64, nil},
		{"18446744073709551616", 64, 0, ErrRange},
		{"255", 8, 255, nil},
		{"25.5e1", 8, 255, nil},
		{"256", 8, 0, ErrRange},
		{"-1", 64, 0, ErrRange},
		{"-0", 64, 0, nil},
		{"-0.0", 8, 0, nil},
		{"1.5", 8, 0, ErrWhole},
		{"x", 8, 0, ErrSyntax},
	} {
		if got, err := Uint([]byte(c.text), c.bits); got != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%q in %d bits, unsigned: got %d, %v; want %d, %v", c.text, c.bits, got, err, c.want, c.err)
		}
	}
}

func TestFloats(t *testing.T) {
	for _, c := range []struct {
		text string
		bits int
		want float64
		err  error
	}{
		{"0.1", 64, 0.1, nil},
		{"-21.375", 64, -21.375, nil},
		{".5", 64, 0.5, nil},
		{"5.", 64, 5, nil},
		{"+5", 64, 5, nil},
		{"123456789012345", 64, 123456789012345, nil},
		{"0.00000000000001", 64, 1e-14, nil},
		{"1e308", 64, 1e308, nil},
		{"1e309", 64, 0, ErrRange},
		{"1e39", 32, 0, ErrRange},
		{"9007199254740992", 64, 1 << 53, nil},
		{"9007199254740993", 64, 0, ErrRounded},
		{"+9007199254740993", 64, 0, ErrRounded},
		{"-9007199254740993", 64, 0, ErrRounded},
		{"18446744073709551616", 64, 1 << 64, nil},
		{"9007199254740993.0", 64, 9007199254740992, nil}, // with a point it is meant roughly
		{"16777216", 32, 1 << 24, nil},
		{"16777217", 32, 0, ErrRounded},
		{"0.1", 32, float64(float32(0.1)), nil},
		{"", 64, 0, ErrSyntax},
		{"-", 64, 0, ErrSyntax},
		{".", 64, 0, ErrSyntax},
		{"-.", 64, 0, ErrSyntax},
		{"1..5", 64, 0, ErrSyntax},
		{"NaN", 64, 0, ErrSyntax},
		{"0x1p3", 64, 0, ErrSyntax},
		{"1_0.5", 64, 0, ErrSyntax},
	} {
		if got, err := Float([]byte(c.text), c.bits); got != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%q in %d bits: got %v, %v; want %v, %v", c.text, c.bits, got, err, c.want, c.err)
		}
	}
	if v, err := Float([]byte("-0"), 64); v != 0 || !math.Signbit(v) || err != nil {
		t.Errorf("-0 is %v, %v", v, err)
	}
}

func TestShortFloatsAreThoseOfStrconvWhateverLiesBehind(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200_000 {
		memory := make([]byte, 1+random.IntN(17))
		for i := range memory {
			memory[i] = "0123456789012345678901234567890.-e"[random.IntN(34)]
		}
		text := memory[:1+random.IntN(len(memory))]
		if i%2 == 0 {
			text = text[:len(text):len(text)]
		}
		got, err := Float(text, 64)
		want, theirs := strconv.ParseFloat(string(text), 64)
		switch {
		case errors.Is(err, ErrRounded) && len(text) >= 8: // FuzzNumbers looks at it
		case (err == nil) != (theirs == nil), err == nil && math.Float64bits(got) != math.Float64bits(want):
			t.Fatalf("%q of %q: got %v, %v; strconv says %v, %v", text, memory, got, err, want, theirs)
		}
	}
}

func TestASetterReadsIntoEveryNumericKindAndNoOther(t *testing.T) {
	type id int16
	type row struct {
		before byte
		id     id
		after  byte
	}
	r := row{before: 1, after: 2}
	if err := Setter(reflect.TypeFor[id]().Kind())(unsafe.Pointer(&r.id), []byte("-300")); err != nil || r != (row{1, -300, 2}) {
		t.Errorf("got %+v, %v", r, err)
	}
	for _, v := range []any{new(int), new(int8), new(int16), new(int32), new(int64), new(uint), new(uint8), new(uint16), new(uint32), new(uint64), new(float32), new(float64)} {
		elem := reflect.ValueOf(v).Elem()
		if err := Setter(elem.Kind())(reflect.ValueOf(v).UnsafePointer(), []byte("100")); err != nil || elem.Convert(reflect.TypeFor[int]()).Int() != 100 {
			t.Errorf("%T became %v, %v", v, elem, err)
		}
	}
	for _, v := range []any{"", true, uintptr(1), complex64(1), []int{}, struct{}{}} {
		if Setter(reflect.TypeOf(v).Kind()) != nil {
			t.Errorf("%T counts as a number", v)
		}
	}
}

// FuzzNumbers compares with exact rational arithmetic, and floats with strconv.
func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"0", "-0", "+1", "12.0", "1e3", "1.5", "-12000e-3", "9223372036854775807.000", "1e-1", "0.00e5", "10e-1", "1E+2", ".5", "5.", "255", "256.0", "9007199254740993", "0.30000000000000004", "123456789.123456", "1e400", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if _, exponent, _ := strings.Cut(strings.ToLower(raw), "e"); len(exponent) > 4 || len(raw) > 200 {
			return
		}
		text := []byte(raw)
		exactly, ok := new(big.Rat).SetString(raw)
		if !valid(text) {
			for _, err := range []error{second(Int(text, 64)), second(Uint(text, 64)), second(Float(text, 64)), second(Float(text, 32))} {
				if !errors.Is(err, ErrSyntax) {
					t.Fatalf("%q: %v", raw, err)
				}
			}
			return
		}
		if !ok {
			t.Fatalf("math/big does not read %q", raw)
		}
		i, err := Int(text, 64)
		checkWhole(t, raw, exactly, err, exactly.Num().IsInt64(), exactly.Num().Int64() == i)
		u, err := Uint(text, 64)
		checkWhole(t, raw, exactly, err, exactly.Num().IsUint64(), exactly.Num().Uint64() == u)
		b, err := Int(text, 8)
		checkWhole(t, raw, exactly, err, exactly.Num().IsInt64() && exactly.Num().Int64() == int64(int8(exactly.Num().Int64())), exactly.Num().Int64() == b)
		for _, bits := range []int{32, 64} {
			got, err := Float(text, bits)
			want, theirs := strconv.ParseFloat(raw, bits)
			switch {
			case theirs != nil:
				if !errors.Is(err, ErrRange) {
					t.Fatalf("%q: got %v, %v; strconv says %v", raw, got, err, theirs)
				}
			case errors.Is(err, ErrRounded):
				if strings.ContainsAny(raw, ".eE") || new(big.Rat).SetFloat64(want).Cmp(exactly) == 0 {
					t.Fatalf("%q would not be rounded: %v", raw, want)
				}
			case err != nil || math.Float64bits(got) != math.Float64bits(want):
				t.Fatalf("%q in %d bits: got %v, %v; strconv says %v", raw, bits, got, err, want)
			case !strings.ContainsAny(raw, ".eE"):
				if new(big.Rat).SetFloat64(got).Cmp(exactly) != 0 {
					t.Fatalf("%q was rounded to %v", raw, got)
				}
			}
		}
	})
}

func second[A any](_ A, err error) error { return err }

func checkWhole(t *testing.T, raw string, exactly *big.Rat, err error, fits, same bool) {
	t.Helper()
	switch {
	case !exactly.IsInt() && !errors.Is(err, ErrWhole), exactly.IsInt() && !fits && !errors.Is(err, ErrRange), exactly.IsInt() && fits && (err != nil || !same):
		t.Fatalf("%q: error %v, whole %v, fits %v, the same %v", raw, err, exactly.IsInt(), fits, same)
	}
}
