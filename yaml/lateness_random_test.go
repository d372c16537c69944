package yaml

import (
	"cmp"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/lateness"
)

// latenessCase is a pipeline with its input and a grid of settings.
type latenessCase struct {
	records  []plainRecord
	windows  plainWindows
	kind     string
	guard    bool
	arrivals bool
	second   string // "", "same", "fixed", "global": the windows of a second aggregation
	size2    int64
	inner    bool // the first is no output: what is taken back is read by one step only
	behind   []int64
	allowed  []int64
	workers  int
}

var theRegions = map[string]string{"a": "west", "b": "west", "c": "east"}

func drawLateness(seed uint64) *latenessCase {
	r := rand.New(rand.NewPCG(seed, 6))
	c := &latenessCase{kind: []string{"bound", "bound", "delay", "periods"}[r.IntN(4)], guard: r.IntN(3) == 0, workers: 1 + r.IntN(2)}
	c.arrivals = c.kind != "bound" || r.IntN(2) == 0
	unit := int64(1)
	if c.kind == "periods" {
		unit = day / 4
	}
	switch r.IntN(4) {
	case 0:
		c.windows = plainWindows{size: unit * (1 + r.Int64N(12)), offset: unit * r.Int64N(3)}
	case 1:
		c.windows = plainWindows{size: unit * (2 + r.Int64N(12)), period: unit * (1 + r.Int64N(6))}
	case 2:
		c.windows = plainWindows{gap: unit * (1 + r.Int64N(6))}
	case 3:
		c.windows, unit = plainWindows{size: day}, day/6
	}
	for range 1 + r.IntN(3) {
		c.allowed = append(c.allowed, unit*r.Int64N(12))
	}
	for range 1 + r.IntN(3) {
		if c.kind == "periods" {
			c.behind = append(c.behind, r.Int64N(3))
		} else {
			c.behind = append(c.behind, unit*r.Int64N(15))
		}
	}
	c.second = []string{"", "same", "fixed", "global"}[r.IntN(4)]
	if c.second == "fixed" {
		c.size2 = unit * (1 + r.Int64N(20))
	}
	if c.windows.gap > 0 && c.second != "" { // a session that grows takes back what it gave: not said here
		c.allowed = []int64{0}
	}
	c.inner = c.second != "" && slices.Max(c.allowed) > 0
	now, disorder := 100*day+r.Int64N(day), unit*r.Int64N(20)
	for range 1 + r.IntN(50) {
		now += unit * r.Int64N(4) * r.Int64N(2)
		if r.IntN(15) == 0 {
			now += unit * r.Int64N(40)
		}
		x := plainRecord{key: string(rune('a' + r.IntN(3))), v: 1 + r.Int64N(30), at: now, came: now}
		if r.IntN(3) == 0 {
			x.at -= r.Int64N(disorder + 1)
		}
		if r.IntN(4) == 0 {
			x.came += r.Int64N(disorder + 1)
		}
		if r.IntN(40) == 0 {
			x.at += unit * r.Int64N(100)
		}
		c.records = append(c.records, x)
	}
	return c
}

func (c *latenessCase) text() string {
	var b strings.Builder
	b.WriteString("pipeline:\n  transforms:\n    - type: Create\n      name: In\n      config:\n        elements:\n")
	for _, x := range c.records {
		fmt.Fprintf(&b, "          - {key: %s, region: %s, v: %d, at: %d, came: %d}\n", x.key, theRegions[x.key], x.v, x.at, x.came)
	}
	b.WriteString("      watermark: {timestamp: at, unit: s")
	if c.arrivals {
		b.WriteString(", arrival: came")
	}
	switch c.kind {
	case "delay":
		b.WriteString(", strategy: arrival, delay: 7s")
	case "periods":
		b.WriteString(", strategy: periods, calendar: {unit: day}")
	default:
		fmt.Fprintf(&b, ", bound: 7s, guard: %t", c.guard)
	}
	w := c.windows
	windowing := fmt.Sprintf("{type: fixed, size: %ds, offset: %ds}", w.size, w.offset)
	switch {
	case w.gap > 0:
		windowing = fmt.Sprintf("{type: sessions, gap: %ds}", w.gap)
	case w.period > 0:
		windowing = fmt.Sprintf("{type: sliding, size: %ds, period: %ds}", w.size, w.period)
	case w.size == day && w.offset == 0:
		windowing = "{type: calendar, unit: day}"
	}
	fmt.Fprintf(&b, `}
    - {type: Filter, name: Some, input: In, config: {keep: "v %% 7 != 0"}}
    - {type: Combine, name: A, input: Some, windowing: %s, config: {group_by: [key, region], combine: {total: {value: v, fn: sum}, n: count}}}
`, windowing)
	if !c.inner {
		b.WriteString("    - {type: WriteToJson, name: OutA, input: A, config: {path: \"-\"}}\n")
	}
	switch c.second {
	case "same":
		windowing = ""
	case "fixed":
		windowing = fmt.Sprintf(", windowing: {type: fixed, size: %ds}", c.size2)
	case "global":
		windowing = ", windowing: {type: global}"
	}
	if c.second != "" {
		fmt.Fprintf(&b, "    - {type: Combine, name: B, input: A%s, config: {group_by: region, combine: {total: {value: total, fn: sum}, rows: count}}}\n", windowing)
		b.WriteString("    - {type: WriteToJson, name: OutB, input: B, config: {path: \"-\"}}\n")
	}
	return b.String()
}

// output is the name of the i-th output.
func (c *latenessCase) output(i int) string {
	if c.inner {
		i++
	}
	return []string{"OutA", "OutB"}[i]
}

// steps are the aggregations, as the naive program has them.
func (c *latenessCase) steps(allowed int64) []plainStep {
	a := plainStep{windows: c.windows, allowed: allowed, takeBack: c.second != "" && allowed > 0}
	w := c.windows
	a.sliced = w.period > 0 && w.period <= w.size && !a.takeBack
	a.inner = c.inner
	steps := []plainStep{a}
	switch c.second {
	case "same":
		steps = append(steps, plainStep{windows: c.windows, inherits: true, allowed: allowed})
	case "fixed":
		steps = append(steps, plainStep{windows: plainWindows{size: c.size2}, allowed: allowed})
	case "global":
		steps = append(steps, plainStep{windows: plainWindows{global: true}, allowed: allowed})
	}
	return steps
}

// TestRandomPipelinesUnderSettingsCostWhatANaiveProgramSays holds dropped records, polluted cells,
// panes, freshness and state against loops over the records.
func TestRandomPipelinesUnderSettingsCostWhatANaiveProgramSays(t *testing.T) {
	n, until := count(t)
	from, alone := firstSeed(t)
	if alone {
		n = 1
	}
	bad, done, settings, seen := 0, 0, 0, map[string]int{}
	for seed := from; seed < from+n && bad < 3 && (until.IsZero() || time.Now().Before(until)); seed++ {
		c := drawLateness(seed)
		done++
		got, diff := c.differs(t, seen)
		settings += got
		if diff != "" {
			t.Errorf("STRANDLINE_SEED=%d go test -run %s ./yaml\n%s\n%s", seed, t.Name(), c.text(), diff)
			bad++
		}
	}
	t.Attr("cases", strconv.Itoa(done))
	t.Logf("%d pipelines under %d settings compared; of these with %v", done, settings, seen)
	if bad == 0 && !alone && n >= 200 && until.IsZero() {
		for _, k := range []string{"bound", "delay", "periods", "guard", "fixed", "sliding", "sessions", "calendar", "second same", "second fixed", "second global", "dropped", "polluted", "polluted in the second", "corrected", "on time", "by the clock", "sliced"} {
			if seen[k] == 0 {
				t.Errorf("there was none with %s", k)
			}
		}
	}
}

func (c *latenessCase) differs(t *testing.T, seen map[string]int) (settings int, diff string) {
	p, err := Parse("pipeline", c.text(), Options{})
	if err == nil {
		err = p.Check(t.Context())
	}
	if err != nil {
		return 0, err.Error()
	}
	o := LatenessOptions{Workers: c.workers, Objective: lateness.DefaultObjective()}
	for _, b := range c.behind {
		if c.kind == "periods" {
			o.Periods = append(o.Periods, int(b))
		} else {
			o.Bounds = append(o.Bounds, time.Duration(b)*time.Second)
		}
	}
	for _, a := range c.allowed {
		o.Allowed = append(o.Allowed, time.Duration(a)*time.Second)
	}
	result, err := p.Lateness(t.Context(), o)
	if err != nil {
		return 0, err.Error()
	}
	records := slices.Clone(c.records)
	if c.arrivals {
		slices.SortStableFunc(records, func(a, b plainRecord) int { return cmp.Compare(a.came, b.came) })
	}
	complete := plainly(records, c.steps(0), theRegions, nil)
	cells := 0
	for _, out := range complete.outputs {
		cells += len(out)
	}
	if result.Complete != cells {
		return 0, fmt.Sprintf("the complete answer has %d cells, not %d", result.Complete, cells)
	}
	grid := len(slices.Compact(slices.Sorted(slices.Values(c.behind)))) * len(slices.Compact(slices.Sorted(slices.Values(c.allowed))))
	if len(result.Settings) != grid {
		return 0, fmt.Sprintf("%d settings, not %d", len(result.Settings), grid)
	}
	for i := range result.Settings {
		x := &result.Settings[i]
		s := plainSetting{kind: c.kind, behind: x.Setting.Behind, allowed: int64(x.Setting.Allowed) / 1e6, guard: c.guard}
		if c.kind != "periods" {
			s.behind /= 1e6
		}
		steps := c.steps(s.allowed)
		want := plainly(records, steps, theRegions, &s)
		c.note(seen, &want, &complete, steps)
		if got, wanted := c.shown(x, result), c.wanted(&want, &complete); got != wanted {
			return i, fmt.Sprintf("%v:\ngot\n%swant\n%s", x.Setting, got, wanted)
		}
	}
	return len(result.Settings), ""
}

// note counts what was seen.
func (c *latenessCase) note(seen map[string]int, x, complete *plainOutcome, steps []plainStep) {
	seen[c.kind]++
	w := c.windows
	add := func(is bool, name string) {
		if is {
			seen[name]++
		}
	}
	add(c.kind == "bound" && c.guard, "guard")
	add(w.gap > 0, "sessions")
	add(w.period > 0, "sliding")
	add(w.size == day && w.period == 0, "calendar")
	add(w.size > 0 && w.size < day && w.period == 0, "fixed")
	add(c.second != "", "second "+c.second)
	add(x.dropped > 0, "dropped")
	add(x.outputs[0].polluted(complete.outputs[0]) > 0, "polluted")
	add(c.second != "" && x.outputs[len(x.outputs)-1].polluted(complete.outputs[len(x.outputs)-1]) > 0, "polluted in the second")
	add(x.corrected > 0, "corrected")
	add(len(x.event) > 0, "on time")
	add(c.arrivals && len(x.clock) > 0, "by the clock")
	add(steps[0].sliced, "sliced")
}

// shown is what is compared, of an outcome.
func (c *latenessCase) shown(x *lateness.Outcome, r *lateness.Result) string {
	var b strings.Builder
	at := 0
	for _, n := range x.DroppedAt {
		at += n
	}
	fmt.Fprintf(&b, "dropped %d (%d), assignments %d, panes %d, corrected %d, at the end %d\n", x.Dropped, at, x.Assignments, x.Panes, x.Corrected, x.Freshness.AtEnd)
	for _, o := range x.Outputs {
		fmt.Fprintf(&b, "%s: %d of %d polluted, %d cells\n", o.Step, o.Polluted, o.Complete, o.Cells)
	}
	spread := func(name string, s *lateness.Spread) {
		if s != nil {
			fmt.Fprintf(&b, "%s: %d %d %d\n", name, s.P50/1e6, s.P99/1e6, s.Max/1e6)
		}
	}
	spread("event", x.Freshness.Event)
	spread("clock", x.Freshness.Processing)
	for _, name := range []string{"A", "B"} {
		for _, s := range x.Steps {
			if s.Step == name {
				fmt.Fprintf(&b, "state of %s: %d\n", name, s.Entries)
			}
		}
	}
	for _, w := range x.Written {
		fmt.Fprintf(&b, "%s written %s\n", w.Window, w.In)
	}
	d := r.Delays[0]
	scale := lateness.Span(1e6)
	if c.kind == "periods" {
		scale = 1
	}
	fmt.Fprintf(&b, "delays: %d behind, %d %d %d %d\n", d.Behind, d.P50/scale, d.P90/scale, d.P99/scale, d.Max/scale)
	return b.String()
}

// wanted is the same of the naive program.
func (c *latenessCase) wanted(x, complete *plainOutcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "dropped %d (%d), assignments %d, panes %d, corrected %d, at the end %d\n", x.dropped, len(x.droppedAt), x.assignments, x.panes, x.corrected, x.atEnd)
	for i, o := range x.outputs {
		fmt.Fprintf(&b, "%s: %d of %d polluted, %d cells\n", c.output(i), o.polluted(complete.outputs[i]), len(complete.outputs[i]), len(o))
	}
	spread := func(name string, all []int64) {
		if len(all) > 0 {
			fmt.Fprintf(&b, "%s: %d %d %d\n", name, atMost(all, 0.5), atMost(all, 0.99), atMost(all, 1))
		}
	}
	spread("event", x.event)
	if c.arrivals {
		spread("clock", x.clock)
	}
	for i, n := range x.peaks {
		if n > 0 {
			fmt.Fprintf(&b, "state of %s: %d\n", []string{"A", "B"}[i], n)
		}
	}
	if c.kind == "periods" {
		var lines []string
		for win, at := range x.written {
			if at != never {
				lines = append(lines, fmt.Sprintf("%s written %s\n", time.Unix(win.from, 0).UTC().Format(time.RFC3339), time.Unix(floorTo(at, day, 0), 0).UTC().Format(time.RFC3339)))
			}
		}
		slices.Sort(lines)
		b.WriteString(strings.Join(lines, ""))
	}
	behind := 0
	for _, d := range x.lags {
		if d > 0 {
			behind++
		}
	}
	fmt.Fprintf(&b, "delays: %d behind, %d %d %d %d\n", behind, atMost(x.lags, 0.5), atMost(x.lags, 0.9), atMost(x.lags, 0.99), atMost(x.lags, 1))
	return b.String()
}

// TestRandomPipelinesGoneOverOnceCostWhatEachSettingsRunSays compares one pass for all settings with
// one for each.
func TestRandomPipelinesGoneOverOnceCostWhatEachSettingsRunSays(t *testing.T) {
	n, until := count(t)
	from, alone := firstSeed(t)
	if alone {
		n = 1
	}
	bad, done, dropped, polluted, files := 0, uint64(0), 0, 0, 0
	for seed := from; done < n && bad < 3 && (until.IsZero() || time.Now().Before(until)); seed++ {
		r := rand.New(rand.NewPCG(seed, 7))
		c := drawLateness(seed)
		for c.windows.size == 0 || c.windows.period > c.windows.size || c.kind != "bound" {
			seed++
			c = drawLateness(seed)
		}
		c.second, c.inner = "", false
		text := c.text()
		switch r.IntN(4) { // steps before and behind, and other aggregates
		case 0:
			all := "group"
			if c.windows.period > 0 {
				all = "max" // slices are merged, and a list has no order then
			}
			text = strings.Replace(text, "{total: {value: v, fn: sum}, n: count}", "{total: {value: v * 2, fn: mean}, first: {value: v, fn: first}, all: {value: v, fn: "+all+"}}", 1)
		case 1:
			text = strings.Replace(text, "name: OutA, input: A,", "name: OutA, input: Named,", 1) +
				"    - {type: MapToFields, name: Named, input: Dated, config: {fields: {key: key, region: region, twice: total // 20, from: window_start}}}\n" +
				"    - {type: ExtractWindowingInfo, name: Dated, input: A}\n" +
				"    - {type: WriteToCsv, name: Again, input: A, config: {path: \"-\"}}\n"
		case 2:
			text = strings.Replace(text, "group_by: [key, region]", "group_by: region", 1)
			text = strings.Replace(text, "    - {type: WriteToJson, name: OutA, input: A, config: {path: \"-\"}}\n", "", 1)
		}
		if r.IntN(2) == 0 {
			text = fromFile(t, c.records, text)
			files++
		}
		run := func(apart bool) (*lateness.Result, error) {
			p, err := Parse("pipeline", text, Options{})
			if err != nil {
				return nil, err
			}
			p.Keep("key")
			if err := p.Check(t.Context()); err != nil {
				return nil, err
			}
			o := LatenessOptions{Objective: lateness.DefaultObjective(), By: "key", Sample: 3, apart: apart}
			if seed%3 > 0 {
				for _, b := range c.behind {
					o.Bounds = append(o.Bounds, time.Duration(b)*time.Second)
				}
				for _, a := range c.allowed {
					o.Allowed = append(o.Allowed, time.Duration(a)*time.Second)
				}
			}
			return p.Lateness(t.Context(), o)
		}
		done++
		shown := func(apart bool) string {
			x, err := run(apart)
			if err != nil {
				t.Fatalf("STRANDLINE_SEED=%d: %v\n%s", seed, err, text)
			}
			if once := x.Passes <= 2; once == apart && len(x.Settings) != 1 {
				t.Fatalf("STRANDLINE_SEED=%d: %d passes for %d settings\n%s", seed, x.Passes, len(x.Settings), text)
			}
			for i := range x.Settings {
				dropped += int(x.Settings[i].Dropped)
				polluted += x.Settings[i].Polluted
			}
			return measured(t, x)
		}
		if got, want := shown(false), shown(true); got != want {
			a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Errorf("STRANDLINE_SEED=%d go test -run %s ./yaml\n%s\nonce\n%s\napart\n%s", seed, t.Name(), text, strings.Join(a[max(i-12, 0):min(i+12, len(a))], "\n"), strings.Join(b[max(i-12, 0):min(i+12, len(b))], "\n"))
					break
				}
			}
			bad++
		}
	}
	t.Attr("cases", strconv.FormatUint(done, 10))
	t.Logf("%d pipelines compared, %d of them of files, with %d records dropped and %d cells polluted", done, files, dropped/2, polluted/2)
}

// measured is all that was measured of the settings, apart from time and bytes, which are estimates.
func measured(t *testing.T, x *lateness.Result) string {
	t.Helper()
	x.Passes, x.Seconds, x.Plain, x.Advice = 0, 0, 0, lateness.Advice{}
	for i := range x.Settings {
		s := &x.Settings[i]
		s.Seconds, s.StateBytes = 0, 0
		for j := range s.Steps {
			s.Steps[j].Bytes = 0
		}
	}
	b, err := json.Marshal(x, jsontext.WithIndent(" "), json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// fromFile has a pipeline read the records from a file, among them one that cannot be read.
func fromFile(t *testing.T, records []plainRecord, text string) string {
	var b strings.Builder
	for i, x := range records {
		fmt.Fprintf(&b, `{"key": %q, "region": %q, "v": %d, "at": %d, "came": %d}`+"\n", x.key, theRegions[x.key], x.v, x.at, x.came)
		if i == len(records)/2 {
			b.WriteString("{\n")
		}
	}
	path := filepath.Join(t.TempDir(), "in.json")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(text, "    - type: Create\n")
	_, after, _ := strings.Cut(rest, "      watermark:")
	return before + "    - type: ReadFromJson\n      name: In\n      config: {path: " + path + "}\n      watermark:" + after
}
