package strandline_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

func TestALiveSplitThatWakesIsNotLateBehindAFlattenOfItsBranches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan event, 10)
		p := strandline.New("branches")
		in := strandline.Read(p, memory.Channel("live", c), watermark.Bounded(0).NoGuard(), at)
		both := strandline.Flatten("both", in.Filter("l", func(*event) bool { return true }), in.Filter("r", func(*event) bool { return true }))
		r := both.KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
		got := panes(r)
		run := p.Start(t.Context())
		c <- keyed("a1")[0]
		synctest.Wait() // idle now
		for _, e := range keyed("a5 a25") {
			c <- e
		}
		synctest.Wait()
		close(c)
		rep, err := run.Wait()
		if err != nil || len(*got) != 2 {
			t.Errorf("%v, %v", *got, err)
		}
		if n := counts(t, rep, "count").Counts.DroppedLate; n != 0 {
			t.Errorf("%d late in an ascending single split", n)
		}
	})
}

// The panes of a first aggregation on several workers reach the second by several ways: when the
// source has been idle, none may run ahead of the others.
func TestALiveSplitThatWakesMakesNoPaneLateOnSeveralWorkers(t *testing.T) {
	for round := range 40 {
		synctest.Test(t, func(t *testing.T) {
			c := make(chan event, 10)
			p := strandline.New("stages")
			in := strandline.Read(p, memory.Channel("live", c), watermark.Bounded(0).NoGuard(), at)
			first := in.KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
			got := panes(first.Keyed().CombinePerKey("again", combine.Count[int64]()))
			run := p.Start(t.Context(), strandline.Workers(2))
			for _, e := range keyed("a1 b1 c1 d1 e1 f1") {
				c <- e
			}
			synctest.Wait() // idle now
			for _, e := range keyed("a25 b25") {
				c <- e
			}
			synctest.Wait()
			close(c)
			rep, err := run.Wait()
			if n := counts(t, rep, "again").Counts.DroppedLate; err != nil || n != 0 || len(*got) != 8 {
				t.Errorf("round %d: %d panes of the first step are late, %d of 8 came, %v", round, n, len(*got), err)
			}
		})
	}
}

func TestTheWatermarkOfASilentSourceFollowsTheClockIfAskedTo(t *testing.T) {
	for _, s := range []watermark.Strategy{watermark.Bounded(0).NoGuard().Idle(time.Second).IdleAdvance(), watermark.Bounded(0).NoGuard().IdleAdvance()} {
		synctest.Test(t, func(t *testing.T) {
			c := make(chan event, 10)
			p := strandline.New("live")
			in := strandline.Read(p, memory.Channel("live", c), s, at)
			got := panes(in.KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]()))
			run := p.Start(t.Context())
			c <- event{At: time.Now().Unix(), Key: "a", N: 1}
			time.Sleep(time.Hour) // of the bubble's clock
			synctest.Wait()
			if len(*got) == 0 {
				t.Errorf("%v: after an hour of silence the watermark has not followed the clock", s)
			}
			close(c)
			if _, err := run.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

// S3.3: what closes only because an idle source's watermark has followed the clock is marked and
// counted, also behind an exchange and in a second aggregation; what records close is not.
func TestWhatTheClockClosesIsMarkedAndCounted(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		synctest.Test(t, func(t *testing.T) {
			c := make(chan event, 10)
			p := strandline.New("live")
			in := strandline.Read(p, memory.Channel("live", c), watermark.Bounded(0).NoGuard().Idle(time.Second).IdleAdvance(), at)
			first := in.KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).AllowedLateness(time.Hour).Discarding().CombinePerKey("count", combine.Count[event]())
			got := panes(first)
			again := panes(first.Keyed().CombinePerKey("again", combine.Sum(combine.Self[int64])))
			run := p.Start(t.Context(), strandline.Workers(workers))
			start := time.Now().Unix() / 10 * 10
			send := func(at int64) {
				c <- event{At: start + at, Key: "a", N: 1}
				time.Sleep(10 * time.Millisecond) // of the bubble's clock
				synctest.Wait()
			}
			send(1)
			send(12) // a record closes the first window
			time.Sleep(time.Minute)
			synctest.Wait() // the clock closes the second
			send(13)        // and by the clock this one is late
			send(95)        // a record closes all that is before it
			send(101)
			send(96) // late by a record
			close(c)
			rep, err := run.Wait()
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range *got {
				_, (*got)[i], _ = strings.Cut(l, ") ")
			}
			inOrder(t, "panes", *got, "a 1 on time pane 0 (0), first", "a 1 on time pane 0 (0), first, by the clock", "a 1 late pane 1 (1), by the clock",
				"a 1 on time pane 0 (0), first", "a 1 late pane 1 (1)", "a 1 on time pane 0 (0), first, last")
			if n := counts(t, rep, "count").Counts.ByClock; n != 2 {
				t.Errorf("%d panes are counted as closed by the clock, want 2", n)
			}
			if n := strings.Count(strings.Join(*again, "\n"), "by the clock"); n != 2 || len(*again) != 6 {
				t.Errorf("%d of %d panes of the second step are marked, want 2 of 6:\n%s", n, len(*again), strings.Join(*again, "\n"))
			}
			if l := strandline.Ledger(rep); !strings.Contains(l, "; 4 panes by the clock") {
				t.Error(l)
			}
		})
	}
}

// Of two splits one is silent, and follows the clock: a window is closed by the clock until the
// records of the silent one have come so far, too.
func TestAWindowIsClosedByTheClockIfOneSplitFollowsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent, busy := make(chan event, 10), make(chan event, 10)
		p := strandline.New("live")
		in := strandline.Read(p, channels(silent, busy), watermark.Bounded(0).NoGuard().Idle(time.Second).IdleAdvance(), at)
		got := panes(in.KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]()))
		run := p.Start(t.Context())
		start := time.Now().Unix() / 10 * 10
		send := func(c chan event, at int64) {
			c <- event{At: start + at, Key: "a", N: 1}
			time.Sleep(10 * time.Millisecond) // of the bubble's clock
			synctest.Wait()
		}
		send(silent, 1)
		send(busy, 2)
		time.Sleep(time.Minute)
		synctest.Wait()
		send(busy, 40)
		send(busy, 71) // the silent one stands where the clock is, past 60
		send(silent, 80)
		close(silent)
		close(busy)
		if _, err := run.Wait(); err != nil {
			t.Fatal(err)
		}
		for i, l := range *got {
			_, (*got)[i], _ = strings.Cut(l, ") ")
		}
		inOrder(t, "panes", *got, "a 2 on time pane 0 (0), first, last, by the clock", "a 1 on time pane 0 (0), first, last", "a 1 on time pane 0 (0), first, last")
	})
}

func TestWhatATimerByTheClockGivesIsNotLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan event, 10)
		p := strandline.New("timers")
		in := strandline.Read(p, memory.Channel("live", c), watermark.Bounded(0).NoGuard(), at)
		st := in.KeyBy("key", key).Stateful("st", strandline.PerKey, func(x *strandline.Turn[string, string], s *int64, v *event) {
			x.SetProcessingTimer("t", x.ProcessingTime().Add(time.Second))
		}, func(x *strandline.Turn[string, string], s *int64, name string) { x.Emit(x.Key) })
		r := st.KeyByValue("k2", func(s string) string { return s }).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[string]())
		got := panes(r)
		run := p.Start(t.Context())
		for _, e := range keyed("a1 b25") {
			c <- e
		}
		time.Sleep(2 * time.Second) // of the bubble's clock
		synctest.Wait()
		close(c)
		rep, err := run.Wait()
		if err != nil || len(*got) == 0 {
			t.Errorf("%v, %v", *got, err)
		}
		if n := counts(t, rep, "count").Counts.DroppedLate; n != 0 {
			t.Errorf("%d results of timers dropped as late downstream", n)
		}
	})
}
