package yaml

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
	"go.yaml.in/yaml/v4"
)

// windows is a windowing: which windows, and how and when they give results.
type windows struct {
	kind         string // the name of the type
	assigner     window.Assigner
	trigger      trigger.Trigger // nil is the default
	lateness     time.Duration
	accumulation string
	finalOnly    bool
}

func (w *windows) String() string {
	s := w.assigner.String()
	if w.trigger != nil {
		s += ", trigger " + w.trigger.String()
	}
	if w.lateness > 0 {
		s += ", allowed lateness " + w.lateness.String()
	}
	if w.accumulation != "" {
		s += ", " + w.accumulation
	}
	if w.finalOnly {
		s += ", final only"
	}
	return s
}

// apply puts a collection into the windows.
func (w *windows) apply(c strandline.PCollection[record.Row]) strandline.PCollection[record.Row] {
	c = c.WindowInto(w.assigner)
	if w.trigger != nil {
		c = c.Trigger(w.trigger)
	}
	if w.lateness > 0 {
		c = c.AllowedLateness(w.lateness)
	}
	switch w.accumulation {
	case "discarding":
		c = c.Discarding()
	case "accumulating":
		c = c.Accumulating()
	case "retracting":
		c = c.Retracting()
	}
	if w.finalOnly {
		c = c.FinalOnly()
	}
	return c
}

// into puts a collection into the windows of a step. A trial changes only those that something groups
// by: others are forgotten with the next windows.
func (b *builder) into(s *step, c strandline.PCollection[record.Row]) strandline.PCollection[record.Row] {
	if !b.grouped(s) {
		return s.windows.apply(c)
	}
	return b.windowed(s.windows, c)
}

// grouped says whether a step, or one behind it that is in the same windows, groups.
func (p *Pipeline) grouped(s *step) bool {
	if s.def.windowed {
		return true
	}
	return slices.ContainsFunc(p.steps, func(next *step) bool {
		reads := slices.ContainsFunc(next.inputs, func(in input) bool {
			return slices.ContainsFunc(in.from, func(r ref) bool { return r.step == s })
		})
		return reads && next.windows == nil && p.grouped(next)
	})
}

// forWindows are the settings that every windowing may have beside those of its type.
var forWindows = []setting{
	{name: "allowed_lateness", form: durationForm, ours: true, doc: "how long after its end a window stays open for late elements; 0 if it is not given"},
	{name: "trigger", form: anyForm, ours: true, doc: "when a window gives results: see Triggers; once the watermark passes its end if it is not given"},
	{name: "accumulation", form: choiceForm, choices: []string{"accumulating", "discarding", "retracting"}, ours: true, doc: "what a later pane of a window holds: everything (accumulating, the default), only what is new, or everything beside a retraction of the pane before"},
	{name: "final_only", form: boolForm, ours: true, doc: "one pane for a window, when allowed lateness is over"},
}

// windowType is a row of the table of windows.
type windowType struct {
	name     string
	ours     bool
	doc      string
	settings []setting
	make     func(t *text, s *settings) window.Assigner // nil: a problem was noted
}

var windowTypes = []windowType{
	{"global", false, "one window for all of time: it ends with the input", nil,
		func(*text, *settings) window.Assigner { return window.Global() }},
	{"fixed", false, "windows of one size, side by side", []setting{
		{name: "size", form: durationForm, required: true, doc: "how long a window is"},
		{name: "offset", form: durationForm, doc: "by how much windows are shifted from 1970-01-01T00:00:00Z"},
	}, func(_ *text, s *settings) window.Assigner {
		return window.Fixed(s.duration("size")).Offset(s.duration("offset"))
	}},
	{"sliding", false, "windows of one size that begin in regular periods, and overlap", []setting{
		{name: "size", form: durationForm, required: true, doc: "how long a window is"},
		{name: "period", form: durationForm, required: true, doc: "how often one begins"},
		{name: "offset", form: durationForm, doc: "by how much windows are shifted from 1970-01-01T00:00:00Z"},
	}, func(_ *text, s *settings) window.Assigner {
		return window.Sliding(s.duration("size"), s.duration("period")).Offset(s.duration("offset"))
	}},
	{"sessions", false, "windows of activity: a session of a key ends when nothing comes for gap", []setting{
		{name: "gap", form: durationForm, required: true, doc: "the silence that ends a session"},
	}, func(_ *text, s *settings) window.Assigner { return window.Session(s.duration("gap")) }},
	{"cumulative", true, "windows that begin together and grow by step up to size: today so far, say", []setting{
		{name: "size", form: durationForm, required: true, doc: "how long the longest window is"},
		{name: "step", form: durationForm, required: true, doc: "by how much they grow"},
		{name: "offset", form: durationForm, doc: "by how much windows are shifted from 1970-01-01T00:00:00Z"},
	}, func(_ *text, s *settings) window.Assigner {
		return window.Cumulative(s.duration("size"), s.duration("step")).Offset(s.duration("offset"))
	}},
	{"calendar", true, "days, weeks, months, quarters or years of a time zone", []setting{
		{name: "unit", form: choiceForm, required: true, choices: []string{"day", "week", "month", "quarter", "year"}, doc: "the calendar unit"},
		{name: "every", form: intForm, doc: "how many units a window has; 1 if it is not given"},
		{name: "zone", form: textForm, doc: "a time zone such as Europe/Berlin; UTC if it is not given"},
		{name: "start_day", form: choiceForm, choices: weekdays, doc: "the day on which weeks begin; monday if it is not given"},
		{name: "start_month", form: choiceForm, choices: months, doc: "the month in which (fiscal) years and quarters begin; january if it is not given"},
	}, makeCalendar},
}

var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

func makeCalendar(t *text, s *settings) window.Assigner {
	w := map[string]func() window.CalendarWindows{
		"day": window.Days, "week": window.Weeks, "month": window.Months, "quarter": window.Quarters, "year": window.Years,
	}[s.text("unit")]()
	if s.has("every") {
		w = w.Every(s.int("every", 1))
	}
	if s.has("zone") {
		if _, err := window.Zone(s.text("zone")); err != nil {
			t.problemf(s.at("zone"), "write a name such as Europe/Berlin", "there is no time zone %q", s.text("zone"))
			return nil
		}
		w = w.InZone(s.text("zone"))
	}
	if s.has("start_day") {
		w = w.StartingOn(time.Weekday(slices.Index(weekdays, s.text("start_day"))))
	}
	if s.has("start_month") {
		w = w.StartingIn(time.Month(slices.Index(months, s.text("start_month")) + 1))
	}
	return w
}

// parseWindowing reads a windowing. It gives nil if there is something wrong with it.
func (t *text) parseWindowing(n *yaml.Node) *windows {
	if n.Kind != yaml.MappingNode {
		t.problemf(n, "write windowing: {type: fixed, size: 60s}", "windowing must be a mapping, and is %s", kindOf(n))
		return nil
	}
	kind := get(n, "type")
	var all []string
	for _, w := range windowTypes {
		all = append(all, w.name)
	}
	if isNull(kind) || kind.Kind != yaml.ScalarNode {
		t.problemf(n, "one of: "+strings.Join(all, ", "), "windowing needs a type")
		return nil
	}
	i := slices.Index(all, kind.Value)
	if i < 0 {
		t.problemf(kind, meant(kind.Value, all), "there are no windows of type %q", kind.Value)
		return nil
	}
	of := windowTypes[i]
	before := len(*t.problems)
	table := slices.Concat([]setting{{name: "type", form: textForm}}, of.settings, forWindows)
	s := t.read(n, kind, "windowing of type "+of.name, table)
	w := &windows{kind: of.name, lateness: s.duration("allowed_lateness"), accumulation: s.text("accumulation"), finalOnly: s.bool("final_only")}
	if s.has("trigger") {
		if w.trigger = t.parseTrigger(s.at("trigger")); w.trigger != nil {
			if err := trigger.Validate(w.trigger); err != nil {
				t.problemf(s.at("trigger"), "", "%v", err)
			}
		}
	}
	if w.lateness < 0 {
		t.problemf(s.at("allowed_lateness"), "", "allowed_lateness cannot be negative")
	}
	if len(*t.problems) > before {
		return nil
	}
	if w.assigner = of.make(t, s); w.assigner == nil {
		return nil
	}
	if err := w.assigner.Validate(); err != nil {
		_, reason, _ := strings.Cut(err.Error(), ": ") // without the function of the API
		t.problemf(n, "", "windowing of type %s: %s", of.name, reason)
		return nil
	}
	return w
}

// triggerType is a row of the table of triggers.
type triggerType struct {
	name, takes, doc string
	make             func(t *text, n *yaml.Node) trigger.Trigger
}

// alone says whether the trigger can be written as its name.
func (t triggerType) alone() bool { return t.takes == "" || t.name == "after_watermark" }

// triggerTypes is a function since triggers hold triggers.
func triggerTypes() []triggerType {
	one := func(f func(trigger.Trigger) trigger.Trigger) func(*text, *yaml.Node) trigger.Trigger {
		return func(t *text, n *yaml.Node) trigger.Trigger {
			if inner := t.parseTrigger(n); inner != nil {
				return f(inner)
			}
			return nil
		}
	}
	many := func(f func(...trigger.Trigger) trigger.Trigger) func(*text, *yaml.Node) trigger.Trigger {
		return func(t *text, n *yaml.Node) trigger.Trigger {
			if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
				t.problemf(n, "", "a list of triggers is needed here, not %s", kindOf(n))
				return nil
			}
			var all []trigger.Trigger
			for _, c := range n.Content {
				inner := t.parseTrigger(c)
				if inner == nil {
					return nil
				}
				all = append(all, inner)
			}
			return f(all...)
		}
	}
	return []triggerType{
		{"after_watermark", "{early: TRIGGER, late: TRIGGER}", "at the window's end, before it as early says, and after it as late says", makeAfterWatermark},
		{"after_count", "N", "once there are N elements", makeAfterCount},
		{"after_processing_time", "DURATION", "so long after the first element came, by the clock of the machine", makeAfterProcessingTime},
		{"repeat", "TRIGGER", "again and again", one(trigger.Repeat)},
		{"any", "[TRIGGER, ...]", "when the first of them fires", many(trigger.AfterAny)},
		{"all", "[TRIGGER, ...]", "when the last of them has fired", many(trigger.AfterAll)},
		{"in_order", "[TRIGGER, ...]", "as the first says until it is done, then as the second says, and so on", many(trigger.InOrder)},
		{"or_finally", "{main: TRIGGER, until: TRIGGER}", "as main says, and a last time when until fires", makeOrFinally},
		{"always", "", "for each element", func(*text, *yaml.Node) trigger.Trigger { return trigger.Always() }},
		{"never", "", "only when the window expires", func(*text, *yaml.Node) trigger.Trigger { return trigger.Never() }},
		{"default", "", "at the window's end, then for each late element", func(*text, *yaml.Node) trigger.Trigger { return trigger.Default() }},
	}
}

// parseTrigger reads a trigger: a name, or a mapping of one name to what it takes.
func (t *text) parseTrigger(n *yaml.Node) trigger.Trigger {
	table := triggerTypes()
	var all []string
	for _, x := range table {
		all = append(all, x.name)
	}
	name, value := n, (*yaml.Node)(nil)
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 {
		name, value = n.Content[0], n.Content[1]
	} else if n.Kind != yaml.ScalarNode {
		t.problemf(n, "write trigger: {after_count: 10}, say", "a trigger must be a name, or a mapping of one name to what it takes")
		return nil
	}
	i := slices.Index(all, name.Value)
	if i < 0 {
		t.problemf(name, meant(name.Value, all), "there is no trigger %q", name.Value)
		return nil
	}
	if x := table[i]; value == nil && !x.alone() {
		t.problemf(name, fmt.Sprintf("write %s: %s", x.name, x.takes), "the trigger %s needs a value", x.name)
		return nil
	}
	return table[i].make(t, value)
}

func makeAfterWatermark(t *text, n *yaml.Node) trigger.Trigger {
	w := trigger.AfterWatermark()
	if isNull(n) {
		return w
	}
	s := t.read(n, n, "after_watermark", []setting{{name: "early", form: anyForm}, {name: "late", form: anyForm}})
	if s.has("early") {
		early := t.parseTrigger(s.at("early"))
		if early == nil {
			return nil
		}
		w = w.Early(early)
	}
	if s.has("late") {
		late := t.parseTrigger(s.at("late"))
		if late == nil {
			return nil
		}
		w = w.Late(late)
	}
	return w
}

func makeAfterCount(t *text, n *yaml.Node) trigger.Trigger {
	if !t.fits(n, "the trigger", setting{name: "after_count", form: intForm}) {
		return nil
	}
	s := &settings{values: map[string]*yaml.Node{"n": n}}
	return trigger.AfterCount(s.int("n", 0))
}

func makeAfterProcessingTime(t *text, n *yaml.Node) trigger.Trigger {
	if !t.fits(n, "the trigger", setting{name: "after_processing_time", form: durationForm}) {
		return nil
	}
	s := &settings{values: map[string]*yaml.Node{"d": n}}
	return trigger.AfterProcessingTime(s.duration("d"))
}

func makeOrFinally(t *text, n *yaml.Node) trigger.Trigger {
	s := t.read(n, n, "or_finally", []setting{{name: "main", form: anyForm, required: true}, {name: "until", form: anyForm, required: true}})
	if !s.has("main") || !s.has("until") {
		return nil
	}
	main, until := t.parseTrigger(s.at("main")), t.parseTrigger(s.at("until"))
	if main == nil || until == nil {
		return nil
	}
	return trigger.OrFinally(main, until)
}
