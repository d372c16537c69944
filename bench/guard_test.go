package main

import "testing"

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

func TestContendersGiveTheSameAnswer(t *testing.T) {
	vs := events(100_000, p1Span/10, scattered(100))
	p1aRace(1, vs) // panics if they do not
}
