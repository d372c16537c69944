package yaml

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio"
	"go.yaml.in/yaml/v4"
)

// Options are what a pipeline's text does not say.
type Options struct {
	// Set gives values for parameters: {{name}} in the text.
	Set map[string]string
	// Stdin, Stdout and Stderr are what the path "-", rows that no step consumes, and
	// LogForTesting use. They default to those of the process.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Getenv finds a variable for ${env:NAME}. It defaults to os.LookupEnv.
	Getenv func(string) (string, bool)
	// Parallel is how many goroutines read one file. It defaults to 1.
	Parallel int
	// Inputs are files whose lines [Pipeline.Record] reads instead of what sources read, by the id
	// of the source: see [SmallestInput.Lines].
	Inputs map[string]string
	// Table says that rows that no step consumes are for people: they are printed as a table,
	// not as JSON lines.
	Table bool
}

// Pipeline is a pipeline that was read from text.
type Pipeline struct {
	*text
	name     string
	options  Options
	settings *settings // of the section options
	steps    []*step   // each after its inputs
	inOrder  []*step   // in the order of the text
	consumed map[ref]bool
	tables   map[*step]*rowio.Table
	stdin    *step // that reads the standard input
	checked  bool
	resolver *resolver
	top      *scope
	testsAt  *yaml.Node // the section tests

	// For one test or one look inside.
	limit   *limiter
	quiet   bool // nothing is written
	testing bool // nothing is printed, and what nobody consumes is no problem
	watches map[ref]func(Row)

	tried *trying // what is different in a recording or a trial; nil in a run

	keeps     []string // fields that sources give even if nothing uses them
	rowsKept  bool     // sources that cannot be read again give all fields
	timesKept bool     // sources give the field with the event time also if nothing uses it
}

// forPipelines are the settings of the section options.
var forPipelines = []setting{
	{name: "streaming", form: boolForm, doc: "judge records by the watermark as they come; files are replayed. Otherwise the watermark waits for the end of the input, and nothing is late"},
	{name: "workers", form: intForm, ours: true, doc: "how many workers share the keys; 1 if it is not given"},
}

const maxWorkers = 1024

// Parse reads a pipeline. file names it in messages. Its error is of type [Problems], and
// lists all that is wrong with the form: see [Pipeline.Check] for the rest.
func Parse(file, source string, o Options) (*Pipeline, error) { return parse(file, source, o, false) }

func parse(file, source string, o Options, testing bool) (*Pipeline, error) {
	if o.Getenv == nil {
		o.Getenv = os.LookupEnv
	}
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	if o.Stdout == nil {
		o.Stdout = os.Stdout
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	p := &Pipeline{text: newText(file, source), name: file, options: o, consumed: map[ref]bool{}, tables: map[*step]*rowio.Table{}, testing: testing}
	p.parse(source)
	return p, p.problem()
}

func (p *Pipeline) problem() error {
	if len(*p.problems) == 0 {
		return nil
	}
	*p.problems = p.problems.sorted()
	return *p.problems
}

var sections = []string{"pipeline", "options", "providers", "tests"}

func (p *Pipeline) parse(source string) {
	if len(source) > maxText {
		p.parseNode(source) // says so
		return
	}
	filled := p.fill(source, p.options.Set, providersIn(source))
	if len(*p.problems) > 0 {
		return
	}
	*p.text = *p.another(p.file, filled)
	root := p.parseNode(filled)
	if root == nil {
		return
	}
	if root.Kind != yaml.MappingNode {
		p.problemf(root, "begin with pipeline:", "a pipeline must be a mapping, and is %s", kindOf(root))
		return
	}
	entries(root, func(k, _ *yaml.Node) {
		if !slices.Contains(sections, k.Value) {
			p.problemf(k, meant(k.Value, sections), "there is no section %q", k.Value)
		}
	})
	options := get(root, "options")
	p.settings = p.read(options, options, "options", forPipelines)
	if n := p.settings.int("workers", 1); n > maxWorkers {
		p.problemf(p.settings.at("workers"), "as many as the machine has cores, say", "workers are %d at most", maxWorkers)
	}
	p.testsAt = get(root, "tests")
	r := &resolver{text: p.text, providers: map[string]*provided{}, ids: map[string]bool{}}
	p.parseProviders(get(root, "providers"), readFile, r.providers, 0)
	main := get(root, "pipeline")
	if isNull(main) {
		p.problemf(root, "begin with pipeline:", "there is no pipeline")
		return
	}
	s := p.parsePipeline(main)
	if s == nil {
		return
	}
	r.resolve(s)
	p.steps, p.inOrder, p.resolver, p.top = r.steps, r.inOrder, r, r.top
	p.parseSections()
	p.findConsumers()
}

// Parameters are the names of the parameters {{name}} that the pipeline has, those of its providers
// included.
func (p *Pipeline) Parameters() []string { return slices.Sorted(maps.Keys(p.parameters)) }

func readFile(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no file", path)
	case info.Size() > maxText:
		return "", fmt.Errorf("%s: larger than %d bytes", path, maxText)
	}
	b, err := os.ReadFile(path)
	return string(b), err
}

// parsePipeline reads the section pipeline: a composite, unless it says chain.
func (p *Pipeline) parsePipeline(n *yaml.Node) *spec {
	if n.Kind == yaml.SequenceNode { // transforms alone
		list := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line, Column: n.Column, Content: []*yaml.Node{
			{Kind: yaml.ScalarNode, Tag: "!!str", Value: "transforms", Line: n.Line, Column: n.Column}, n}}
		n = list
	}
	if n.Kind != yaml.MappingNode {
		p.problemf(n, "", "pipeline must be a mapping, and is %s", kindOf(n))
		return nil
	}
	if kind := get(n, "type"); kind != nil && kind.Value != "chain" && kind.Value != "composite" {
		p.problemf(kind, meant(kind.Value, []string{"chain", "composite"}), "a pipeline cannot be of type %q", kind.Value)
		return nil
	}
	if get(n, "transforms") == nil && get(n, "source") == nil {
		p.problemf(n, "", "there are no transforms")
		return nil
	}
	return p.parseSpec(n, 0)
}

// parseSections reads what stands beside the config of steps.
func (p *Pipeline) parseSections() {
	for _, s := range p.steps {
		if n := s.settings.at("windowing"); n != nil {
			if s.windowing != nil {
				s.text.problemf(n, "", "the windowing is given twice")
			}
			s.windowing = n
		}
		if s.windowing != nil {
			if s.windows = s.text.parseWindowing(s.windowing); s.windows == nil {
				s.broken = true
			}
		}
		if s.watermark == nil {
			continue
		}
		if !s.def.marked {
			s.text.problemf(s.watermark, "it belongs to the source, or to AssignTimestamps", "%s has no watermark", s.kind)
			continue
		}
		if s.marks = s.text.parseMarks(s.watermark); s.marks == nil {
			s.broken = true
		}
	}
}

// findConsumers notes which outputs are inputs of other steps, and reports error outputs that
// are not.
func (p *Pipeline) findConsumers() {
	for _, s := range p.steps {
		for _, in := range s.inputs {
			for _, f := range in.from {
				p.consumed[ref{step: f.step, output: f.output}] = true
			}
		}
	}
	if p.testing {
		return
	}
	for _, s := range p.steps {
		e := s.settings.sub("error_handling")
		if e == nil || !e.has("output") {
			continue
		}
		if name := e.text("output"); !p.consumed[ref{step: s, output: name}] {
			s.text.problemf(e.at("output"), fmt.Sprintf("add a step with input: %s.%s", s.name, name), "no step consumes the errors of %s", s.name)
		}
	}
}

// follows says whether a source does not end.
func (p *Pipeline) follows() bool {
	for _, s := range p.steps {
		if s.settings.bool("follow") || s.kind == "Generate" && !s.settings.has("rows") {
			return true
		}
	}
	return false
}

// Live says whether a source does not end by itself.
func (p *Pipeline) Live() bool { return p.follows() }

// prints says whether there is a sink to standard output: then it alone is printed.
func (p *Pipeline) prints() bool {
	for _, s := range p.steps {
		if s.def.sink && s.settings.text("path") == "-" {
			return true
		}
	}
	return false
}

// Quiet makes a pipeline that is to be looked at only: its sinks write nothing, and nothing is
// printed. It is called before [Pipeline.Build].
func (p *Pipeline) Quiet() {
	p.quiet = true
	p.options.Stdout, p.options.Stderr = io.Discard, io.Discard
}

// File is what the pipeline is called in messages.
func (p *Pipeline) File() string { return p.file }

// Streaming says whether the pipeline asks to be run as a stream.
func (p *Pipeline) Streaming() bool { return p.settings != nil && p.settings.bool("streaming") }

// Workers is the number of workers that the pipeline asks for, 1 if it does not say.
func (p *Pipeline) Workers() int {
	if p.settings == nil {
		return 1
	}
	return max(p.settings.int("workers", 1), 1)
}

// builder makes the calls of the API.
type builder struct {
	*Pipeline
	p        *strandline.Pipeline
	outs     map[ref]rows
	after    []func() error // to be asked once the run is over
	console  *console
	keys     keyNames
	printers []func() error // write what they have gathered
	logging  sync.Mutex     // of standard error, which LogForTesting steps share
}

// Built is a pipeline of the API, and what is to be asked once it has run.
type Built struct {
	*strandline.Pipeline
	after    []func() error
	console  *console
	printers []func() error
	secrets  *secrets
}

// Flush writes what was kept back, since rows of a window are put in order and the outputs of
// several steps do not mix. It is called after a run, also after one that was stopped.
func (b *Built) Flush() error {
	var errs []error
	for _, f := range b.printers {
		errs = append(errs, f())
	}
	return b.Hide(errors.Join(append(errs, b.console.flush())...))
}

// Verdict says what the steps themselves found wrong with a run that is complete: rows that
// AssertEqual did not expect, more errors than a threshold allows.
func (b *Built) Verdict() []error {
	var errs []error
	for _, f := range b.after {
		if err := f(); err != nil {
			errs = append(errs, b.Hide(err))
		}
	}
	return errs
}

// Build makes the pipeline of the API. [Pipeline.Check] comes first. The names of its steps
// are the paths of the transforms.
func (p *Pipeline) Build() (*Built, error) {
	if !p.checked {
		return nil, fmt.Errorf("%s: it has not been checked", p.file)
	}
	b := &builder{Pipeline: p, p: strandline.New(p.name), outs: map[ref]rows{}, keys: keyNames{}, console: newConsole(p.options.Stdout, p.follows())}
	var wrong mistakes
	for _, s := range p.steps {
		if o := b.once(); o != nil && o.answers != nil && s == o.line.combine {
			b.outs[ref{step: s}] = o.answers.build(b)
			continue
		}
		var in []rows
		for i := range s.inputs {
			in = append(in, b.input(s, i))
		}
		if s.windows != nil && s.def.inputs != noInput {
			for i := range in {
				in[i].c = b.into(s, in[i].c)
			}
		}
		if s.def.sink && p.quiet {
			continue
		}
		outs := b.made(s, in)
		if s.windows != nil && s.def.inputs == noInput {
			for name, out := range outs {
				if name == "" {
					out.c = b.into(s, out.c)
					outs[name] = out
				}
			}
		}
		for name, out := range outs {
			out.schema = s.outs[name].schema
			b.outs[ref{step: s, output: name}] = out
		}
		wrong.add(s, b.p.Err())
	}
	if wrong != nil {
		return nil, wrong
	}
	b.finish()
	b.p.NameKeys(b.keys.names())
	if err := b.p.Err(); err != nil {
		return nil, err
	}
	return &Built{b.p, b.after, b.console, b.printers, p.secrets}, nil
}

// input gives the i-th input of a step, flattened if there are several.
func (b *builder) input(s *step, i int) rows {
	in := s.inputs[i]
	all := make([]strandline.PCollection[record.Row], len(in.from))
	for j, f := range in.from {
		one := b.outs[ref{step: f.step, output: f.output}]
		all[j] = one.c
		if len(in.from) > 1 {
			all[j] = b.reshape(fmt.Sprintf("%s input %d", s.id, j+1), one, s.in[i].schema)
		}
	}
	if len(all) == 1 {
		return rows{all[0], s.in[i].schema}
	}
	return rows{strandline.Flatten(s.id+" inputs", all[0], all[1:]...), s.in[i].schema}
}

// reshape brings rows into the form of a wider schema.
func (b *builder) reshape(name string, in rows, to record.Schema) strandline.PCollection[record.Row] {
	from := make([]int, len(to))
	same := len(to) == len(in.schema)
	changed := make([]bool, len(to)) // the type, to one that holds more
	for i, f := range to {
		from[i] = in.schema.Index(f.Name)
		same = same && from[i] == i
		if from[i] >= 0 {
			was := in.schema[from[i]].Type
			was.Nullable = f.Type.Nullable
			changed[i] = !was.Same(f.Type)
			same = same && !changed[i]
		}
	}
	if same {
		return in.c
	}
	return in.c.Map(name, func(r *record.Row) record.Row {
		wide := make(record.Row, len(from))
		for i, j := range from {
			if j >= 0 {
				wide[i] = (*r)[j]
			}
			if changed[i] {
				wide[i], _ = record.Conform(wide[i], to[i].Type)
			}
		}
		return wide
	})
}

// DataError is the failure of a row in a step without error_handling. It ends the run.
type DataError struct {
	Step string
	Row  string // as JSON
	Err  error
}

func (e *DataError) Error() string {
	return fmt.Sprintf("%s: %v, in the row %s; to go on without such rows give it error_handling", e.Step, e.Err, e.Row)
}

func (e *DataError) Unwrap() error { return e.Err }

// failed is what becomes of a row that a step cannot handle: a row of the step's error output,
// or the end of the run.
type failures struct {
	step      *step
	names     []string
	output    string // "" if there is none
	threshold float64
	in, bad   atomic.Int64
}

// errorSchema is that of error outputs.
func errorSchema(of record.Schema) record.Schema {
	return record.Schema{
		{Name: "element", Type: record.Type{Kind: record.Struct, Fields: of}},
		{Name: "msg", Type: record.Type{Kind: record.String}},
	}
}

// handle gives what a step needs to handle failing rows of a schema.
func (b *builder) handle(s *step, schema record.Schema) *failures {
	f := &failures{step: s, names: schema.Names(), threshold: -1}
	if e := s.settings.sub("error_handling"); e != nil {
		f.output = e.text("output")
		if e.has("threshold") {
			f.threshold = e.number("threshold", 0)
			b.after = append(b.after, f.check)
		}
	}
	return f
}

func (f *failures) check() error {
	in, bad := f.in.Load(), f.bad.Load()
	if bad > 0 && float64(bad) > f.threshold*float64(in) {
		return &ThresholdError{f.step.id, bad, in, f.threshold}
	}
	return nil
}

// ThresholdError says that more rows failed than error_handling allows.
type ThresholdError struct {
	Step      string
	Bad, Of   int64
	Threshold float64
}

func (e *ThresholdError) Error() string {
	return fmt.Sprintf("%s: %d of %d rows failed, more than the threshold of %v allows", e.Step, e.Bad, e.Of, e.Threshold)
}

func (f *failures) row(r record.Row, err error) record.Row {
	return record.Row{record.OfStruct(f.names, r), record.OfString(err.Error())}
}

// errors adds the error output to the outputs that a step has by its check.
func (c *checker) errors(s *step) {
	if e := s.settings.sub("error_handling"); e != nil && e.has("output") {
		s.outs[e.text("output")] = collection{schema: errorSchema(s.in[0].schema), timed: s.in[0].timed}
	}
}

// each runs f for each row, which gives any number of rows or an error.
func (b *builder) each(s *step, in rows, out record.Schema, f func(r record.Row, emit func(record.Row)) error) map[string]rows {
	h := b.handle(s, in.schema)
	if h.output == "" {
		c := in.c.FlatMap(s.id, func(r *record.Row, emit func(record.Row)) {
			if err := f(*r, emit); err != nil {
				panic(&DataError{s.id, record.OfStruct(h.names, *r).String(), err})
			}
		})
		return map[string]rows{"": {c, out}}
	}
	counting := h.threshold >= 0
	main, side := in.c.ParDo2(s.id, func(_ *strandline.Context, r *record.Row, main func(record.Row), side func(record.Row)) {
		if counting {
			h.in.Add(1)
		}
		if err := f(*r, main); err != nil {
			h.bad.Add(1)
			side(h.row(*r, err))
		}
	})
	return map[string]rows{"": {main, out}, h.output: {side, errorSchema(in.schema)}}
}

// BytesRead is how much of the files that the pipeline reads has been read, and how large they
// are in all; of is 0 if that is not known.
func (p *Pipeline) BytesRead() (done, of int64) {
	for _, t := range p.tables {
		if t == nil {
			continue
		}
		d, all := t.BytesRead()
		if all == 0 {
			return 0, 0
		}
		done, of = done+d, of+all
	}
	return done, of
}

// Limit calls done once n rows have been printed, after which no more are. It is set before
// [Pipeline.Build].
func (p *Pipeline) Limit(n int, done func()) { p.limit = &limiter{left: n, done: done} }

// Whole names a step for which a run must not end early, since it writes a file or judges all
// rows: "NAME (line N)". It is empty if there is none.
func (p *Pipeline) Whole() string {
	for _, s := range p.inOrder {
		if s.def.sink || s.kind == "AssertEqual" {
			return fmt.Sprintf("%s (line %d)", s.id, s.kindNode.Line)
		}
	}
	return ""
}

// limiter counts the rows that are printed.
type limiter struct {
	mu   sync.Mutex
	left int
	done func()
}

// take says whether one more row may be printed.
func (l *limiter) take() bool {
	if l == nil {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left == 0 {
		return false
	}
	if l.left--; l.left == 0 {
		l.done()
	}
	return true
}
