package strandline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/window"
)

// visit is an open session as a user's own state holds it.
type visit struct{ From, To, N int64 }

// handmade are session windows with state and timers, as a user would write them without
// window.Session: open sessions of a key are merged as elements come, each has a timer at its end,
// and what the watermark has passed is late.
func handmade(k strandline.Keyed[string, event], gap int64) strandline.Stepped[string, event, string] {
	return k.Stateful("by hand", strandline.PerKey,
		func(x *turn, open *[]visit, e *event) {
			if end := time.Unix(e.At+gap, 0); !x.Watermark().Before(end) {
				x.Emit(fmt.Sprint("late ", e))
				return
			}
			v := visit{e.At, e.At + gap, 1}
			*open = slices.DeleteFunc(*open, func(o visit) bool {
				meets := o.From < v.To && v.From < o.To
				if meets {
					v = visit{min(v.From, o.From), max(v.To, o.To), v.N + o.N}
				}
				return meets
			})
			*open = append(*open, v)
			x.SetTimer(strconv.FormatInt(v.To, 10), time.Unix(v.To, 0))
		},
		func(x *turn, open *[]visit, name string) {
			end, _ := strconv.ParseInt(name, 10, 64)
			*open = slices.DeleteFunc(*open, func(o visit) bool {
				if o.To == end {
					x.Emit(fmt.Sprintf("[%d, %d) %s %d", o.From, o.To, x.Key, o.N))
				}
				return o.To == end
			})
		})
}

// Sessions written with state and timers are session windows: the same sessions with the same
// elements, and the same late records, for any input in any order, on any number of workers.
func TestASessionByHandIsASessionWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	late := 0
	for n := range 40 {
		gap := 1 + r.Int64N(12)
		bound := time.Duration(r.IntN(40)) * time.Second
		events := make([]event, r.IntN(150))
		now := int64(-30)
		for i := range events {
			now += r.Int64N(5)
			events[i] = event{now - r.Int64N(1+r.Int64N(40)), string(rune('a' + r.IntN(4))), 1}
		}
		for _, workers := range []int{1, 2, 3, 8} {
			p := strandline.New("sessions")
			k := input(p, events, bound).KeyBy("key", key)
			counted := k.WindowInto(window.Session(time.Duration(gap)*time.Second)).CombinePerKey("count", combine.Count[event]())
			want, dropped, got := values(counted), new(lines), new(lines)
			strandline.Each(counted.OnLate(func(l strandline.Late[event]) string { return fmt.Sprint("late ", &l.Value) }), "late", func(x strandline.Pane[string]) { dropped.add("%s", x.Value) })
			strandline.Each(handmade(k, gap).PCollection, "by hand given", func(x strandline.Pane[string]) { got.add("%s", x.Value) })
			rep := mustRun(t, p, strandline.Workers(workers))
			expect(t, fmt.Sprintf("case %d, gap %d, bound %v, %d workers: %v", n, gap, bound, workers, events), *got, append(*want, *dropped...)...)
			late += int(counts(t, rep, "count").Counts.LateRecords)
			r.Shuffle(len(events), func(i, j int) { // nearby ones only, so that not all are late
				if i-j < 6 && j-i < 6 {
					events[i], events[j] = events[j], events[i]
				}
			})
		}
	}
	if late < 100 {
		t.Errorf("only %d elements were late: the comparison says little", late)
	}
	t.Attr("late", strconv.Itoa(late))
}
