package swar

import (
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestLoadGivesTheFirstEightBytesOfText(t *testing.T) {
	memory := []byte("0123456789")
	for n := range memory {
		for _, text := range [][]byte{memory[:n], memory[:n:n]} {
			var got [Size]byte
			binary.LittleEndian.PutUint64(got[:], Load(text))
			if m := min(n, Size); string(got[:m]) != string(memory[:m]) {
				t.Errorf("%d bytes of %d: got %q", n, cap(text), got)
			}
		}
	}
}

func TestMarksAreThoseOfALoop(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		var text [Size]byte
		for i := range text {
			text[i] = ",-0/9:\x00\x80\xac\xff"[random.IntN(10)]
		}
		w := binary.LittleEndian.Uint64(text[:])
		var differ, others uint64
		first := Size
		for i, c := range text {
			if c != ',' {
				differ |= 1 << i
			}
			if c < '0' || c > '9' {
				others |= 1 << i
				first = min(first, i)
			}
		}
		if got := Bits(Differ(w, All(','))); got != differ {
			t.Fatalf("%q differs from commas at %08b, got %08b", text, differ, got)
		}
		if got := Bits(NotDigits(w ^ Zeroes)); got != others {
			t.Fatalf("%q has others than digits at %08b, got %08b", text, others, got)
		}
		if got := First(NotDigits(w ^ Zeroes)); got != first {
			t.Fatalf("%q: the first that is no digit is at %d, got %d", text, first, got)
		}
	}
}

func TestNumbersOfUpToEightDigits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		text := strconv.AppendInt(nil, int64(100_000_000+random.IntN(100_000_000)), 10)[1:]
		n := 1 + random.IntN(Size)
		want, err := strconv.ParseInt(string(text[:n]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := Number(Load(text)^Zeroes, n); got != want {
			t.Fatalf("%s: got %d", text[:n], got)
		}
	}
}

func TestASCII(t *testing.T) {
	for n := range 40 {
		text := make([]byte, n, n+n%3*8)
		for behind := range text[:cap(text)] {
			text[:cap(text)][behind] = 'a'
		}
		if cap(text) > n {
			text[:n+1][n] = 0xff // behind the text
		}
		if !ASCII(text) {
			t.Errorf("%d letters are not ASCII", n)
		}
		for i := range text {
			text[i] = 0x80
			if ASCII(text) {
				t.Errorf("%d bytes are ASCII with 0x80 at %d", n, i)
			}
			text[i] = 0x7f
		}
	}
}
