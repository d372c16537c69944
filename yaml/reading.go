package yaml

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/datagen"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
	"github.com/strandline-stream/strandline/watermark"
	"go.yaml.in/yaml/v4"
)

var path = setting{name: "path", form: textsForm, required: true, doc: "a file, several, or a pattern such as logs/*.json; gzip and zstd are unpacked; - is standard input"}

var follow = setting{name: "follow", form: boolForm, ours: true, doc: "wait for more at the end of the file, as tail -F does, also when the file is rotated"}

var declared = setting{name: "schema", form: mapForm, doc: "the fields and their types, as JSON Schema, {type: object, properties: {...}}; guessed from the first records if it is not given"}

func reading() []*transform {
	file := func(name, format, doc string, more ...setting) *transform {
		return &transform{
			name: name, doc: doc, inputs: noInput, reads: true, marked: true,
			settings: append(append([]setting{path}, more...), follow, errorHandling),
			check:    func(c *checker, s *step) { c.readFile(s, format) },
		}
	}
	csv := []setting{
		{name: "delimiter", form: textForm, doc: "what stands between fields; a comma if it is not given"},
		{name: "header", form: boolForm, ours: true, doc: "whether the first line names the columns; true if columns is not given"},
		{name: "columns", form: textsForm, ours: true, doc: "the names of the columns, for a file without a header"},
		{name: "comment", form: textForm, doc: "lines that begin so are passed over"},
		declared,
	}
	return []*transform{
		file("ReadFromJson", "json", "reads JSON lines: an object on each line; or a file that is one array of objects", setting{name: "lines", form: boolForm, doc: "false for a file that is one array; true if it is not given"}, declared),
		file("ReadFromCsv", "csv", "reads comma-separated values", csv...),
		file("ReadFromText", "text", "reads lines; each is a row with the field line"),
		file("ReadFromParquet", "parquet", "reads Parquet files, and of them only the columns that are used"),
		{
			name: "Create", doc: "makes rows of what is written here", inputs: noInput, marked: true,
			settings: []setting{
				{name: "elements", form: listForm, required: true, doc: "the rows; what is no mapping becomes the field element"},
				{name: "reshuffle", form: boolForm, doc: "accepted, and without effect"},
			},
			check: (*checker).create,
		},
		{
			name: "Generate", doc: "makes up events, for demonstrations: {id, key, value, at}, the same for the same seed", inputs: noInput, marked: true, ours: true,
			settings: []setting{
				{name: "rows", form: intForm, ours: true, doc: "how many; without end if it is not given"},
				{name: "rate", form: numberForm, ours: true, doc: "events a second, as they come; as fast as they are taken if it is not given"},
				{name: "keys", form: intForm, ours: true, doc: "how many different keys; 10 if it is not given"},
				{name: "disorder", form: durationForm, ours: true, doc: "by how much events may come out of order"},
				{name: "step", form: durationForm, ours: true, doc: "the time between events if there is no rate; 1s if it is not given"},
				{name: "seed", form: intForm, ours: true, doc: "chooses the random numbers"},
			},
			check: (*checker).generate,
		},
	}
}

// source finishes the check of a source: what its main output has, and which fields are wanted.
func (c *checker) source(s *step, schema record.Schema, timed bool) (kept []string, ok bool) {
	if m := s.marks; m != nil {
		for _, name := range []string{"timestamp", "arrival"} {
			n := m.settings.at(name)
			if n == nil {
				continue
			}
			i := schema.Index(n.Value)
			if first, _, within := strings.Cut(n.Value, "."); within && i < 0 && name == "timestamp" && schema.Index(first) >= 0 {
				continue // of an object
			}
			if i < 0 {
				c.failf(s, n, meant(n.Value, schema.Names()), "there is no field %q in %s", n.Value, s.name)
				return nil, false
			}
			if k := schema[i].Type.Kind; k == record.Bool || k == record.List || k == record.Struct {
				c.failf(s, n, "", "the field %s cannot be a time: it is of type %s", n.Value, schema[i].Type)
				return nil, false
			}
			if timeText := schema[i].Type.Kind == record.String; name == "timestamp" && timeText && m.layout.IsNumber() {
				c.failf(s, m.settings.at("unit"), "use layout, or leave both out for RFC 3339", "the field %s is text, and has no unit", n.Value)
				return nil, false
			}
			if name == "timestamp" && !m.layout.IsNumber() && (schema[i].Type.Kind == record.Int || schema[i].Type.Kind == record.Float) && !m.settings.has("layout") {
				c.failf(s, n, "give its unit: s, ms, us or ns", "the field %s is a number of unknown unit", n.Value)
				return nil, false
			}
		}
		timed = timed || m.field != ""
	}
	want := c.used[s]
	out := schema
	if c.rowsKept && (!s.def.reads || s.standardInput()) {
		want = nil
	}
	if c.used != nil && want != nil {
		out = nil
		for _, f := range schema {
			if want[f.Name] || slices.Contains(c.keeps, f.Name) || s.marks != nil && (f.Name == s.marks.arrival || c.timesKept && (f.Name == s.marks.field || strings.HasPrefix(s.marks.field, f.Name+"."))) {
				out = append(out, f)
			}
		}
	}
	s.outs[""] = collection{schema: out, timed: timed}
	return out.Names(), true
}

func (c *checker) readFile(s *step, format string) {
	cfg := rowio.Config{Format: format, Stdin: c.options.Stdin, Follow: s.settings.bool("follow"), Parallel: max(c.options.Parallel, 1)}
	for _, n := range scalars(s.settings.at("path")) {
		p := s.text.secret(n, c.options.Getenv)
		if p == "" {
			return // which has been reported
		}
		cfg.Paths = append(cfg.Paths, p)
	}
	if lines, given := s.settings.flag("lines"); given && !lines {
		cfg.Format = "jsonarray"
	}
	if s.settings.has("columns") {
		cfg.Columns = s.settings.strings("columns")
	}
	if header, given := s.settings.flag("header"); given {
		cfg.Header = &header
	}
	for name, to := range map[string]*rune{"delimiter": &cfg.Delimiter, "comment": &cfg.Comment} {
		if !c.character(s, name, to) {
			return
		}
	}
	if in := c.options.Inputs[s.id]; in != "" && s.standardInput() {
		cfg = rowio.Config{Format: "json", Paths: []string{in}, Parallel: cfg.Parallel}
		if format == "text" {
			cfg.Format = format
		}
	}
	if n := s.settings.at("schema"); n != nil {
		schema, ok := c.properties(s, n)
		if !ok {
			return
		}
		cfg.Schema = schema
	}
	if m := s.marks; m != nil && m.field != "" {
		cfg.Time = &rowio.TimeField{Field: m.field, Layout: m.layout}
	}
	table := c.table(s, cfg)
	if table == nil {
		return
	}
	kept, ok := c.source(s, table.Schema(), false)
	if !ok {
		return
	}
	output := "errors"
	if e := s.settings.sub("error_handling"); e != nil && e.has("output") {
		output = e.text("output")
	}
	s.outs[output] = collection{schema: malformedSchema}
	schema := s.outs[""].schema
	s.build = func(b *builder, _ []rows) map[string]rows {
		read := b.read(s, table.Source(s.id, kept), strategy(s, schema))
		outs := map[string]rows{"": {read, schema}}
		if b.consumed[ref{step: s, output: output}] || b.watched(s, output) {
			outs[output] = rows{read.OnMalformed(malformedRow), malformedSchema}
		}
		return outs
	}
}

// strategy is the watermark of a source: ascending if nothing is said of it.
func strategy(s *step, schema record.Schema) watermark.Strategy {
	if s.marks == nil {
		return watermark.Ascending()
	}
	return s.marks.arriving(schema)
}

// malformedSchema is that of records that could not be read.
var malformedSchema = record.Schema{
	{Name: "element", Type: record.Type{Kind: record.String}},
	{Name: "msg", Type: record.Type{Kind: record.String}},
	{Name: "position", Type: record.Type{Kind: record.String}},
}

func malformedRow(m connector.Malformed) record.Row {
	return record.Row{record.OfString(string(m.Raw)), record.OfString(m.Reason.Error()), record.OfString(m.Position)}
}

// elements reads rows that are written in YAML.
func (c *checker) elements(s *step, n *yaml.Node) ([]record.Row, record.Schema, bool) {
	if n.Kind != yaml.SequenceNode {
		c.failf(s, n, "", "elements must be a list, and is %s", kindOf(n))
		return nil, nil, false
	}
	var values []record.Value
	for _, e := range n.Content {
		v := literal(e)
		if v.Kind() != record.Struct {
			v = record.OfStruct([]string{"element"}, []record.Value{v})
		}
		values = append(values, v)
	}
	var schema record.Schema
	for i, v := range values {
		if fields := record.TypeOf(v).Fields; i == 0 {
			schema = fields
		} else {
			schema = record.UnionFields(schema, fields)
		}
	}
	list := make([]record.Row, len(values))
	for i, v := range values {
		list[i] = rowOf(v.Struct(), schema)
	}
	return list, schema, true
}

// rowOf brings named values into the order of a schema; integers become numbers where the
// schema has numbers.
func rowOf(v *record.Nested, schema record.Schema) record.Row {
	row := make(record.Row, len(schema))
	for i, f := range schema {
		row[i], _ = record.Conform(v.Get(f.Name), f.Type)
	}
	return row
}

// literal is the value that a piece of YAML is.
func literal(n *yaml.Node) record.Value {
	switch n.Kind {
	case yaml.SequenceNode:
		list := make([]record.Value, len(n.Content))
		for i, c := range n.Content {
			list[i] = literal(c)
		}
		return record.OfList(list)
	case yaml.MappingNode:
		var names []string
		var values []record.Value
		entries(n, func(k, v *yaml.Node) { names, values = append(names, k.Value), append(values, literal(v)) })
		return record.OfStruct(names, values)
	}
	switch n.Tag {
	case "!!null":
		return record.Value{}
	case "!!bool":
		if b, ok := parseBool(n); ok {
			return record.OfBool(b)
		}
	case "!!int":
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return record.OfInt(i)
		}
	case "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil {
			return record.OfFloat(f)
		}
		switch n.Value {
		case ".nan", ".NaN", ".NAN":
			f, _ := strconv.ParseFloat("NaN", 64)
			return record.OfFloat(f)
		case ".inf", "-.inf", "+.inf":
			f, _ := strconv.ParseFloat(n.Value[:len(n.Value)-4]+"inf", 64)
			return record.OfFloat(f)
		}
	}
	return record.OfString(n.Value)
}

func (c *checker) create(s *step) {
	list, schema, ok := c.elements(s, s.settings.at("elements"))
	if !ok {
		return
	}
	c.given(s, list, schema, nil)
}

// given makes a source of rows that are there already, with their event times unless a field has
// them; nil if there are none.
func (c *checker) given(s *step, list []record.Row, schema record.Schema, times []int64) {
	kept, ok := c.source(s, schema, times != nil)
	if !ok {
		return
	}
	out := s.outs[""].schema
	at := make([]int, len(kept))
	for i, name := range kept {
		at[i] = schema.Index(name)
	}
	if s.marks != nil && s.marks.field != "" {
		times = make([]int64, len(list))
		for i, r := range list {
			var err error
			if times[i], err = instant(within(r, schema, s.marks.field), s.marks.layout); err != nil {
				c.failf(s, s.marks.node, "", "the event time of element %d cannot be read: %v", i+1, err)
				return
			}
		}
	}
	s.build = func(b *builder, _ []rows) map[string]rows {
		src := &listSource{name: s.id, rows: make([]record.Row, len(list)), times: times}
		for i, r := range list {
			row := make(record.Row, len(at))
			for j, k := range at {
				row[j] = r[k]
			}
			src.rows[i] = row
		}
		return map[string]rows{"": {b.read(s, src, strategy(s, out)), out}}
	}
}

// within gives a field of a row, or a part of one: a dot steps into an object.
func within(r record.Row, schema record.Schema, path string) record.Value {
	if i := schema.Index(path); i >= 0 {
		return r[i]
	}
	first, rest, _ := strings.Cut(path, ".")
	i := schema.Index(first)
	if i < 0 || r[i].Kind() != record.Struct {
		return record.Value{}
	}
	v := r[i]
	for name := range strings.SplitSeq(rest, ".") {
		if v.Kind() != record.Struct {
			return record.Value{}
		}
		v = v.Struct().Get(name)
	}
	return v
}

var generated = record.Schema{
	{Name: "id", Type: record.Type{Kind: record.Int}},
	{Name: "key", Type: record.Type{Kind: record.String}},
	{Name: "value", Type: record.Type{Kind: record.Int}},
	{Name: "at", Type: record.Type{Kind: record.Time}},
}

func (c *checker) generate(s *step) {
	if s.marks != nil && s.marks.field != "" {
		c.failf(s, s.marks.node, "leave timestamp out: the field at has them", "Generate gives its events their event times itself")
		return
	}
	for _, name := range []string{"rate", "disorder", "step"} {
		if s.settings.number(name, 0) < 0 || s.settings.duration(name) < 0 {
			c.failf(s, s.settings.at(name), "", "%s cannot be negative", name)
			return
		}
	}
	kept, ok := c.source(s, generated, true)
	if !ok {
		return
	}
	at := make([]int, len(kept))
	for i, name := range kept {
		at[i] = generated.Index(name)
	}
	keys := max(s.settings.int("keys", 10), 1)
	names := make([]record.Value, min(keys, 1<<20))
	for i := range names {
		names[i] = record.OfString(fmt.Sprintf("k%0*d", len(strconv.Itoa(len(names)-1)), i))
	}
	g := datagen.Events(s.id, func(n int64, at_ time.Time, r *rand.Rand) record.Row {
		all := [...]record.Value{record.OfInt(n), names[r.IntN(len(names))], record.OfInt(r.Int64N(1000)), record.OfTime(etime.Micros(at_))}
		row := make(record.Row, len(at))
		for i, j := range at {
			row[i] = all[j]
		}
		return row
	}).Seed(uint64(s.settings.int("seed", 0))).Disorder(s.settings.duration("disorder"))
	if s.settings.has("rows") {
		g = g.Count(int64(s.settings.int("rows", 0)))
	}
	if rate := s.settings.number("rate", 0); rate > 0 {
		g = g.Rate(rate)
	} else if step := s.settings.duration("step"); step > 0 {
		g = g.Step(step)
	} else {
		g = g.Step(time.Second)
	}
	out := s.outs[""].schema
	s.build = func(b *builder, _ []rows) map[string]rows {
		w := strategy(s, out)
		if s.marks == nil {
			w = watermark.Bounded(s.settings.duration("disorder"))
		}
		return map[string]rows{"": {b.read(s, g, w), out}}
	}
}

// character sets to to the one character that a setting gives, if it is there. It is not ok if the
// setting is something else.
func (c *checker) character(s *step, name string, to *rune) (ok bool) {
	n := s.settings.at(name)
	if n == nil {
		return true
	}
	r := []rune(n.Value)
	if n.Value == `\t` {
		r = []rune{'\t'}
	}
	if len(r) != 1 {
		c.failf(s, n, "", "%s must be one character", name)
		return false
	}
	*to = r[0]
	return true
}
