package yaml

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/watermark"
	"go.yaml.in/yaml/v4"
)

// TestResult is the outcome of one test of a pipeline.
type TestResult struct {
	Name string
	Line int
	// Err is nil if it passed; [Problems] if the test or the pipeline is wrong, and a
	// [*DifferenceError] if rows are not as expected.
	Err error
	// got are the rows that there were, by the elements node of the expectation.
	got   map[*yaml.Node][]record.Value
	node  *yaml.Node
	index int // among the tests
}

var forExpectations = []setting{
	{name: "name", form: textForm, required: true, doc: "the transform, or TRANSFORM.OUTPUT"},
	{name: "elements", form: listForm, required: true, doc: "the rows, in whatever order. Beside its fields a row may have window_start, window_end, event_time and pane"},
}

var forMocks = []setting{
	{name: "name", form: textForm, required: true, doc: "the transform, or TRANSFORM.OUTPUT"},
	{name: "elements", form: listForm, doc: "the rows"},
	{name: "stream", form: listForm, ours: true, doc: "instead of elements: {element: ROW, at: TIME} and {watermark: TIME}, in the order in which they come"},
}

var forTests = []setting{
	{name: "name", form: textForm, doc: "what the test is called"},
	{name: "mock_inputs", form: listForm, doc: "rows that a transform is given instead of its input"},
	{name: "mock_outputs", form: listForm, doc: "rows that take the place of what a transform gives"},
	{name: "expected_inputs", form: listForm, doc: "rows that a transform must be given; it is not run"},
	{name: "expected_outputs", form: listForm, doc: "rows that a transform must give"},
	{name: "allowed_sources", form: textsForm, doc: "sources that may be read as they are"},
}

// Test runs the tests of a pipeline: those in its own text, or those of the section tests of
// another one, suite, if that is not empty. The error says what is wrong with the text.
func Test(ctx context.Context, file, source, suite string, o Options) ([]TestResult, error) {
	p, err := Parse(file, source, o)
	if err != nil {
		return nil, err
	}
	tests, t := p.testsAt, p.text
	if suite != "" {
		t = newText(file, suite)
		root := t.parseNode(suite)
		if root == nil {
			return nil, *t.problems
		}
		if tests = root; root.Kind == yaml.MappingNode {
			tests = get(root, "tests")
		}
	}
	if tests != nil && !isNull(tests) && tests.Kind != yaml.SequenceNode {
		t.problemf(tests, "", "tests must be a list, and is %s", kindOf(tests))
		return nil, *t.problems
	}
	if isNull(tests) {
		return nil, nil
	}
	var results []TestResult
	for i, n := range tests.Content {
		r := runTest(ctx, file, source, t, n, o)
		r.node, r.index = n, i
		results = append(results, r)
	}
	return results, nil
}

// tester is one test that is being run.
type tester struct {
	*Pipeline
	at       *text // where the test stands
	added    int
	expected map[ref]*yaml.Node // the elements node
	result   *TestResult
}

func runTest(ctx context.Context, file, source string, at *text, n *yaml.Node, o Options) TestResult {
	name := "unnamed"
	if v := get(n, "name"); v != nil && v.Kind == yaml.ScalarNode {
		name = v.Value
	}
	result := TestResult{Name: name, Line: n.Line, got: map[*yaml.Node][]record.Value{}}
	p, err := parse(file, source, o, true)
	if err != nil {
		result.Err = err
		return result
	}
	at = p.with(at.file, at.lines)
	t := &tester{Pipeline: p, at: at, expected: map[ref]*yaml.Node{}, result: &result}
	result.Err = t.run(ctx, n)
	return result
}

func (t *tester) run(ctx context.Context, n *yaml.Node) error {
	s := t.at.read(n, n, "a test", forTests)
	if !s.has("expected_inputs") && !s.has("expected_outputs") && len(*t.problems) == 0 {
		t.at.problemf(n, "", "a test needs expected_inputs or expected_outputs")
	}
	for _, m := range scalars(s.at("mock_outputs")) {
		t.mockOutput(m)
	}
	for _, m := range scalars(s.at("mock_inputs")) {
		t.mockInput(m)
	}
	var wanted []ref
	for _, e := range scalars(s.at("expected_outputs")) {
		set := t.at.read(e, e, "an expectation", forExpectations)
		if set.has("name") && set.has("elements") {
			for _, found := range t.find(set.at("name")) {
				r := ref{step: found.step, output: found.output}
				wanted = append(wanted, r)
				t.expected[r] = set.at("elements")
			}
		}
	}
	for _, e := range scalars(s.at("expected_inputs")) {
		set := t.at.read(e, e, "an expectation", forExpectations)
		if !set.has("name") || !set.has("elements") {
			continue
		}
		for _, r := range t.find(set.at("name")) {
			if in := t.inputOf(set.at("name"), r.step); in != nil {
				r := ref{step: in}
				wanted = append(wanted, r)
				t.expected[r] = set.at("elements")
			}
		}
	}
	if err := t.problem(); err != nil {
		return err
	}
	t.prune(wanted, s.strings("allowed_sources"))
	if err := t.problem(); err != nil {
		return err
	}
	rows := map[ref][]Row{}
	t.watches = map[ref]func(Row){}
	for _, r := range wanted {
		t.watches[r] = func(row Row) { rows[r] = append(rows[r], row) }
	}
	if err := t.Check(ctx); err != nil {
		return err
	}
	built, err := t.Build()
	if err != nil {
		return err
	}
	var opts []strandline.Option
	if !t.Streaming() {
		opts = append(opts, strandline.Batch())
	}
	if _, err := built.Run(ctx, opts...); err != nil {
		return built.Hide(err)
	}
	if errs := built.Verdict(); len(errs) > 0 {
		return errs[0]
	}
	return t.compare(wanted, rows)
}

// compare gives the first expectation that was not met.
func (t *tester) compare(wanted []ref, rows map[ref][]Row) error {
	var first error
	for _, r := range wanted {
		elements := t.expected[r]
		var want, got []record.Value
		about := map[string]bool{}
		for _, e := range elements.Content {
			v := literal(e)
			if v.Kind() != record.Struct {
				v = record.OfStruct([]string{"element"}, []record.Value{v})
			}
			for _, name := range v.Struct().Names {
				about[name] = true
			}
			want = append(want, v)
		}
		for _, row := range rows[r] {
			got = append(got, row.described(about))
		}
		t.result.got[elements] = got
		if missing, more := compare(want, got); first == nil && len(missing)+len(more) > 0 {
			first = &DifferenceError{fmt.Sprintf("line %d: %s", elements.Line, name(r)), missing, more}
		}
	}
	return first
}

func name(r ref) string {
	if r.output != "" {
		return r.step.id + "." + r.output
	}
	return r.step.id
}

// described is the row with what about asks for beside its fields.
func (r Row) described(about map[string]bool) record.Value {
	names, values := slices.Clone(r.Names), slices.Clone(r.Values)
	add := func(name string, v record.Value) {
		if about[name] && !slices.Contains(r.Names, name) {
			names, values = append(names, name), append(values, v)
		}
	}
	if r.Windowed() {
		add("window_start", record.OfTime(etime.Micros(r.Window.Start())))
		add("window_end", record.OfTime(etime.Micros(r.Window.End())))
	}
	add("event_time", moment(r.Time))
	add("pane", record.OfString(timing(r.Pane)))
	return record.OfStruct(names, values)
}

// find resolves the name of a transform, or of one of its outputs.
func (t *tester) find(n *yaml.Node) []ref {
	u := &unit{spec: &spec{text: t.at, name: "the test", kindNode: n}, scope: t.top}
	return t.resolver.lookup(t.top, u, n)
}

// create adds a step that gives the rows of a mock.
func (t *tester) create(set *settings, node *yaml.Node, name string) *step {
	if set.has("elements") == set.has("stream") {
		t.at.problemf(node, "", "%s needs elements or stream", name)
		return nil
	}
	t.added++
	s := &step{
		spec: &spec{text: t.at, name: name, kind: "Create", kindNode: node, node: node},
		id:   fmt.Sprintf("%s (mock %d)", name, t.added), def: catalog["Create"], outs: map[string]collection{},
		settings: &settings{node: node, values: map[string]*yaml.Node{"elements": set.at("elements")}, within: map[string]*settings{}},
	}
	// Where a test gives rows no event times, all are of 1970.
	s.def = &transform{name: "Create", inputs: noInput, check: func(c *checker, s *step) {
		if list, schema, ok := c.elements(s, set.at("elements")); ok {
			c.given(s, list, schema, make([]int64, len(list)))
		}
	}}
	if stream := set.at("stream"); stream != nil {
		s.def = &transform{name: "Create", inputs: noInput, check: func(c *checker, s *step) { c.stream(s, stream) }}
	}
	t.steps = append([]*step{s}, t.steps...)
	t.inOrder = append(t.inOrder, s)
	return s
}

func (t *tester) mockOutput(n *yaml.Node) {
	set := t.at.read(n, n, "a mock", forMocks)
	if !set.has("name") {
		return
	}
	refs := t.find(set.at("name"))
	if len(refs) == 0 {
		return
	}
	mock := t.create(set, n, set.text("name"))
	if mock == nil {
		return
	}
	for _, s := range t.steps {
		for i := range s.inputs {
			for j, f := range s.inputs[i].from {
				if f.step == refs[0].step && f.output == refs[0].output {
					s.inputs[i].from[j].step, s.inputs[i].from[j].output = mock, ""
				}
			}
		}
	}
	if refs[0].output == "" && set.has("elements") {
		mock.marks = refs[0].step.marks
	}
	if w := refs[0].step.windowing; w != nil && refs[0].step.def.inputs == noInput {
		mock.windowing, mock.windows = w, refs[0].step.windows
	}
}

func (t *tester) mockInput(n *yaml.Node) {
	set := t.at.read(n, n, "a mock", forMocks)
	if !set.has("name") {
		return
	}
	refs := t.find(set.at("name"))
	if len(refs) == 0 {
		return
	}
	s := refs[0].step
	if s.def.inputs == anyInputs && len(s.inputs) > 1 {
		s.inputs = s.inputs[:1]
	}
	if len(s.inputs) != 1 {
		t.at.problemf(set.at("name"), "mock what they come from with mock_outputs", "%s has %d inputs", s.name, len(s.inputs))
		return
	}
	if mock := t.create(set, n, set.text("name")); mock != nil {
		s.inputs[0].from = []ref{{step: mock, node: n}}
	}
}

// inputOf adds a step that hands on what a step is given, and gives it.
func (t *tester) inputOf(n *yaml.Node, of *step) *step {
	if len(of.inputs) == 0 {
		t.at.problemf(n, "", "%s has no input", of.name)
		return nil
	}
	t.added++
	s := &step{
		spec: &spec{text: t.at, name: of.name, kind: "Flatten", kindNode: n, node: n}, id: fmt.Sprintf("%s (input %d)", of.id, t.added),
		def: catalog["Flatten"], inputs: of.inputs, settings: &settings{node: n, values: map[string]*yaml.Node{}, within: map[string]*settings{}},
	}
	t.steps = append(t.steps, s)
	t.inOrder = append(t.inOrder, s)
	return s
}

// prune leaves only the steps that what is wanted needs.
func (t *tester) prune(wanted []ref, allowed []string) {
	needed := map[*step]bool{}
	var visit func(s *step)
	visit = func(s *step) {
		if needed[s] {
			return
		}
		needed[s] = true
		for _, in := range s.inputs {
			for _, f := range in.from {
				visit(f.step)
			}
		}
	}
	for _, r := range wanted {
		visit(r.step)
	}
	keep := func(s *step) bool { return !needed[s] }
	t.steps = slices.DeleteFunc(t.steps, keep)
	t.inOrder = slices.DeleteFunc(t.inOrder, keep)
	for _, s := range t.steps {
		if s.def.inputs == noInput && s.kind != "Create" && !slices.Contains(allowed, s.name) && !slices.Contains(allowed, s.kind) {
			t.at.problemf(&yaml.Node{Line: t.result.Line, Column: 1}, fmt.Sprintf("give it mock_outputs, or list it under allowed_sources (line %d)", s.kindNode.Line), "the test would read from %s", s.name)
		}
	}
	t.consumed = map[ref]bool{}
	t.findConsumers()
}

// stream checks a source of elements and watermarks in a given order.
func (c *checker) stream(s *step, n *yaml.Node) {
	table := []setting{{name: "element", form: anyForm}, {name: "at", form: textForm}, {name: "watermark", form: textForm}}
	var elements yaml.Node
	elements.Kind, elements.Line, elements.Column = yaml.SequenceNode, n.Line, n.Column
	var times, marks []int64
	for _, item := range n.Content {
		set := s.text.read(item, item, "an item of a stream", table)
		moment := func(name string) (int64, bool) {
			us, err := momentOf(set.at(name))
			if err != nil {
				c.failf(s, set.at(name), "write seconds since 1970, or 2026-07-01T00:00:00Z", "%s is no time: %v", shown(set.at(name)), err)
			}
			return us, err == nil
		}
		switch {
		case set.has("watermark") && !set.has("element"):
			us, ok := moment("watermark")
			if ok && len(marks) == 0 {
				c.failf(s, item, "", "a watermark stands behind an element")
			} else if ok {
				marks[len(marks)-1] = us
			}
		case set.has("element") && set.has("at") && !set.has("watermark"):
			us, _ := moment("at")
			elements.Content = append(elements.Content, set.at("element"))
			times, marks = append(times, us), append(marks, etime.Min)
		default:
			c.failf(s, item, "write {element: ..., at: TIME} or {watermark: TIME}", "an item of a stream is an element or a watermark")
		}
	}
	if len(*c.problems) > 0 {
		return
	}
	list, schema, ok := c.elements(s, &elements)
	if !ok {
		return
	}
	kept, ok := c.source(s, schema, true)
	if !ok {
		return
	}
	out := s.outs[""].schema
	s.build = func(b *builder, _ []rows) map[string]rows {
		src := &listSource{name: s.id, times: times}
		for i, r := range list {
			row := make(record.Row, 0, len(kept)+1)
			for _, name := range kept {
				row = append(row, r[schema.Index(name)])
			}
			src.rows = append(src.rows, append(row, record.OfInt(marks[i])))
		}
		w := watermark.Punctuated(func(r *record.Row) (time.Time, bool) {
			us := (*r)[len(*r)-1].Int()
			return etime.Time(us), us != etime.Min
		})
		read := strandline.Read[record.Row](b.p, src, w, nil)
		bare := read.Map(s.id+" rows", func(r *record.Row) record.Row { return (*r)[: len(*r)-1 : len(*r)-1] })
		return map[string]rows{"": {bare, out}}
	}
}

// momentOf reads a time of a test: seconds since 1970, or RFC 3339.
func momentOf(n *yaml.Node) (int64, error) {
	if n.Tag == "!!int" || n.Tag == "!!float" {
		return timestamp.Seconds.ParseMicros([]byte(n.Value))
	}
	return timestamp.RFC3339.ParseMicros([]byte(n.Value))
}

// nodeOf writes a value as YAML.
func nodeOf(v record.Value) *yaml.Node {
	switch v.Kind() {
	case record.Struct:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Style: yaml.FlowStyle}
		for i, name := range v.Struct().Names {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, nodeOf(v.Struct().Values[i]))
		}
		return n
	case record.List:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
		for _, e := range v.List() {
			n.Content = append(n.Content, nodeOf(e))
		}
		return n
	case record.String:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v.Str(), Style: yaml.DoubleQuotedStyle}
	case record.Time, record.Bytes:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: strings.Trim(v.String(), `"`), Style: yaml.DoubleQuotedStyle}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: v.String()}
}

const sampled = 5 // rows of each source in a test that is made

// CreateTest gives the text with one more test: the first rows of every source, and what comes
// of them.
func CreateTest(ctx context.Context, file, source string, o Options) (string, error) {
	p, err := parse(file, source, o, true)
	if err != nil {
		return "", err
	}
	p.timesKept = true
	if err := p.Check(ctx); err != nil {
		return "", err
	}
	test := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	put := func(n *yaml.Node, key string, v *yaml.Node) {
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, v)
	}
	scalar := func(s string) *yaml.Node {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	}
	put(test, "name", scalar("Created"))
	mocks := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, s := range p.inOrder {
		if s.def.inputs != noInput || s.kind == "Create" {
			continue
		}
		rows, err := p.sample(ctx, s)
		if err != nil {
			return "", err
		}
		m := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		put(m, "name", scalar(s.name))
		put(m, "elements", rows)
		mocks.Content = append(mocks.Content, m)
	}
	put(test, "mock_outputs", mocks)
	ins, outs := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, s := range p.inOrder {
		e := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		put(e, "name", scalar(s.name))
		put(e, "elements", &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle})
		switch {
		case p.readsAgain(s): // what cannot be read is not made up
		case s.def.sink:
			ins.Content = append(ins.Content, e)
		case !p.consumed[ref{step: s}] && slices.Contains(s.outputs(), ""):
			outs.Content = append(outs.Content, e)
		}
	}
	if len(ins.Content) > 0 {
		put(test, "expected_inputs", ins)
	}
	if len(outs.Content) > 0 {
		put(test, "expected_outputs", outs)
	}
	with, err := addTest(source, test)
	if err != nil {
		return "", err
	}
	results, err := Test(ctx, file, with, "", o)
	if err != nil {
		return "", err
	}
	last := results[len(results)-1]
	if last.node == nil || len(last.got) == 0 && last.Err != nil {
		return "", last.Err
	}
	return FixTests(with, []TestResult{last})
}

// readsAgain says whether a step needs an output of a source that a made test does not mock.
func (p *Pipeline) readsAgain(s *step) bool {
	for _, in := range s.inputs {
		for _, f := range in.from {
			if f.step.def.inputs == noInput && f.output != "" || p.readsAgain(f.step) {
				return true
			}
		}
	}
	return false
}

// sample gives the first rows of a source.
func (p *Pipeline) sample(ctx context.Context, of *step) (*yaml.Node, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	alone := *p
	alone.steps, alone.inOrder = []*step{of}, []*step{of}
	alone.watches = map[ref]func(Row){{step: of}: func(r Row) {
		if len(list.Content) < sampled {
			list.Content = append(list.Content, nodeOf(record.OfStruct(r.Names, r.Values)))
		}
		if len(list.Content) == sampled {
			stop()
		}
	}}
	built, err := alone.Build()
	if err != nil {
		return nil, err
	}
	if _, err := built.Run(ctx); err != nil && len(list.Content) < sampled {
		return nil, err
	}
	return list, nil
}
