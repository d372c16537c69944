package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// All charts that share an axis are drawn to the same measure, so that it lies at the same place.
const (
	chartWidth, chartHeight = 360, 190
	plotLeft, plotRight     = 54, chartWidth - 54
	plotTop, plotBottom     = 18, chartHeight - 40
	// nameRoom is how much room the names of lines have where these begin.
	nameRoom = 40
)

// chart is a drawing with a vertical and a horizontal axis.
type chart struct {
	Title string
	// Note is what the drawing does not say by itself, and Alt what it shows, in words.
	Note, Alt string
	// Name is what the horizontal axis shows.
	Name  string
	X, Y  []tick
	Lines []line
	Bars  string // a path
	Dots  []dot
	Marks []mark // vertical lines at a place of the horizontal axis
	Goal  *tick  // a horizontal line: what is aimed at
}

// line is a row of points that belong together, and its name beside it.
type line struct {
	Path   string
	Main   bool
	Text   string
	X, Y   float64
	Before bool // X is where the name ends
}

// dot is a point of which more is known. Setting is the number of the setting that it belongs to.
type dot struct {
	X, Y    float64
	Tip     string
	Setting int
	Main    bool
}

// mark is a place of the horizontal axis.
type mark struct {
	X    float64
	Text string
	Main bool
	Left bool // the text is to the left of it
}

// width is about how much room the text takes.
func (m mark) width() float64 { return 4 + 5.8*float64(len(m.Text)) }

// Width and the others are for the template.
func (c *chart) Width() int  { return chartWidth }
func (c *chart) Height() int { return chartHeight }
func (c *chart) Left() int   { return plotLeft }
func (c *chart) Right() int  { return plotRight }
func (c *chart) Top() int    { return plotTop }
func (c *chart) Bottom() int { return plotBottom }

// series are points of one line, in ascending order of X.
type series struct {
	name string
	main bool
	at   []point
}

type point struct {
	x, y    float64
	setting int
	tip     string
}

// draw adds lines and their points to the chart.
func (c *chart) draw(all []series, x, y axis) {
	several := len(all) > 1
	all = together(all)
	if several && len(all) == 1 {
		all[0].name = "all"
	}
	var begins, ends []float64
	for _, s := range all {
		if len(s.at) > 0 {
			begins = append(begins, y.at(s.at[0].y))
			ends = append(ends, y.at(s.at[len(s.at)-1].y))
		}
	}
	atEnd := spread(ends) > spread(begins)
	slices.SortStableFunc(all, func(a, b series) int { // the main line over the others
		switch {
		case a.main == b.main:
			return 0
		case a.main:
			return 1
		}
		return -1
	})
	for _, s := range all {
		if len(s.at) == 0 {
			continue
		}
		l := line{Path: path(s.at, x, y), Main: s.main, Text: s.name}
		begin, end := s.at[0], s.at[len(s.at)-1]
		switch {
		case !several:
			l.Text = ""
		case atEnd:
			l.X, l.Y = x.at(end.x)+7, y.at(end.y)+3.5
		case len(s.name) <= 7:
			l.X, l.Y, l.Before = x.at(begin.x)-6, y.at(begin.y)+3.5, true
		default:
			l.X, l.Y = x.at(begin.x)+5, y.at(begin.y)-5
		}
		c.Lines = append(c.Lines, l)
		for _, p := range s.at {
			c.Dots = append(c.Dots, dot{x.at(p.x), y.at(p.y), p.tip, p.setting, s.main})
		}
	}
	c.part()
}

// spread is how far some places lie apart at the least, if no two of them are the same.
func spread(places []float64) float64 {
	sorted := slices.Sorted(slices.Values(places))
	least := math.Inf(1)
	for i := 1; i < len(sorted); i++ {
		least = min(least, sorted[i]-sorted[i-1])
	}
	return least
}

// together makes one of series that are the same.
func together(all []series) []series {
	var some []series
	for _, s := range all {
		same := slices.IndexFunc(some, func(o series) bool {
			return slices.EqualFunc(o.at, s.at, func(a, b point) bool { return a.x == b.x && a.y == b.y })
		})
		if same < 0 {
			some = append(some, s)
			continue
		}
		o := &some[same]
		o.name, o.main = o.name+", "+s.name, o.main || s.main
		if s.main {
			o.at = s.at
		}
	}
	return some
}

// part moves names of lines apart that would lie over one another.
func (c *chart) part() {
	const apart = 12.0
	var order []*line
	for i := range c.Lines {
		if c.Lines[i].Text != "" {
			order = append(order, &c.Lines[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *line) int { return cmp.Compare(a.Y, b.Y) })
	for i := 1; i < len(order); i++ {
		order[i].Y = max(order[i].Y, order[i-1].Y+apart)
	}
	low := plotBottom + 4.0
	for i := len(order) - 1; i >= 0; i-- {
		order[i].Y = min(order[i].Y, low)
		low = order[i].Y - apart
	}
}

func path(at []point, x, y axis) string {
	var b strings.Builder
	for i, p := range at {
		if b.WriteByte('L'); i == 0 {
			b.Reset()
			b.WriteByte('M')
		}
		b.WriteString(num(x.at(p.x)) + " " + num(y.at(p.y)))
	}
	return b.String()
}

// bar adds a bar from the bottom of the chart to a path.
func bar(b *strings.Builder, left, right, top, bottom float64) {
	b.WriteString("M" + num(left) + " " + num(bottom) + "V" + num(top) + "H" + num(right) + "V" + num(bottom) + "z")
}
