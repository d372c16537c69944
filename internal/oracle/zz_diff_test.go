package oracle

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"
)

func TestZZDump(t *testing.T) {
	out := os.Getenv("ZZ_OUT")
	if out == "" {
		t.Skip()
	}
	f, _ := os.Create(out)
	defer f.Close()
	enc := json.NewEncoder(f)
	rng := rand.New(rand.NewPCG(7, 9))
	for range 20000 {
		w := tens
		if rng.IntN(2) == 0 {
			w = Window{Kind: Session, Gap: 10 * second}
		}
		spec := Spec{Window: w, Trigger: randomTrigger(rng, 3), Accumulating: rng.IntN(2) == 0, Lateness: 1e6 * second, Output: Output(rng.IntN(3))}
		var evs []Event
		W := int64(-1000 * second)
		var sizes []int
		for i := range rng.Int64N(25) {
			e := Event{W: W, Value: i}
			if rng.IntN(4) == 0 {
				W += rng.Int64N(8) * second
				if W < -100*second {
					W = 0
				}
				e.W = W
				e.Mark = true
			} else {
				e.At = rng.Int64N(40) * second
			}
			evs = append(evs, e)
		}
		evs = append(evs, Event{W: W, Mark: true})
		for i := range evs {
			sizes = append(sizes, len(Evaluate(spec, evs[:i+1]).Panes))
		}
		enc.Encode(map[string]any{"spec": map[string]any{"Window": map[string]any{"Kind": w.Kind}, "Trigger": spec.Trigger, "Accumulating": spec.Accumulating, "Output": spec.Output}, "events": evs, "sizes": sizes, "panes": Evaluate(spec, evs).Panes})
	}
}
