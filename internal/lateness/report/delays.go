package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/prose"
)

// delays is a table of who is late by how much, with a small drawing for each row.
type delays struct {
	ID, Title, Caption, Head, Note string
	X                              []tick
	Rows                           []delayRow
}

type delayRow struct {
	Name            string
	Records, Behind string
	Share           string
	Quantiles       []string
	Bars            string
	P99             float64
	Any             bool
}

// maxRows is how many sources or groups a table has.
const maxRows = 50

// A small drawing is so wide and so high.
const (
	stripWidth, stripHeight = 150, 26
)

// Width and the others are for the template.
func (delays) Width() int   { return stripWidth }
func (delays) Height() int  { return stripHeight }
func (delays) Base() string { return num(stripHeight - 0.5) }

// delayTables are the tables of splits and of groups.
func (p *page) delayTables() []delays {
	var all []delays
	x := p.delayAxis(4, stripWidth-4)
	if len(p.r.Delays) > 0 {
		all = append(all, table(x, p.r.Delays, delays{ID: "by-source", Title: "By source", Caption: "Delays by source", Head: "source"}))
	}
	if len(p.r.ByGroup) > 0 {
		by := cut(p.r.By, maxName)
		all = append(all, table(x, p.r.ByGroup, delays{ID: "by-group", Title: "By " + by, Caption: "Delays by " + by, Head: by}))
	}
	return all
}

// delayAxis is the axis of all delays.
func (p *page) delayAxis(from, to float64) axis {
	u, values := spans, []float64{0}
	if p.r.Kind == lateness.Periods {
		u = periods
	}
	for _, d := range slices.Concat(p.r.Delays, p.r.ByGroup) {
		for _, b := range d.Bins {
			if b.N > 0 {
				values = append(values, float64(b.Upto))
			}
		}
	}
	return newAxis(u, values, from, to)
}

func table(x axis, rows []lateness.Delays, t delays) delays {
	t.X = x.ticks(3, 44)
	if more := len(rows) - maxRows; more > 0 {
		t.Note = fmt.Sprintf("%s more are not shown.", prose.Grouped(more))
		rows = rows[:maxRows]
	}
	for i := range rows {
		d := &rows[i]
		row := delayRow{
			Name: cut(d.Name, maxName), Records: prose.Grouped(d.Records), Behind: prose.Grouped(d.Behind),
			Share: percent(float64(d.Behind) / float64(max(d.Records, 1))), Any: d.Behind > 0, P99: x.at(float64(d.P99)),
		}
		for _, s := range []lateness.Span{d.P50, d.P90, d.P99, d.P999, d.Max} {
			row.Quantiles = append(row.Quantiles, x.unit.text(float64(s)))
		}
		row.Bars, _ = bars(x, d.Bins, 3, stripHeight-1)
		t.Rows = append(t.Rows, row)
	}
	return t
}

// bars draws how many records were late by how much: bars of the same width on the axis, from 0 up.
// Records that were not late have none. most is how many the highest bar stands for.
func bars(x axis, bins []lateness.Bin, top, bottom float64) (path string, most int) {
	const width = 3.0
	sums := map[int]int{}
	for _, b := range bins {
		if b.Upto > 0 {
			sums[int(x.at(float64(b.Upto))/width)] += b.N
		}
	}
	places := make([]int, 0, len(sums))
	for at, n := range sums {
		places = append(places, at)
		most = max(most, n)
	}
	slices.Sort(places)
	var out strings.Builder
	for _, at := range places {
		left := float64(at) * width
		bar(&out, left, left+width-0.5, bottom-(bottom-top)*float64(sums[at])/float64(most), bottom)
	}
	return out.String(), most
}

// distribution draws the delays of all sources together: how many records were late by how much,
// and which share was later than a delay. nil if none was late.
func (p *page) distribution() []*chart {
	var bins []lateness.Bin
	records, behind := 0, 0
	for _, d := range p.r.Delays {
		bins = append(bins, d.Bins...)
		records += d.Records
		behind += d.Behind
	}
	if behind == 0 {
		return nil
	}
	x := p.delayAxis(plotLeft, plotRight)
	total := cover(x, p.r.Delays)
	name := "delay behind the greatest event time"
	switch p.r.Kind {
	case lateness.Delay:
		name = "delay from event time to arrival"
	case lateness.Periods:
		name = "delay in calendar periods"
	}
	marks := p.marks(func(s lateness.Setting) float64 {
		v := float64(s.Behind)
		if x.unit == spans {
			v += float64(s.Allowed)
		}
		return x.at(min(v, x.hi))
	})

	late := &chart{Title: "Records that were late", Name: name, X: x.ticks(6, 34), Marks: marks}
	path, most := bars(x, bins, plotTop, plotBottom)
	y := axis{unit: counts, from: plotBottom, to: plotTop, hi: float64(most), zero: true}
	late.Bars, late.Y = path, y.ticks(4, 16)
	late.Alt = fmt.Sprintf("%s of %s records were late. The tables below have quantiles of their delays.", prose.Grouped(behind), prose.Grouped(records))

	over := &chart{Title: "Share of records that were later", Name: name, X: late.X, Marks: marks, Note: logarithmic}
	least := 1.0
	rows := []series{{name: "all", main: true, at: total}}
	if worst := latest(p.r.Delays); worst >= 0 && len(p.r.Delays) > 1 {
		for i := range p.r.Delays {
			if len(rows) > maxSeries && i != worst {
				continue
			}
			s := series{at: cover(x, p.r.Delays[i:i+1])}
			if i == worst {
				s.name = cut(p.r.Delays[i].Name, 14)
			}
			rows = append(rows, s)
		}
	}
	for _, s := range rows {
		for _, at := range s.at {
			if at.y > 0 {
				least = min(least, at.y)
			}
		}
	}
	shared := newAxis(shares, []float64{0, least, 1}, plotBottom, plotTop)
	over.Y = shared.ticks(6, 14)
	if !shared.log {
		over.Note = ""
	}
	over.steps(rows, x, shared)
	over.Alt = "Which share of the records was later than a delay. " + said(total, x.unit)
	return []*chart{late, over}
}

// cover gives for each delay the share of records that were later.
func cover(x axis, all []lateness.Delays) []point {
	sums, total := map[lateness.Span]int{0: 0}, 0
	for _, d := range all {
		total += d.Records
		for _, b := range d.Bins {
			sums[b.Upto] += b.N
		}
	}
	places := make([]lateness.Span, 0, len(sums))
	for at := range sums {
		places = append(places, at)
	}
	slices.Sort(places)
	var at []point
	left := total
	for _, upto := range places {
		left -= sums[upto]
		at = append(at, point{x: float64(upto), y: float64(left) / float64(max(total, 1))})
	}
	return at
}

// latest is the source whose delays reach the furthest.
func latest(all []lateness.Delays) int {
	worst := -1
	for i := range all {
		if worst < 0 || all[i].P999 > all[worst].P999 {
			worst = i
		}
	}
	return worst
}

// steps draws shares that hold from one delay to the next.
func (c *chart) steps(all []series, x, y axis) {
	for i := len(all) - 1; i >= 0; i-- { // the first over the others
		s := all[i]
		var out strings.Builder
		end := point{}
		for j, p := range s.at {
			if j == 0 {
				out.WriteString("M" + num(x.at(p.x)) + " " + num(y.at(p.y)))
				continue
			}
			out.WriteString("H" + num(x.at(p.x)) + "V" + num(y.at(p.y)))
			if p.y > 0 {
				end = p
			}
		}
		l := line{Path: out.String(), Main: s.main, Text: s.name}
		l.X, l.Y = x.at(end.x)+6, y.at(end.y)-3
		if math.IsNaN(l.Y) || len(all) == 1 {
			l.Text = ""
		}
		c.Lines = append(c.Lines, l)
	}
	c.part()
}

// said tells some of the shares in words.
func said(at []point, u unit) string {
	var parts []string
	for i, p := range at {
		if i == 0 || i == len(at)/2 || i == len(at)-1 {
			parts = append(parts, fmt.Sprintf("%s later than %s", shares.text(p.y), u.text(p.x)))
		}
	}
	return strings.Join(parts, ", ") + "."
}
