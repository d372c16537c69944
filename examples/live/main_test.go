package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// In the bubble three seconds pass at once. Events 0 to 299 come before 2.995 s are over, one
// every 10 ms, and none is late: the watermark is as far behind as disorder goes.
func TestEveryEventIsInALastPaneWhenTheRunIsDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 2995*time.Millisecond)
		defer stop()
		var out strings.Builder
		if err := run(ctx, &out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		const ledger = "ledger: 300 read = 300 kept + 0 malformed; 300 assigned = 300 in a window + 0 in a gap + 0 late + 0 closed; 300 in a window = 300 given + 0 open; drained before the input had ended"
		if last := lines[len(lines)-1]; last != ledger {
			t.Errorf("got  %s\nwant %s", last, ledger)
		}
		total, timings := 0, map[string]int{}
		for _, l := range lines[:len(lines)-1] {
			var from, to, sensor, timing string
			var n int
			if _, err := fmt.Sscanf(l, "%s %s %s %d events %s", &from, &to, &sensor, &n, &timing); err != nil {
				t.Fatalf("%q: %v", l, err)
			}
			timings[timing]++
			if strings.Contains(l, ", last") {
				total += n
			}
			if strings.Contains(l, "drained") {
				timings["drained"]++
			}
		}
		if total != 300 {
			t.Errorf("the last panes have %d events, want 300", total)
		}
		for _, timing := range []string{"early", "on", "drained"} {
			if timings[timing] == 0 {
				t.Errorf("no pane is %s:\n%s", timing, out.String())
			}
		}
	})
}

// Window [0, 1) of the bubble's clock ends for the watermark at 1.3 s, in which its panes come.
func TestPanesAppearAsTheyFire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var out strings.Builder
		go run(ctx, &out)
		<-time.After(1500 * time.Millisecond)
		synctest.Wait()
		if got := strings.Count(out.String(), "[00:00:00, 00:00:01)  sensor-a"); got < 2 {
			t.Errorf("%d panes of the first window have come by now, want early ones and that on time:\n%s", got, out.String())
		}
		if !strings.Contains(out.String(), "on time") {
			t.Errorf("no pane has come on time by now:\n%s", out.String())
		}
	})
}
