package yaml

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

var outPath = setting{name: "path", form: textForm, required: true, doc: "the file; - is standard output. It appears under its name when the run is complete; where a source has no end, rows are written to it as they come"}

func writing() []*transform {
	file := func(name, format, doc string, more ...setting) *transform {
		return &transform{
			name: name, doc: doc, sink: true, settings: append([]setting{outPath}, more...),
			check: func(c *checker, s *step) { c.writeFile(s, format) },
		}
	}
	return []*transform{
		file("WriteToJson", "json", "writes JSON lines", setting{name: "num_shards", form: intForm, doc: "accepted, and without effect: there is one file"}),
		file("WriteToCsv", "csv", "writes comma-separated values with a header", setting{name: "delimiter", form: textForm, doc: "what stands between fields; a comma if it is not given"},
			setting{name: "header", form: boolForm, ours: true, doc: "whether the first line names the columns; true if it is not given"}),
		file("WriteToText", "text", "writes lines, of rows with one field"),
		file("WriteToParquet", "parquet", "writes a Parquet file; each field must have one type"),
		{
			name: "LogForTesting", doc: "prints each row to standard error, and hands it on", settings: []setting{
				{name: "level", form: choiceForm, choices: []string{"ERROR", "INFO", "DEBUG"}, doc: "what stands before it; INFO if it is not given"},
				{name: "prefix", form: textForm, doc: "what stands before the row"},
			}, check: (*checker).log,
		},
		{
			name: "AssertEqual", doc: "fails the run if the rows are not these, in whatever order, and hands them on", settings: []setting{
				{name: "elements", form: listForm, required: true, doc: "the rows; what is no mapping becomes the field element"},
			}, check: (*checker).assertEqual,
		},
	}
}

func (c *checker) writeFile(s *step, format string) {
	in := s.in[0].schema
	if !c.noRetractions(s) {
		return
	}
	cfg := rowio.SinkConfig{Format: format, Stdout: c.options.Stdout, InPlace: c.follows()}
	cfg.Path = s.text.secret(s.settings.at("path"), c.options.Getenv)
	if name := s.settings.text("path"); name != cfg.Path {
		cfg.Name = filepath.Base(name)
	}
	if header, given := s.settings.flag("header"); given {
		cfg.NoHeader = !header
	}
	if !c.character(s, "delimiter", &cfg.Delimiter) {
		return
	}
	if format == "text" && len(in) != 1 {
		c.failf(s, s.kindNode, "make one field of them with MapToFields", "WriteToText writes rows of one field, and these have %d", len(in))
		return
	}
	if format == "parquet" && cfg.Path != "" {
		if v, ok := rowio.Sink(cfg, in).(interface{ Validate() error }); ok {
			if err := v.Validate(); err != nil {
				c.failf(s, s.kindNode, "", "%v", err)
				return
			}
		}
	}
	if cfg.Path != "-" && cfg.Path != "" && !c.alone(s, cfg.Path) {
		return
	}
	s.build = func(b *builder, ins []rows) map[string]rows {
		if cfg.Path == "-" {
			cfg := cfg
			cfg.Stdout = b.console.part()
			ins[0].c.WriteTo(rowio.Sink(cfg, in))
			return nil
		}
		ins[0].c.WriteTo(rowio.Sink(cfg, in))
		return nil
	}
}

func (c *checker) log(s *step) {
	in := s.in[0].schema
	s.outs[""] = passing(s)
	level := s.settings.text("level")
	if level == "" {
		level = "INFO"
	}
	prefix := s.settings.text("prefix")
	s.build = func(b *builder, ins []rows) map[string]rows {
		begin, shared := level+" "+prefix, &b.logging
		ins[0].c.WriteTo(watching{step: s.id, names: in.Names(), row: func(r Row) error {
			line := append(record.AppendObject([]byte(begin), r.Names, r.Values), '\n')
			shared.Lock()
			defer shared.Unlock()
			if _, err := b.options.Stderr.Write(line); err != nil {
				return fmt.Errorf("%s: standard error: %w", s.id, err)
			}
			return nil
		}})
		return map[string]rows{"": ins[0]}
	}
}

func (c *checker) assertEqual(s *step) {
	want, schema, ok := c.elements(s, s.settings.at("elements"))
	if !ok {
		return
	}
	in := s.in[0].schema
	if len(want) > 0 {
		for _, f := range schema {
			if in.Index(f.Name) < 0 {
				c.failf(s, s.settings.at("elements"), meant(f.Name, in.Names()), "the rows have no field %q", f.Name)
				return
			}
		}
	}
	if !c.noRetractions(s) {
		return
	}
	s.outs[""] = passing(s)
	s.use = func(map[string]fields) []fields { return []fields{nil} }
	s.build = func(b *builder, ins []rows) map[string]rows {
		var got []record.Value
		names := in.Names()
		strandline.Each(ins[0].c, s.id, func(p strandline.Pane[record.Row]) { got = append(got, record.OfStruct(names, p.Value)) })
		expected := make([]record.Value, len(want))
		wantNames := schema.Names()
		for i, r := range want {
			expected[i] = record.OfStruct(wantNames, r)
		}
		b.after = append(b.after, func() error {
			if missing, more := compare(expected, got); len(missing)+len(more) > 0 {
				return &DifferenceError{s.id, missing, more}
			}
			return nil
		})
		return map[string]rows{"": ins[0]}
	}
}

// compare gives the values of want that got has not, and those that it has beyond want.
func compare(want, got []record.Value) (missing, more []record.Value) {
	left := slices.Clone(got)
	for _, w := range want {
		i := slices.IndexFunc(left, func(g record.Value) bool { return matches(w, g) })
		if i < 0 {
			missing = append(missing, w)
		} else {
			left = slices.Delete(left, i, i+1)
		}
	}
	return missing, left
}

// matches says whether a row is as written: fields that are not written must be null, and a
// time may be written as RFC 3339 or as seconds since 1970.
func matches(want, got record.Value) bool {
	if want.Kind() == record.Struct && got.Kind() == record.Struct {
		w, g := want.Struct(), got.Struct()
		for i, name := range g.Names {
			if !matches(w.Get(name), g.Values[i]) {
				return false
			}
		}
		for i, name := range w.Names {
			if !w.Values[i].IsNull() && !slices.Contains(g.Names, name) {
				return false
			}
		}
		return true
	}
	if want.Kind() == record.List && got.Kind() == record.List {
		w, g := want.List(), got.List()
		for i := range w {
			if len(w) != len(g) || !matches(w[i], g[i]) {
				return false
			}
		}
		return len(w) == len(g)
	}
	if got.Kind() == record.Time {
		switch want.Kind() {
		case record.String:
			return want.Str() == strings.Trim(got.String(), `"`)
		case record.Int:
			return got.Time()%1e6 == 0 && got.Time()/1e6 == want.Int()
		case record.Float:
			return float64(got.Time())/1e6 == want.Float()
		}
	}
	return record.Equal(want, got)
}

// DifferenceError says that the rows of a step are not those that were expected.
type DifferenceError struct {
	Step          string
	missing, more []record.Value
}

func (e *DifferenceError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: the rows are not those that were expected", e.Step)
	for i, list := range [][]record.Value{e.missing, e.more} {
		sign := []string{"missing   ", "unexpected"}[i]
		for j, v := range list {
			if j == 10 {
				fmt.Fprintf(&b, "\n  %s and %d more", sign, len(list)-j)
				break
			}
			fmt.Fprintf(&b, "\n  %s %s", sign, v)
		}
	}
	return b.String()
}

// Row is a row on its way out: with names, event time, window and pane.
type Row struct {
	Step   string
	Names  []string
	Values record.Row
	Time   int64
	Window window.Interval
	In     bool // Window is set
	Pane   trigger.Pane
}

// JSON is the row as an object.
func (r Row) JSON() []byte { return record.AppendObject(nil, r.Names, r.Values) }

// Windowed says whether the row is in a window other than the global one.
func (r Row) Windowed() bool {
	lo, hi := etime.Micros(r.Window.Start()), etime.Micros(r.Window.End())
	return r.In && lo != etime.Min && hi != etime.Max
}

// fired says whether the row is a result of a window other than the global one.
func (r Row) fired() bool { return r.Windowed() && r.Pane.Timing != trigger.Unknown }

// String is the row on one line: event time, window and pane if it has them, and the fields.
func (r Row) String() string {
	b := []byte(etime.Format(r.Time))
	if r.Time == etime.Min || r.Time == etime.Max {
		b = []byte("-")
	}
	if r.Windowed() {
		b = append(append(b, ' '), r.Window.String()...)
		if r.Pane.Timing != trigger.Unknown {
			b = append(append(b, ' '), timing(r.Pane)...)
		}
	}
	return string(record.AppendObject(append(b, ' '), r.Names, r.Values))
}
