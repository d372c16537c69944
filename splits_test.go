package strandline_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// tally counts events per window of 10 s and key.
func tally(p *strandline.Pipeline, in strandline.PCollection[event]) strandline.Results[string, event, int64] {
	return in.KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
}

// byHand counts events per window of 10 s and key with a map.
func byHand(events ...[]event) lines {
	m := map[string]int{}
	for _, es := range events {
		for _, e := range es {
			lo := e.At / 10 * 10
			m[fmt.Sprintf("[%d, %d) %s", lo, lo+10, e.Key)]++
		}
	}
	var l lines
	for k, n := range m {
		l.add("%s %d", k, n)
	}
	return l
}

func TestTheWatermarkIsTheLeastOfTheSplits(t *testing.T) {
	// The first split is far ahead of the second, whose elements must not be late for that.
	ahead, behind := keyed("a100 a200 a300 a400"), keyed("b1 b2 b11 b12")
	for _, workers := range []int{1, 2, 5} {
		p := strandline.New("splits")
		r := tally(p, strandline.Read(p, splits(1, ahead, behind), watermark.Bounded(0).NoGuard(), at))
		got := values(r)
		rep := mustRun(t, p, strandline.Workers(workers))
		expect(t, fmt.Sprint(workers, " workers"), *got, byHand(ahead, behind)...)
		if n := counts(t, rep, "count").Counts.DroppedLate; n != 0 {
			t.Errorf("%d workers: %d late", workers, n)
		}
	}
}

func TestAnEmptySplitHoldsNothingBack(t *testing.T) {
	a, b := keyed("a1 a12 a23"), keyed("b3 b14 b25")
	for _, workers := range []int{1, 2, 3, 8} {
		for _, src := range []parts[event]{splits(1, a, nil, b), splits(1, nil, a, b), splits(2, a, b, nil)} {
			p := strandline.New("splits")
			got := values(tally(p, strandline.Read(p, src, watermark.Bounded(0).NoGuard(), at)))
			mustRun(t, p, strandline.Workers(workers))
			expect(t, fmt.Sprint(workers, " workers"), *got, byHand(a, b)...)
		}
	}
}

// Several splits in order of time each, whatever lies between reader and window: nothing is late,
// and every window has all of its elements.
func TestSplitsThatAreInOrderLoseNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for round := range 60 {
		var in [][]event
		for range 1 + r.IntN(4) {
			var es []event
			now := r.Int64N(50)
			for i := range r.IntN(80) {
				now += r.Int64N(5)
				es = append(es, event{At: now, Key: string(rune('a' + r.IntN(5))), N: int64(i)})
			}
			in = append(in, es)
		}
		for _, workers := range []int{1, 2, 3, 8} {
			p := strandline.New("splits")
			c := strandline.Read(p, splits(1+r.IntN(5), in...), watermark.Bounded(0).NoGuard(), at)
			switch r.IntN(3) {
			case 0:
				c = c.Reshuffle("spread")
			case 1:
				c = strandline.Flatten("both", c.Filter("even", func(e *event) bool { return e.N%2 == 0 }), c.Filter("odd", func(e *event) bool { return e.N%2 == 1 }))
			}
			res := tally(p, c)
			got := values(res)
			rep := mustRun(t, p, strandline.Workers(workers))
			expect(t, fmt.Sprint("round ", round, ", ", workers, " workers"), *got, byHand(in...)...)
			if n := counts(t, rep, "count").Counts.DroppedLate; n != 0 {
				t.Errorf("round %d, %d workers: %d late", round, workers, n)
			}
		}
	}
}

// With several splits out of order which records are late depends on how they interleave. That
// every one is in exactly one place does not.
func TestTheBooksBalanceWithLateRecordsOfSeveralSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for round := range 60 {
		var in [][]event
		total := 0
		for range 2 + r.IntN(3) {
			var es []event
			for i := range 100 {
				es = append(es, event{At: int64(i) + r.Int64N(60), Key: string(rune('a' + r.IntN(5)))})
			}
			in = append(in, es)
			total += len(es)
		}
		workers := 1 + r.IntN(5)
		p := strandline.New("splits")
		res := strandline.Read(p, splits(1+r.IntN(7), in...), watermark.Bounded(5*time.Second), at).Reshuffle("spread").
			KeyBy("key", key).WindowInto(window.Sliding(20*time.Second, 10*time.Second)).AllowedLateness(time.Duration(r.IntN(2))*10*time.Second).
			Discarding().CombinePerKey("count", combine.Count[event]())
		var given int64
		strandline.Each(res.PCollection, "", func(x strandline.Pane[strandline.KV[string, int64]]) { given += x.Value.Value })
		var missed int64
		strandline.Each(res.OnLate(func(l strandline.Late[event]) int { return len(l.Missed) }), "", func(x strandline.Pane[int]) { missed += int64(x.Value) })
		rep := mustRun(t, p, strandline.Workers(workers))
		n := counts(t, rep, "count").Counts
		if n.Assigned != int64(2*total) || n.Emitted != given || n.DroppedLate != missed || given+missed != n.Assigned {
			t.Errorf("round %d, %d workers: %d assigned of %d, %d given of %d emitted, %d missed of %d dropped", round, workers, n.Assigned, 2*total, given, n.Emitted, missed, n.DroppedLate)
		}
	}
}

// feed runs a live pipeline over n channels on a virtual clock, with a split idle after 10 s
// without data.
func feed(t *testing.T, n, workers int, script func(send func(i int, text string), wait func(time.Duration), got, late *lines)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var cs []chan event
		for range n {
			cs = append(cs, make(chan event))
		}
		p := strandline.New("live")
		r := tally(p, strandline.Read(p, channels(cs...), watermark.Bounded(0).Idle(10*time.Second), at))
		got := values(r)
		late := new(lines)
		strandline.Each(r.OnLate(func(l strandline.Late[event]) event { return l.Value }), "", func(x strandline.Pane[event]) { late.add("%v", x.Value) })
		run := p.Start(t.Context(), strandline.Workers(workers))
		script(func(i int, text string) {
			for _, e := range keyed(text) {
				cs[i] <- e
			}
			synctest.Wait()
		}, func(d time.Duration) { time.Sleep(d); synctest.Wait() }, got, late) // the bubble's clock: nothing is waited for
		for _, c := range cs {
			close(c)
		}
		rep, err := run.Wait()
		if err != nil {
			t.Error(err)
		}
		balances(t, rep)
	})
}

func TestASilentPartitionDoesNotStallTheOutput(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 4} {
		feed(t, 3, workers, func(send func(int, string), wait func(time.Duration), got, _ *lines) {
			send(0, "a1 a12")
			send(1, "b2 b13")
			wait(9 * time.Second)
			expect(t, "the third may still have something to say", *got)
			send(0, "a14")
			send(1, "b15")
			wait(2 * time.Second)
			expect(t, fmt.Sprint(workers, " workers: the third is idle"), *got, "[0, 10) a 1", "[0, 10) b 1")
		})
	}
}

func TestASplitThatWakesHoldsTheWatermarkAgain(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		feed(t, 2, workers, func(send func(int, string), wait func(time.Duration), got, late *lines) {
			send(0, "a1")
			wait(11 * time.Second) // both are idle
			send(1, "b5 b15")      // the first is still idle: [0, 10) is over
			expect(t, fmt.Sprint(workers, " workers"), *got, "[0, 10) a 1", "[0, 10) b 1")
			send(0, "a16") // awake at 16
			send(1, "c27") // [10, 20) must wait for the first
			expect(t, fmt.Sprint(workers, " workers: awake"), *got, "[0, 10) a 1", "[0, 10) b 1")
			send(0, "a28")
			expect(t, fmt.Sprint(workers, " workers: on"), *got, "[0, 10) a 1", "[0, 10) b 1", "[10, 20) a 1", "[10, 20) b 1")
			expect(t, "late", *late)
		})
	}
}

// What a split brings that was idle may be behind the watermark of the others, though not behind
// its own. It is judged by the step's, and goes to the late output.
func TestWhatASplitBringsThatWasIdleMayBeLate(t *testing.T) {
	for _, workers := range []int{1, 2, 4} {
		feed(t, 4, workers, func(send func(int, string), wait func(time.Duration), got, late *lines) {
			send(0, "a1")
			wait(11 * time.Second)
			send(1, "b95 b105") // all others are idle
			send(0, "c50")
			expect(t, fmt.Sprint(workers, " workers"), *late, "c@50")
		})
	}
}

// One split's data waits while the task is held up by a slow sink. That is not silence.
func TestASlowSinkMakesNoSplitIdle(t *testing.T) {
	for _, workers := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			cs := []chan event{make(chan event), make(chan event), make(chan event), make(chan event)}
			p := strandline.New("slow")
			in := strandline.Read(p, channels(cs...), watermark.Bounded(0).Idle(time.Second), at)
			in.WriteTo(sinkFunc(func(context.Context, connector.Rows) error {
				time.Sleep(5 * time.Second) // of the bubble's clock
				return nil
			}))
			r := tally(p, in)
			got := values(r)
			run := p.Start(t.Context(), strandline.Workers(workers))
			var sent [][]event
			for i, c := range cs {
				var es []event
				for n := range int64(20) {
					es = append(es, event{At: 10*n + int64(i), Key: string(rune('a' + i))})
				}
				sent = append(sent, es)
				go func() {
					defer close(c)
					for _, e := range es {
						c <- e
					}
				}()
			}
			rep, err := run.Wait()
			if err != nil {
				t.Fatal(err)
			}
			balances(t, rep)
			if n := counts(t, rep, "count").Counts.DroppedLate; n != 0 {
				t.Errorf("%d workers: %d late", workers, n)
			}
			expect(t, fmt.Sprint(workers, " workers"), *got, slices.Clone(byHand(sent...))...)
		})
	}
}
