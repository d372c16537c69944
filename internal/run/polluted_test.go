package run

import (
	"fmt"
	"math"
	"testing"

	"github.com/strandline-stream/strandline/internal/core"
	"github.com/strandline-stream/strandline/window"
)

func TestPollutedCellsAreCountedExactlyUpToABoundAndThenEstimated(t *testing.T) {
	for _, n := range []int64{0, 1, NamedPolluted, NamedPolluted + 1, MostPolluted, MostPolluted + 1, 300_000} {
		p := newPollution[string]()
		for round := range int64(2) { // each cell lacks two records
			for i := range n {
				win := window.FromMicros(i/100*10, i/100*10+10)
				p.add(fmt.Sprint("k", i%100), i, 7+round, []window.Interval{win})
			}
		}
		var r StepReport
		p.report(&r, func(step string, key any) string { return "key " + key.(string) })
		exact := n <= MostPolluted
		switch {
		case r.PollutedEstimate == exact:
			t.Errorf("%d cells: an estimate: %v", n, r.PollutedEstimate)
		case exact && r.PollutedCells != n:
			t.Errorf("%d cells, want %d", r.PollutedCells, n)
		case math.Abs(float64(r.PollutedCells-n)) > 4*core.CardinalityError*float64(n):
			t.Errorf("about %d cells, want %d within four standard errors", r.PollutedCells, n)
		}
		if want := int(min(n, NamedPolluted)); len(r.Polluted) != want {
			t.Errorf("%d cells are named, want %d", len(r.Polluted), want)
		}
		if n == 1 {
			if got, want := r.Polluted[0], (PollutedCell{Key: "key k0", Window: window.FromMicros(0, 10), Dropped: 2, Last: 0, Watermark: 8}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	}
}
