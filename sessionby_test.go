package strandline_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// gap is N seconds.
func gap(_ string, e *event) time.Duration { return time.Duration(e.N) * time.Second }

func TestSessionsTakeTheGapOfEachElement(t *testing.T) {
	for _, c := range []struct {
		about  string
		events []event // N is the gap
		want   []string
	}{
		{"a long gap reaches over a short one", []event{{0, "a", 10}, {3, "a", 2}, {9, "a", 1}}, []string{"[0, 10) a 3"}},
		{"a window that ends where the next begins", []event{{0, "a", 10}, {10, "a", 5}}, []string{"[0, 10) a 1", "[10, 15) a 1"}},
		{"keys apart", []event{{0, "a", 10}, {1, "b", 1}, {5, "b", 2}}, []string{"[0, 10) a 1", "[1, 2) b 1", "[5, 7) b 1"}},
		{"one that comes last and joins two", []event{{0, "a", 3}, {5, "a", 3}, {2, "a", 4}}, []string{"[0, 8) a 3"}},
		{"before 1970", []event{{-20, "a", 15}, {-6, "a", 6}}, []string{"[-20, 0) a 2"}},
	} {
		p := strandline.New("sessions")
		got := values(input(p, c.events, 5*time.Second).KeyBy("key", key).SessionBy("gap", gap).CombinePerKey("count", combine.Count[event]()))
		mustRun(t, p)
		expect(t, c.about, *got, c.want...)
	}
}

// With the same gap for all, windows, panes, lateness and order are those of window.Session.
func TestSessionsByAConstantGapAreThoseOfOneGap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 60 {
		events := make([]event, r.IntN(120))
		for i := range events {
			events[i] = event{int64(i) + r.Int64N(30), string(rune('a' + r.IntN(4))), 1}
		}
		const second = time.Second
		settings := func(k strandline.Keyed[string, event]) strandline.Results[string, event, int64] {
			return k.AllowedLateness(5*second).CombinePerKey("count", combine.Count[event]())
		}
		run := func(split func(strandline.Keyed[string, event]) strandline.Keyed[string, event]) (*lines, *strandline.Report) {
			p := strandline.New("sessions")
			got := panes(settings(split(input(p, events, 10*second).KeyBy("key", key))))
			return got, mustRun(t, p)
		}
		want, one := run(func(k strandline.Keyed[string, event]) strandline.Keyed[string, event] {
			return k.WindowInto(window.Session(7 * second))
		})
		got, each := run(func(k strandline.Keyed[string, event]) strandline.Keyed[string, event] {
			return k.SessionBy("gap", func(string, *event) time.Duration { return 7 * second })
		})
		inOrder(t, fmt.Sprint(events), *got, *want...)
		if g, w := counts(t, each, "count").Counts, counts(t, one, "count").Counts; g != w {
			t.Errorf("%v: the counters are %+v, want %+v", events, g, w)
		}
	}
}

// A pass over what each key has, sorted, finds the same sessions, whatever the run is like.
func TestSessionsByGapAreThoseOfASortedPass(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 7))
	for seed := range uint64(4) {
		events := make([]event, 150)
		for i := range events {
			events[i] = event{r.Int64N(400), string(rune('a' + r.IntN(3))), 1 + r.Int64N(12)}
		}
		build := func(in strandline.PCollection[event]) strandline.Results[string, event, int64] {
			return in.KeyBy("key", key).SessionBy("gap", gap).CombinePerKey("count", combine.Count[event]())
		}
		strandlinetest.Verification[event, strandline.KV[string, int64]]{Data: events, Time: at, Bound: 400 * time.Second, Orders: 2, Seed: seed,
			Build: func(in strandline.PCollection[event]) strandline.PCollection[strandline.KV[string, int64]] {
				return build(in).PCollection
			}}.Run(t)

		p := strandline.New("sessions")
		got := values(build(input(p, events, 400*time.Second)))
		mustRun(t, p, strandline.Workers(3))
		expect(t, "sorted pass", *got, sortedPass(events)...)
	}
}

func sortedPass(events []event) (want []string) {
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b event) int { return cmp.Or(strings.Compare(a.Key, b.Key), cmp.Compare(a.At, b.At)) })
	var lo, hi, n int64
	for i, e := range events {
		if i > 0 && (events[i-1].Key != e.Key || e.At >= hi) {
			want = append(want, fmt.Sprintf("[%d, %d) %s %d", lo, hi, events[i-1].Key, n))
			n = 0
		}
		if n == 0 {
			lo, hi = e.At, e.At+e.N
		}
		hi = max(hi, e.At+e.N)
		n++
	}
	return append(want, fmt.Sprintf("[%d, %d) %s %d", lo, hi, events[len(events)-1].Key, n))
}

// An element is late by its own window, not by the session that it might have joined (S4.3).
func TestAnElementWithAShortGapIsLateByIt(t *testing.T) {
	p := strandline.New("sessions")
	counts := input(p, []event{{0, "a", 100}, {50, "b", 1}, {40, "a", 10}, {40, "a", 11}}, 0).KeyBy("key", key).
		SessionBy("gap", gap).CombinePerKey("count", combine.Count[event]())
	var late lines
	strandline.Each(counts.OnLate(func(l strandline.Late[event]) event { return l.Value }), "late", func(x strandline.Pane[event]) {
		late.add("%d for %d", x.Value.At, x.Value.N)
	})
	got := values(counts)
	mustRun(t, p)
	expect(t, "sessions", *got, "[0, 100) a 2", "[50, 51) b 1")
	expect(t, "late", late, "40 for 10")
}

func TestAGapThatIsNoneEndsTheRunAndNamesStepAndElement(t *testing.T) {
	for _, d := range []time.Duration{0, -time.Second, time.Nanosecond} {
		p := strandline.New("sessions")
		values(input(p, keyed("a5 b7"), 0).KeyBy("key", key).SessionBy("idle time", func(_ string, e *event) time.Duration {
			if e.At == 7 {
				return d
			}
			return time.Second
		}).CombinePerKey("count", combine.Count[event]()))
		_, err := p.Run(context.Background())
		if err == nil || !strings.Contains(err.Error(), `step "idle time"`) || !strings.Contains(err.Error(), "b@7") || !strings.Contains(err.Error(), d.String()) {
			t.Errorf("%v: the error is %v", d, err)
		}
	}
}

// Other windows behind SessionBy replace the ones that it gave; both sides of a join may have
// them, and a step with state per key leaves them.
func TestWindowsByGapAreReplacedJoinedAndKept(t *testing.T) {
	events := []event{{0, "a", 10}, {7, "a", 10}, {31, "a", 2}}
	p := strandline.New("sessions")
	sessions := input(p, events, 0).KeyBy("key", key).SessionBy("gap", gap)
	replaced := values(sessions.WindowInto(window.Fixed(5*time.Second)).CombinePerKey("fixed", combine.Count[event]()))
	var joined lines
	strandline.Each(sessions.CoGroup("both", sessions.MapValues("n", value), func(k string, l []event, r []int64) string {
		return fmt.Sprintf("%s %d %v", k, len(l), r)
	}).PCollection, "joined", func(x strandline.Pane[string]) { joined.add("%s %s", span(x), x.Value) })
	kept := values(sessions.Stateful("number", strandline.PerKey, func(x *strandline.Turn[string, event], n *int64, e *event) {
		*n++
		x.Emit(event{e.At, e.Key, *n})
	}, nil).KeyBy("again", key).CombinePerKey("numbers", combine.Sum(value)))
	mustRun(t, p)
	expect(t, "replaced", *replaced, "[0, 5) a 1", "[5, 10) a 1", "[30, 35) a 1")
	expect(t, "joined", joined, "[0, 17) a 2 [10 10]", "[31, 33) a 1 [2]")
	expect(t, "kept", *kept, "[0, 17) a 3", "[31, 33) a 3")
}

func TestSessionGapsWithoutSessionByAreRefused(t *testing.T) {
	p := strandline.New("sessions")
	values(input(p, keyed("a5"), 0).KeyBy("key", key).WindowInto(window.SessionGaps()).CombinePerKey("count", combine.Count[event]()))
	if err := p.Err(); err == nil || !strings.Contains(err.Error(), "use SessionBy") {
		t.Errorf("it says %v", err)
	}
	q := strandline.New("untimed")
	values(strandline.Read(q, memory.Slice("events", keyed("a5")), watermark.EndOfInput(), nil).KeyBy("key", key).SessionBy("gap", gap).
		CombinePerKey("count", combine.Count[event]()))
	if err := q.Err(); !errors.Is(err, strandline.ErrNoEventTime) {
		t.Errorf("without event time it says %v", err)
	}
}
