package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/internal/prose"
)

// settings is the table of settings.
type settings struct {
	Behind       string // the heading of the first column
	Note         string // which settings can be chosen, if not all can
	Event, Clock bool   // which delays are known
	Allowed      bool
	Rows         []settingRow
}

type settingRow struct {
	ID                int
	Name              string // the setting in full
	Behind, Allowed   string
	Dropped, Share    string
	Polluted          string
	Panes, Corrected  string
	Event, Clock      []string
	State, Bytes      string
	Chosen, AsWritten bool
	Open, Checked     bool // it can be chosen, and is at first
}

func (p *page) settings() settings {
	t := settings{Behind: strings.ToUpper(string(p.r.Kind[:min(1, len(p.r.Kind))])) + string(p.r.Kind[min(1, len(p.r.Kind)):])}
	for i := range p.shown {
		f := &p.shown[i].Freshness
		t.Allowed = t.Allowed || p.r.Kind != lateness.Periods || p.shown[i].Setting.Allowed != 0
		t.Event, t.Clock = t.Event || f.Event != nil, t.Clock || f.Processing != nil
	}
	for i := range p.shown {
		x := &p.shown[i]
		t.Rows = append(t.Rows, settingRow{
			ID: i, Name: x.Setting.String(), Behind: x.Setting.BehindText(), Allowed: x.Setting.Allowed.String(),
			Dropped: prose.Grouped(x.Dropped), Share: percent(float64(x.Dropped) / float64(max(p.r.Records, 1))),
			Polluted: prose.Grouped(x.Polluted), Panes: prose.Grouped(x.Panes), Corrected: prose.Grouped(x.Corrected),
			Event: quantiles(x.Freshness.Event), Clock: quantiles(x.Freshness.Processing),
			State: prose.Grouped(x.State), Bytes: lateness.Bytes(x.StateBytes),
			Chosen: i == p.chosen, AsWritten: i == p.written, Open: slices.Contains(p.open, i), Checked: i == p.first,
		})
	}
	for i := range t.Rows {
		if !p.shown[i].Compared() {
			t.Rows[i].Polluted = "–"
		}
	}
	if some, all := len(p.open), len(p.shown); some < all {
		t.Note = fmt.Sprintf("%d of %d can be chosen. To see what another does, run again with that one alone.", some, all)
	}
	return t
}

func quantiles(s *lateness.Spread) []string {
	if s == nil {
		return []string{"–", "–", "–"}
	}
	return []string{short(s.P50), short(s.P99), short(s.Max)}
}

// panel is what one setting does to the answer.
type panel struct {
	ID                int
	Name              string
	Chosen, AsWritten bool
	Says              string
	Outputs           []lateness.Output
	Whose             []whose
	When              *chart
	Cells             []cellTable
	Missed            []missed
	MissedMore        string
	Nobody            string // what is said of a cell that none of those records belongs to
	Grouped           string // the heading of the field by which records are told apart
	Written           []lateness.Written
	WrittenMore       string
}

// whose says whose records were dropped.
type whose struct {
	Head string
	Rows []whoseRow
	More string
}

type whoseRow struct {
	Name, Dropped, Share string
	Bar                  float64
}

// cellTable is a sample of the polluted cells of one output.
type cellTable struct {
	Step  string
	Heads []string // of the key
	Rows  []cellRow
	More  string
}

type cellRow struct {
	Window string
	Key    []string
	Want   []field
	Got    []field
	By     []int // numbers of records that missed its window, among those that are shown
	More   int   // and how many more of those
}

type missed struct {
	lateness.Missed
	No      int
	Windows string
	row     []field
}

// fits says whether a record may belong to a key: it has no other value in a field of that name.
func (m *missed) fits(key []field) bool {
	for _, k := range key {
		for _, f := range m.row {
			if f.Name == k.Name && f.full != k.full {
				return false
			}
		}
	}
	return true
}

// whoseRows is how many sources or groups are named, and writtenRows how many windows.
const (
	whoseRows   = 12
	writtenRows = 60
)

func (p *page) panels() []panel {
	var all []panel
	for _, i := range p.open {
		all = append(all, p.panel(i))
	}
	return all
}

func (p *page) panel(i int) panel {
	x := &p.shown[i]
	most := maxSamples / len(p.open)
	v := panel{ID: i, Name: x.Setting.String(), Chosen: i == p.chosen, AsWritten: i == p.written, Says: p.says(x)}
	if x.Polluted > 0 {
		v.Outputs = x.Outputs
	}
	if x.Dropped > 0 {
		v.When = p.when(x)
		if p.r.By != "" {
			v.whose(cut(p.r.By, maxName), p.r.ByGroup, p.at(i))
		}
		v.whose("source", p.r.Delays, p.at(i))
	}
	for _, m := range x.Missed[:min(len(x.Missed), most)] {
		m.Step, m.Source, m.Group = cut(m.Step, maxName), cut(m.Source, maxName), cut(m.Group, maxName)
		row, _ := fields(m.Record)
		m.Record = cut(m.Record, maxText)
		windows := m.Window
		if len(windows) > 3 {
			windows = append(windows[:3:3], fmt.Sprintf("%d more", len(m.Window)-3))
		}
		v.Missed = append(v.Missed, missed{m, len(v.Missed) + 1, strings.Join(windows, ", "), row})
	}
	if len(v.Missed) > 0 && p.r.By != "" {
		v.Grouped = cut(p.r.By, maxName)
	}
	v.Nobody = "none: a step before lacks some"
	if more := x.Dropped - int64(len(v.Missed)); more > 0 {
		v.Nobody = "none of those below"
		v.MissedMore = fmt.Sprintf("%s more were dropped.", prose.Grouped(more))
		if len(v.Missed) == 0 {
			v.MissedMore = "No dropped record is shown."
		}
	}
	for _, o := range x.Outputs {
		if o.Polluted > 0 {
			v.Cells = append(v.Cells, v.cells(o, most))
		}
	}
	v.Written = x.Written[:min(len(x.Written), writtenRows)]
	if more := len(x.Written) - len(v.Written); more > 0 {
		v.WrittenMore = fmt.Sprintf("%s more windows are not shown.", prose.Grouped(more))
	}
	return v
}

// at is the number of a shown setting among all.
func (p *page) at(shown int) int {
	for i := shown; i < len(p.r.Settings); i++ {
		if p.r.Settings[i].Setting == p.shown[shown].Setting {
			return i
		}
	}
	return shown
}

// says tells in a sentence what a setting does.
func (p *page) says(x *lateness.Outcome) string {
	if x.Dropped == 0 && x.Polluted == 0 && x.Compared() {
		return "No record is dropped, and every cell is as in the complete answer."
	}
	text := fmt.Sprintf("%s of %s records (%s) are dropped, from %s windows.", prose.Grouped(x.Dropped), p.Records,
		percent(float64(x.Dropped)/float64(max(p.r.Records, 1))), prose.Grouped(x.Assignments))
	switch {
	case x.Dropped == 0:
		text = "No record is dropped."
	case x.Dropped == 1:
		text = fmt.Sprintf("1 of %s records is dropped.", p.Records)
	}
	if !x.Compared() {
		return text + " No output could be compared, so nothing is known of polluted cells."
	}
	switch x.Polluted {
	case 0:
		return text + " No cell is polluted by that."
	case 1:
		return text + fmt.Sprintf(" 1 of %s cells is polluted.", p.Complete)
	}
	return text + fmt.Sprintf(" %s of %s cells are polluted.", prose.Grouped(x.Polluted), p.Complete)
}

// whose adds the sources or groups whose records were dropped, those with the most first.
func (v *panel) whose(head string, all []lateness.Delays, setting int) {
	type of struct {
		d *lateness.Delays
		n int
	}
	var some []of
	for i := range all {
		if d := &all[i]; setting < len(d.Dropped) && d.Dropped[setting] > 0 {
			some = append(some, of{d, d.Dropped[setting]})
		}
	}
	if len(some) == 0 || len(all) < 2 {
		return
	}
	slices.SortStableFunc(some, func(a, b of) int { return b.n - a.n })
	w := whose{Head: head}
	if more := len(some) - whoseRows; more > 0 {
		w.More = fmt.Sprintf("%s more have dropped records.", prose.Grouped(more))
		some = some[:whoseRows]
	}
	for _, x := range some {
		w.Rows = append(w.Rows, whoseRow{
			Name: cut(x.d.Name, maxName), Dropped: prose.Grouped(x.n), Share: percent(float64(x.n) / float64(max(x.d.Records, 1))),
			Bar: 100 * float64(x.n) / float64(some[0].n),
		})
	}
	v.Whose = append(v.Whose, w)
}

// when draws at which places of the input records were dropped.
func (p *page) when(x *lateness.Outcome) *chart {
	n, most, worst := len(x.DroppedAt), 0, 0
	for i, d := range x.DroppedAt {
		if d > most {
			most, worst = d, i
		}
	}
	if most == 0 {
		return nil
	}
	along := axis{unit: shares, from: plotLeft, to: plotRight, hi: 1, zero: true}
	up := newAxis(counts, []float64{0, float64(most)}, plotBottom, plotTop)
	up.log = false
	up.hi = float64(most)
	c := &chart{Title: "Records dropped, by their place in the input", Name: "part of the input, in the order of arrival"}
	c.X, c.Y = along.ticks(6, 34), up.ticks(4, 16)
	var path strings.Builder
	for i, d := range x.DroppedAt {
		if d > 0 {
			bar(&path, along.at(float64(i)/float64(n)), along.at(float64(i+1)/float64(n))-0.3, up.at(float64(d)), plotBottom)
		}
	}
	c.Bars = path.String()
	c.Alt = fmt.Sprintf("%s. The most, %s, at %s of the input.", c.Title, prose.Grouped(most), percent(float64(worst)/float64(n)))
	return c
}

// cells is the sample of an output.
func (v *panel) cells(o lateness.Output, most int) cellTable {
	t := cellTable{Step: cut(o.Step, maxName)}
	sample := o.Sample[:min(len(o.Sample), most)]
	if more := o.Polluted - len(sample); more > 0 {
		t.More = fmt.Sprintf("%s more cells of %s are polluted.", prose.Grouped(more), t.Step)
		if len(sample) == 0 {
			t.More = fmt.Sprintf("No cell of %s is shown.", t.Step)
		}
	}
	for _, k := range o.Key {
		t.Heads = append(t.Heads, cut(k, maxName))
	}
	parsed := make([][]field, len(sample))
	for i, c := range sample {
		key, is := fields(c.Key)
		if !is || len(key) != len(o.Key) {
			t.Heads = nil
			break
		}
		parsed[i] = key
	}
	if t.Heads == nil && sampleHasKey(sample) {
		t.Heads, parsed = []string{"row"}, nil
	}
	for i, c := range sample {
		row := cellRow{Window: cut(c.Window, maxName), Want: row(c.Want), Got: row(c.Got)}
		differ(row.Want, row.Got)
		switch {
		case parsed != nil && len(t.Heads) > 0:
			for _, f := range parsed[i] {
				row.Key = append(row.Key, f.Text())
			}
		case len(t.Heads) > 0:
			row.Key = []string{cut(c.Key, maxValue)}
		}
		key, _ := fields(c.Key)
		for _, m := range v.Missed {
			switch {
			case c.Window == "" || !slices.Contains(m.Window, c.Window) || !m.fits(key):
			case len(row.By) < 5:
				row.By = append(row.By, m.No)
			default:
				row.More++
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func sampleHasKey(sample []lateness.Cell) bool {
	for _, c := range sample {
		if c.Key != "" {
			return true
		}
	}
	return false
}
