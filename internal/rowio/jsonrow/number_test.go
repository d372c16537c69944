package jsonrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
)

func decoder(t *testing.T, fields ...record.Field) *Decoder {
	t.Helper()
	s := record.Schema(fields)
	d, err := New(Options{Schema: s, Fields: s.Names()})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// digits gives a number of so many digits, the first of which is not 0.
func digits(random *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		c := random.IntN(10)
		if i == 0 && n > 1 && c == 0 {
			c = 1
		}
		b.WriteByte(byte('0' + c))
	}
	return b.String()
}

func TestRandomNumbersAreThoseOfStrconv(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	floats := decoder(t, record.Field{Name: "x", Type: record.Type{Kind: record.Float}})
	ints := decoder(t, record.Field{Name: "x", Type: record.Type{Kind: record.Int}})
	const cases = 50_000
	for i := range cases {
		sign := []string{"", "-"}[random.IntN(2)]
		text := sign + digits(random, 1+random.IntN(19))
		line := []byte(fmt.Sprintf(`{"x":%s}`, text))
		if row, _, _, err := ints.Decode(line); err == nil {
			if want, err := strconv.ParseInt(text, 10, 64); err != nil || row[0].Int() != want {
				t.Fatalf("%s: got %v", text, row[0])
			}
		} else if want, parse := strconv.ParseInt(text, 10, 64); parse == nil {
			t.Fatalf("%s: %v, want %d", text, err, want)
		}
		text = sign + digits(random, 1+random.IntN(17)) + "." + strings.Repeat("0", random.IntN(4)) + digits(random, 1+random.IntN(17))
		if i%5 == 0 {
			text += fmt.Sprintf("e%d", random.IntN(600)-300)
		}
		line = []byte(fmt.Sprintf(`{"x": %s }`, text))
		want, err := strconv.ParseFloat(text, 64)
		row, _, _, got := floats.Decode(line)
		if (err == nil) != (got == nil) || err == nil && math.Float64bits(row[0].Float()) != math.Float64bits(want) {
			t.Fatalf("%s: got %v, %v; want %v, %v", text, row, got, want, err)
		}
	}
	t.Attr("cases", strconv.Itoa(cases))
}

// Keys that are new in each line must not be remembered one after another.
func TestKeysThatChangeAreNotLearntForever(t *testing.T) {
	d := decoder(t, record.Field{Name: "n", Type: record.Type{Kind: record.Int}})
	lines := make([][]byte, 1000)
	for i := range lines {
		lines[i] = []byte(fmt.Sprintf(`{"a key that nobody has seen before %d":{"x%d":1},"n":%d}`, i, i, i))
	}
	for _, line := range lines {
		if _, _, _, err := d.Decode(line); err != nil {
			t.Fatal(err)
		}
	}
	i := 0
	if n := testing.AllocsPerRun(len(lines)-1, func() {
		if row, _, _, err := d.Decode(lines[i]); err != nil || row[0].Int() != int64(i) {
			t.Fatal(row, err)
		}
		i++
	}); n > 0.5 {
		t.Errorf("%v allocations a line", n)
	}
}
