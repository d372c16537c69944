package strandline_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// TestTheLedgerNamesTheCellsThatLackARecord compares it with what a loop finds: a record behind the
// greatest event time before it by more than the bound misses its windows that have ended by then.
func TestTheLedgerNamesTheCellsThatLackARecord(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	type cell struct {
		key string
		win window.Interval
	}
	for range 40 {
		bound := r.Int64N(20)
		var all []event
		for i := range 1 + r.IntN(300) {
			all = append(all, event{At: int64(i) - r.Int64N(40), Key: string(rune('a' + r.IntN(3)))})
		}
		want := map[cell]int64{}
		assigner := window.Sliding(20*time.Second, 10*time.Second)
		high := int64(-1 << 40)
		for _, e := range all {
			for _, w := range assigner.Assign(nil, e.At*1e6) {
				if (high-bound)*1e6 >= w.Hi() {
					want[cell{e.Key, w}]++
				}
			}
			high = max(high, e.At)
		}
		for _, workers := range []int{1, 3} {
			p := strandline.New("polluted")
			input(p, all, time.Duration(bound)*time.Second).WindowInto(assigner).KeyBy("key", key).CombinePerKey("count", combine.Count[event]())
			report := mustRun(t, p, strandline.Workers(workers))
			step := counts(t, report, "count")
			if step.PollutedCells != int64(len(want)) || step.PollutedEstimate {
				t.Fatalf("%d cells, want %d", step.PollutedCells, len(want))
			}
			for _, c := range step.Polluted {
				if n := want[cell{c.Key, c.Window}]; n != c.Dropped {
					t.Errorf("%s in %v lacks %d, want %d", c.Key, c.Window, c.Dropped, n)
				}
			}
			if len(step.Polluted) != min(len(want), 100) {
				t.Errorf("%d are named", len(step.Polluted))
			}
		}
	}
}

// TestALateRecordSaysWhichSplitItCameFrom reads two splits, one of which has a late record.
func TestALateRecordSaysWhichSplitItCameFrom(t *testing.T) {
	for _, workers := range []int{1, 2} {
		p := strandline.New("splits")
		got := new(lines)
		read := strandline.Read(p, splits(1, keyed("a100 a100 a3"), keyed("b100 b100 b100")), watermark.Bounded(0).NoGuard(), at)
		late := read.WindowInto(window.Fixed(10*time.Second)).KeyBy("key", key).CombinePerKey("count", combine.Count[event]()).
			OnLate(func(l strandline.Late[event]) string { return l.Split + " " + l.Value.String() })
		strandline.Each(late, "late", func(x strandline.Pane[string]) { got.add("%s", x.Value) })
		report := mustRun(t, p, strandline.Workers(workers))
		if len(*got) > 0 { // with two workers the other split may not have begun
			expect(t, "late", *got, "part0/0 a@3")
		} else if workers == 1 {
			t.Error("nothing is late")
		}
		if len(report.Splits) != 2 || report.Splits[0].Split != "part0/0" || report.Splits[0].Read != 3 || report.Splits[1].Position != "part1/0:3" {
			t.Errorf("%+v", report.Splits)
		}
		if d := report.Splits[0].Delays; d.Greatest() != 97e6 || d.Behind() != 1 {
			t.Errorf("%d behind, by %d", d.Behind(), d.Greatest())
		}
	}
}

// The cells that lack a record which came too late.
func ExamplePollutedCell() {
	p := strandline.New("books")
	strandline.Read(p, memory.Slice("seconds", []int64{2, 13, 16, 5, 28}), watermark.Ascending(), func(s *int64) time.Time { return time.Unix(*s, 0) }).
		WindowInto(window.Fixed(10*time.Second)).
		Combine("count", combine.Count[int64]())
	report, _ := p.Run(context.Background())
	i := slices.IndexFunc(report.Steps, func(s strandline.StepReport) bool { return s.ID == "count" })
	var cell strandline.PollutedCell = report.Steps[i].Polluted[0]
	fmt.Println(report.Steps[i].PollutedCells, cell.Window, "lacks", cell.Dropped)
	// Output: 1 [1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z) lacks 1
}
