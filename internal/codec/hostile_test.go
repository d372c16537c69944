package codec

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/big"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"
)

// refuses checks that bytes, in hexadecimal, are no encoding.
func refuses[T any](t *testing.T, c *Codec[T], in, want string) {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(in, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if rest, err := c.Decode(b, &v); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), want) || !bytes.Equal(rest, b) {
		t.Errorf("%s as %s: rest %x, error %v, want one with %q", in, c.ID(), rest, err, want)
	}
}

func TestBytesThatNothingIsWrittenAsAreRefused(t *testing.T) {
	const early = "the input ends too early"
	refuses(t, must[bool](t), "", early)
	refuses(t, must[bool](t), "02", "a bool of 2")
	refuses(t, must[int8](t), "", early)
	refuses(t, must[int64](t), "80", early)
	refuses(t, must[int64](t), "8000", "longer form")
	refuses(t, must[uint64](t), "ffffffffffffffffff02", "more than 64 bits")
	refuses(t, must[uint64](t), "ffffffffffffffffffff01", "more than 64 bits")
	refuses(t, must[uint16](t), "808004", "65536 does not fit 16 bits")
	refuses(t, must[int32](t), "8080808010", "does not fit 32 bits")
	refuses(t, must[float32](t), "000000", early)
	refuses(t, must[complex128](t), "000000000000f03f", early)
	refuses(t, must[string](t), "0261", "a length of 2 with 1 bytes left")
	refuses(t, must[string](t), "ffffffffffffffffff01", "a length of 18446744073709551615")
	refuses(t, must[[]byte](t), "0361", "a length of 2 with 1 bytes left")
	refuses(t, must[[]int64](t), "ffffffffffffffff7f00", "a length of")
	refuses(t, must[[]position](t), "03"+strings.Repeat("00", 31), "a length of 2 with 31 bytes left")
	refuses(t, must[[]empty](t), "ffffffff0f", "a length of")
	refuses(t, must[[]empty](t), "0201", "without content is 1")
	refuses(t, must[[4]byte](t), "000000", early)
	refuses(t, must[time.Time](t), "00 8094ebdc03", "1000000000 nanoseconds")
	refuses(t, must[labels](t), "03 0161 02 00 04", "out of order")
	refuses(t, must[labels](t), "03 0161 02 0161 04", "twice")
	refuses(t, must[labels](t), "ffffffffff7f", "a length of")
	refuses(t, must[*int](t), "0200", "mark is 2")
	refuses(t, must[*position](t), "01000000", early)
	refuses(t, must[[]struct {
		P position
		B bool
	}](t), "02"+strings.Repeat("00", 16)+"02", "corrupt encoding at [0].B: a bool of 2")
	refuses(t, must[netip.Addr](t), "03 010203", "a netip.Addr refused its bytes: ")
	refuses(t, must[big.Int](t), "01 78", "a big.Int refused its bytes")
}

func TestAKeyThatMarshalsItselfIsReadInItsOneFormOnly(t *testing.T) {
	c := mustKey[spelled](t)
	writes(t, c, "0161", spelled{"a"})
	refuses(t, c, "0141", "in another form")
	refuses(t, c, "00", "it panicked: ")
}

// spelled reads any case and writes the lower; it panics on nothing.
type spelled struct{ S string }

func (s spelled) MarshalText() ([]byte, error) { return []byte(s.S), nil }
func (s *spelled) UnmarshalText(b []byte) error {
	_ = b[0]
	s.S = strings.ToLower(string(b))
	return nil
}

func TestDeepInputIsAnError(t *testing.T) {
	type list struct{ Next *list }
	refuses(t, must[list](t), strings.Repeat("01", 20_000), "nested deeper than 10,000 levels")
	refuses(t, must[nested](t), strings.Repeat("02", 20_000), "nested deeper than 10,000 levels")
	var v list
	_, err := must[list](t).Decode(bytes.Repeat([]byte{1}, 5000), &v)
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("the error of a deep place takes %d bytes", len(err.Error()))
	}
}

// allocated gives the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestALengthThatTheInputDoesNotBearOutAllocatesNothing(t *testing.T) {
	claim := binary.AppendUvarint(nil, 1<<40)
	claim = append(claim, make([]byte, 100)...)
	var n uint64
	check := func(name string, f func() error) {
		t.Helper()
		var err error
		n = allocated(func() { err = f() })
		if err == nil || n > 64<<10 {
			t.Errorf("%s: %d bytes allocated, error %v", name, n, err)
		}
	}
	check("string", func() error { _, err := must[string](t).Decode(claim, new(string)); return err })
	check("slice", func() error { _, err := must[[]reading](t).Decode(claim, new([]reading)); return err })
	check("empty elements", func() error { _, err := must[[]empty](t).Decode(claim, new([]empty)); return err })
	check("map", func() error { _, err := must[labels](t).Decode(claim, new(labels)); return err })
	check("own marshalling", func() error { _, err := must[big.Int](t).Decode(claim, new(big.Int)); return err })
}

func TestNestedLengthsDoNotClaimTheSameBytesTwice(t *testing.T) {
	// Each level claims as many elements as there are bytes left; an element takes 24 bytes of
	// memory and at least one of input.
	in := []byte{}
	for range 5000 {
		in = append(in, 100)
	}
	check := func(most uint64, f func() error) {
		t.Helper()
		var err error
		if n := allocated(func() { err = f() }); err == nil || n > most {
			t.Errorf("%d bytes allocated, want at most %d; error %v", n, most, err)
		}
	}
	check(3*24*5000, func() error { _, err := must[nested](t).Decode(in, new(nested)); return err })
	// A pointer to 8,008 bytes that are written in 1,001 at least: 5,000 bytes justify four.
	type wide struct {
		Next *wide
		Many [1000]*int
	}
	ones := bytes.Repeat([]byte{1}, 5000)
	check(10*8192, func() error { _, err := must[wide](t).Decode(ones, new(wide)); return err })
}

// fuzz decodes hostile bytes: an error or a value that is written as just these bytes, and memory in
// proportion to the input.
func fuzz[T any](t *testing.T, c *Codec[T], in []byte) {
	var v T
	var rest []byte
	var err error
	// The dearest bytes of the types below are those that become a map of one entry (a few hundred
	// bytes of memory for four); errors with their paths add to it.
	if n := allocated(func() { rest, err = c.Decode(in, &v) }); n > 64<<10+uint64(len(in))*512 {
		t.Errorf("%d bytes allocated for %d of input", n, len(in))
	}
	if err != nil {
		if !errors.Is(err, ErrCorrupt) || err.Error() == "" {
			t.Errorf("error %v", err)
		}
		return
	}
	if got := c.Append(nil, &v); !bytes.Equal(got, in[:len(in)-len(rest)]) {
		t.Errorf("%x is read as what is written %x", in[:len(in)-len(rest)], got)
	}
}

func FuzzDecode(f *testing.F) {
	r, tr, k, m, ns := must[reading](f), must[tree](f), mustKey[fuzzKey](f), must[map[float64][]set](f), must[nested](f)
	f.Add(r.Append(nil, &reading{base: base{"x"}, Next: &reading{}, Tags: []string{"a"}, Labels: labels{"b": 1}}))
	f.Add(tr.Append(nil, &tree{1, []tree{{}}, map[string]*tree{"a": nil, "b": {}}}))
	f.Add(k.Append(nil, &fuzzKey{"a", -1, 0.5, time.Unix(1, 1), netip.MustParseAddr("::1")}))
	f.Add(m.Append(nil, &map[float64][]set{1: {{1: {}}}, 2: nil}))
	f.Add([]byte("\x03\x02\x02\x01\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		fuzz(t, r, in)
		fuzz(t, tr, in)
		fuzz(t, k, in)
		fuzz(t, m, in)
		fuzz(t, ns, in)
	})
}

type fuzzKey struct {
	S string
	I int32
	F float64
	T time.Time
	A netip.Addr
}
