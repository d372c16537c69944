package sim

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/oracle"
)

// A relation makes two runs of one random case, and says in which way they differ though they
// must not; ok is false if the relation says nothing about the case.
type relation func(c *Case, r *rand.Rand) (diff string, ok bool, err error)

// holds tries a relation on random cases, a twelfth as many as TestRandomPipelines takes, at least
// 250 by default; with STRANDLINE_BUDGET, for that time.
func holds(t *testing.T, about string, try relation) {
	t.Helper()
	n, until := cases(t)
	n /= 12
	first, done, bad := uint64(1), uint64(0), 0
	for _, name := range []string{"STRANDLINE_FIRST", "STRANDLINE_SEED"} {
		if s := os.Getenv(name); s != "" {
			if _, err := fmt.Sscan(s, &first); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	one := os.Getenv("STRANDLINE_SEED") != ""
	if one {
		n = 1
	}
	for seed := first; done < max(n, 1) && bad < 3 && (until.IsZero() || time.Now().Before(until)); seed++ {
		c := New(seed)
		diff, ok, err := try(c, rand.New(rand.NewPCG(seed, 13)))
		switch {
		case err != nil:
			t.Errorf("%v:\n%v", c, err)
			bad++
		case ok && diff != "":
			t.Errorf("%v:\n%s", c, diff)
			bad++
		}
		if ok {
			done++
		} else if one {
			t.Log("the relation says nothing about this case")
			break
		}
	}
	t.Attr("cases", fmt.Sprint(done))
	t.Logf("%s: %d cases", about, done)
}

// steady says whether the final value of a cell is the same whenever its panes come, as long as
// nothing is dropped: not with a trigger that finishes before the watermark does (S9.1), nor for
// sessions that give anything before they are over.
func (c *Case) steady() bool {
	s := &c.Spec
	if s.Window.Kind == oracle.Session && !s.FinalOnly && s.Trigger.Kind != oracle.Default && s.Trigger.Kind != oracle.Never {
		return false
	}
	return s.FinalOnly || s.Trigger.Kind != oracle.Count
}

// finals gives the final value of each key and window: its last pane, or its discarding panes
// together (S9.1).
func (c *Case) finals(a Answer) string {
	var lines []string
	for k, panes := range a.Panes {
		values := panes[len(panes)-1].Values
		if !c.Spec.Accumulating {
			values = nil
			for _, p := range panes {
				values = append(values, p.Values...)
			}
			slices.Sort(values)
		}
		lines = append(lines, fmt.Sprint(k, ": ", values))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// sameFinals compares the final values of two answers.
func (c *Case) sameFinals(a, b Answer) string {
	if x, y := c.finals(a), c.finals(b); x != y {
		return "one\n" + x + "\nother\n" + y
	}
	return ""
}

// both gives the answers of two cases.
func both(one, other *Case) (a, b Answer, err error) {
	if a, err = one.Engine(); err == nil {
		b, err = other.Engine()
	}
	return a, b, err
}

// kept says whether nothing was dropped or closed.
func kept(a Answer) bool { return a.Ledger.DroppedLate == 0 && a.Ledger.Closed == 0 }

// shuffled gives the events in another order in which none is more than the bound behind any
// before it.
func (c *Case) shuffled(r *rand.Rand) []Event {
	type placed struct {
		Event
		at int64
	}
	var all []placed
	for _, e := range c.Events {
		all = append(all, placed{e, e.At + r.Int64N(c.Bound.Microseconds()+1)})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return int(min(1, max(-1, a.at-b.at))) })
	var events []Event
	for _, p := range all {
		events = append(events, p.Event)
	}
	return events
}
