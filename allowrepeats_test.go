package strandline_test

import (
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

// A pipeline that counts every pane of a cell is refused, unless it says so (S5.9).
func TestRepeatsPassByName(t *testing.T) {
	build := func(allow bool) *strandline.Pipeline {
		p := strandline.New("repeats")
		perKey := input(p, keyed("a1 a2 b3 a4 z15"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).
			Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(1))).CombinePerKey("count", combine.Count[event]()).Keyed()
		if allow {
			perKey = perKey.AllowRepeats()
		}
		strandline.Each(perKey.MapEntries("number", func(_ string, n *int64) int64 { return *n }).Combine("most", combine.Max(combine.Self[int64])).PCollection,
			"most", func(x strandline.Pane[int64]) {
				if x.Timing == trigger.OnTime && span(x) == "[0, 10)" && x.Value != 3 {
					t.Errorf("the most is %d, want 3", x.Value)
				}
			})
		return p
	}
	if build(false).Err() == nil {
		t.Error("results that come several times are aggregated again without a word")
	}
	mustRun(t, build(true))
}
