package yaml

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/expr"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"go.yaml.in/yaml/v4"
)

func mapping() []*transform {
	return []*transform{
		{name: "MapToFields", doc: "makes rows with new fields", settings: []setting{
			{name: "fields", form: fieldsForm, doc: "the new fields: an expression for each, or {expression: ..., output_type: ...}"},
			{name: "append", form: boolForm, doc: "keep the fields that there are"},
			{name: "drop", form: textsForm, doc: "with append: fields not to keep"},
			language, dependencies, errorHandling,
		}, check: (*checker).mapToFields},
		{name: "Filter", doc: "keeps the rows for which an expression is true; null is not", settings: []setting{
			{name: "keep", form: exprForm, required: true, doc: "the expression"},
			language, dependencies, errorHandling,
		}, check: (*checker).filter},
		{name: "Explode", doc: "makes a row of each element of a list", settings: []setting{
			{name: "fields", form: textsForm, required: true, doc: "the fields with lists"},
			{name: "cross_product", form: boolForm, doc: "with several fields: every combination (true), or the first with the first and so on (false), with null where a list is too short"},
			errorHandling,
		}, check: (*checker).explode},
		{name: "Partition", doc: "sends each row to one of several outputs", outputs: partitions, settings: []setting{
			{name: "by", form: exprForm, required: true, doc: "an expression that gives the name of the output"},
			{name: "outputs", form: textsForm, required: true, doc: "the names of the outputs"},
			{name: "unknown_output", form: textForm, doc: "the output for all other names; without it they fail"},
			language, dependencies, errorHandling,
		}, check: (*checker).partition},
		{name: "AssignTimestamps", doc: "gives rows their event time", marked: true, settings: append([]setting{
			{name: "timestamp", form: exprForm, required: true, doc: "an expression; numbers are seconds since 1970 unless a unit is given, text is RFC 3339 unless a layout is given"},
			language, dependencies, errorHandling,
		}, forTimes...), check: (*checker).assignTimestamps},
		{name: "ExtractWindowingInfo", doc: "adds what is known of event time, window and pane as fields", settings: []setting{
			{name: "fields", form: anyForm, doc: "a list of timestamp, window_start, window_end, window_string, window_type, pane_info, or a mapping of names to them; the first three if it is not given"},
		}, check: (*checker).extractWindowing},
		{name: "StripErrorMetadata", doc: "gives the rows themselves of an error or late output", check: (*checker).stripErrors},
		{name: "ValidateWithSchema", doc: "lets only rows through that are of a schema", settings: []setting{
			{name: "schema", form: mapForm, required: true, doc: "the fields and their types, as JSON Schema"},
			errorHandling,
		}, check: (*checker).validate},
		{name: "Flatten", doc: "puts several collections into one", inputs: anyInputs, check: (*checker).flatten},
		{name: "Reshuffle", doc: "spreads the rows evenly over the workers", settings: []setting{
			{name: "num_buckets", form: intForm, doc: "accepted, and without effect"},
		}, check: (*checker).reshuffle},
		{name: "WindowInto", doc: "puts rows into windows; so does windowing on any other transform", settings: []setting{
			{name: "windowing", form: mapForm, doc: "the windowing, if it does not stand beside config"},
		}, check: (*checker).windowInto},
	}
}

// passing is the collection of a step whose rows are those of its input.
func passing(s *step) collection { return s.in[0] }

func (c *checker) mapToFields(s *step) {
	in := s.in[0].schema
	added := s.settings.at("fields")
	keep := s.settings.bool("append")
	dropped := s.settings.strings("drop")
	if n := s.settings.at("drop"); n != nil && c.used == nil {
		if !keep {
			c.failf(s, n, "fields that are not listed are dropped anyway", "drop goes with append: true")
			return
		}
		if _, ok := c.named(s, n, in); !ok {
			return
		}
	}
	var schema record.Schema
	var from []int // the field of the input, or -1
	var programs []*expr.Program
	declared := map[int]bool{} // fields whose type is said, which values must be brought into
	if keep {
		for i, f := range in {
			if !slices.Contains(dropped, f.Name) {
				schema, from, programs = append(schema, f), append(from, i), append(programs, nil)
			}
		}
	}
	kept := schema.Names()
	reads := map[string]*expr.Program{}
	entries(added, func(k, v *yaml.Node) {
		if i := schema.Index(k.Value); i >= 0 {
			c.failf(s, k, "name it under drop, too, and it is replaced", "the field %q is there already", k.Value)
			return
		}
		p := c.expression(s, v, in)
		if p == nil {
			return
		}
		at := -1
		if i, ok := p.Field(); ok {
			at = i
		}
		t := p.Type()
		if v.Kind == yaml.MappingNode {
			if want := get(v, "output_type"); want != nil {
				if said, ok := c.schemaType(s, want); ok {
					said.Nullable = said.Nullable || t.Nullable
					t, at, declared[len(schema)] = said, -1, true
				}
			}
		}
		schema, from, programs = append(schema, record.Field{Name: k.Value, Type: t}), append(from, at), append(programs, p)
		reads[k.Value] = p
	})
	if len(schema) == 0 && added != nil && len(added.Content) > 0 {
		return // which has been reported
	}
	if len(schema) == 0 {
		c.failf(s, s.kindNode, "give it fields", "%s makes rows without fields", s.kind)
		return
	}
	s.outs[""] = collection{schema: schema, timed: s.in[0].timed, grouped: s.in[0].grouped}
	c.errors(s)
	s.use = func(wanted map[string]fields) []fields {
		if s.wantsErrors(wanted) {
			return []fields{nil}
		}
		f := fields{}
		for _, p := range reads {
			f = f.and(fieldsOf(p.Fields()...))
		}
		want := wanted[""]
		for _, name := range kept {
			if _, any := wanted[""]; any && (want == nil || want[name]) {
				f[name] = true
			}
		}
		return []fields{f}
	}
	s.build = func(b *builder, ins []rows) map[string]rows {
		return b.each(s, ins[0], schema, func(r record.Row, emit func(record.Row)) error {
			out := make(record.Row, len(from))
			for i, at := range from {
				if at >= 0 {
					out[i] = r[at]
					continue
				}
				v, err := programs[i].Eval(r)
				if err != nil {
					return fmt.Errorf("%s: %w", schema[i].Name, err)
				}
				if declared[i] || schema[i].Type.Kind == record.Float && v.Kind() == record.Int {
					if v, err = record.Conform(v, schema[i].Type); err != nil {
						return fmt.Errorf("%s: %w", schema[i].Name, err)
					}
				}
				out[i] = v
			}
			emit(out)
			return nil
		})
	}
}

// wantsErrors says whether the error output of a step is consumed, which has whole rows.
func (s *step) wantsErrors(wanted map[string]fields) bool {
	e := s.settings.sub("error_handling")
	if e == nil {
		return false
	}
	_, ok := wanted[e.text("output")]
	return ok
}

// reads is the use of a step that hands its rows on and looks at some fields.
func (s *step) reads(names ...string) func(map[string]fields) []fields {
	return func(wanted map[string]fields) []fields {
		if s.wantsErrors(wanted) {
			return []fields{nil}
		}
		f := fieldsOf(names...)
		for _, w := range wanted {
			f = f.and(w)
		}
		return []fields{f}
	}
}

func (c *checker) filter(s *step) {
	s.outs[""] = passing(s) // so that what comes after it is checked, even if the condition is wrong
	p := c.expression(s, s.settings.at("keep"), s.in[0].schema)
	if p == nil {
		return
	}
	if k := p.Type().Kind; k != record.Bool && k != record.Any && k != record.Null {
		c.failf(s, s.settings.at("keep"), "compare it with something", "keep must be true or false, and is of type %s", p.Type())
		return
	}
	c.errors(s)
	s.use = s.reads(p.Fields()...)
	condition := p.Bool
	if p.Type().Kind == record.Any {
		condition = func(r record.Row) (bool, error) {
			v, err := p.Eval(r)
			if err == nil && !v.IsNull() && v.Kind() != record.Bool {
				err = fmt.Errorf("the condition is %s, and must be true or false", v.Kind())
			}
			return err == nil && v.Kind() == record.Bool && v.Bool(), err
		}
	}
	s.build = func(b *builder, in []rows) map[string]rows {
		h := b.handle(s, in[0].schema)
		if h.output == "" {
			kept := in[0].c.Filter(s.id, func(r *record.Row) bool {
				keep, err := condition(*r)
				if err != nil {
					panic(&DataError{s.id, record.OfStruct(h.names, *r).String(), err})
				}
				return keep
			})
			return map[string]rows{"": {kept, in[0].schema}}
		}
		return b.each(s, in[0], in[0].schema, func(r record.Row, emit func(record.Row)) error {
			keep, err := condition(r)
			if keep && err == nil {
				emit(r)
			}
			return err
		})
	}
}

func (c *checker) explode(s *step) {
	in := s.in[0].schema
	at, ok := c.named(s, s.settings.at("fields"), in)
	if !ok {
		return
	}
	cross, given := s.settings.flag("cross_product")
	if len(at) > 1 && !given {
		c.failf(s, s.settings.at("fields"), "give cross_product: true for every combination, or false for the first with the first and so on", "several fields need cross_product")
		return
	}
	schema := slices.Clone(in)
	for _, i := range at {
		switch t := in[i].Type; t.Kind {
		case record.List:
			schema[i].Type = record.Type{Kind: record.Any}
			if t.Elem != nil {
				schema[i].Type = *t.Elem
			}
			if len(at) > 1 && !cross {
				schema[i].Type.Nullable = true
			}
		case record.Any:
		default:
			c.failf(s, s.settings.at("fields"), "", "the field %s is no list, but %s", in[i].Name, t)
			return
		}
	}
	s.outs[""] = collection{schema: schema, timed: s.in[0].timed, grouped: s.in[0].grouped}
	c.errors(s)
	s.use = s.reads(texts(s.settings.at("fields"))...)
	s.build = func(b *builder, ins []rows) map[string]rows {
		return b.each(s, ins[0], schema, func(r record.Row, emit func(record.Row)) error {
			lists := make([][]record.Value, len(at))
			for j, i := range at {
				switch r[i].Kind() {
				case record.List:
					lists[j] = r[i].List()
				case record.Null: // gives no rows
				default:
					return fmt.Errorf("%s is no list, but %s", in[i].Name, r[i].Kind())
				}
			}
			explode(r, at, lists, cross, emit)
			return nil
		})
	}
}

// explode gives the rows that lists make of a row: every combination, or the first with the
// first and so on, where a list that is too short gives null.
func explode(r record.Row, at []int, lists [][]record.Value, cross bool, emit func(record.Row)) {
	if !cross && len(at) > 1 {
		n := 0
		for _, l := range lists {
			n = max(n, len(l))
		}
		for k := range n {
			out := slices.Clone(r)
			for j, i := range at {
				if out[i] = (record.Value{}); k < len(lists[j]) {
					out[i] = lists[j][k]
				}
			}
			emit(out)
		}
		return
	}
	var combine func(out record.Row, j int)
	combine = func(out record.Row, j int) {
		if j == len(at) {
			emit(slices.Clone(out))
			return
		}
		for _, v := range lists[j] {
			out[at[j]] = v
			combine(out, j+1)
		}
	}
	combine(slices.Clone(r), 0)
}

func partitions(s *step) []string {
	outs := s.settings.strings("outputs")
	if u := s.settings.text("unknown_output"); u != "" {
		outs = append(outs, u)
	}
	return outs
}

func (c *checker) partition(s *step) {
	in := s.in[0].schema
	p := c.expression(s, s.settings.at("by"), in)
	if p == nil {
		return
	}
	if k := p.Type().Kind; k != record.String && k != record.Any {
		c.failf(s, s.settings.at("by"), "convert it with str(x)", "by must give the name of an output, and gives %s", p.Type())
		return
	}
	outs := partitions(s)
	for i, o := range outs {
		if slices.Contains(outs[:i], o) {
			c.failf(s, s.settings.at("outputs"), "", "the output %q is named twice", o)
			return
		}
		s.outs[o] = passing(s)
	}
	c.errors(s)
	s.use = s.reads(p.Fields()...)
	unknown := s.settings.text("unknown_output")
	s.build = func(b *builder, ins []rows) map[string]rows {
		tagged := b.each(s, ins[0], in, func(r record.Row, emit func(record.Row)) error {
			v, err := p.Eval(r)
			if err != nil {
				return err
			}
			i := slices.Index(outs, v.Str())
			if v.Kind() != record.String || i < 0 {
				if unknown == "" {
					return fmt.Errorf("there is no output %s: give unknown_output for other names", v)
				}
				i = len(outs) - 1
			}
			emit(append(r[:len(r):len(r)], record.OfInt(int64(i))))
			return nil
		})
		all := tagged[""].c
		delete(tagged, "")
		for i, o := range outs {
			mine := all.Filter(s.id+"."+o+" only", func(r *record.Row) bool { return (*r)[len(*r)-1].Int() == int64(i) })
			tagged[o] = rows{mine.Map(s.id+"."+o, func(r *record.Row) record.Row { return (*r)[: len(*r)-1 : len(*r)-1] }), in}
		}
		return tagged
	}
}

func (c *checker) assignTimestamps(s *step) {
	in := s.in[0].schema
	p := c.expression(s, s.settings.at("timestamp"), in)
	layout, ok := s.text.parseLayout(s.settings)
	if p == nil || !ok {
		return
	}
	switch p.Type().Kind {
	case record.Bool, record.List, record.Struct, record.Bytes:
		c.failf(s, s.settings.at("timestamp"), "", "a time is needed here, and the expression gives %s", p.Type())
		return
	case record.Int, record.Float:
		if !layout.IsNumber() && !s.settings.has("layout") {
			layout = timestamp.Seconds
		}
	}
	if m := s.marks; m != nil && m.field != "" {
		c.failf(s, m.node, "", "the event time is the setting timestamp of the step")
		return
	}
	s.outs[""] = collection{schema: in, timed: true}
	c.errors(s)
	more := p.Fields()
	if s.marks != nil && s.marks.arrival != "" {
		more = append(more, s.marks.arrival)
	}
	s.use = s.reads(more...)
	s.build = func(b *builder, ins []rows) map[string]rows {
		// A row whose time cannot be read is set aside before times are assigned.
		at := func(r record.Row) (int64, error) {
			v, err := p.Eval(r)
			if err != nil {
				return 0, err
			}
			return instant(v, layout)
		}
		outs := map[string]rows{"": ins[0]}
		if s.settings.sub("error_handling") != nil {
			outs = b.each(s, ins[0], in, func(r record.Row, emit func(record.Row)) error {
				_, err := at(r)
				if err == nil {
					emit(r)
				}
				return err
			})
		}
		names := in.Names()
		when := func(r *record.Row) time.Time {
			us, err := at(*r)
			if err != nil {
				panic(&DataError{s.id, record.OfStruct(names, *r).String(), err})
			}
			return etime.Time(us)
		}
		timed := outs[""].c
		switch {
		case s.marks != nil:
			timed = timed.AssignTimestampsAndWatermarks(s.id+" times", when, b.strategy(s, s.marks.arriving(in)))
		case !s.in[0].timed && !s.in[0].grouped:
			timed = timed.AssignTimestampsAndWatermarks(s.id+" times", when, b.strategy(s, watermark.Ascending()))
		default:
			timed = timed.AssignTimestamps(s.id+" times", when)
		}
		outs[""] = rows{timed, in}
		return outs
	}
}

// windowingInfo are the parameters of ExtractWindowingInfo.
var windowingInfo = map[string]record.Type{
	"timestamp":     {Kind: record.Time, Nullable: true},
	"window_start":  {Kind: record.Time, Nullable: true},
	"window_end":    {Kind: record.Time, Nullable: true},
	"window_string": {Kind: record.String},
	"window_type":   {Kind: record.String},
	"pane_info": {Kind: record.Struct, Fields: []record.Field{
		{Name: "is_first", Type: record.Type{Kind: record.Bool}}, {Name: "is_last", Type: record.Type{Kind: record.Bool}},
		{Name: "timing", Type: record.Type{Kind: record.String}}, {Name: "index", Type: record.Type{Kind: record.Int}},
		{Name: "nonspeculative_index", Type: record.Type{Kind: record.Int}},
	}},
}

var paneNames = []string{"is_first", "is_last", "timing", "index", "nonspeculative_index"}

func (c *checker) extractWindowing(s *step) {
	in := s.in[0].schema
	var fields, infos []string
	known := slices.Sorted(maps.Keys(windowingInfo))
	add := func(k, v *yaml.Node) {
		if _, ok := windowingInfo[v.Value]; !ok {
			hint := meant(v.Value, known)
			c.failf(s, v, hint, "there is no windowing information %q", v.Value)
			return
		}
		if in.Index(k.Value) >= 0 {
			c.failf(s, k, "give it another name", "the field %q is there already", k.Value)
			return
		}
		fields, infos = append(fields, k.Value), append(infos, v.Value)
	}
	switch n := s.settings.at("fields"); {
	case n == nil:
		for _, name := range []string{"timestamp", "window_start", "window_end"} {
			add(&yaml.Node{Value: name, Line: s.kindNode.Line, Column: s.kindNode.Column}, &yaml.Node{Value: name})
		}
	case n.Kind == yaml.MappingNode:
		entries(n, add)
	default:
		for _, f := range scalars(n) {
			add(f, f)
		}
	}
	schema := slices.Clone(in)
	for i, f := range fields {
		schema = append(schema, record.Field{Name: f, Type: windowingInfo[infos[i]]})
	}
	s.outs[""] = collection{schema: schema, timed: s.in[0].timed, grouped: s.in[0].grouped}
	s.use = s.reads()
	s.build = func(b *builder, ins []rows) map[string]rows {
		out := strandline.PanesOf(ins[0].c).Map(s.id, func(p *strandline.Pane[record.Row]) record.Row {
			row := p.Value[:len(p.Value):len(p.Value)]
			for _, info := range infos {
				row = append(row, windowingValue(info, p))
			}
			return row
		})
		return map[string]rows{"": {out, schema}}
	}
}

func windowingValue(info string, p *strandline.Pane[record.Row]) record.Value {
	lo, hi := etime.Micros(p.Window.Start()), etime.Micros(p.Window.End())
	global := lo == etime.Min || hi == etime.Max
	switch info {
	case "timestamp":
		return moment(etime.Micros(p.Time))
	case "window_start", "window_end":
		if global {
			return record.Value{}
		}
		if info == "window_start" {
			return record.OfTime(lo)
		}
		return record.OfTime(hi)
	case "window_string":
		if global {
			return record.OfString("GlobalWindow")
		}
		return record.OfString(fmt.Sprintf("[%s, %s)", inSeconds(lo), inSeconds(hi)))
	case "window_type":
		if global {
			return record.OfString("GlobalWindow")
		}
		return record.OfString("IntervalWindow")
	}
	return record.OfStruct(paneNames, []record.Value{
		record.OfBool(p.First), record.OfBool(p.Last), record.OfString(strings.ToUpper(strings.ReplaceAll(timing(p.Pane), " ", "_"))), record.OfInt(int64(p.Index)), record.OfInt(int64(p.NonEarly)),
	})
}

// moment is an event time, null for rows that have none.
func moment(us int64) record.Value {
	if us == etime.Min || us == etime.Max {
		return record.Value{}
	}
	return record.OfTime(us)
}

// inSeconds writes an instant as Beam shows it: seconds since 1970, as a number of Python.
func inSeconds(us int64) string {
	s := strconv.FormatFloat(float64(us)/1e6, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// timing names a pane: early, on time or late, or that it takes another back.
func timing(p trigger.Pane) string {
	if p.Retraction {
		return "retraction of " + p.Timing.String()
	}
	return p.Timing.String()
}

func (c *checker) stripErrors(s *step) {
	in := s.in[0].schema
	i := in.Index("element")
	if i < 0 || in.Index("msg") < 0 {
		c.failf(s, s.kindNode, "it takes an error output, or a late output", "the rows of %s are no errors", s.inputs[0].from[0].step.name)
		return
	}
	schema := record.Schema(in[i].Type.Fields)
	if in[i].Type.Kind != record.Struct {
		schema = record.Schema{{Name: "element", Type: in[i].Type}}
	}
	s.outs[""] = collection{schema: schema, timed: s.in[0].timed, grouped: s.in[0].grouped}
	s.use = func(map[string]fields) []fields { return []fields{fieldsOf("element", "msg")} }
	whole := in[i].Type.Kind == record.Struct
	s.build = func(b *builder, ins []rows) map[string]rows {
		out := ins[0].c.Map(s.id, func(r *record.Row) record.Row {
			if !whole {
				return record.Row{(*r)[i]}
			}
			row := make(record.Row, len(schema))
			if e := (*r)[i]; e.Kind() == record.Struct {
				for k, f := range schema { // by name: rows of several steps may differ
					row[k], _ = record.Conform(e.Struct().Get(f.Name), f.Type)
				}
			}
			return row
		})
		return map[string]rows{"": {out, schema}}
	}
}

func (c *checker) validate(s *step) {
	schema, ok := c.properties(s, s.settings.at("schema"))
	if !ok {
		return
	}
	in := s.in[0].schema
	rules := make([]*rule, len(schema))
	out := slices.Clone(in)
	for i, f := range schema {
		at := in.Index(f.Name)
		if at < 0 && !f.Type.Nullable {
			c.failf(s, s.settings.at("schema"), meant(f.Name, in.Names()), "there is no field %q in %s", f.Name, s.inputs[0].from[0].step.name)
			return
		}
		rules[i] = c.rule(s, get(get(s.settings.at("schema"), "properties"), f.Name), f.Type)
		if rules[i] == nil {
			return
		}
		if at >= 0 {
			out[at].Type = f.Type
		}
	}
	s.outs[""] = collection{schema: out, timed: s.in[0].timed, grouped: s.in[0].grouped}
	c.errors(s)
	s.use = s.reads(schema.Names()...)
	s.build = func(b *builder, ins []rows) map[string]rows {
		return b.each(s, ins[0], out, func(r record.Row, emit func(record.Row)) error {
			row := slices.Clone(r)
			for i, f := range schema {
				at := in.Index(f.Name)
				if at < 0 {
					continue
				}
				err := rules[i].holds(r[at])
				if err == nil {
					row[at], err = record.Conform(r[at], f.Type)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", f.Name, err)
				}
			}
			emit(row)
			return nil
		})
	}
}

func (c *checker) flatten(s *step) {
	var all collection
	for i, in := range s.in {
		if i == 0 {
			all = in
			continue
		}
		all.schema = record.UnionFields(all.schema, in.schema)
		all.timed = all.timed && in.timed
	}

	s.outs[""] = all
	s.use = func(wanted map[string]fields) []fields {
		f := make([]fields, len(s.in))
		for i := range f {
			f[i] = wanted[""]
		}
		return f
	}
	s.build = func(b *builder, ins []rows) map[string]rows {
		if len(ins) == 1 {
			return map[string]rows{"": ins[0]}
		}
		list := make([]strandline.PCollection[record.Row], len(ins))
		for i, in := range ins {
			list[i] = b.reshape(s.id+" input "+strconv.Itoa(i+1), in, all.schema)
		}
		return map[string]rows{"": {strandline.Flatten(s.id, list[0], list[1:]...), all.schema}}
	}
}

func (c *checker) reshuffle(s *step) {
	s.outs[""] = passing(s)
	s.use = s.reads()
	s.build = func(b *builder, ins []rows) map[string]rows {
		return map[string]rows{"": {ins[0].c.Reshuffle(s.id), ins[0].schema}}
	}
}

func (c *checker) windowInto(s *step) {
	if s.windows == nil {
		c.failf(s, s.kindNode, "write windowing: {type: fixed, size: 60s}", "WindowInto needs a windowing")
		return
	}
	s.outs[""] = passing(s)
	s.use = s.reads()
	s.build = func(b *builder, ins []rows) map[string]rows { return map[string]rows{"": ins[0]} }
}
