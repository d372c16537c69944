package yaml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline"
)

// Plan is a pipeline as it was understood: for people and programs that want to know before
// anything is read. It is there once [Pipeline.Check] found nothing wrong.
type Plan struct {
	File      string     `json:"file"`
	Streaming bool       `json:"streaming"`
	Workers   int        `json:"workers"`
	Steps     []PlanStep `json:"steps"`
	// Engine is what the engine makes of it: fused steps, exchanges, aggregations.
	Engine strandline.Plan `json:"engine"`
}

// PlanStep is a transform of a [Plan].
type PlanStep struct {
	Name      string       `json:"name"`
	Type      string       `json:"type"`
	Line      int          `json:"line"`
	Inputs    []string     `json:"inputs,omitempty"`
	Key       []string     `json:"key,omitempty"`
	Windowing string       `json:"windowing,omitzero"`
	Watermark string       `json:"watermark,omitzero"`
	EventTime string       `json:"event_time,omitzero"`
	Outputs   []PlanOutput `json:"outputs,omitempty"`
	Printed   bool         `json:"printed,omitzero"`
}

// PlanOutput is an output of a step.
type PlanOutput struct {
	Name   string `json:"name,omitzero"` // empty for the main one
	Schema string `json:"schema"`
	// Used says that a step consumes it, or else that it is printed.
	Used    bool `json:"used"`
	Printed bool `json:"printed,omitzero"`
}

// Explain gives the plan for a run with the same options.
func (p *Pipeline) Explain(opts ...strandline.Option) Plan {
	plan := Plan{File: p.file, Streaming: p.Streaming(), Workers: p.Workers()}
	for _, s := range p.inOrder {
		e := PlanStep{Name: s.id, Type: s.kind, Line: s.kindNode.Line, Printed: slices.ContainsFunc(s.outputs(), func(output string) bool { return p.printed(s, output) })}
		for _, in := range s.inputs {
			for _, f := range in.from {
				text := name(f)
				if in.tag != "input" {
					text = in.tag + ": " + text
				}
				e.Inputs = append(e.Inputs, text)
			}
		}
		for _, key := range []string{"group_by", "by", "key", "equalities"} {
			if s.def.windowed && s.settings.has(key) || s.kind == "Previous" && key == "key" {
				e.Key = append(e.Key, texts(s.settings.at(key))...)
			}
		}
		if s.windows != nil {
			e.Windowing = s.windows.String()
		}
		if s.marks != nil {
			e.Watermark = s.marks.strategy.String()
			if s.marks.field != "" {
				e.EventTime = s.marks.field + " as " + s.marks.layout.String()
			}
		} else if s.def.inputs == noInput {
			e.Watermark = "end of input"
			if s.kind == "Generate" {
				e.Watermark, e.EventTime = "bounded by the disorder", "at"
			}
		}
		for _, output := range s.outputs() {
			if c, ok := s.outs[output]; ok {
				e.Outputs = append(e.Outputs, PlanOutput{output, c.schema.String(), p.consumed[ref{step: s, output: output}] || p.printed(s, output), p.printed(s, output)})
			}
		}
		plan.Steps = append(plan.Steps, e)
	}
	if built, err := p.Build(); err == nil {
		plan.Engine = built.Plan(opts...)
		plan.Workers, plan.Streaming = plan.Engine.Workers, !plan.Engine.Batch
	}
	return plan
}

// String is the plan for people.
func (p Plan) String() string {
	var b strings.Builder
	mode := "batch: the watermark waits for the end of the input, nothing is late"
	if p.Streaming {
		mode = "streaming: records are judged by the watermark as they come"
	}
	fmt.Fprintf(&b, "%s\n  %s; workers: %d\n", p.File, mode, p.Workers)
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "\n%s (%s, line %d)\n", s.Name, s.Type, s.Line)
		line := func(label, text string) {
			if text != "" {
				fmt.Fprintf(&b, "  %-11s %s\n", label, text)
			}
		}
		line("reads from", strings.Join(s.Inputs, ", "))
		line("event time", s.EventTime)
		line("watermark", s.Watermark)
		line("windows", s.Windowing)
		line("key", strings.Join(s.Key, ", "))
		for _, o := range s.Outputs {
			label := "gives"
			if o.Name != "" {
				label = "." + o.Name
			}
			text := o.Schema
			switch {
			case !o.Used:
				text += "  (not used)"
			case o.Printed && o.Name != "":
				text += "  (printed)"
			}
			line(label, text)
		}
		if s.Printed {
			line("", "printed, since no step consumes "+printedOf(s))
		}
	}
	return b.String()
}

// printedOf names the outputs of a step that are printed.
func printedOf(s PlanStep) string {
	var names []string
	for _, o := range s.Outputs {
		if o.Printed && o.Name != "" {
			names = append(names, "."+o.Name)
		}
	}
	if len(names) == 0 {
		return "it"
	}
	return strings.Join(names, " and ")
}

// Dot is the plan as a graph for Graphviz.
func (p Plan) Dot() string {
	var b strings.Builder
	b.WriteString("digraph pipeline {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n")
	for _, s := range p.Steps {
		label := s.Name
		if s.Type != s.Name {
			label += "\n" + s.Type
		}
		if s.Windowing != "" {
			label += "\n" + s.Windowing
		}
		fmt.Fprintf(&b, "  %q [label=%q];\n", s.Name, label)
	}
	names := make([]string, len(p.Steps))
	for i, s := range p.Steps {
		names[i] = s.Name
	}
	for _, s := range p.Steps {
		for _, in := range s.Inputs {
			if _, from, tagged := strings.Cut(in, ": "); tagged {
				in = from
			}
			from, output := in, ""
			if i := strings.LastIndexByte(in, '.'); i >= 0 && !slices.Contains(names, in) {
				from, output = in[:i], in[i+1:]
			}
			if output != "" {
				fmt.Fprintf(&b, "  %q -> %q [label=%q];\n", from, s.Name, output)
			} else {
				fmt.Fprintf(&b, "  %q -> %q;\n", from, s.Name)
			}
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// Watch calls f with every row of an output, TRANSFORM or TRANSFORM.OUTPUT, when the pipeline
// runs; what else no step consumes is not printed. It comes before [Pipeline.Check].
func (p *Pipeline) Watch(output string, f func(Row)) error {
	p.testing = true
	u := &unit{spec: &spec{text: p.text, name: "tap"}, scope: p.top}
	for _, s := range p.inOrder { // a full path is a name, too
		if s.id == output {
			p.watch(ref{step: s}, f)
			return nil
		}
	}
	var found []ref
	n := scalarNode(output)
	before := len(*p.problems)
	if found = p.resolver.lookup(p.top, u, n); len(found) == 0 {
		err := (*p.problems)[before]
		*p.problems = (*p.problems)[:before]
		hint := ""
		if err.Hint != "" {
			hint = " (" + err.Hint + ")"
		}
		return fmt.Errorf("%s%s", err.Message, hint)
	}
	p.watch(ref{step: found[0].step, output: found[0].output}, f)
	return nil
}

func (p *Pipeline) watch(r ref, f func(Row)) {
	if p.watches == nil {
		p.watches = map[ref]func(Row){}
	}
	p.watches[r] = f
}
