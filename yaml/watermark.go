package yaml

import (
	"errors"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
	"go.yaml.in/yaml/v4"
)

// marks is what a source says of its event times and its watermark.
type marks struct {
	field    string // the event time; "" if there is none
	node     *yaml.Node
	layout   timestamp.Layout
	arrival  string // the field that says when a record came; "" if none does
	strategy watermark.Strategy
	calendar window.Assigner // of the strategy periods
	settings *settings
}

var forTimes = []setting{
	{name: "unit", form: choiceForm, choices: []string{"s", "ms", "us", "ns"}, ours: true, doc: "the unit of an event time that is a number since 1970"},
	{name: "layout", form: textForm, ours: true, doc: "how an event time that is text is written, as %Y-%m-%d or 2006-01-02; RFC 3339 if it is not given"},
	{name: "zone", form: textForm, ours: true, doc: "the time zone of a layout without one; UTC if it is not given"},
}

var forWatermarks = append([]setting{
	{name: "timestamp", form: textForm, ours: true, doc: "the field with the event time"},
}, append(forTimes, []setting{
	{name: "strategy", form: choiceForm, choices: strategyNames(), ours: true, doc: "how the watermark follows the records: see Watermarks; bounded if bound is given, else ascending"},
	{name: "bound", form: durationForm, ours: true, doc: "bounded: by how much the watermark stays behind the greatest event time"},
	{name: "delay", form: durationForm, ours: true, doc: "arrival: by how much the watermark stays behind the time of arrival"},
	{name: "quantile", form: numberForm, ours: true, doc: "adaptive: the share of records that are to be in time; 0.99 if it is not given"},
	{name: "floor", form: durationForm, ours: true, doc: "adaptive: the least bound"},
	{name: "ceiling", form: durationForm, ours: true, doc: "adaptive: the greatest bound; 1h if it is not given"},
	{name: "calendar", form: anyForm, ours: true, doc: "periods: calendar windows, {unit: month} say"},
	{name: "periods", form: intForm, ours: true, doc: "periods: how many whole periods the watermark stays behind the period of arrival; 0 if it is not given"},
	{name: "arrival", form: textForm, ours: true, doc: "the field that says when a record came, for replays and for strandline lateness; in the same unit or layout as the event time"},
	{name: "idle", form: durationForm, ours: true, doc: "after so much silence a split no longer holds the watermark back"},
	{name: "idle_advance", form: boolForm, ours: true, doc: "once all splits are idle the watermark goes on by the clock"},
	{name: "guard", form: boolForm, ours: true, doc: "whether a lone record from the future is kept from moving the watermark; true if it is not given"},
}...)...)

// strategies is the table of strategies: what becomes of a watermark under each.
var strategies = []Entry{
	{Name: "bounded", Ours: true, Doc: "stays behind the greatest event time by bound"},
	{Name: "ascending", Ours: true, Doc: "is the greatest event time: a record that is behind another is late if its window is over"},
	{Name: "arrival", Ours: true, Doc: "stays behind the time of arrival by delay, whatever the event times are"},
	{Name: "adaptive", Ours: true, Doc: "measures how far behind records come, and stays so far behind that a share of them, quantile, is in time"},
	{Name: "periods", Ours: true, Doc: "goes from one calendar period to the next as records arrive, periods behind the one of arrival"},
	{Name: "end_of_input", Ours: true, Doc: "waits for the end of the input: nothing is late"},
}

func strategyNames() []string {
	var list []string
	for _, s := range strategies {
		list = append(list, s.Name)
	}
	return list
}

// parseLayout reads unit, layout and zone.
func (t *text) parseLayout(s *settings) (timestamp.Layout, bool) {
	if s.has("unit") {
		if s.has("layout") {
			t.problemf(s.at("layout"), "", "an event time has a unit or a layout, not both")
			return timestamp.Layout{}, false
		}
		return map[string]timestamp.Layout{"s": timestamp.Seconds, "ms": timestamp.Millis, "us": timestamp.Micros, "ns": timestamp.Nanos}[s.text("unit")], true
	}
	if !s.has("layout") {
		if s.has("zone") {
			t.problemf(s.at("zone"), "", "a zone goes with a layout")
			return timestamp.Layout{}, false
		}
		return timestamp.RFC3339, true
	}
	zone := time.UTC
	if s.has("zone") {
		z, err := window.Zone(s.text("zone"))
		if err != nil {
			t.problemf(s.at("zone"), "write a name such as Europe/Berlin", "there is no time zone %q", s.text("zone"))
			return timestamp.Layout{}, false
		}
		zone = z
	}
	layout := s.text("layout")
	if strings.Contains(layout, "%") {
		var bad string
		if layout, bad = fromStrptime(layout); bad != "" {
			t.problemf(s.at("layout"), "", "the layout has an unknown %s", bad)
			return timestamp.Layout{}, false
		}
	}
	l := timestamp.Format(layout, zone)
	if err := l.Check(); err != nil {
		t.problemf(s.at("layout"), "", "%v", err)
		return timestamp.Layout{}, false
	}
	return l, true
}

var strptime = map[byte]string{
	'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'I': "03", 'M': "04", 'S': "05", 'f': "000000", 'p': "PM", 'y': "06",
	'b': "Jan", 'B': "January", 'a': "Mon", 'A': "Monday", 'z': "-0700", 'Z': "MST", 'j': "002", 'e': "_2", 'T': "15:04:05", 'F': "2006-01-02", '%': "%",
}

// fromStrptime turns a layout of C and Python into one of Go; bad is what it does not know.
func fromStrptime(s string) (layout, bad string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", "%"
		}
		part, ok := strptime[s[i]]
		if !ok {
			return "", "%" + string(s[i])
		}
		b.WriteString(part)
	}
	return b.String(), ""
}

// parseMarks reads a watermark section. It gives nil if there is something wrong with it.
func (t *text) parseMarks(n *yaml.Node) *marks {
	before := len(*t.problems)
	s := t.read(n, n, "watermark", forWatermarks)
	m := &marks{settings: s, field: s.text("timestamp"), node: s.at("timestamp"), arrival: s.text("arrival")}
	m.layout, _ = t.parseLayout(s)
	m.calendar = t.parseCalendar(s)
	m.strategy = t.parseStrategy(s, m.calendar)
	if len(*t.problems) > before {
		return nil
	}
	if err := m.strategy.Validate(); err != nil {
		t.problemf(n, "", "%v", err)
		return nil
	}
	return m
}

// goesWith says for which strategy a setting is.
var goesWith = map[string]string{"bound": "bounded", "delay": "arrival", "quantile": "adaptive", "floor": "adaptive", "ceiling": "adaptive", "calendar": "periods", "periods": "periods"}

// parseCalendar reads the calendar of a watermark that goes by periods: months if it is not given,
// nil if there is something wrong with it.
func (t *text) parseCalendar(s *settings) window.Assigner {
	n := s.at("calendar")
	if n == nil {
		return window.Months()
	}
	c := t.read(n, n, "calendar", windowTypes[len(windowTypes)-1].settings)
	if !c.has("unit") {
		return nil
	}
	return makeCalendar(t, c)
}

func (t *text) parseStrategy(s *settings, calendar window.Assigner) watermark.Strategy {
	kind := s.text("strategy")
	if kind == "" {
		kind = "ascending"
		for name, of := range goesWith {
			if s.has(name) {
				kind = of
			}
		}
	}
	for name, of := range goesWith {
		if s.has(name) && of != kind {
			t.problemf(s.at(name), "", "%s goes with the strategy %s, and this one is %s", name, of, kind)
		}
	}
	switch kind {
	case "arrival":
		return idling(s, watermark.Arrival(s.duration("delay")))
	case "adaptive":
		ceiling := time.Hour
		if s.has("ceiling") {
			ceiling = s.duration("ceiling")
		}
		return guarding(s, idling(s, watermark.Adaptive(s.number("quantile", 0.99), s.duration("floor"), ceiling)))
	case "periods":
		if calendar == nil {
			return watermark.EndOfInput()
		}
		return idling(s, watermark.Periods(calendar, s.int("periods", 0)))
	case "end_of_input":
		return watermark.EndOfInput()
	case "bounded":
		return guarding(s, idling(s, watermark.Bounded(s.duration("bound"))))
	}
	return guarding(s, idling(s, watermark.Ascending()))
}

// idling tells a strategy the settings of idleness.
func idling[W interface {
	Idle(time.Duration) W
	IdleAdvance() W
}](s *settings, w W) W {
	if idle := s.duration("idle"); idle > 0 {
		w = w.Idle(idle)
	}
	if s.bool("idle_advance") {
		w = w.IdleAdvance()
	}
	return w
}

// guarding takes the poison guard off a strategy if the settings say so.
func guarding[W interface{ NoGuard() W }](s *settings, w W) W {
	if guard, given := s.flag("guard"); given && !guard {
		w = w.NoGuard()
	}
	return w
}

var errNoTime = errors.New("it is null, and so no event time")

// instant reads an event time of a value.
func instant(v record.Value, l timestamp.Layout) (us int64, err error) {
	switch v.Kind() {
	case record.Time:
		return v.Time(), nil
	case record.String:
		return l.ParseMicros([]byte(v.Str()))
	case record.Null:
		return 0, errNoTime
	}
	return l.ParseMicros(v.AppendJSON(nil))
}

// arriving wraps the strategy with the arrival that a field of the rows tells.
func (m *marks) arriving(schema record.Schema) watermark.Strategy {
	if of := m.arrivalOf(schema); of != nil && m.strategy.Needs().Arrival {
		return watermark.ArrivalFrom(m.strategy, func(r *record.Row) time.Time { return etime.Time(of(r)) })
	}
	return m.strategy
}

// arrivalOf gives what reads the arrival of a row, etime.Min if it cannot be read; nil if no field
// tells it.
func (m *marks) arrivalOf(schema record.Schema) func(r *record.Row) int64 {
	i := schema.Index(m.arrival)
	if m.arrival == "" || i < 0 {
		return nil
	}
	layout := m.layout
	return func(r *record.Row) int64 {
		us, err := instant((*r)[i], layout)
		if err != nil {
			return etime.Min
		}
		return us
	}
}

// arrivalOf is that of a source.
func (s *step) arrivalOf() func(r *record.Row) int64 {
	if s.marks == nil {
		return nil
	}
	return s.marks.arrivalOf(s.outs[""].schema)
}
