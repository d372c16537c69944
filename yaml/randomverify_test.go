package yaml

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// TestRandomPipelinesOfYAMLHoldWhateverTheRunIsLike verifies pipelines whose functions all go by
// event time. What differs must be behind a step that depends on arrival by what it is.
func TestRandomPipelinesOfYAMLHoldWhateverTheRunIsLike(t *testing.T) {
	n, until := count(t)
	from, alone := firstSeed(t)
	if alone {
		n = 1
	}
	bad, done, held, cells := 0, 0, 0, 0
	for seed := from; seed < from+n && bad < 3 && (until.IsZero() || time.Now().Before(until)); seed++ {
		text := draw(seed).text()
		p, err := Parse("pipeline.yaml", text, Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		p.Recordable()
		if err := p.Check(t.Context()); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		r, err := p.Record(t.Context())
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		v, err := r.Verify(t.Context(), Verification{Seed: seed})
		done++
		switch {
		case errors.Is(err, ErrNothing):
		case err != nil:
			bad++
			t.Errorf("STRANDLINE_SEED=%d: %v\n%s", seed, err, text)
		case v.Difference == nil:
			held++
			for _, x := range v.Results {
				cells += x.Cells
			}
		case len(v.Arrival) == 0:
			bad++
			t.Errorf("STRANDLINE_SEED=%d: %v\n%s", seed, v, text)
		}
	}
	if !alone && until.IsZero() && held < done/2 {
		t.Errorf("only %d of %d hold", held, done)
	}
	t.Attr("cases", fmt.Sprint(done))
	t.Logf("%d of %d pipelines hold, with %d cells", held, done, cells)
}
