package yaml

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/expr"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
	"go.yaml.in/yaml/v4"
)

// collection is what is known of rows before there are any.
type collection struct {
	schema  record.Schema
	timed   bool     // the rows have event times
	grouped bool     // the rows come from a grouping, in its windows
	windows *windows // the last that they were put into, nil if into none
	// retracts says that rows may be retractions, which take back a row that came before.
	retracts bool
}

// rows is a collection that is being built.
type rows struct {
	c      strandline.PCollection[record.Row]
	schema record.Schema
}

// fields is a set of names; nil is all of them.
type fields map[string]bool

func fieldsOf(names ...string) fields {
	f := fields{}
	for _, n := range names {
		f[n] = true
	}
	return f
}

// and gives the union.
func (f fields) and(g fields) fields {
	if f == nil || g == nil {
		return nil
	}
	all := maps.Clone(f)
	maps.Copy(all, g)
	return all
}

// checker types the steps. It runs twice: at first with all fields of the sources, which tells
// what is of use, and then with those alone.
type checker struct {
	*Pipeline
	ctx  context.Context
	used map[*step]fields // of sources; nil in the first run
}

// Check learns the schemas of the sources and types every step. Its error is of type
// [Problems], and lists what [Parse] found, too: steps whose form is wrong, and those that
// depend on them, are not typed.
func (p *Pipeline) Check(ctx context.Context) error {
	c := &checker{Pipeline: p, ctx: ctx}
	c.run()
	if len(*p.problems) == 0 {
		c.used = c.useful()
		c.run()
	}
	if p.checked = len(*p.problems) == 0; p.checked {
		if _, err := p.Build(); err != nil { // what only the API can know
			p.checked = false
			p.note(err)
		}
	}
	return p.problem()
}

func (c *checker) run() {
	for _, s := range c.steps {
		s.outs, s.in, s.use, s.build = map[string]collection{}, nil, nil, nil
		for i := range s.inputs {
			in, ok := c.input(s, &s.inputs[i])
			s.broken = s.broken || !ok
			s.in = append(s.in, in)
		}
		if s.broken {
			continue
		}
		c.windowed(s)
		before := len(*c.problems)
		s.def.check(c, s)
		for name, out := range s.outs {
			out.windows = s.windowsOf()
			out.retracts = name != "late" && c.retracts(s)
			s.outs[name] = out
		}
		s.broken = s.broken || len(*c.problems) > before
	}
}

// retracts says whether a step gives retractions: a Combine by its windows, since it hands
// on none; others hand on what they are given.
func (c *checker) retracts(s *step) bool {
	w := s.windowsOf()
	if s.kind == "Combine" {
		return w != nil && w.accumulation == "retracting" && !w.finalOnly
	}
	return s.def.windowed && w != nil && w.accumulation == "retracting" && !w.finalOnly ||
		slices.ContainsFunc(s.in, func(in collection) bool { return in.retracts })
}

// noRetractions refuses rows of which some may be retractions, for steps that take each row for
// a result.
func (c *checker) noRetractions(s *step) bool {
	if !s.in[0].retracts {
		return true
	}
	n := s.kindNode
	c.failf(s, n, "use accumulation: accumulating or discarding, or final_only: true", "%s would take retractions for results: its input comes from windows with accumulation: retracting", s.kind)
	return false
}

// windowsOf gives the windows of what a step gives: its own, or else those of its input.
func (s *step) windowsOf() *windows {
	if s.windows == nil && len(s.in) > 0 {
		return s.in[0].windows
	}
	return s.windows
}

// input is the collection that comes in: that of a reference, or of several, flattened.
func (c *checker) input(s *step, in *input) (collection, bool) {
	var all collection
	for i, f := range in.from {
		one, ok := f.step.outs[f.output]
		if !ok && f.step.broken {
			return collection{}, false
		}
		if !ok {
			c.failf(s, in.node, "", "%s has no output %q", f.step.name, f.output)
			return collection{}, false
		}
		if i == 0 {
			all = one
			continue
		}
		all.schema = record.UnionFields(all.schema, one.schema)
		all.timed, all.grouped, all.retracts = all.timed && one.timed, all.grouped || one.grouped, all.retracts || one.retracts
	}
	return all, len(in.from) > 0
}

// windowed checks what the windowing of a step needs.
func (c *checker) windowed(s *step) {
	if s.windows == nil || s.windows.assigner.String() == "global" || s.def.inputs == noInput {
		return
	}
	for i, in := range s.in {
		if !in.timed {
			c.failf(s, s.windowing, "name the field with the watermark section of the source, timestamp: FIELD, or use AssignTimestamps", "the rows of %s have no event time, so they are in no window", s.inputs[i].from[0].step.name)
			s.broken = true
			return
		}
	}
}

// useful finds out which fields of the sources are of use, going from the ends backwards.
func (c *checker) useful() map[*step]fields {
	wanted := map[*step]map[string]fields{}
	want := func(s *step, output string, f fields) {
		if wanted[s] == nil {
			wanted[s] = map[string]fields{}
		}
		if before, ok := wanted[s][output]; ok {
			f = f.and(before)
		}
		wanted[s][output] = f
	}
	for _, s := range c.steps {
		for _, output := range s.outputs() {
			if c.printed(s, output) || c.watched(s, output) {
				want(s, output, nil)
			}
		}
	}
	used := map[*step]fields{}
	for _, s := range slices.Backward(c.steps) {
		if s.def.inputs == noInput {
			f, ok := wanted[s][""]
			if !ok {
				f = fields{}
			}
			used[s] = f
			continue
		}
		for i, in := range s.inputs {
			var f fields
			if s.use != nil {
				f = s.use(wanted[s])[i]
			}
			for _, r := range in.from {
				if len(in.from) > 1 {
					f = nil // rows are brought into one form
				}
				want(r.step, r.output, f)
			}
		}
	}
	return used
}

// failf notes a problem of a step.
func (c *checker) failf(s *step, n *yaml.Node, hint, format string, args ...any) {
	s.text.problemf(n, hint, format, args...)
}

// expression compiles the expression at n, which may be a mapping with the key expression.
func (c *checker) expression(s *step, n *yaml.Node, schema record.Schema) *expr.Program {
	if !c.spoken(s) {
		return nil
	}
	declared := (*yaml.Node)(nil)
	if n.Kind == yaml.MappingNode {
		entries(n, func(k, v *yaml.Node) {
			switch k.Value {
			case "expression":
			case "output_type":
				declared = v
			case "callable", "path", "name":
				c.failf(s, k, "write an expression", "code of other languages cannot run here")
			default:
				c.failf(s, k, meant(k.Value, []string{"expression", "output_type"}), "an expression has no setting %q", k.Value)
			}
		})
		if n = get(n, "expression"); isNull(n) || n.Kind != yaml.ScalarNode {
			return nil
		}
	}
	if n.Kind != yaml.ScalarNode {
		c.failf(s, n, "", "an expression must be text, and is %s", kindOf(n))
		return nil
	}
	p, errs := expr.Compile(n.Value, schema)
	for _, e := range errs {
		s.text.at(n, e.Offset, max(e.Length, 1), e.Hint, "%s", e.Message)
	}
	if len(errs) > 0 {
		return nil
	}
	if declared != nil {
		want, ok := c.schemaType(s, declared)
		if got := p.Type(); ok && !assignable(got, want) {
			c.failf(s, declared, "convert it, as in int(x), float(x), str(x)", "the expression gives %s, and not %s", got, want)
			return nil
		}
	}
	return p
}

// assignable says whether values of type got are of type want, null aside.
func assignable(got, want record.Type) bool {
	return got.Kind == want.Kind || got.Kind == record.Any || want.Kind == record.Any || got.Kind == record.Null || got.Kind == record.Int && want.Kind == record.Float
}

// spoken says whether the language of a step's expressions is one that runs here.
func (c *checker) spoken(s *step) bool {
	if n := s.settings.at("dependencies"); n != nil {
		c.failf(s, n, "expressions need none", "dependencies are not supported")
		return false
	}
	n := s.settings.at("language")
	if n == nil || n.Value == "generic" || n.Value == "python" {
		return true
	}
	c.failf(s, n, "leave it out: strandline functions lists what expressions can use", "expressions in %s cannot run here", n.Value)
	return false
}

// field finds a field that a setting names.
func (c *checker) field(s *step, n *yaml.Node, schema record.Schema) int {
	i := schema.Index(n.Value)
	if i < 0 {
		c.failf(s, n, meant(n.Value, schema.Names()), "there is no field %q in %s", n.Value, s.inputs[0].from[0].step.name)
	}
	return i
}

// named finds the fields that a list names.
func (c *checker) named(s *step, n *yaml.Node, schema record.Schema) ([]int, bool) {
	var at []int
	ok := true
	for _, f := range scalars(n) {
		i := c.field(s, f, schema)
		if i >= 0 && slices.Contains(at, i) {
			c.failf(s, f, "", "the field %q is named twice", f.Value)
			ok = false
		}
		at = append(at, i)
		ok = ok && i >= 0
	}
	return at, ok
}

// schemaType reads a type as JSON Schema has it, or the name of a basic type.
func (c *checker) schemaType(s *step, n *yaml.Node) (record.Type, bool) {
	kinds := map[string]record.Kind{
		"string": record.String, "integer": record.Int, "number": record.Float, "boolean": record.Bool, "null": record.Null,
		"bytes": record.Bytes, "timestamp": record.Time, "any": record.Any,
	}
	if n.Kind == yaml.ScalarNode {
		name, nullable := strings.CutSuffix(n.Value, "?")
		if k, ok := kinds[name]; ok {
			return record.Type{Kind: k, Nullable: nullable}, true
		}
		all := slices.Sorted(maps.Keys(kinds))
		c.failf(s, n, meant(name, all), "there is no type %q", n.Value)
		return record.Type{}, false
	}
	kind := get(n, "type")
	if kind == nil {
		c.failf(s, n, "write {type: string}, say", "a type is needed here")
		return record.Type{}, false
	}
	nullable := false
	if kind.Kind == yaml.SequenceNode { // [string, "null"]
		var rest []*yaml.Node
		for _, x := range kind.Content {
			if x.Value == "null" {
				nullable = true
			} else {
				rest = append(rest, x)
			}
		}
		if len(rest) != 1 {
			c.failf(s, kind, "", "one type is needed here, with or without null")
			return record.Type{}, false
		}
		kind = rest[0]
	}
	switch kind.Value {
	case "array":
		t := record.Type{Kind: record.List, Nullable: nullable}
		if items := get(n, "items"); items != nil {
			elem, ok := c.schemaType(s, items)
			if !ok {
				return elem, false
			}
			t.Elem = &elem
		}
		return t, true
	case "object":
		fields, ok := c.properties(s, n)
		return record.Type{Kind: record.Struct, Nullable: nullable, Fields: fields}, ok
	}
	if format := get(n, "format"); format != nil && format.Value == "date-time" {
		return record.Type{Kind: record.Time, Nullable: nullable}, true
	}
	t, ok := c.schemaType(s, kind)
	t.Nullable = t.Nullable || nullable
	return t, ok
}

// properties reads the fields of an object in JSON Schema. What is not required may be null.
func (c *checker) properties(s *step, n *yaml.Node) (record.Schema, bool) {
	required := texts(get(n, "required"))
	var schema record.Schema
	ok := true
	entries(get(n, "properties"), func(k, v *yaml.Node) {
		t, fine := c.schemaType(s, v)
		ok = ok && fine
		t.Nullable = t.Nullable || !slices.Contains(required, k.Value)
		schema = append(schema, record.Field{Name: k.Value, Type: t})
	})
	return schema, ok
}

// printed says whether an output goes to standard output because no step consumes it. Such are
// the main output of a step, and those into which Partition parts all of its rows.
func (p *Pipeline) printed(s *step, output string) bool {
	main := output == "" || s.def.outputs != nil && slices.Contains(s.def.outputs(s), output)
	if !main || !slices.Contains(s.outputs(), output) || s.def.sink || s.kind == "LogForTesting" || s.kind == "AssertEqual" {
		return false
	}
	return !p.consumed[ref{step: s, output: output}] && !p.testing && !p.prints()
}

// watched says whether somebody looks at an output: a test, or the command tap.
func (p *Pipeline) watched(s *step, output string) bool {
	return p.watches[ref{step: s, output: output}] != nil
}

// table opens the source of a step once.
func (c *checker) table(s *step, cfg rowio.Config) *rowio.Table {
	if t, open := c.tables[s]; open {
		return t
	}
	if slices.Equal(cfg.Paths, []string{"-"}) {
		if other := c.stdin; other != nil && other != s {
			c.failf(s, s.settings.at("path"), "take what "+other.name+" gives as the input of both", "the standard input is read by %s already (line %d)", other.name, other.kindNode.Line)
			return nil
		}
		c.stdin = s
	}
	t, err := rowio.Open(c.ctx, cfg)
	if err != nil {
		c.failf(s, s.settings.at("path"), "", "%v", err)
		t = nil
	}
	c.tables[s] = t
	return t
}
