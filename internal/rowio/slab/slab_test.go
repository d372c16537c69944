package slab

import (
	"fmt"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
)

func TestWhatIsKeptStays(t *testing.T) {
	var text Text
	var kept, want []string
	for i := range 5000 {
		s := strings.Repeat(fmt.Sprint(i), i%300)
		b := []byte(s)
		kept, want = append(kept, text.Keep(b)), append(want, s)
		clear(b)
	}
	for i := range kept {
		if kept[i] != want[i] {
			t.Fatalf("text %d is %q, want %q", i, kept[i], want[i])
		}
	}
}

func TestRowsAreApart(t *testing.T) {
	rows := Rows{Width: 3}
	var kept []record.Row
	for i := range 1000 {
		r := rows.Next()
		if len(r) != 3 || cap(r) != 3 || !r[0].IsNull() || !r[2].IsNull() {
			t.Fatalf("row %d is %v of %d", i, r, cap(r))
		}
		if r[0] = record.OfInt(-1); i%2 == 0 {
			clear(r) // malformed: it is not taken
			r = rows.Next()
		}
		r[0], r[2] = record.OfInt(int64(i)), record.OfInt(int64(-i))
		rows.Take()
		kept = append(kept, r)
	}
	for i, r := range kept {
		if r[0].Int() != int64(i) || !r[1].IsNull() || r[2].Int() != int64(-i) {
			t.Fatalf("row %d is %v", i, r)
		}
	}
	none := Rows{}
	for range 3 {
		if r := none.Next(); len(r) != 0 {
			t.Fatal(r)
		}
		none.Take()
	}
}

func TestLentRowsAreUsedAgain(t *testing.T) {
	rows := Rows{Width: 2}
	back := rows.Lend()
	for round := range 5 {
		var lent []record.Row
		for i := range 300 {
			r := rows.Next()
			if !r[0].IsNull() || !r[1].IsNull() {
				t.Fatalf("round %d: row %d is %v", round, i, r)
			}
			r[0], r[1] = record.OfInt(int64(i)), record.OfString("x")
			rows.Take()
			lent = append(lent, r)
		}
		for i, r := range lent {
			if r[0].Int() != int64(i) {
				t.Fatalf("round %d: row %d has become %v", round, i, r)
			}
		}
		back()
		for i, r := range lent {
			if !r[0].IsNull() || !r[1].IsNull() {
				t.Fatalf("round %d: row %d is %v after it was given back", round, i, r)
			}
		}
	}
	if allocs := testing.AllocsPerRun(10, func() {
		for range 300 {
			rows.Next()
			rows.Take()
		}
		back()
	}); allocs != 0 {
		t.Errorf("rows that were given back are not used again: %v allocations for 300 rows", allocs)
	}
}
