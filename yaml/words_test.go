package yaml

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/record"
)

func TestRowsThatAreTakenBackLeaveNothing(t *testing.T) {
	c := numerics[[8]uint64]{[]numeric{{op: opCount}, {op: opSumInt, field: 0, at: 1}, {op: opCountIf, field: 1, at: 4}}}
	f := numerics[[8]uint64]{[]numeric{{op: opMeanFloat, field: 2, kind: record.Float}, {op: opCount, at: 5}}}
	random := rand.New(rand.NewPCG(1, 2))
	row := func() record.Row {
		r := record.Row{record.OfInt(random.Int64() - math.MaxInt64/2), record.OfBool(random.IntN(2) == 0), record.OfFloat(float64(random.IntN(1000)) / 4)}
		if random.IntN(5) == 0 {
			r[random.IntN(3)] = record.Value{}
		}
		return r
	}
	for range 200 {
		kept, taken := row(), row()
		for _, one := range []numerics[[8]uint64]{c, f} {
			with, without := one.Create(), one.Create()
			one.Add(&with, &kept)
			one.Add(&with, &taken)
			one.Subtract(&with, &taken)
			one.Add(&without, &kept)
			a, err1 := one.Extract(&with)
			b, err2 := one.Extract(&without)
			if err1 != err2 || len(a) != len(b) {
				t.Fatalf("%v, %v", err1, err2)
			}
			for i := range a {
				if !record.Equal(a[i], b[i]) {
					t.Errorf("%v and %v taken back: %v, want %v", kept, taken, a, b)
				}
			}
		}
	}
	if _, ok := combine.AsSubtractor[record.Row, [8]uint64, record.Row](numerics[[8]uint64]{[]numeric{{op: opMax}}}); ok {
		t.Error("the greatest cannot be taken back")
	}
}
