package strandline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/window"
)

type turn = strandline.Turn[string, string]

// emitted gathers what a stateful step gives, with its time.
func emitted[K comparable](s strandline.Stepped[K, event, string]) *lines {
	l := new(lines)
	strandline.Each(s.PCollection, "", func(x strandline.Pane[string]) { l.add("%s at %d", x.Value, x.Time.Unix()) })
	return l
}

func TestStatePerKeyGoesOnAcrossWindows(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("state")
		got := emitted(input(p, keyed("a1 b2 a15 a27 b99"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).
			Stateful("running", strandline.PerKey, func(x *turn, sum *int64, e *event) {
				*sum += e.N
				x.Emit(fmt.Sprint(x.Key, " ", *sum))
			}, nil))
		mustRun(t, p, strandline.Workers(workers))
		// The numbers are 1 to 5: a has 1, 3, 4, b has 2, 5.
		expect(t, "running sums", *got, "a 1 at 1", "b 2 at 2", "a 4 at 15", "a 8 at 27", "b 7 at 99")
	})
}

func TestStatePerWindowIsForgottenWhenTheWindowExpires(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("state")
		s := input(p, keyed("a1 a2 a15 a3 a31 a4"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).AllowedLateness(10*time.Second).
			Stateful("running", strandline.PerWindow, func(x *turn, n *int, e *event) {
				*n++
				w, _ := x.Window()
				lo, _ := w.Micros()
				x.Emit(fmt.Sprint("[", lo/1e6, " ", *n))
			}, nil)
		got := emitted(s)
		late := new(lines)
		strandline.Each(s.OnLate(func(l strandline.Late[event]) string { return l.Value.String() }), "", func(x strandline.Pane[string]) { late.add("%s", x.Value) })
		rep := mustRun(t, p, strandline.Workers(workers))
		expect(t, "counts", *got, "[0 1 at 1", "[0 2 at 2", "[10 1 at 15", "[0 3 at 3", "[30 1 at 31")
		expect(t, "late", *late, "a@4")
		if n := counts(t, rep, "running").Counts; n.DroppedLate != 1 || n.LateKept != 1 || n.Assigned != 6 {
			t.Errorf("dropped %d, kept %d, assigned %d, want 1, 1 and 6", n.DroppedLate, n.LateKept, n.Assigned)
		}
	})
}

func TestStateCanBeAListOrAMap(t *testing.T) {
	p := strandline.New("state")
	keys := input(p, keyed("a1 b2 a3 a5 b8"), 0).KeyBy("key", key)
	list := emitted(keys.Stateful("list", strandline.PerKey, func(x *turn, times *[]int64, e *event) {
		*times = append(*times, e.At)
		x.Emit(fmt.Sprint(x.Key, *times))
	}, nil))
	table := emitted(keys.Stateful("map", strandline.PerKey, func(x *turn, seen *map[int64]string, e *event) {
		if *seen == nil {
			*seen = map[int64]string{}
		}
		(*seen)[e.At%2] = e.Key + fmt.Sprint(e.At)
		x.Emit(fmt.Sprint(*seen))
	}, nil))
	mustRun(t, p, strandline.Workers(2))
	expect(t, "list", *list, "a[1] at 1", "b[2] at 2", "a[1 3] at 3", "a[1 3 5] at 5", "b[2 8] at 8")
	expect(t, "map", *table, "map[1:a1] at 1", "map[0:b2] at 2", "map[1:a3] at 3", "map[1:a5] at 5", "map[0:b8] at 8")
}

func TestClearedStateStartsAnew(t *testing.T) {
	p := strandline.New("state")
	got := emitted(input(p, keyed("a1 a2 a3"), 0).KeyBy("key", key).Stateful("state", strandline.PerKey, func(x *turn, n *int, e *event) {
		*n++
		x.Emit(fmt.Sprint(*n))
		if *n == 2 {
			x.ClearState()
		}
	}, nil))
	mustRun(t, p)
	inOrder(t, "counts", *got, "1 at 1", "2 at 2", "1 at 3")
}

func TestTimersFireInOrderOfTheirTimes(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("timers")
		got := emitted(input(p, keyed("a1 a2 a40 a41"), 0).KeyBy("key", key).Stateful("state", strandline.PerKey,
			func(x *turn, n *int, e *event) {
				switch e.At {
				case 1:
					for _, at := range []int64{30, 10, 20} {
						x.SetTimer(fmt.Sprint("t", at), time.Unix(at, 0))
					}
				case 2:
					x.SetTimer("t20", time.Unix(15, 0)) // moves
					x.ClearTimer("t30")
				}
				x.Emit("element")
			},
			func(x *turn, n *int, name string) { x.Emit(name) }))
		mustRun(t, p, strandline.Workers(workers))
		inOrder(t, "what is given", *got, "element at 1", "element at 2", "element at 40", "t10 at 10", "t20 at 15", "element at 41")
	})
}

func TestATimerForThePastFiresAtOnceAndOnce(t *testing.T) {
	p := strandline.New("timers")
	got := emitted(input(p, keyed("a20 a21 a22"), 0).KeyBy("key", key).Stateful("state", strandline.PerKey,
		func(x *turn, n *int, e *event) {
			x.Emit("element")
			if e.At == 21 {
				x.SetTimer("past", time.Unix(5, 0))
			}
		},
		func(x *turn, n *int, name string) { x.Emit(name) }))
	mustRun(t, p)
	inOrder(t, "what is given", *got, "element at 20", "element at 21", "past at 5", "element at 22")
}

func TestTimersFireAtTheEndOfInput(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("timers")
		got := emitted(input(p, keyed("a1 b2"), 0).KeyBy("key", key).Stateful("state", strandline.PerKey,
			func(x *turn, seen *[]int64, e *event) {
				*seen = append(*seen, e.At)
				x.SetTimer("end", time.Unix(1000+e.At, 0))
			},
			func(x *turn, seen *[]int64, name string) { x.Emit(fmt.Sprint(x.Key, *seen)) }))
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "timers", *got, "a[1] at 1001", "b[2] at 1002")
	})
}

func TestATimerMaySetTheNext(t *testing.T) {
	p := strandline.New("timers")
	got := emitted(input(p, keyed("a1 a100"), 0).KeyBy("key", key).Stateful("state", strandline.PerKey,
		func(x *turn, n *int, e *event) {
			if e.At == 1 {
				x.SetTimer("tick", time.Unix(10, 0))
			}
		},
		func(x *turn, n *int, name string) {
			x.Emit(name)
			if *n++; *n < 3 {
				x.SetTimer(name, x.Time().Add(10*time.Second))
			}
		}))
	mustRun(t, p)
	inOrder(t, "ticks", *got, "tick at 10", "tick at 20", "tick at 30")
}

func TestATimerOfAWindowFiresAtItsExpiryAtTheLatest(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("timers")
		got := emitted(input(p, keyed("a1 a2 a50"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).AllowedLateness(5*time.Second).
			Stateful("state", strandline.PerWindow,
				func(x *turn, n *int, e *event) {
					*n++
					x.SetTimer("flush", time.Unix(1000, 0))
				},
				func(x *turn, n *int, name string) { x.Emit(fmt.Sprint(*n)) }))
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "counts of windows", *got, "2 at 15", "1 at 65")
	})
}

func TestStateBehindAnAggregation(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		p := strandline.New("state")
		per := input(p, keyed("a1 a2 b3 a11 b12 b13 a21"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).CombinePerKey("count", combine.Count[event]())
		change := per.Keyed().Stateful("change", strandline.PerKey, func(x *strandline.Turn[string, string], last *int64, n *int64) {
			w, _ := x.Window()
			lo, _ := w.Micros()
			x.Emit(fmt.Sprintf("%s %+d in [%d", x.Key, *n-*last, lo/1e6))
			*last = *n
		}, nil)
		var got lines
		strandline.Each(change.PCollection, "", func(x strandline.Pane[string]) { got.add("%s", x.Value) })
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "changes from window to window", got, "a +2 in [0", "a -1 in [10", "a +0 in [20", "b +1 in [0", "b +1 in [10")
	})
}

// S6.3: a key's elements are processed in the order in which they reached its worker. With one split
// and no exchange but the one by key, that is the order of reading.
func TestTheElementsOfAKeyComeInOrder(t *testing.T) {
	eachWorkers(t, func(t *testing.T, workers int) {
		var events []event
		for i := range int64(3000) {
			events = append(events, event{At: i, Key: string(rune('a' + i*i%11)), N: i})
		}
		p := strandline.New("order")
		var got []string
		s := input(p, events, 0).KeyBy("key", key).Stateful("order", strandline.PerKey, func(x *turn, last *int64, e *event) {
			if e.N < *last {
				x.Emit(fmt.Sprint(e.N, " after ", *last))
			}
			*last = e.N
		}, nil)
		strandline.Each(s.PCollection, "", func(x strandline.Pane[string]) { got = append(got, x.Value) })
		mustRun(t, p, strandline.Workers(workers))
		if slices.Sort(got); len(got) > 0 {
			t.Errorf("out of order: %s", strings.Join(got, ", "))
		}
	})
}
