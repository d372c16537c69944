package strandline_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/window"
)

type intoSum = strandline.CombiningState[event, int64]

// The cell of each key and window has what CombinePerKey has there when the window ends.
func TestACombiningCellEndsAtWhatTheAggregationGives(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for range 10 {
		events := make([]event, 80)
		for i := range events {
			events[i] = event{r.Int64N(100), string(rune('a' + r.IntN(4))), r.Int64N(1000) - 500}
		}
		for workers := 1; workers <= 3; workers++ {
			p := strandline.New("cells")
			k := input(p, events, 20*time.Second).KeyBy("key", key).WindowInto(window.Fixed(30 * time.Second))
			want := values(k.CombinePerKey("spread", combine.Both(combine.Sum(value), combine.Last(value))))
			got := new(lines)
			type both = strandline.CombiningState[event, combine.Pair[int64, int64]]
			cells := k.StatefulCombining("cells", strandline.PerWindow, combine.Both(combine.Sum(value), combine.Last(value)),
				func(x *turn, set *bool, sum both, e *event) {
					sum.Add(e)
					w, _ := x.Window()
					if !*set {
						x.SetTimer("end", w.End())
						*set = true
					}
				}, func(x *turn, _ *bool, sum both, _ string) {
					v, err := sum.Get()
					w, _ := x.Window()
					lo, hi := w.Micros()
					x.Emit(fmt.Sprintf("[%d, %d) %s %v %v", lo/1e6, hi/1e6, x.Key, v, err))
				})
			strandline.Each(cells.PCollection, "given", func(x strandline.Pane[string]) { got.add("%s", strings.TrimSuffix(x.Value, " <nil>")) })
			mustRun(t, p, strandline.Workers(workers))
			expect(t, fmt.Sprint(events), *got, *want...)
		}
	}
}

func TestACombiningCellPerKeyGoesOnAcrossWindowsUntilItIsCleared(t *testing.T) {
	p := strandline.New("cells")
	got := emitted(input(p, keyed("a1 b2 a15 a27 b99 a100"), 0).KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).
		StatefulCombining("sum", strandline.PerKey, combine.Sum(value), func(x *turn, n *int, sum intoSum, e *event) {
			sum.Add(e)
			v, err := sum.Get()
			x.Emit(fmt.Sprint(x.Key, " ", v, err))
			if *n++; *n == 3 {
				sum.Clear()
			}
		}, nil))
	mustRun(t, p)
	// The numbers are 1 to 6: a has 1, 3, 4, 6; b has 2, 5. The cell of a is cleared behind the 4.
	expect(t, "sums", *got, "a 1 <nil> at 1", "b 2 <nil> at 2", "a 4 <nil> at 15", "a 8 <nil> at 27", "b 7 <nil> at 99", "a 6 <nil> at 100")
}

// ClearState clears the cell with the rest. Of nothing, a mean has no value.
func TestAClearedCombiningCellIsEmpty(t *testing.T) {
	p := strandline.New("cells")
	var errs []error
	input(p, keyed("a1 a2"), 0).KeyBy("key", key).
		StatefulCombining("mean", strandline.PerKey, combine.Mean(value), func(x *turn, n *int, mean strandline.CombiningState[event, float64], e *event) {
			_, before := mean.Get()
			mean.Add(e)
			_, after := mean.Get()
			errs = append(errs, before, after)
			if *n != 0 {
				t.Error("the state was not cleared")
			}
			*n = 1
			x.ClearState()
		}, nil)
	mustRun(t, p)
	if len(errs) != 4 || !errors.Is(errs[0], combine.ErrEmpty) || errs[1] != nil || !errors.Is(errs[2], combine.ErrEmpty) || errs[3] != nil {
		t.Errorf("the errors are %v", errs)
	}
}

// Two cells of one step do not share an accumulator, also if one that fills allocates.
func TestCombiningCellsShareNothing(t *testing.T) {
	p := strandline.New("cells")
	got := emitted(input(p, keyed("a1 b2 a3 b4"), 0).KeyBy("key", key).
		StatefulCombining("set", strandline.PerKey, combine.Set(value), func(x *turn, _ *struct{}, set strandline.CombiningState[event, []int64], e *event) {
			set.Add(e)
			v, _ := set.Get()
			x.Emit(fmt.Sprint(x.Key, v))
		}, nil))
	mustRun(t, p, strandline.Workers(2))
	expect(t, "sets", *got, "a[1] at 1", "b[2] at 2", "a[1 3] at 3", "b[2 4] at 4")
}

func TestMistakesWithCombiningStateAreFoundAtBuild(t *testing.T) {
	p := strandline.New("cells")
	k := input(p, nil, 0).KeyBy("key", key)
	k.StatefulCombining("no function", strandline.PerKey, combine.Count[event](), (func(*turn, *int, intoSum, *event))(nil), nil)
	k.StatefulCombining("no field", strandline.PerKey, combine.Sum[event, int64](nil), func(*turn, *int, intoSum, *event) {}, nil)
	k.StatefulCombining("no codec", strandline.PerKey, combine.Count[event](), func(*turn, *chan int, intoSum, *event) {}, nil)
	err := fmt.Sprint(p.Err())
	for _, want := range []string{`stateful "no function": the function is nil`, `stateful "no field": combine`, `stateful "no codec": the state: `} {
		if !strings.Contains(err, want) {
			t.Errorf("without %q:\n%s", want, err)
		}
	}
}
