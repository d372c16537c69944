package main

import (
	"math"
	"testing"
	"time"
)

// TestTheEngineKeepsUpWithALoopWrittenByHand guards P1a. The goal is a ratio of 1 and the engine is
// well above it on a quiet machine; the margin of two is for the others.
func TestTheEngineKeepsUpWithALoopWrittenByHand(t *testing.T) {
	const n, least, attempts = 2 * million, 0.5, 3
	if raceDetector {
		t.Skip("the race detector slows the two down differently")
	}
	vs := events(n, p1Span/10, running(1000))
	best := 0.0
	for range attempts {
		times := p1aRace(3, vs)
		if best = max(best, times[1].Seconds()/times[0].Seconds()); best >= least {
			return
		}
	}
	t.Errorf("the engine has %.2f times the speed of the loop in the best of %d attempts, want %.1f: run make bench ONLY=P1a", best, attempts, least)
}

// TestTheLedgerCostsLittle guards what keeping the books may cost of P1a: 3 % is the goal, 10 % the most.
func TestTheLedgerCostsLittle(t *testing.T) {
	const n, most, attempts = 2 * million, 1.10, 3
	if raceDetector {
		t.Skip("the race detector slows the two down differently")
	}
	vs := events(n, p1Span/10, running(1000))
	cost := math.Inf(1)
	for range attempts {
		times := ledgerDuel(11, vs)
		if cost = min(cost, times[0].Seconds()/times[1].Seconds()); cost <= most {
			t.Logf("with books it takes %.3f times as long, the median of eleven turns", cost)
			return
		}
	}
	t.Errorf("with books the engine takes %.2f times as long in the best of %d attempts, want at most %.2f: run make bench ONLY=P1a-ledger", cost, attempts, most)
}

// Each panics if its two sides give different answers.
func TestContendersGiveTheSameAnswer(t *testing.T) {
	t.Run("P1a", func(*testing.T) { p1aRace(1, events(100_000, p1Span/10, scattered(100))) })
	t.Run("P2", func(t *testing.T) {
		if p2Prism == nil {
			t.Skip("built without -tags prism, since Beam's SDK takes minutes to build")
		}
		p2Duel(1, 20_000, 100)
	})
	t.Run("P10", func(*testing.T) {
		path, remove := trips(1000)
		defer remove()
		p10Duel(1, path, false)
		p10Duel(1, path, true)
	})
	t.Run("P13", func(*testing.T) {
		in := newP13(20_000)
		p13GroupByKey(in)
		p13CoGroup(in)
		p13IntervalJoin(in)
		p13Late(in, true)
	})
}

// Numbered events are the same in Go and in Java since both follow a published generator; the numbers
// are its first outputs for the seed 0. P3 compares panes where there is a Java.
func TestNumberedEventsAreMadeBySplitMix64(t *testing.T) {
	var state uint64
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := mix(state); got != want {
			t.Errorf("output %d is %#x, want %#x", i, got, want)
		}
		state += 0x9e3779b97f4a7c15
	}
}

// No pane is given before the record that lets it go, and every event is counted: p7Run panics if not.
func TestLatenciesAreOfTheRecordsThatLetPanesGo(t *testing.T) {
	for _, workers := range []int{1, 2} {
		l := p7Run(time.Second, workers)
		// 50 windows a second, of which the last two end with the input, and 200 keys.
		if n := len(l.read); n < 45*p7Keys || n > 51*p7Keys || len(l.due) != n {
			t.Errorf("%d workers: %d and %d panes were timed, want about %d", workers, n, len(l.due), 49*p7Keys)
		}
		for i, d := range l.read {
			if d < 0 || l.due[i] < d {
				t.Fatalf("%d workers: pane %d came %v after its record was read and %v after it was due", workers, i, d, l.due[i])
			}
		}
	}
}

func TestADuelGivesTheTurnWithTheMedianRatio(t *testing.T) {
	turn := 0
	ours := []time.Duration{10, 10, 30, 10, 20}
	theirs := []time.Duration{90, 20, 90, 50, 80} // 9, 2, 3, 5, 4
	got := duel(5, func() time.Duration { turn++; return ours[turn-1] }, func() time.Duration { return theirs[turn-1] })
	if want := [2]time.Duration{20, 80}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
