package strandline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// group gives what a co-group of three gives: the numbers of each side in ascending order.
func group(key string, first, second []event, third []int64) string {
	numbers := func(events []event) (all []int64) {
		for _, e := range events {
			all = append(all, e.N)
		}
		slices.Sort(all)
		return all
	}
	third = slices.Clone(third)
	slices.Sort(third)
	return fmt.Sprint(key, numbers(first), numbers(second), third)
}

// Every key and window that has an element in any of three inputs comes out once with all of
// them, as a nested loop finds them.
func TestCoGroup3GivesWhatANestedLoopFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 12 {
		var inputs [3][]event
		for i := range inputs {
			inputs[i] = make([]event, r.IntN(40))
			for j := range inputs[i] {
				inputs[i][j] = event{r.Int64N(60) - 20, string(rune('a' + r.IntN(5))), r.Int64N(1000)}
			}
		}
		var want lines
		for start := int64(-20); start < 40; start += 10 {
			for _, k := range []string{"a", "b", "c", "d", "e"} {
				var of [3][]event
				for i, events := range inputs {
					for _, e := range events {
						if e.Key == k && e.At >= start && e.At < start+10 {
							of[i] = append(of[i], e)
						}
					}
				}
				if len(of[0])+len(of[1])+len(of[2]) == 0 {
					continue
				}
				var third []int64
				for _, e := range of[2] {
					third = append(third, e.N)
				}
				want.add("[%d, %d) %s", start, start+10, group(k, of[0], of[1], third))
			}
		}
		for workers := 1; workers <= 4; workers++ {
			p := strandline.New("three")
			read := func(i int) strandline.Keyed[string, event] {
				return strandline.Read(p, memory.Slice(fmt.Sprint("input", i), inputs[i]).Batch(3), watermark.Bounded(time.Minute), at).
					KeyBy(fmt.Sprint("key", i), key).WindowInto(window.Fixed(10 * time.Second))
			}
			got := new(lines)
			all := read(0).CoGroup3("all", read(1), read(2).MapValues("number", value), group)
			strandline.Each(all.PCollection, "", func(x strandline.Pane[string]) { got.add("%s %s", span(x), x.Value) })
			mustRun(t, p, strandline.Workers(workers))
			expect(t, fmt.Sprint(inputs, workers), *got, want...)
		}
	}
}

func TestSessionsOfThreeInputsMerge(t *testing.T) {
	p := strandline.New("three")
	read := func(name, events string) strandline.Keyed[string, event] {
		return strandline.Read(p, memory.Slice(name, keyed(events)), watermark.Bounded(time.Minute), at).
			KeyBy("key of "+name, key).WindowInto(window.Session(5 * time.Second))
	}
	got := new(lines)
	all := read("first", "a0 a30").CoGroup3("all", read("second", "a4"), read("third", "a8 b8").MapValues("number", value), group)
	strandline.Each(all.PCollection, "", func(x strandline.Pane[string]) { got.add("%s %s", span(x), x.Value) })
	mustRun(t, p)
	expect(t, "sessions", *got, "[0, 13) a[1] [1] [1]", "[30, 35) a[2] [] []", "[8, 13) b[] [] [2]")
}

// Each of the three inputs has late records, and each is told apart from the others.
func TestLateRecordsOfThreeInputsGoToTheirFunction(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p := strandline.New("three")
		in := input(p, keyed("a1 b2 c3 z20 a4 b5 c6"), 0).WindowInto(window.Fixed(10 * time.Second))
		of := func(k string) strandline.Keyed[string, event] {
			return in.Filter("only "+k, func(e *event) bool { return e.Key == k || e.Key == "z" }).KeyBy("key "+k, key)
		}
		all := of("a").CoGroup3("all", of("b"), of("c"), func(k string, first, second, third []event) string {
			return fmt.Sprint(k, len(first), len(second), len(third))
		})
		says := func(what string) func(strandline.Late[event]) string {
			return func(l strandline.Late[event]) string { return what + " " + l.Value.String() }
		}
		var got, late lines
		strandline.Each(all.PCollection, "given", func(x strandline.Pane[string]) { got.add("%s", x.Value) })
		strandline.Each(all.OnLate(says("first"), says("second"), says("third")), "late", func(x strandline.Pane[string]) { late.add("%s", x.Value) })
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "given", got, "a1 0 0", "b0 1 0", "c0 0 1", "z1 1 1")
		expect(t, "late", late, "first a@4", "second b@5", "third c@6")
	}
}

func TestMistakesWithThreeInputsAreFoundAtBuild(t *testing.T) {
	three := func(string, []event, []event, []event) int { return 0 }
	for says, build := range map[string]func(k strandline.Keyed[string, event]){
		"collection 3 is windowed otherwise than the first": func(k strandline.Keyed[string, event]) {
			k.CoGroup3("all", k, k.WindowInto(window.Fixed(time.Second)), three)
		},
		"collection 2 belongs to another pipeline": func(k strandline.Keyed[string, event]) {
			k.CoGroup3("all", input(strandline.New("other"), nil, 0).KeyBy("key", key), k, three)
		},
		"the function is nil": func(k strandline.Keyed[string, event]) { k.CoGroup3[event, event, int]("all", k, k, nil) },
		"FinalOnly or Discarding": func(k strandline.Keyed[string, event]) {
			again := strandline.GroupByKey("first", k.WindowInto(window.Global()).Trigger(trigger.Repeat(trigger.AfterCount(1)))).Keyed()
			again.CoGroup3("all", again, again, func(string, [][]event, [][]event, [][]event) int { return 0 })
		},
	} {
		p := strandline.New("three")
		build(input(p, nil, 0).KeyBy("by", key))
		if err := p.Err(); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "cogroup3_test.go:") {
			t.Errorf("want %q, it says %v", says, err)
		}
	}
}
