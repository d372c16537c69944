package browser

import (
	"fmt"
	"math/rand/v2"

	"github.com/strandline-stream/strandline/internal/lateness"
)

const second = 1_000_000

// door is one record: somebody went through a door.
type door struct {
	site       string
	at, behind int64 // microseconds
}

// doors are records of one hour at some sites, of which the second is often late.
func doors(sites []string) []door {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]door, 3000)
	for i := range all {
		d := door{site: sites[r.IntN(len(sites))], at: int64(i) * 1_200_000}
		if d.site == sites[1] && r.IntN(4) == 0 {
			d.behind = int64(r.ExpFloat64() * 40 * second)
		} else if r.IntN(3) == 0 {
			d.behind = int64(r.ExpFloat64() * second)
		}
		all[i] = d
	}
	return all
}

// result is what some bounds and allowed latenesses cost on the records, counted by minute and site.
func result(name string, sites []string, bounds []int64, allowed []lateness.Span) *lateness.Result {
	records := doors(sites)
	by := make([][]int64, len(sites))
	var all []int64
	for _, d := range records {
		all = append(all, d.behind)
		for i, s := range sites {
			if d.site == s {
				by[i] = append(by[i], d.behind)
			}
		}
	}
	r := &lateness.Result{
		Pipeline: name, Kind: lateness.Bound, Strategy: "bounded(1s)", Records: int64(len(records)), Complete: 60 * len(sites), By: "site",
		Notes: []string{"the order of the file is taken for the order of arrival"}, Seconds: 2.5, Plain: 0.4,
	}
	for i, s := range sites {
		r.ByGroup = append(r.ByGroup, lateness.Distribution(s, r.Kind, by[i]))
	}
	r.Delays = []lateness.Delays{lateness.Distribution("doors-1.jsonl", r.Kind, all[:1500]), lateness.Distribution("doors-2.jsonl", r.Kind, all[1500:])}
	for _, s := range lateness.Grid(r.Kind, bounds, allowed) {
		s.AsWritten = s.Behind == second && s.Allowed == 0
		r.Settings = append(r.Settings, outcome(r, s, records))
	}
	r.Passes = len(r.Settings) + 1
	r.Advice = lateness.Advise(r, lateness.DefaultObjective(), all[:300], all[2700:])
	return r
}

// outcome is what a setting costs: a record is dropped if it is later than its minute stays open.
func outcome(r *lateness.Result, s lateness.Setting, records []door) lateness.Outcome {
	x := lateness.Outcome{Setting: s, Panes: int64(r.Complete), State: 4 + (s.Behind+int64(s.Allowed))/(10*second), DroppedAt: make([]int, lateness.Blocks)}
	x.StateBytes = 64 * x.State
	want, got := lateness.Cells[int]{}, lateness.Cells[int]{}
	counts := make([]int, len(r.ByGroup))
	var final []int64
	for i, d := range records {
		minute := d.at / (60 * second)
		id := lateness.ID{Window: fmt.Sprintf("[%02d:%02d, %02d:%02d)", minute/60, minute%60, (minute+1)/60, (minute+1)%60), Key: fmt.Sprintf(`{"site":%q}`, d.site)}
		want[id]++
		open := (minute+1)*60*second + s.Behind
		switch came := d.at + d.behind; {
		case came < open:
			got[id]++
			final = append(final, s.Behind)
		case came < open+int64(s.Allowed):
			got[id]++
			x.LateKept++
			x.Panes++
			x.Corrected++
			final = append(final, came-(minute+1)*60*second)
		default:
			x.Dropped++
			x.DroppedAt[lateness.Block(int64(i), int64(len(records)))]++
			for g := range r.ByGroup {
				if r.ByGroup[g].Name == d.site {
					counts[g]++
				}
			}
			if len(x.Missed) < 10 {
				x.Missed = append(x.Missed, lateness.Missed{
					Step: "PerMinute", Source: "Doors", Number: int64(i + 1), Time: fmt.Sprintf("2026-03-02T08:%02d:%02dZ", minute, d.at/second%60),
					Behind: lateness.Span(d.behind).String(), Group: d.site, Record: fmt.Sprintf(`{"site":%q,"people":1}`, d.site), Window: []string{id.Window}})
			}
		}
	}
	for g := range r.ByGroup {
		r.ByGroup[g].Dropped = append(r.ByGroup[g].Dropped, counts[g])
	}
	x.Assignments = x.Dropped
	x.Outputs = []lateness.Output{lateness.Compare(lateness.Output{Step: "PerMinute", Key: []string{"site"}}, want, got, 10,
		func(a, b int) bool { return a == b }, func(n int) string { return fmt.Sprintf(`{"people":%d}`, n) })}
	x.Cells, x.Polluted = x.Outputs[0].Cells, x.Outputs[0].Polluted
	x.Freshness = lateness.Freshness{Cells: len(got), Event: lateness.SpreadOf(final)}
	return x
}

// months is what tolerances of whole months cost: of a reading a month for 200 meters, 40 come a month
// late, and so do not count where none is tolerated.
func months() *lateness.Result {
	delays := make([]int64, 2400)
	for i := range 40 {
		delays[1200+i] = 1
	}
	r := &lateness.Result{
		Pipeline: "meters.yaml", Kind: lateness.Periods, Strategy: "periods(months(UTC), 1)", Records: 2400, Arrivals: true, Complete: 60,
		Delays: []lateness.Delays{lateness.Distribution("Readings", lateness.Periods, delays)}, Seconds: 0.1, Plain: 0.02, Passes: 4,
	}
	for n := range int64(3) {
		month := int64(30 * 24 * 3600 * second)
		x := lateness.Outcome{
			Setting: lateness.Setting{Kind: r.Kind, Behind: n, AsWritten: n == 1}, Cells: 60, Panes: 60, State: 400 + 200*n, StateBytes: 60_000 + 30_000*n,
			Outputs: []lateness.Output{{Step: "Cell", Key: []string{"region"}, Complete: 55, Cells: 55}, {Step: "Means", Key: []string{"region"}, Complete: 5, Cells: 5}},
		}
		x.Freshness = lateness.Freshness{Cells: 55, AtEnd: 5, Processing: lateness.SpreadOf([]int64{n * month, n * month})}
		if n == 0 {
			x.Dropped, x.Assignments, x.Polluted = 40, 40, 10
			x.DroppedAt = make([]int, lateness.Blocks)
			x.DroppedAt[50], x.DroppedAt[51] = 24, 16
			x.Outputs[0].Polluted, x.Outputs[0].Changed = 10, 10
			x.Outputs[0].Sample = []lateness.Cell{{Window: "[2026-07-01T00:00:00Z, 2026-08-01T00:00:00Z)", Key: `{"region":"north"}`, Want: `{"m3":1251}`, Got: `{"m3":1041}`}}
		}
		for month := range int64(12 - n) {
			x.Written = append(x.Written, lateness.Written{Window: fmt.Sprintf("2026-%02d-01T00:00:00Z", month+1), In: fmt.Sprintf("2026-%02d-01T00:00:00Z", month+1+n)})
		}
		r.Settings = append(r.Settings, x)
	}
	r.Advice = lateness.Advise(r, lateness.DefaultObjective(), delays[:240], delays[2160:])
	return r
}
