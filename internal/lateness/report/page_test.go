package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/lateness"
)

// element is one of the elements of a page, in their order.
type element struct {
	name  string
	attrs map[string]string
	text  string // of it and of what is in it
	in    []string
}

// written gives the page of a result and its elements.
func written(t testing.TB, r *lateness.Result) (string, []element) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var all []element
	var open, begin []int
	var said strings.Builder
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := element{name: x.Name.Local, attrs: map[string]string{}}
			for _, a := range x.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			for _, i := range open {
				e.in = append(e.in, all[i].name)
			}
			open, begin = append(open, len(all)), append(begin, said.Len())
			all = append(all, e)
		case xml.CharData:
			said.Write(x)
		case xml.EndElement:
			last := len(open) - 1
			e := &all[open[last]]
			if e.name != x.Name.Local {
				t.Fatalf("<%s> is closed by </%s>", e.name, x.Name.Local)
			}
			e.text = said.String()[begin[last]:]
			open, begin = open[:last], begin[:last]
		}
	}
	if len(open) > 0 {
		t.Fatalf("%d elements are open at the end", len(open))
	}
	return b.String(), all
}

// named are the elements of a name.
func named(all []element, names ...string) []element {
	return slices.DeleteFunc(slices.Clone(all), func(e element) bool { return !slices.Contains(names, e.name) })
}

// plain is a text with its white space made one.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\u00a0", " ")), " ")
}

const second = 1_000_000

// doors is a result of two bounds and two allowed latenesses, of which the numbers are made up: 1,000
// records at two doors, of which 30 are dropped with the bound of 0s and the allowed lateness of 0s.
func doors() *lateness.Result {
	delays := func(name string, late int, by int64) lateness.Delays {
		all := make([]int64, 500)
		for i := range late {
			all[i] = by * int64(i+1)
		}
		return lateness.Distribution(name, lateness.Bound, all)
	}
	r := &lateness.Result{
		Pipeline: "doors.yaml", Kind: lateness.Bound, Strategy: "bounded(0s)", Records: 1000, Complete: 12, By: "door",
		Notes:   []string{"the order of the file is taken for the order of arrival"},
		Delays:  []lateness.Delays{delays("a.jsonl", 20, 100_000), delays("b.jsonl", 40, second)},
		ByGroup: []lateness.Delays{delays("north", 10, 50_000), delays("south", 50, second)},
		Seconds: 1.5, Plain: 0.5, Passes: 5,
	}
	r.ByGroup[0].Dropped, r.ByGroup[1].Dropped = []int{5, 0, 2, 0}, []int{25, 3, 4, 0}
	at := func(dropped int) []int {
		blocks := make([]int, lateness.Blocks)
		blocks[10], blocks[90] = dropped/2, dropped-dropped/2
		return blocks
	}
	outcome := func(behind int64, allowed lateness.Span, dropped, polluted int) lateness.Outcome {
		x := lateness.Outcome{
			Setting: lateness.Setting{Kind: lateness.Bound, Behind: behind, Allowed: allowed, AsWritten: behind == 0 && allowed == 0},
			Dropped: int64(dropped), Assignments: int64(dropped), Cells: 12, Polluted: polluted, Panes: 12, Corrected: int64(allowed / second),
			State: 4 + behind/second, StateBytes: 100 * (4 + behind/second), DroppedAt: at(dropped),
			Freshness: lateness.Freshness{Cells: 12, Event: &lateness.Spread{P50: lateness.Span(behind) + 1500, P99: lateness.Span(behind) + allowed + 250_000, Max: lateness.Span(behind) + allowed + 300_000}},
			Outputs:   []lateness.Output{{Step: "Minutes", Key: []string{"door"}, Complete: 10, Cells: 10, Polluted: polluted, Changed: polluted}, {Step: "Hours", Complete: 2, Cells: 2}},
		}
		for i := range min(polluted, 2) {
			x.Outputs[0].Sample = append(x.Outputs[0].Sample, lateness.Cell{
				Window: fmt.Sprintf("[%d, %d)", i, i+1), Key: `{"door":"south"}`, Want: `{"people":9,"day":"Monday"}`, Got: fmt.Sprintf(`{"people":%d,"day":"Monday"}`, i)})
		}
		for i := range min(dropped, 3) {
			x.Missed = append(x.Missed, lateness.Missed{
				Step: "Count", Source: "b.jsonl", Number: int64(7 + i), Time: "2026-01-01T00:00:00Z", Behind: "3s", Group: []string{"south", "north", "south"}[i],
				Record: []string{`{"door":"south","people":1}`, `{"door":"north","people":1}`, `{"people":1}`}[i], Window: []string{"[0, 1)"}})
		}
		return x
	}
	r.Settings = []lateness.Outcome{outcome(0, 0, 30, 5), outcome(0, 2*second, 3, 1), outcome(10*second, 0, 6, 2), outcome(10*second, 2*second, 0, 0)}
	r.Advice = lateness.Advise(r, lateness.DefaultObjective(), []int64{0, 1}, []int64{0, 2})
	return r
}

func TestThePageBeginsWithTheRecommendationAndHasItsPartsInOrder(t *testing.T) {
	text, all := written(t, doors())
	if !strings.HasPrefix(text, "<!doctype html>\n<html lang=\"en\">") {
		t.Errorf("it begins with %.60q", text)
	}
	var heads []string
	for _, e := range named(all, "h1", "h2") {
		heads = append(heads, plain(e.text))
	}
	want := []string{"What lateness costs doors.yaml", "Recommendation", "What each setting costs", "Settings",
		"Which cells are polluted, and by whom", "Who is late, and by how much", "Method and words"}
	if !slices.Equal(heads, want) {
		t.Errorf("headings %q, want %q", heads, want)
	}
	for name, n := range map[string]int{"header": 1, "nav": 1, "main": 1, "footer": 1, "section": 6, "script": 0} {
		if got := len(named(all, name)); got != n {
			t.Errorf("%d elements <%s>, want %d", got, name, n)
		}
	}
	level := 0
	for _, e := range named(all, "h1", "h2", "h3", "h4") {
		l := int(e.name[1] - '0')
		if l > level+1 {
			t.Errorf("the heading %q is two levels below the one before", plain(e.text))
		}
		level = l
	}
	lead := slices.IndexFunc(all, func(e element) bool { return e.attrs["class"] == "lead data" })
	if got := plain(all[lead].text); !strings.HasPrefix(got, "Take bound 10s, allowed lateness 2s, ") || !strings.Contains(got, "it drops none of 1000 records") {
		t.Errorf("the page begins with %q", got)
	}
}

// cells are the texts of the rows of the table with that caption.
func cells(t *testing.T, all []element, caption string) [][]string {
	t.Helper()
	var rows [][]string
	table, in := false, false
	for _, e := range all {
		switch {
		case e.name == "table":
			table, in = false, false
		case e.name == "caption":
			table = strings.HasPrefix(plain(e.text), caption)
		case table && e.name == "tbody":
			in = true
		case in && e.name == "tr" && slices.Contains(e.in, "tbody"):
			rows = append(rows, nil)
		case in && (e.name == "td" || e.name == "th") && slices.Contains(e.in, "tbody"):
			rows[len(rows)-1] = append(rows[len(rows)-1], plain(e.text))
		}
		if !table && len(rows) > 0 {
			break
		}
	}
	if rows == nil {
		t.Fatalf("there is no table %q", caption)
	}
	return rows
}

func TestTheTableOfSettingsHasTheNumbersOfTheResult(t *testing.T) {
	_, all := written(t, doors())
	got := cells(t, all, "What each setting costs, in numbers")
	want := [][]string{
		{"0s as written", "0s", "30", "3 %", "5", "12", "0", "1.5ms", "250ms", "300ms", "4", "400 bytes"},
		{"0s", "2s", "3", "0.3 %", "1", "12", "2", "1.5ms", "2.25s", "2.3s", "4", "400 bytes"},
		{"10s", "0s", "6", "0.6 %", "2", "12", "0", "10s", "10.25s", "10.3s", "14", "1.4 kB"},
		{"10s recommended", "2s", "0", "0 %", "0", "12", "2", "10s", "12.25s", "12.3s", "14", "1.4 kB"},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestAPanelNamesThePollutedCellsAndWhoseRecordsCausedIt(t *testing.T) {
	text, all := written(t, doors())
	// The record at the north door is not of the cell, and one without a door may be.
	want := [][]string{
		{"[0, 1)", "south", "people 9 · day Monday", "people 0 · day Monday", "no. 1, no. 3"},
		{"[1, 2)", "south", "people 9 · day Monday", "people 1 · day Monday", "none of those below"},
	}
	if got := cells(t, all, "Polluted cells of Minutes"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("cells\n%q\nwant\n%q", got, want)
	}
	if !strings.Contains(text, `people</span> <strong>0</strong> · <span class="quiet">day</span> Monday`) {
		t.Error("the value that differs does not stand out")
	}
	want = [][]string{{"south", "25", "", "5 %"}, {"north", "5", "", "1 %"}}
	if got := cells(t, all, "Whose records were dropped, by door"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("whose\n%q\nwant\n%q", got, want)
	}
	if got := cells(t, all, "Dropped records")[0]; fmt.Sprint(got) != fmt.Sprint([]string{"1", `{"door":"south","people":1}`, "2026-01-01T00:00:00Z", "3s", "south", "[0, 1)", "Count", "record 7 of b.jsonl"}) {
		t.Errorf("dropped %q", got)
	}
	for _, said := range []string{"3 more cells of Minutes are polluted.", "27 more were dropped.", "No record is dropped, and every cell is as in the complete answer."} {
		if !strings.Contains(plain(all[0].text), said) {
			t.Errorf("the page does not say %q", said)
		}
	}
}

func TestTheSettingOfThePipelineIsShownFirstIfSomethingIsWrongUnderIt(t *testing.T) {
	checked := func(r *lateness.Result) (ids []string) {
		_, all := written(t, r)
		for _, e := range named(all, "input") {
			if _, on := e.attrs["checked"]; on {
				ids = append(ids, e.attrs["id"])
			}
		}
		return ids
	}
	r := doors()
	if got := checked(r); !slices.Equal(got, []string{"r0"}) {
		t.Errorf("checked %v, want that of the pipeline, r0", got)
	}
	r.Settings[0].Setting.AsWritten = false
	if got := checked(r); !slices.Equal(got, []string{"r2"}) {
		t.Errorf("checked %v, want r2, the one before the recommended", got)
	}
	r.Advice.Setting = nil
	if got := checked(r); !slices.Equal(got, []string{"r0"}) {
		t.Errorf("checked %v, want the first", got)
	}
}

func TestTheFiguresAtTheTopAreThoseOfTheRecommendedSettingBesideThePresent(t *testing.T) {
	figures := func(r *lateness.Result) string {
		_, all := written(t, r)
		at := slices.IndexFunc(all, func(e element) bool { return e.attrs["class"] == "facts" })
		return plain(all[at-1].text) + ": " + plain(all[at].text)
	}
	r := doors()
	if got, want := figures(r), "With bound 10s, allowed lateness 2s: records dropped00 % of 1,000as written: 30 cells polluted0of 12as written: 5 "+
		"99 % of cells are final12.25safter the end of the window, in event timeas written: 250ms entries of state14at the most, 1.4 kBas written: 4"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r.Advice.Setting = nil
	if got, want := figures(r), "With bound 0s, allowed lateness 0s, as the pipeline is written: records dropped303 % of 1,000 cells polluted5of 12 "; !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEveryTableHasACaptionAndItsHeadingsAScope(t *testing.T) {
	_, all := written(t, doors())
	if tables, captions := len(named(all, "table")), len(named(all, "caption")); tables < 8 || tables != captions {
		t.Errorf("%d tables and %d captions", tables, captions)
	}
	for _, e := range named(all, "th") {
		if e.attrs["scope"] == "" || plain(e.text) == "" {
			t.Errorf("a heading %q has the scope %q", plain(e.text), e.attrs["scope"])
		}
	}
	for _, e := range named(all, "svg") {
		if e.attrs["aria-hidden"] != "true" && (e.attrs["role"] != "img" || e.attrs["aria-label"] == "") {
			t.Errorf("a drawing without words: %v", e.attrs)
		}
	}
	for _, e := range all {
		if e.attrs["role"] == "region" && e.attrs["tabindex"] != "0" {
			t.Errorf("what scrolls cannot be reached by the keyboard: %v", e.attrs)
		}
	}
}

func TestEveryReferenceWithinThePageLeadsSomewhere(t *testing.T) {
	_, all := written(t, doors())
	ids := map[string]int{}
	for _, e := range all {
		if id := e.attrs["id"]; id != "" {
			ids[id]++
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements have the id %s", n, id)
		}
	}
	seen := 0
	for _, e := range all {
		refs := strings.Fields(e.attrs["aria-labelledby"] + " " + e.attrs["aria-describedby"])
		if to, local := strings.CutPrefix(e.attrs["href"], "#"); local {
			refs = append(refs, to)
		}
		for _, ref := range refs {
			if seen++; ids[ref] == 0 {
				t.Errorf("<%s> refers to %q, which is not there", e.name, ref)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d references", seen)
	}
}

func TestNothingIsAskedOfTheNetwork(t *testing.T) {
	text, all := written(t, doors())
	for _, e := range all {
		for name, value := range e.attrs {
			switch name {
			case "href", "src", "srcset", "action", "data", "poster":
				if !strings.HasPrefix(value, "#") && value != "data:," {
					t.Errorf("<%s %s=%q>", e.name, name, value)
				}
			case "style":
				t.Errorf("<%s> has a style of its own, which the policy forbids", e.name)
			}
			if strings.HasPrefix(name, "on") {
				t.Errorf("<%s %s>", e.name, name)
			}
		}
	}
	policy := ""
	for _, e := range named(all, "meta") {
		if e.attrs["http-equiv"] == "Content-Security-Policy" {
			policy = e.attrs["content"]
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Errorf("policy %q", policy)
	}
	styles := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(text, -1)
	if len(styles) != 2 {
		t.Fatalf("%d style sheets", len(styles))
	}
	for _, s := range styles {
		sum := sha256.Sum256([]byte(s[1]))
		if h := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, h) {
			t.Errorf("the policy lacks %s, the hash of a style sheet", h)
		}
		if strings.Contains(s[1], "url(") || strings.Contains(s[1], "@import") {
			t.Error("a style sheet asks for something")
		}
	}
}

// hostile makes a result in which every text that comes from data is the given one.
func hostile(text string) *lateness.Result {
	r := doors()
	r.Settings = r.Settings[:1]
	r.Pipeline, r.Strategy, r.By, r.Notes = text, text, text, []string{text}
	r.Advice.Text, r.Advice.Sureness = text, text
	for _, d := range [][]lateness.Delays{r.Delays, r.ByGroup} {
		for i := range d {
			d[i].Name = text
		}
	}
	for i := range r.Settings {
		x := &r.Settings[i]
		for j := range x.Outputs {
			o := &x.Outputs[j]
			o.Step, o.Key = text, []string{text}
			for k := range o.Sample {
				o.Sample[k] = lateness.Cell{Window: text, Key: text, Want: text, Got: text}
			}
		}
		for j := range x.Missed {
			x.Missed[j] = lateness.Missed{Step: text, Source: text, Number: 1, Time: text, Behind: text, Group: text, Record: text, Window: []string{text}}
		}
		x.Written = []lateness.Written{{Window: text, In: text}}
	}
	return r
}

// shape is a page without its texts.
func shape(all []element) []string {
	var names []string
	for _, e := range all {
		names = append(names, e.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestTextFromDataIsTextAndNothingElse(t *testing.T) {
	_, tame := written(t, hostile("tame"))
	for _, text := range []string{
		`</script><img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, `' onmouseover='alert(1)`, `</style><script>alert(1)</script>`,
		`</title><script>alert(1)</script>`, `<!--`, `]]>`, `&lt;b&gt;`, `javascript:alert(1)`, `{{.Lead}}`, "`${1}`", `{"</td><b>":"<i>x</i>"}`,
	} {
		page, all := written(t, hostile(text))
		if got, want := shape(all), shape(tame); !slices.Equal(got, want) {
			t.Errorf("%s: the page has other elements: %v, want %v", text, got, want)
		}
		if strings.Contains(page, "<img") || strings.Contains(page, "<script") {
			t.Errorf("%s came through", text)
		}
		if h1 := named(all, "h1")[0].text; h1 != "What lateness costs "+text {
			t.Errorf("%s: the heading is %q", text, h1)
		}
		for _, e := range all {
			for name := range e.attrs {
				if strings.HasPrefix(name, "on") || name == "src" {
					t.Errorf("%s: <%s %s>", text, e.name, name)
				}
			}
		}
	}
}

func FuzzTextFromData(f *testing.F) {
	f.Add("</script><img src=x onerror=alert(1)>")
	f.Add(`{"a":"\ud800","a":1}`)
	f.Add("{}")
	f.Add("\x00\xff\u202e\u2028")
	f.Add(`{"a":"u\b000","0":0}`)
	f.Add("\x01\x1b\x7f\u0085\ufdd0\uffff\U0001fffe")
	want := shape(func() []element { _, all := written(f, hostile("tame")); return all }())
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(text, "\f", "?") // the parser here is one of XML, to which that is no white space
		if text == "" {
			return // then some tables are left out
		}
		if _, all := written(t, hostile(text)); !slices.Equal(shape(all), want) {
			t.Errorf("%q: the page has the elements %v, want %v", text, shape(all), want)
		}
	})
}

func TestAResultWithoutAnythingIsAPage(t *testing.T) {
	r := &lateness.Result{Pipeline: "none.yaml", Kind: lateness.Bound, Strategy: "bounded(0s)"}
	r.Advice = lateness.Advise(r, lateness.DefaultObjective(), nil, nil)
	_, all := written(t, r)
	for _, said := range []string{"There are no records, so there is nothing to choose by.", "No record came late."} {
		if !strings.Contains(plain(all[0].text), said) {
			t.Errorf("the page does not say %q", said)
		}
	}
	if n := len(named(all, "svg", "table", "input")); n != 0 {
		t.Errorf("%d charts, tables and settings of nothing", n)
	}
	if _, all = written(t, &lateness.Result{}); len(named(all, "h1")) != 1 {
		t.Error("a result without a kind has no page")
	}
}

func TestOfOutputsThatCouldNotBeComparedNothingIsSaid(t *testing.T) {
	r := doors()
	for i := range r.Settings {
		x := &r.Settings[i]
		x.Outputs, x.Polluted, x.Freshness = nil, 0, lateness.Freshness{}
	}
	text, _ := written(t, r)
	for _, claim := range []string{"every cell is as in the complete answer", "No cell is polluted", "only the end of the input closed them"} {
		if strings.Contains(text, claim) {
			t.Errorf("the page says %q", claim)
		}
	}
	if !strings.Contains(text, "no output could be compared") {
		t.Error("the page does not say that nothing was compared")
	}
}

func TestOneSettingIsAPointInEachChart(t *testing.T) {
	r := doors()
	r.Settings = r.Settings[:1]
	r.Advice = lateness.Advise(r, lateness.DefaultObjective(), nil, nil)
	_, all := written(t, r)
	dots := named(all, "circle")
	if len(dots) != 4 {
		t.Errorf("%d points, want one for each of 4 charts", len(dots))
	}
	if got := plain(dots[0].text); got != "bound 0s, allowed lateness 0s: 3 %" {
		t.Errorf("the first says %q", got)
	}
	if !strings.Contains(plain(all[0].text), "No setting of these reaches the objective") {
		t.Error("the page does not say that none reaches the objective")
	}
}

func TestAPanelWithoutSamplesSaysSo(t *testing.T) {
	r := doors()
	r.Settings = r.Settings[:1]
	r.Settings[0].Missed, r.Settings[0].Outputs[0].Sample = nil, nil
	_, all := written(t, r)
	for _, said := range []string{"30 of 1,000 records (3 %) are dropped, from 30 windows. 5 of 12 cells are polluted.", "No dropped record is shown.", "No cell of Minutes is shown."} {
		if !strings.Contains(plain(all[0].text), said) {
			t.Errorf("the page does not say %q", said)
		}
	}
}

func TestPeriodsAreNumbers(t *testing.T) {
	r := doors()
	r.Kind, r.Strategy = lateness.Periods, "periods(months(UTC), 0)"
	r.Delays = []lateness.Delays{lateness.Distribution("meters", lateness.Periods, append(make([]int64, 900), slices.Repeat([]int64{2}, 100)...))}
	r.ByGroup, r.By = nil, ""
	r.Settings = append(r.Settings[:1:1], r.Settings[2:]...)
	for i := range r.Settings {
		x := &r.Settings[i]
		x.Setting = lateness.Setting{Kind: lateness.Periods, Behind: int64(i), AsWritten: i == 0}
		x.Written = []lateness.Written{{Window: "2026-07-01T00:00:00Z", In: fmt.Sprintf("2026-%02d-01T00:00:00Z", 7+i)}}
	}
	r.Advice = lateness.Advise(r, lateness.DefaultObjective(), []int64{0}, []int64{2})
	_, all := written(t, r)
	if rows := cells(t, all, "What each setting costs, in numbers"); fmt.Sprint(rows[2][:4]) != fmt.Sprint([]string{"2 recommended", "0", "0 %", "0"}) {
		t.Errorf("a row %q", rows[2])
	}
	if got := cells(t, all, "Delays by source"); fmt.Sprint(got) != "[[meters  1,000 100 10 % 0 0 2 2 2]]" {
		t.Errorf("delays %q", got)
	}
	if got := cells(t, all, "When a window was written"); fmt.Sprint(got) != "[[2026-07-01T00:00:00Z 2026-07-01T00:00:00Z]]" {
		t.Errorf("written %q", got)
	}
}

func TestThePageStaysSmallWithHundredsOfSettings(t *testing.T) {
	r := doors()
	first := r.Settings[0]
	first.Setting.AsWritten = false
	first.Dropped, first.Outputs[0].Polluted = 100, 100
	for i := range 50 {
		first.Missed = append(first.Missed, first.Missed[i%3])
		first.Missed[len(first.Missed)-1].Record = strings.Repeat("long ", 1000)
		first.Outputs[0].Sample = append(slices.Clip(first.Outputs[0].Sample), first.Outputs[0].Sample[0])
	}
	last := r.Settings[3]
	r.Settings = nil
	for i := range 999 {
		x := first
		x.Setting.Behind = int64(i)
		r.Settings = append(r.Settings, x)
	}
	last.Setting = lateness.Setting{Kind: lateness.Bound, Behind: 10 * second, Allowed: 2 * second}
	r.Settings = append(r.Settings, last)
	for i := range 300 {
		r.ByGroup = append(r.ByGroup, r.ByGroup[i%2])
	}
	r.Advice = lateness.Advise(r, lateness.DefaultObjective(), nil, nil)
	var b strings.Builder // it is not parsed, which would take seconds
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	text := plain(b.String())
	if len(text) > 5<<20 {
		t.Errorf("%d bytes", len(text))
	}
	// 498 and the recommended, with two rows of headings. Some of them can only be read.
	if n := strings.Count(text[strings.Index(text, `id="settings"`):strings.Index(text, `id="polluted"`)], "<tr"); n != 501 {
		t.Errorf("%d rows of settings, want 501", n)
	}
	if n := strings.Count(text, "<input "); n < 58 || n > 60 || n != strings.Count(text, `class="panel"`) {
		t.Errorf("%d settings to choose from, and %d panels", n, strings.Count(text, `class="panel"`))
	}
	for _, has := range []string{
		"501 of 1,000 settings are not shown here; --json has them.", " of 499 can be chosen. To see what another does, run again with that one alone.", "252 more are not shown.", "48 more cells of Minutes are polluted.", "47 more were dropped.", "more bytes)",
		`10s</label> <span class="tag main">recommended</span>`,
	} {
		if !strings.Contains(text, has) {
			t.Errorf("the page does not have %q", has)
		}
	}
}

// luminance is the relative luminance of a colour, as WCAG 2 defines it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var rgb [3]uint8
	text := strings.TrimPrefix(colour, "#")
	if len(text) == 3 {
		text = text[:1] + text[:1] + text[1:2] + text[1:2] + text[2:] + text[2:]
	}
	if _, err := fmt.Sscanf(text, "%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatalf("%q: %v", colour, err)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(rgb[i]) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// Text has a contrast of 4.5 to 1, lines that mean something of 3 to 1 (WCAG 2.2 AA, 1.4.3 and 1.4.11).
// Axe does not look at the text of drawings.
func TestColoursHaveContrastInBothThemes(t *testing.T) {
	themes := regexp.MustCompile(`(?s):root\{(.*?)\}`).FindAllStringSubmatch(style, 2)
	if len(themes) != 2 {
		t.Fatalf("%d themes", len(themes))
	}
	for i, theme := range themes {
		colours := map[string]float64{}
		for _, c := range regexp.MustCompile(`--(\w+):(#\w+)`).FindAllStringSubmatch(theme[1], -1) {
			colours[c[1]] = luminance(t, c[2])
		}
		for _, pair := range []struct {
			front, back string
			want        float64
		}{
			{"ink", "paper", 4.5}, {"quiet", "paper", 4.5}, {"accent", "paper", 4.5}, {"ink", "tint", 4.5}, {"quiet", "tint", 4.5}, {"accent", "tint", 4.5},
			{"line", "paper", 3},
		} {
			a, b := colours[pair.front], colours[pair.back]
			if got := (max(a, b) + 0.05) / (min(a, b) + 0.05); got < pair.want || a == 0 || b == 0 {
				t.Errorf("theme %d: %s on %s has a contrast of %.2f, less than %.1f", i, pair.front, pair.back, got, pair.want)
			}
		}
	}
}

func TestTheSameResultGivesTheSameBytes(t *testing.T) {
	a, _ := written(t, doors())
	if b, _ := written(t, doors()); a != b {
		t.Error("two pages of one result differ")
	}
}

func TestAWriterThatFailsIsTold(t *testing.T) {
	full := errors.New("full")
	if err := Write(failing{full}, doors()); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }
