package yaml

import (
	"fmt"
	"maps"
	"slices"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/internal/expr"
	"github.com/strandline-stream/strandline/internal/record"
	"go.yaml.in/yaml/v4"
)

func grouping() []*transform {
	return []*transform{
		{name: "Combine", doc: "aggregates the rows of each group and window", windowed: true, settings: []setting{
			{name: "group_by", form: textsForm, doc: "the fields whose values make a group; one group if it is not given"},
			{name: "combine", form: mapForm, required: true, doc: "the results: NAME: FUNCTION, or NAME: {value: EXPRESSION, fn: FUNCTION}, where FUNCTION is a name or {type: NAME, config: {...}}"},
			language, errorHandling,
		}, check: (*checker).combine},
		{name: "Join", doc: "joins the rows of two or more inputs that are equal in some fields, window by window", inputs: namedInputs, windowed: true, settings: []setting{
			{name: "equalities", form: anyForm, required: true, doc: "a field that all inputs have, or a list of mappings of inputs to fields"},
			{name: "type", form: anyForm, doc: "inner (the default), left, right, outer, or {outer: [INPUT, ...]}"},
			{name: "fields", form: mapForm, doc: "for an input the fields to keep: a list, or a mapping of new names to fields; all if it is not given"},
		}, check: (*checker).join},
		{name: "Deduplicate", doc: "keeps the first row of those that are equal in some fields", ours: true, windowed: true, settings: []setting{
			{name: "by", form: textsForm, required: true, ours: true, doc: "the fields"},
			{name: "horizon", form: durationForm, required: true, ours: true, doc: "for how long a row is remembered, in event time"},
		}, check: (*checker).deduplicate},
		{name: "Previous", doc: "adds what some fields were in the row before, of the same key: in the last closed window if the rows come from Combine", ours: true, settings: []setting{
			{name: "key", form: textsForm, required: true, ours: true, doc: "the fields that make a key"},
			{name: "fields", form: mapForm, required: true, ours: true, doc: "NAME: FIELD, a new field for each, null if there is no row before"},
		}, check: (*checker).previous},
	}
}

// combine checks a Combine. Values that are more than a field are computed by a step before.
func (c *checker) combine(s *step) {
	in := s.in[0].schema
	if !c.spoken(s) {
		return
	}
	keys, ok := c.named(s, s.settings.at("group_by"), in)
	var out record.Schema
	for _, i := range keys {
		if i >= 0 {
			out = append(out, in[i])
		}
	}
	work := slices.Clone(in) // the fields of the input, and those that are computed
	var computed []*expr.Program
	var all []aggregate
	used := fieldsOf(s.settings.strings("group_by")...)
	entries(s.settings.at("combine"), func(k, v *yaml.Node) {
		a, p := c.aggregate(s, k, v, in)
		if a == nil {
			return
		}
		if out.Index(a.name) >= 0 {
			c.failf(s, k, "give it another name", "the field %q is there already", a.name)
			return
		}
		a.field = -1
		if p != nil {
			for _, f := range p.Fields() {
				used[f] = true
			}
			if i, is := p.Field(); is {
				a.field = i
			} else {
				a.field = len(work)
				work = append(work, record.Field{Name: "", Type: p.Type()})
				computed = append(computed, p)
			}
		}
		all = append(all, *a)
		out = append(out, record.Field{Name: a.name, Type: a.fn.result(a.of)})
	})
	if !ok {
		return
	}
	if len(all) == 0 {
		if len(s.settings.at("combine").Content) == 0 {
			c.failf(s, s.settings.at("combine"), "", "there is nothing to combine")
		}
		return
	}
	s.outs[""] = collection{schema: out, timed: s.in[0].timed, grouped: true}
	s.outs["late"] = collection{schema: lateSchema(in), timed: s.in[0].timed}
	c.errors(s)
	s.use = func(wanted map[string]fields) []fields {
		if _, late := wanted["late"]; late || s.wantsErrors(wanted) {
			return []fields{nil}
		}
		return []fields{maps.Clone(used)}
	}
	keying := keyingOf(in, keys)
	s.build = func(b *builder, ins []rows) map[string]rows {
		from, outs := ins[0], map[string]rows{}
		if len(computed) > 0 {
			outs = b.each(&step{spec: s.spec, id: s.id + " values", settings: s.settings, def: s.def}, from, work, func(r record.Row, emit func(record.Row)) error {
				row := append(make(record.Row, 0, len(work)), r...)
				for _, p := range computed {
					v, err := p.Eval(r)
					if err != nil {
						return err
					}
					row = append(row, v)
				}
				emit(row)
				return nil
			})
			from.c = outs[""].c
		}
		ops, words := numericOps(all)
		g := &group{b: b, s: s, in: from, names: in.Names(), out: out, lates: len(in), keys: s.settings.strings("group_by")}
		b.keys[s.id] = groupKeys{keying, work, false}
		if e := s.settings.sub("error_handling"); e != nil {
			g.failing = e.text("output")
		}
		var results map[string]rows
		switch {
		case words > 0 && words <= 4 && keying.isScalar():
			results = grouped(g, keying.scalar(), keying.ofScalar, numerics[[4]uint64]{ops})
		case words > 0 && words <= 4:
			results = grouped(g, keying.text(), keying.ofText, numerics[[4]uint64]{ops})
		case words > 0 && words <= 8 && keying.isScalar():
			results = grouped(g, keying.scalar(), keying.ofScalar, numerics[[8]uint64]{ops})
		case words > 0 && words <= 8:
			results = grouped(g, keying.text(), keying.ofText, numerics[[8]uint64]{ops})
		case keying.isScalar():
			results = grouped(g, keying.scalar(), keying.ofScalar, boxes{all})
		default:
			results = grouped(g, keying.text(), keying.ofText, boxes{all})
		}
		if values, there := outs[g.failing]; there && g.failing != "" { // of rows, and of panes
			both := results[g.failing]
			both.c = strandline.Flatten(s.id+" errors", values.c, both.c)
			results[g.failing] = both
		}
		maps.Copy(outs, results)
		return outs
	}
}

// aggregate reads one result of a Combine.
func (c *checker) aggregate(s *step, name, n *yaml.Node, in record.Schema) (*aggregate, *expr.Program) {
	value, fn := (*yaml.Node)(nil), n
	if n.Kind == yaml.MappingNode {
		set := s.text.read(n, name, name.Value, []setting{{name: "value", form: exprForm}, {name: "fn", form: anyForm, required: true}})
		value, fn = set.at("value"), set.at("fn")
		if fn == nil {
			return nil, nil
		}
	}
	kind, config := fn, (*yaml.Node)(nil)
	if fn.Kind == yaml.MappingNode {
		set := s.text.read(fn, fn, "fn", []setting{{name: "type", form: textForm, required: true}, {name: "config", form: mapForm}})
		if kind, config = set.at("type"), set.at("config"); kind == nil {
			return nil, nil
		}
	}
	if kind.Kind != yaml.ScalarNode {
		c.failf(s, kind, "", "a function must be a name, and is %s", kindOf(kind))
		return nil, nil
	}
	called := kind.Value
	if ours, known := inPython[called]; known {
		called = ours
	}
	i := slices.IndexFunc(aggregateFunctions, func(f aggregateFunction) bool { return f.name == called })
	if i < 0 {
		c.failf(s, kind, meant(kind.Value, functionNames()), "there is no function %q for Combine", kind.Value)
		return nil, nil
	}
	f := &aggregateFunctions[i]
	set := s.text.read(config, kind, f.name, f.settings)
	if len(set.values) < required(f.settings) {
		return nil, nil
	}
	if q := set.number("q", 0); q < 0 || q > 1 {
		c.failf(s, set.at("q"), "", "q is a share, from 0 to 1")
		return nil, nil
	}
	a := &aggregate{name: name.Value, fn: f, of: record.Type{Kind: record.Int}}
	if value == nil {
		value = name // Beam's short form: the field of that name
		if f.name == "count" && in.Index(name.Value) < 0 {
			a.held = f.held(set, a.of)
			return a, nil
		}
	}
	p := c.expression(s, value, in)
	if p == nil {
		return nil, nil
	}
	a.of = p.Type()
	if !f.fits(a.of) {
		hint := ""
		if f.takes == "numbers" {
			hint = "convert it with int(x) or float(x)"
		}
		c.failf(s, value, hint, "%s needs %s, and is given %s", f.name, f.takes, a.of)
		return nil, nil
	}
	a.held = f.held(set, a.of)
	return a, p
}

func required(table []setting) int {
	n := 0
	for _, p := range table {
		if p.required {
			n++
		}
	}
	return n
}

// numericOps gives the operations on words for all the aggregates, and how many words they
// take; 0 if one of them needs more than words.
func numericOps(all []aggregate) (ops []numeric, total int) {
	for i := range all {
		a := &all[i]
		if a.fn.op == nil {
			return nil, 0
		}
		op, ok := a.fn.op(a.of.Kind)
		if !ok {
			return nil, 0
		}
		ops = append(ops, numeric{op: op, field: a.field, kind: a.of.Kind, at: total})
		total += wordsOf[op]
	}
	if total > 8 {
		return nil, 0
	}
	return ops, total
}

// group is a grouping that is being built.
type group struct {
	b       *builder
	s       *step
	in      rows
	names   []string
	out     record.Schema
	lates   int // so many of the values of a late row are the input's
	keys    []string
	failing string // the error output; "" if there is none
}

func grouped[K comparable, A any](g *group, key func(*record.Row) K, values func(record.Row, K) record.Row, c combine.Combiner[record.Row, A, record.Row]) map[string]rows {
	if o := g.b.once(); o != nil {
		g.in.c.WriteTo(newGatherer(o.sweep, key, values, c))
		return nil
	}
	results := g.in.c.KeyBy(g.s.id+" key", key).CombinePerKey(g.s.id, c)
	width := len(g.out)
	out := results.Map(g.s.id+" rows", func(kv *strandline.KV[K, record.Row]) record.Row {
		return append(values(make(record.Row, 0, width), kv.Key), kv.Value...)
	})
	outs := map[string]rows{"": {out, g.out}}
	if g.failing != "" {
		keys := g.keys
		failed := results.OnFailed(func(f strandline.FailedPane[K]) record.Row {
			return record.Row{record.OfStruct(keys, values(nil, f.Key)), record.OfString(fmt.Sprintf("%v, in the window %v", f.Err, f.Window))}
		})
		outs[g.failing] = rows{failed, errorSchema(nil)}
	}
	late := ref{step: g.s, output: "late"}
	if g.b.consumed[late] || g.b.watches[late] != nil || g.b.wantsLate() {
		n, names := g.lates, g.names
		outs["late"] = rows{results.OnLate(func(l strandline.Late[record.Row]) record.Row { return lateRow(names, l.Value[:n:n], l) }), lateSchema(nil)}
	}
	return outs
}

// lateSchema is that of late outputs.
func lateSchema(of record.Schema) record.Schema {
	return append(errorSchema(of),
		record.Field{Name: "event_time", Type: record.Type{Kind: record.Time}},
		record.Field{Name: "watermark", Type: record.Type{Kind: record.Time}},
		record.Field{Name: "missed", Type: record.Type{Kind: record.List, Elem: &record.Type{Kind: record.Struct, Fields: []record.Field{
			{Name: "window_start", Type: record.Type{Kind: record.Time}}, {Name: "window_end", Type: record.Type{Kind: record.Time}},
		}}}},
		record.Field{Name: "split", Type: record.Type{Kind: record.String}},
		record.Field{Name: "position", Type: record.Type{Kind: record.String, Nullable: true}})
}

var missedNames = []string{"window_start", "window_end"}

func lateRow(names []string, r record.Row, l strandline.Late[record.Row]) record.Row {
	missed := make([]record.Value, len(l.Missed))
	for i, w := range l.Missed {
		missed[i] = record.OfStruct(missedNames, []record.Value{record.OfTime(w.Start().UnixMicro()), record.OfTime(w.End().UnixMicro())})
	}
	var position record.Value
	if l.Position != "" {
		position = record.OfString(l.Position)
	}
	return record.Row{
		record.OfStruct(names, r), record.OfString(fmt.Sprintf("too late: %v behind the watermark", l.By())),
		record.OfTime(l.Time.UnixMicro()), record.OfTime(l.Watermark.UnixMicro()), record.OfList(missed), record.OfString(l.Split), position,
	}
}
