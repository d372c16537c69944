package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/prose"
)

//go:embed page.html
var markup string

//go:embed page.css
var style string

var layout = template.Must(template.New("page").Funcs(template.FuncMap{"num": num}).Parse(markup))

// maxSettings is how many settings the page shows, and maxPanels how many of them can be chosen: a
// browser looks at all of them whenever one is, and with more that would be felt. maxSamples is how
// many polluted cells, and how many dropped records, of all settings together.
const (
	maxSettings = 500
	maxPanels   = 60
	maxSamples  = 4000
)

// Write writes the page. Its size is bounded: it says what it leaves out. It fails if w does.
func Write(w io.Writer, r *lateness.Result) error {
	p := newPage(r)
	// Building it first keeps what w gets whole, or empty.
	var b strings.Builder
	if err := layout.Execute(&b, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err := io.WriteString(w, strings.Map(legible, b.String()))
	return err
}

// legible gives U+FFFD for what must not stand in a document: control characters that are no white
// space, and what is no character (HTML, 13.2.3.5). Data may have them.
func legible(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\f' || r == '\r':
		return r
	case r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0xfdd0 && r <= 0xfdef || r&0xfffe == 0xfffe:
		return utf8.RuneError
	}
	return r
}

// page is what the template shows.
type page struct {
	r                      *lateness.Result
	shown                  []lateness.Outcome // settings
	chosen, written, first int                // the one to take, that of the pipeline, and that shown first; -1 if there is none
	open                   []int              // those that can be chosen

	Pipeline, Strategy string
	Records, Complete  string
	Malformed          string
	Lead, Sureness     string
	FactsOf            string // the setting whose figures they are
	Facts              []fact
	Steady             [][3]string // a heading, and what it is in the first and the last tenth
	Curves             []*chart
	CurvesNote         string
	Series             bool // the curves have several lines
	Settings           settings
	Panels             []panel
	Late               []*chart
	Delays             []delays
	Notes              []string
	Time               string
	Policy             string
	Style, Choice      template.CSS
}

// fact is a figure of the setting that is to be taken, and what it is as the pipeline is written.
type fact struct{ Name, Value, Of, Now string }

func newPage(r *lateness.Result) *page {
	p := &page{
		r: r, shown: r.Settings, chosen: -1, written: -1, first: -1,
		Pipeline: cut(r.Pipeline, 2*maxName), Strategy: cut(r.Strategy, maxName),
		Records: prose.Grouped(r.Records), Complete: prose.Grouped(r.Complete),
		Lead: unbroken(r.Advice.Text), Sureness: strings.Replace(unbroken(r.Advice.Sureness), "How sure: the", "The", 1),
		Time: r.Time(), Style: template.CSS(style),
	}
	if r.Malformed > 0 {
		p.Malformed = prose.Grouped(r.Malformed)
	}
	p.cutSettings()
	for i := range p.shown {
		s := p.shown[i].Setting
		if a := r.Advice.Setting; a != nil && a.Behind == s.Behind && a.Allowed == s.Allowed {
			p.chosen = i
		}
		if s.AsWritten {
			p.written = i
		}
	}
	p.first = p.begin()
	p.open = p.choosable()
	for _, n := range r.Notes {
		p.Notes = append(p.Notes, cut(n, maxText))
	}
	p.FactsOf, p.Facts = p.facts()
	p.Steady = p.steady()
	p.Curves, p.CurvesNote = p.curves()
	p.Series = len(p.Curves) > 0 && len(p.Curves[0].Lines) > 1
	p.Settings, p.Panels = p.settings(), p.panels()
	p.Late, p.Delays = p.distribution(), p.delayTables()
	p.Choice = choice(p.open)
	p.Policy = "default-src 'none'; style-src " + hash(p.Style) + " " + hash(p.Choice) + "; img-src data:; base-uri 'none'; form-action 'none'"
	return p
}

// begin is the setting that is shown first: that of the pipeline if something is wrong under it, or
// else the one to take, or one before it under which something is.
func (p *page) begin() int {
	switch {
	case p.written >= 0 && p.shown[p.written].Polluted > 0:
		return p.written
	case p.chosen > 0 && p.shown[p.chosen].Polluted == 0:
		return p.chosen - 1
	case p.chosen >= 0:
		return p.chosen
	case p.written >= 0:
		return p.written
	}
	return min(0, len(p.shown)-1)
}

// choosable are the settings that can be chosen: all, or those that matter and others evenly between.
func (p *page) choosable() []int {
	n := len(p.shown)
	if n <= maxPanels {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all
	}
	var some []int
	for _, i := range []int{p.chosen, p.written, p.first} {
		if i >= 0 {
			some = append(some, i)
		}
	}
	const others = maxPanels - 3
	for i := range others {
		some = append(some, i*(n-1)/(others-1))
	}
	slices.Sort(some)
	return slices.Compact(some)
}

// cutSettings leaves out settings that are too many, but none that matters.
func (p *page) cutSettings() {
	if len(p.shown) <= maxSettings {
		return
	}
	p.shown = nil
	a := p.r.Advice.Setting
	more := len(p.r.Settings) - maxSettings
	for _, x := range p.r.Settings {
		matters := x.Setting.AsWritten || a != nil && a.Behind == x.Setting.Behind && a.Allowed == x.Setting.Allowed
		if matters || len(p.shown) < maxSettings-2 {
			p.shown = append(p.shown, x)
		}
	}
	more += maxSettings - len(p.shown)
	p.Notes = append(p.Notes, fmt.Sprintf("%s of %s settings are not shown here; --json has them.", prose.Grouped(more), prose.Grouped(len(p.r.Settings))))
}

// hash names a style sheet to the browser, which applies no other.
func hash(css template.CSS) string {
	sum := sha256.Sum256([]byte(css))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// choice is the part of the style sheet that shows what belongs to the setting that is chosen.
func choice(settings []int) template.CSS {
	if len(settings) == 0 {
		return ""
	}
	var panels, dots []string
	for _, i := range settings {
		panels = append(panels, fmt.Sprintf(":root:has(#r%d:checked) #p%d", i, i))
		dots = append(dots, fmt.Sprintf(":root:has(#r%d:checked) .s%d", i, i))
	}
	return template.CSS("@supports selector(:has(a)){.panel{display:none}" + strings.Join(panels, ",") + "{display:block}" +
		strings.Join(dots, ",") + "{r:4.5px;stroke-width:2px;stroke:var(--ink);fill:var(--accent)}}")
}

// facts are the figures at the top.
func (p *page) facts() (of string, all []fact) {
	at := p.chosen
	if at < 0 {
		at = p.written
	}
	if at < 0 {
		return "", nil
	}
	if of = "With " + p.shown[at].Setting.String(); at == p.written {
		of += ", as the pipeline is written"
	}
	x := &p.shown[at]
	all = figures(p.r, x)
	if p.written >= 0 && p.written != at {
		for i, f := range figures(p.r, &p.shown[p.written]) {
			if all[i].Now = f.Value; f.Name != all[i].Name { // one is known by the clock, the other is not
				all[i].Now = "unknown"
			}
		}
	}
	return of, all
}

func figures(r *lateness.Result, x *lateness.Outcome) []fact {
	final := fact{Name: "99\u00a0% of cells are final", Value: "unknown", Of: "only the end of the input closed them"}
	if s, of := x.Freshness.Delay(); s != nil {
		final = fact{Name: final.Name, Value: short(s.P99), Of: "after the end of the window, " + of}
	}
	if x.Freshness.Cells+x.Freshness.AtEnd == 0 {
		final.Of = "no result of a window was compared"
	}
	spoilt := fact{Name: "cells polluted", Value: prose.Grouped(x.Polluted), Of: "of " + prose.Grouped(r.Complete)}
	if !x.Compared() {
		spoilt.Value, spoilt.Of = "unknown", "no output could be compared"
	}
	share := float64(x.Dropped) / float64(max(r.Records, 1))
	return []fact{
		{Name: "records dropped", Value: prose.Grouped(x.Dropped), Of: percent(share) + " of " + prose.Grouped(r.Records)},
		spoilt,
		final,
		{Name: "entries of state", Value: prose.Grouped(x.State), Of: "at the most, " + lateness.Bytes(x.StateBytes)},
	}
}

// steady compares the beginning of the input with its end.
func (p *page) steady() [][3]string {
	s := p.r.Advice.Sure
	if s == nil {
		return nil
	}
	span := func(v lateness.Span) string {
		if p.r.Kind == lateness.Periods {
			return p.periods(int64(v))
		}
		return short(v)
	}
	return [][3]string{
		{"records dropped", percent(s.First), percent(s.Last)},
		{"99\u00a0% of delays up to", span(s.FirstP99), span(s.LastP99)},
	}
}

func (p *page) periods(n int64) string {
	if n == 1 {
		return "1 period"
	}
	return prose.Grouped(n) + " periods"
}
