package main

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// board is where results are written down.
type board struct {
	turns                int
	all, passed, skipped int
}

// result is one line of the table. Ours is better than its rival by ratio.
type result struct {
	id, name    string
	side, rival string // who they are
	ours, theirs,
	ratio, goal float64 // a goal of 0 is none
	unit string
}

// put prints a result.
func (b *board) put(r result) {
	verdict := "no goal"
	if r.goal > 0 {
		verdict = fmt.Sprintf("goal >=%.2f  ", r.goal)
		b.all++
		if r.ratio >= r.goal {
			verdict += "pass"
			b.passed++
		} else {
			verdict += "miss"
		}
	}
	fmt.Printf("%-4s %-14s %s %s %s  %s %s %s  ratio %.2f  %s\n",
		r.id, r.name, r.side, digits(r.ours), r.unit, r.rival, digits(r.theirs), r.unit, r.ratio, verdict)
}

// digits writes a number with the digits that tell something.
func digits(x float64) string {
	if x < 1 {
		return fmt.Sprintf("%.3f", x)
	}
	return fmt.Sprintf("%.1f", x)
}

// skip says that a benchmark cannot run here, and why.
func (b *board) skip(id string, why error) {
	b.skipped++
	fmt.Printf("%-4s skipped: %v\n", id, why)
}

// compare puts the speeds of two ways to handle n events.
func (b *board) compare(id, name string, n int, side, rival string, goal float64, times [2]time.Duration) {
	speed := func(d time.Duration) float64 { return float64(n) / d.Seconds() / 1e6 }
	b.put(result{
		id: id, name: name, side: side, rival: rival, goal: goal, unit: "M/s",
		ours: speed(times[0]), theirs: speed(times[1]), ratio: times[1].Seconds() / times[0].Seconds(),
	})
}

// race lets two contenders run in turns and gives the best time of each: what disturbs the
// machine makes a run slower, never faster. Before each run the collector clears up what the
// other left.
func race(turns int, ours, theirs func()) (best [2]time.Duration) {
	for range turns {
		for i, run := range []func(){ours, theirs} {
			runtime.GC()
			start := time.Now()
			run()
			if d := time.Since(start); best[i] == 0 || d < best[i] {
				best[i] = d
			}
		}
	}
	return best
}

// duel lets two contenders run in turns too, each of which says how long it took. It gives the times
// of the turn whose ratio is the median: one turn does not decide, and what disturbs both sides of a
// turn does not count.
func duel(turns int, ours, theirs func() time.Duration) [2]time.Duration {
	pairs := make([][2]time.Duration, turns)
	for i := range pairs {
		pairs[i] = [2]time.Duration{ours(), theirs()}
	}
	slices.SortFunc(pairs, func(a, b [2]time.Duration) int {
		return cmp.Compare(a[1].Seconds()/a[0].Seconds(), b[1].Seconds()/b[0].Seconds())
	})
	return pairs[turns/2]
}

// clocked says how long f takes, on a heap that the collector has cleared up.
func clocked(f func()) func() time.Duration {
	return func() time.Duration {
		runtime.GC()
		start := time.Now()
		f()
		return time.Since(start)
	}
}

// same panics unless both contenders gave the same answer.
func same(what string, ours, theirs digest) {
	if ours != theirs {
		panic(fmt.Sprintf("%s: the answers differ: %+v and %+v", what, ours, theirs))
	}
}
