package delimited

import (
	"math/rand/v2"
	"testing"
)

func TestEndsAreThoseOfALoopWhateverLiesBehind(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	d := Dialect{Delimiter: ';'}
	for i := range 200_000 {
		memory := make([]byte, random.IntN(2*Span+20))
		for i := range memory {
			memory[i] = ";;:<a\x00\xbb\xff"[random.IntN(8)]
		}
		record := memory[:random.IntN(len(memory)+1)]
		if i%2 == 0 {
			record = record[:len(record):len(record)]
		}
		var want uint64
		for i, c := range record {
			if c == ';' && i < Span {
				want |= 1 << i
			}
		}
		if len(record) < Span {
			want |= 1 << len(record)
		}
		if got := d.Ends(record); got != want {
			t.Fatalf("%q: got %064b, want %064b", record, got, want)
		}
	}
}
