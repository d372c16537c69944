package yaml

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
)

// Rows added together are rows added one by one, to the bit: also where a sum passes what a float
// holds and comes back, and with values that are no numbers.
func TestABatchOfRowsIsItsRows(t *testing.T) {
	ops, words := numericOps([]aggregate{
		{fn: functionNamed(t, "count"), of: record.Type{Kind: record.Int}, field: -1},
		{fn: functionNamed(t, "sum"), of: record.Type{Kind: record.Float}, field: 0},
	})
	if words != 6 {
		t.Fatalf("%d words", words)
	}
	c := numerics[[8]uint64]{ops}
	r := rand.New(rand.NewPCG(3, 4))
	odd := []record.Value{{}, record.OfInt(7), record.OfFloat(math.Inf(1)), record.OfFloat(math.NaN()), record.OfFloat(math.MaxFloat64), record.OfFloat(-math.MaxFloat64)}
	for range 500 {
		rows, slots := make([]record.Row, 40), make([]uint32, 40)
		for i := range rows {
			v := record.OfFloat(math.Ldexp(r.Float64()-0.5, r.IntN(80)-40))
			if r.IntN(10) == 0 {
				v = odd[r.IntN(len(odd))]
			}
			rows[i], slots[i] = record.Row{v}, uint32(r.IntN(3))
		}
		var together, single [3][8]uint64
		c.AddBatch(together[:], slots, rows)
		for i := range rows {
			c.Add(&single[slots[i]], &rows[i])
		}
		if together != single {
			t.Fatalf("%v: %x together, %x one by one", rows, together, single)
		}
	}
}

func functionNamed(t *testing.T, name string) *aggregateFunction {
	for i := range aggregateFunctions {
		if aggregateFunctions[i].name == name {
			return &aggregateFunctions[i]
		}
	}
	t.Fatal(name)
	return nil
}
