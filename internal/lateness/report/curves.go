package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/lateness"
)

// measure is one of the costs of a setting.
type measure struct {
	title string
	unit  unit
	// of is what a setting costs; false if it is not known.
	of func(x *lateness.Outcome) (float64, bool)
	// goal is what is aimed at; NaN if nothing is.
	goal float64
}

// measures are the costs that are drawn.
func measures(r *lateness.Result) []measure {
	whole := func(f func(x *lateness.Outcome) int64) func(*lateness.Outcome) (float64, bool) {
		return func(x *lateness.Outcome) (float64, bool) { return float64(f(x)), true }
	}
	limits, records := r.Advice.Limits, float64(max(r.Records, 1))
	most, delay, of := limits.MaxDropped, math.NaN(), ""
	if most < 0 {
		most = float64(limits.MaxRecords) / records
	}
	if limits.MaxDelay > 0 {
		delay = float64(limits.MaxDelay)
	}
	corrects := false
	for i := range r.Settings {
		x := &r.Settings[i]
		corrects = corrects || x.Corrected > 0
		if s, how := x.Freshness.Delay(); s != nil {
			of = ", " + how
		}
	}
	all := []measure{
		{"Records dropped", shares, whole(func(x *lateness.Outcome) int64 { return x.Dropped }), most},
		{"Cells polluted", counts, whole(func(x *lateness.Outcome) int64 { return int64(x.Polluted) }), float64(limits.MaxPolluted)},
		{"99\u00a0% of cells final after" + of, spans, func(x *lateness.Outcome) (float64, bool) {
			s, _ := x.Freshness.Delay()
			if s == nil {
				return 0, false
			}
			return float64(max(s.P99, 0)), true
		}, delay},
		{"Entries of state at the most", counts, whole(func(x *lateness.Outcome) int64 { return x.State }), math.NaN()},
	}
	all[0].of = func(x *lateness.Outcome) (float64, bool) { return float64(x.Dropped) / records, true }
	if corrects {
		all = slices.Insert(all, 2, measure{"Results that correct an earlier one", counts, whole(func(x *lateness.Outcome) int64 { return x.Corrected }), math.NaN()})
		all = append(all, measure{"Bytes of state at the most", sizes, whole(func(x *lateness.Outcome) int64 { return x.StateBytes }), math.NaN()})
	}
	return all
}

// maxSeries is how many lines a chart has.
const maxSeries = 5

// curves draws each cost over the settings: how far the watermark stays behind to the right, and a
// line for each allowed lateness. note says what is left out.
func (p *page) curves() (all []*chart, note string) {
	r := p.r
	lines, left := p.lines()
	if left > 0 {
		note = fmt.Sprintf("%d more allowed latenesses have no line; the table has them.", left)
	}
	var behind []float64
	for i := range p.shown {
		behind = append(behind, float64(p.shown[i].Setting.Behind))
	}
	u := spans
	if r.Kind == lateness.Periods {
		u = periods
	}
	x := newAxis(u, behind, plotLeft, plotRight)
	if len(lines) > 1 {
		x.from += nameRoom
	}
	for _, m := range measures(r) {
		c := &chart{Title: m.title, X: x.ticks(6, 34), Name: behindName(r.Kind)}
		var rows []series
		var values []float64
		for _, allowed := range lines {
			s := series{name: allowed.String(), main: p.main(allowed)}
			for i := range p.shown {
				o := &p.shown[i]
				v, known := m.of(o)
				if o.Setting.Allowed != allowed || !known {
					continue
				}
				s.at = append(s.at, point{float64(o.Setting.Behind), v, i, o.Setting.String() + ": " + m.unit.text(v)})
				values = append(values, v)
			}
			slices.SortStableFunc(s.at, func(a, b point) int { return int(min(max(a.x-b.x, -1), 1)) })
			rows = append(rows, s)
		}
		if len(values) == 0 {
			continue
		}
		y := newAxis(m.unit, values, plotBottom, plotTop)
		if y.log && m.goal > 0 {
			y = newAxis(m.unit, append(values, m.goal), plotBottom, plotTop)
		}
		y = y.roundUp(4)
		c.Y = y.ticks(5, 16)
		var notes []string
		if y.log {
			notes = append(notes, logarithmic)
		}
		if g := m.goal; g >= 0 {
			notes = append(notes, "objective: at most "+y.label(g))
			if g > 0 && g <= y.hi {
				c.Goal = &tick{y.at(g), "objective"}
			}
		}
		c.Note = strings.Join(notes, "; ")
		c.draw(rows, x, y)
		c.Marks = p.marks(func(s lateness.Setting) float64 { return x.at(float64(s.Behind)) })
		c.Alt = alt(m, rows)
		all = append(all, c)
	}
	return all, note
}

// logarithmic says how far an axis is.
const logarithmic = "logarithmic above 0"

// lines are the allowed latenesses that are drawn, and how many are not: the least, the greatest,
// those of the settings that matter, and others between.
func (p *page) lines() (some []lateness.Span, left int) {
	var all []lateness.Span
	for i := range p.shown {
		all = append(all, p.shown[i].Setting.Allowed)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) <= maxSeries {
		return all, 0
	}
	some = []lateness.Span{all[0], all[len(all)-1]}
	for _, i := range []int{p.chosen, p.written} {
		if i >= 0 {
			some = append(some, p.shown[i].Setting.Allowed)
		}
	}
	for part := 1; part < maxSeries; part++ {
		some = append(some, all[part*(len(all)-1)/maxSeries])
	}
	var first []lateness.Span
	for _, s := range some {
		if !slices.Contains(first, s) && len(first) < maxSeries {
			first = append(first, s)
		}
	}
	slices.Sort(first)
	return first, len(all) - len(first)
}

// main says whether an allowed lateness is that of the setting that is to be taken, or else of the
// pipeline as it is written.
func (p *page) main(allowed lateness.Span) bool {
	at := p.chosen
	if at < 0 {
		at = max(p.written, 0)
	}
	return p.shown[at].Setting.Allowed == allowed
}

// marks are the places of the settings that matter.
func (p *page) marks(at func(lateness.Setting) float64) []mark {
	var all []mark
	add := func(i int, text string, main bool) {
		if i < 0 {
			return
		}
		x := at(p.shown[i].Setting)
		if len(all) > 0 && math.Abs(all[0].X-x) < 1 {
			all[0].Text = "recommended, as written"
			return
		}
		all = append(all, mark{X: x, Text: text, Main: main})
	}
	add(p.chosen, "recommended", true)
	add(p.written, "as written", false)
	// A name stands to the right of its line where it has room there, and the first to its left if the
	// two would meet.
	slices.SortFunc(all, func(a, b mark) int { return cmp.Compare(a.X, b.X) })
	for i := range all {
		m := &all[i]
		m.Left = m.X+m.width() > chartWidth
		left := m.X
		if m.Left {
			left -= m.width()
		}
		if i > 0 && all[0].X+all[0].width() > left {
			all[0].Left = true
		}
	}
	return all
}

func behindName(k lateness.Kind) string {
	switch k {
	case lateness.Periods:
		return "periods that the watermark stays behind"
	case lateness.Delay:
		return "delay of the watermark behind arrivals"
	}
	return "bound of the watermark"
}

// alt says what a chart shows: where each line begins and ends.
func alt(m measure, rows []series) string {
	var said []string
	for _, s := range rows {
		if len(s.at) == 0 {
			continue
		}
		text := m.unit.text(s.at[0].y)
		if last := s.at[len(s.at)-1]; len(s.at) > 1 {
			text = fmt.Sprintf("%s at the least distance, %s at the greatest", text, m.unit.text(last.y))
		}
		if len(rows) > 1 {
			text = "allowed lateness " + s.name + ": " + text
		}
		said = append(said, text)
	}
	return m.title + ". " + strings.Join(said, "; ") + ". The table of settings has the numbers."
}
