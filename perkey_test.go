package strandline_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// once gathers different values with their window and pane.
func once[T comparable](o strandline.Once[T]) *lines {
	l := new(lines)
	strandline.Each(o.PCollection, "", func(x strandline.Pane[T]) { l.add("%s %v %v", span(x), x.Value, x.Timing) })
	return l
}

func TestDistinctGivesEachValueOnceAWindow(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p := strandline.New("distinct")
		got := once(strandline.Distinct("different", input(p, keyed("a1 b2 a3 a12 b14 a15 c11"), 30*time.Second).Map("key", key).
			WindowInto(window.Fixed(10*time.Second))))
		mustRun(t, p, strandline.Workers(workers))
		expect(t, "values", *got, "[0, 10) a on time", "[0, 10) b on time", "[10, 20) a on time", "[10, 20) b on time", "[10, 20) c on time")
	}
}

// A value comes in the first pane that it is in, and never again: not in the on-time pane if it was
// in an early one, and not for a repeat that is late.
func TestDistinctGivesAValueInItsFirstPaneOnly(t *testing.T) {
	for name, accumulate := range map[string]func(strandline.PCollection[string]) strandline.PCollection[string]{
		"accumulating": strandline.PCollection[string].Accumulating,
		"discarding":   strandline.PCollection[string].Discarding,
		"retracting":   strandline.PCollection[string].Retracting,
	} {
		p := strandline.New("distinct")
		windowed := input(p, keyed("a1 a2 b3 z21 a4 c5 c6 d25 e55 f7"), 0).Map("key", key).WindowInto(window.Fixed(10 * time.Second)).
			Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(2)).Late(trigger.AfterCount(1))).AllowedLateness(30 * time.Second)
		different := strandline.Distinct("different", accumulate(windowed))
		got := once(different)
		late := new(lines)
		strandline.Each(different.OnLate(func(l strandline.Late[string]) string { return l.Value }), "late", func(x strandline.Pane[string]) { late.add("%s", x.Value) })
		mustRun(t, p)
		expect(t, name, *got, "[0, 10) a early", "[0, 10) b on time", "[0, 10) c late", "[20, 30) z on time", "[20, 30) d on time", "[50, 60) e on time")
		expect(t, name+": late", *late, "f")
	}
}

func TestNaNIsOneValueAndMinusZeroIsZero(t *testing.T) {
	p := strandline.New("distinct")
	minus := math.Copysign(0, -1)
	numbers := strandline.Read(p, memory.Slice("numbers", []float64{math.NaN(), 0, minus, math.NaN(), 1}), watermark.EndOfInput(), nil)
	n := strandline.Distinct("different", numbers).Combine("how many", combine.Count[float64]())
	got := new(lines)
	strandline.Each(n.PCollection, "", func(x strandline.Pane[int64]) { got.add("%d", x.Value) })
	mustRun(t, p)
	expect(t, "NaN, 0 and 1", *got, "3")
}

// What comes out of Distinct, however often its windows fire, may be aggregated again: nothing is
// given twice.
func TestDistinctValuesMayBeCountedAgain(t *testing.T) {
	p := strandline.New("distinct")
	windowed := input(p, keyed("a1 a2 b3 z21 a4 c5"), 0).Map("key", key).WindowInto(window.Fixed(10 * time.Second)).AllowedLateness(time.Minute)
	n := strandline.Distinct("different", windowed).WindowInto(window.Global()).Combine("how many", combine.Count[string]())
	got := new(lines)
	strandline.Each(n.PCollection, "", func(x strandline.Pane[int64]) { got.add("%d", x.Value) })
	mustRun(t, p)
	expect(t, "a, b, c and z", *got, "4")
}

// Latest, top and sample per key against a sorted slice, on any number of workers and in any order.
func TestPickingPerKeyDoesNotDependOnOrderOrWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	events := make([]event, 300)
	for i := range events {
		events[i] = event{r.Int64N(60), string(rune('a' + r.IntN(4))), r.Int64N(30)}
	}
	type cell struct {
		start int64
		key   string
	}
	groups := map[cell][]event{}
	for _, e := range events {
		c := cell{e.At / 20 * 20, e.Key}
		groups[c] = append(groups[c], e)
	}
	var latest, top lines
	for c, all := range groups {
		// Encodings are ordered as the fields are: the time, the key, the number.
		slices.SortFunc(all, func(a, b event) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.N, a.N)) })
		latest.add("[%d, %d) %s %v", c.start, c.start+20, c.key, all[0].N)
		slices.SortFunc(all, func(a, b event) int { return cmp.Compare(b.N, a.N) })
		var scores []int64
		for _, e := range all[:3] {
			scores = append(scores, e.N)
		}
		top.add("[%d, %d) %s %v", c.start, c.start+20, c.key, scores)
	}
	var sample string
	for run := range 4 {
		r.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
		p := strandline.New("picked")
		k := input(p, events, time.Hour).KeyBy("key", key).WindowInto(window.Fixed(20 * time.Second))
		gotLatest := new(lines)
		strandline.Each(strandline.LatestPerKey("latest", k).PCollection, "latest values", func(x strandline.Pane[strandline.KV[string, event]]) {
			gotLatest.add("%s %s %d", span(x), x.Value.Key, x.Value.Value.N)
		})
		gotTop := new(lines)
		strandline.Each(strandline.TopPerKey("top", k, 3, value).PCollection, "top values", func(x strandline.Pane[strandline.KV[string, []event]]) {
			var scores []int64
			for _, e := range x.Value.Value {
				scores = append(scores, e.N)
			}
			gotTop.add("%s %s %v", span(x), x.Value.Key, scores)
		})
		drawn := new(lines)
		strandline.Each(strandline.SamplePerKey("sample", k, 5, 7).PCollection, "samples", func(x strandline.Pane[strandline.KV[string, []event]]) {
			seen := map[event]bool{}
			for _, e := range x.Value.Value {
				lo, _ := x.Window.Micros()
				if seen[e] || !slices.Contains(groups[cell{lo / 1e6, x.Value.Key}], e) {
					t.Errorf("%v of %s is drawn twice, or is not in it", e, span(x))
				}
				seen[e] = true
			}
			drawn.add("%s %s %v", span(x), x.Value.Key, x.Value.Value)
		})
		mustRun(t, p, strandline.Workers(1+run))
		expect(t, "latest", *gotLatest, latest...)
		expect(t, "top", *gotTop, top...)
		if run > 0 && drawn.sorted() != sample {
			t.Errorf("another sample was drawn:\n%s\nand\n%s", drawn.sorted(), sample)
		}
		sample = drawn.sorted()
	}
}

func TestPickingValuesThatCannotBeEncodedIsAMistake(t *testing.T) {
	p := strandline.New("picked")
	k := input(p, nil, 0).KeyByWith("key", func(e *event) (string, chan int) { return e.Key, nil })
	strandline.LatestPerKey("latest", k)
	strandline.TopPerKey("top", k, 1, func(*chan int) int { return 0 })
	strandline.SamplePerKey("sample", k, 1, 0)
	strandline.SamplePerKey("none", k.MapValues("number", func(*chan int) int { return 0 }), 0, 0)
	err := fmt.Sprint(p.Err())
	for _, want := range []string{`latest per key "latest": the values: `, `top per key "top": the values: `, `sample per key "sample": the values: `, "n must be at least 1"} {
		if !strings.Contains(err, want) {
			t.Errorf("without %q:\n%s", want, err)
		}
	}
}
