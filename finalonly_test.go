package strandline_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// S5.5: one pane a window. A trigger by the clock gives none before it.
func TestFinalOnlyGivesNothingByTheClock(t *testing.T) {
	for _, w := range []window.Assigner{window.Fixed(10 * time.Second), window.Session(10 * time.Second)} {
		synctest.Test(t, func(t *testing.T) {
			c := make(chan event)
			p := strandline.New("final")
			got := panes(strandline.Read(p, memory.Channel("live", c), watermark.Bounded(0), at).KeyBy("key", key).WindowInto(w).
				Trigger(trigger.Repeat(trigger.AfterProcessingTime(time.Second))).FinalOnly().CombinePerKey("count", combine.Count[event]()))
			run := p.Start(t.Context())
			c <- keyed("a0")[0]
			time.Sleep(time.Minute) // of the bubble's clock
			synctest.Wait()
			close(c)
			if _, err := run.Wait(); err != nil {
				t.Fatal(err)
			}
			expect(t, w.String(), *got, "[0, 10) a 1 on time pane 0 (0), first, last")
		})
	}
}
