package yaml

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// step is a transform that does something itself: what composites and providers come down to.
type step struct {
	*spec
	id        string // unique in the pipeline: names from the outermost composite on, joined by /
	def       *transform
	settings  *settings
	inputs    []input
	windowing *yaml.Node // its own, or for a source that of the composites around it

	// What the check learns.
	windows *windows // of the windowing, nil if there is none
	marks   *marks   // of the watermark section, nil if there is none
	in      []collection
	outs    map[string]collection
	broken  bool                                    // a problem was found: what depends on it is not looked at
	use     func(wanted map[string]fields) []fields // what of each input is of use; nil is everything
	build   func(b *builder, in []rows) map[string]rows
}

// input is a named input of a step: one collection, or several that are flattened.
type input struct {
	tag  string
	from []ref
	node *yaml.Node
}

// ref is an output of a step.
type ref struct {
	step   *step
	output string // "" is the main one
	node   *yaml.Node
}

// unit is a transform in a scope: a step, or a scope of its own.
type unit struct {
	*spec
	step  *step
	inner *scope
	scope *scope
	input map[string][]ref // of a composite, resolved
	busy  bool
}

// scope is where names are known: the pipeline, or a composite.
type scope struct {
	of     *unit // nil for the pipeline
	path   string
	units  []*unit
	byName map[string][]*unit
}

// resolver makes steps of specs.
type resolver struct {
	*text
	providers map[string]*provided
	steps     []*step // each after its inputs
	inOrder   []*step // in the order of the text
	ids       map[string]bool
	top       *scope
	root      *spec
}

func (r *resolver) resolve(root *spec) {
	r.root = root
	r.top = r.enter(nil, root, "", nil)
	r.inOrder = slices.Clone(r.steps)
	r.connect(r.top)
	r.order()
}

// enter makes units of the children of a composite.
func (r *resolver) enter(of *unit, s *spec, path string, windowing *yaml.Node) *scope {
	sc := &scope{of: of, path: path, byName: map[string][]*unit{}}
	if s.windowing != nil {
		windowing = s.windowing
	}
	for _, c := range s.children {
		u := &unit{spec: c, scope: sc}
		sc.units = append(sc.units, u)
		sc.byName[c.name] = append(sc.byName[c.name], u)
		if c.nameNode != nil {
			for _, other := range sc.byName[c.name][:len(sc.byName[c.name])-1] {
				if other.nameNode != nil {
					c.text.problemf(c.nameNode, "give one of them another name", "the name %q is given twice: first in line %d", c.name, other.nameNode.Line)
				}
			}
		}
		r.open(u, windowing)
	}
	return sc
}

// open finds out what a unit is.
func (r *resolver) open(u *unit, windowing *yaml.Node) {
	id := u.name
	if u.scope.path != "" {
		id = u.scope.path + "/" + u.name
	}
	for n := 2; r.ids[id]; n++ {
		id = strings.TrimSuffix(id, fmt.Sprintf(" %d", n-1)) + fmt.Sprintf(" %d", n)
	}
	r.ids[id] = true
	if u.composite {
		u.inner = r.enter(u, u.spec, id, windowing)
		return
	}
	if p := r.providers[u.kind]; p != nil {
		body := p.expand(u.spec)
		if body == nil {
			return
		}
		wrapped := *u.spec
		wrapped.children = []*spec{body}
		if body.composite {
			wrapped.children, wrapped.chain, wrapped.extra, wrapped.output = body.children, body.chain, body.extra, body.output
			if wrapped.windowing == nil {
				wrapped.windowing = body.windowing
			}
		} else {
			wrapped.chain = true
		}
		u.spec = &wrapped
		u.inner = r.enter(u, u.spec, id, windowing)
		return
	}
	def := catalog[u.kind]
	if def == nil {
		t := u.text
		switch reason, known := refused[u.kind]; {
		case known:
			t.problemf(u.kindNode, reason, "the transform %s cannot run here", u.kind)
		default:
			all := slices.Concat(slices.Collect(maps.Keys(catalog)), slices.Collect(maps.Keys(r.providers)), []string{"chain", "composite"})
			slices.Sort(all)
			hint := meant(u.kind, all)
			if hint == "" {
				hint = "strandline functions and connectors list what there is"
			}
			t.problemf(u.kindNode, hint, "there is no transform %q", u.kind)
		}
		return
	}
	u.step = &step{spec: u.spec, id: id, def: def, windowing: u.spec.windowing}
	if def.inputs == noInput && u.step.windowing == nil {
		u.step.windowing = windowing
	}
	before := len(*u.text.problems)
	u.step.settings = u.text.readSome(u.config, u.kindNode, u.kind, def.settings)
	if !u.spec.doubtful {
		u.text.missing(u.step.settings, u.kind, def.settings)
	}
	r.distinct(u)
	u.step.broken = u.spec.doubtful || len(*u.text.problems) > before
	r.steps = append(r.steps, u.step)
}

// distinct reports outputs of one name.
func (r *resolver) distinct(u *unit) {
	e := u.step.settings.sub("error_handling")
	if e == nil || !e.has("output") {
		return
	}
	n, outs := 0, u.step.outputs()
	for _, o := range outs {
		if o == e.text("output") {
			n++
		}
	}
	if n > 1 || e.text("output") == "output" {
		u.text.problemf(e.at("output"), "choose another name", "%s has an output %q already", u.name, e.text("output"))
	}
}

// windowed gives the inputs of a composite in its windows.
func (r *resolver) windowed(u *unit, ins []input) []input {
	if u.spec.windowing == nil {
		return ins
	}
	for i, in := range ins {
		s := &step{
			spec: &spec{text: u.text, name: u.name, kind: "WindowInto", kindNode: u.kindNode, node: u.node}, id: fmt.Sprintf("%s windowing", u.name),
			def: catalog["WindowInto"], windowing: u.spec.windowing, inputs: []input{in},
			settings: &settings{node: u.node, values: map[string]*yaml.Node{}, within: map[string]*settings{}},
		}
		if u.scope.path != "" {
			s.id = u.scope.path + "/" + s.id
		}
		if len(ins) > 1 {
			s.id += " of " + in.tag
		}
		r.steps, r.inOrder = append(r.steps, s), append(r.inOrder, s)
		ins[i].from = []ref{{step: s, node: in.node}}
	}
	return ins
}

// connect resolves the inputs of all units of a scope.
func (r *resolver) connect(sc *scope) {
	for i, u := range sc.units {
		ins := r.inputsOf(sc, i)
		switch {
		case u.inner != nil:
			u.input = map[string][]ref{}
			for _, in := range r.windowed(u, ins) {
				u.input[in.tag] = in.from
			}
			r.connect(u.inner)
		case u.step != nil:
			u.step.inputs = ins
			r.count(u)
		}
	}
}

// count checks the number of inputs.
func (r *resolver) count(u *unit) {
	t, n := u.text, len(u.step.inputs)
	switch {
	case u.step.broken: // which has been reported
	case u.step.def.inputs == noInput && n > 0:
		t.problemf(u.kindNode, "", "%s takes no input", u.kind)
	case u.step.def.inputs != noInput && n == 0:
		t.problemf(u.kindNode, "name it with input", "%s has no input", u.kind)
		u.step.broken = true
	case u.step.def.inputs == oneInput && n > 1:
		t.problemf(u.spec.input, "to flatten several, write a list", "%s takes one input, and has %d", u.kind, n)
	case u.step.def.inputs == namedInputs && u.spec.input != nil && u.spec.input.Kind != yaml.MappingNode:
		t.problemf(u.spec.input, "write input: {a: First, b: Second}", "%s needs inputs with names", u.kind)
		u.step.broken = true
	}
}

// inputsOf gives the inputs of the i-th unit of a scope.
func (r *resolver) inputsOf(sc *scope, i int) []input {
	u := sc.units[i]
	chained := sc.of == nil && r.root.chain || sc.of != nil && sc.of.chain
	outside := 0
	if sc.of != nil {
		outside = sc.of.extra
	} else {
		outside = r.root.extra
	}
	if chained && i < len(sc.units)-outside {
		if u.spec.input != nil {
			u.text.problemf(u.spec.input, "leave it out, or put the transform under extra_transforms", "in a chain the input of %s is what stands before it", u.name)
			r.lost(u)
			return nil
		}
		if i == 0 {
			if sc.of == nil || sc.of.input == nil {
				return nil
			}
			from := sc.of.input["input"]
			if len(from) == 0 || u.step != nil && u.step.def.inputs == noInput {
				return nil
			}
			return []input{{tag: "input", from: from, node: u.kindNode}}
		}
		from := r.outputs(sc.units[i-1], "", u.kindNode)
		if from == nil {
			r.lost(u)
			return nil
		}
		return []input{{tag: "input", from: from, node: u.kindNode}}
	}
	n := u.spec.input
	if n == nil {
		return nil
	}
	if n.Kind == yaml.MappingNode {
		var ins []input
		entries(n, func(k, v *yaml.Node) {
			if from := r.refs(sc, u, v); from != nil {
				ins = append(ins, input{k.Value, from, v})
			}
		})
		return ins
	}
	from := r.refs(sc, u, n)
	if from == nil {
		return nil
	}
	if u.step == nil || u.step.def.inputs != anyInputs {
		return []input{{"input", from, n}}
	}
	ins := make([]input, len(from)) // which it takes together itself
	for i, f := range from {
		ins[i] = input{"input", []ref{f}, n}
	}
	return ins
}

// lost marks a step whose input could not be found, which has been said.
func (r *resolver) lost(u *unit) {
	if u.step != nil {
		u.step.broken = true
	}
}

// refs resolves a reference, or a list of them.
func (r *resolver) refs(sc *scope, u *unit, n *yaml.Node) []ref {
	var all []ref
	for _, c := range scalars(n) {
		if c.Kind != yaml.ScalarNode {
			u.text.problemf(c, "", "an input must be the name of a transform, and is %s", kindOf(c))
			r.lost(u)
			continue
		}
		found := r.lookup(sc, u, c)
		if found == nil {
			r.lost(u)
		}
		all = append(all, found...)
	}
	return all
}

// lookup finds what a name refers to, from the innermost scope on.
func (r *resolver) lookup(sc *scope, u *unit, n *yaml.Node) []ref {
	t := u.text
	if sc.of != nil && sc.of.input != nil {
		if from, ok := sc.of.input[n.Value]; ok {
			return from
		}
	}
	for at := sc; at != nil; at = at.outer() {
		name, output := n.Value, ""
		units := at.byName[name]
		if units == nil {
			if i := strings.LastIndexByte(name, '.'); i >= 0 {
				name, output = name[:i], name[i+1:]
				units = at.byName[name]
			}
		}
		switch {
		case len(units) > 1:
			var lines []string
			for _, x := range units {
				lines = append(lines, fmt.Sprint(x.kindNode.Line))
			}
			t.problemf(n, "give them names", "%q could be any of the transforms in lines %s", name, strings.Join(lines, ", "))
			return nil
		case len(units) == 1:
			return r.outputs(units[0], output, n)
		}
	}
	known := slices.Collect(maps.Keys(sc.byName))
	if sc.of != nil {
		known = slices.AppendSeq(known, maps.Keys(sc.of.input))
	}
	slices.Sort(known)
	name, _, _ := strings.Cut(n.Value, ".")
	t.problemf(n, meant(name, known), "there is no transform %q", n.Value)
	return nil
}

func (s *scope) outer() *scope {
	if s.of == nil {
		return nil
	}
	return s.of.scope
}

// outputs resolves an output of a unit. It reports what is wrong, and then gives nil.
func (r *resolver) outputs(u *unit, output string, n *yaml.Node) []ref {
	if u.inner == nil {
		if u.step == nil {
			return nil // which has been said
		}
		if mainly(output) && !slices.Contains(u.step.outputs(), output) {
			output = ""
		}
		if outs := u.step.outputs(); !slices.Contains(outs, output) {
			if output == "" {
				u.text.problemf(n, "its outputs are "+strings.Join(outs, ", "), "%s has no main output", u.name)
			} else {
				hint := "it has only its main output"
				if len(outs) > 1 || outs[0] != "" {
					hint = "its outputs are " + strings.Join(named(outs), ", ")
				}
				u.text.problemf(n, hint, "%s has no output %q", u.name, output)
			}
			return nil
		}
		return []ref{{u.step, output, n}}
	}
	if u.busy {
		u.text.problemf(n, "", "%s is its own input", u.name)
		return nil
	}
	u.busy = true
	defer func() { u.busy = false }()
	inner := u.inner
	if u.spec.output != nil {
		node := u.spec.output
		if node.Kind == yaml.MappingNode {
			tag := output
			if tag == "" {
				tag = "output"
			}
			if v := get(node, tag); v != nil {
				return r.refs(inner, &unit{spec: u.spec, scope: inner}, v)
			}
		} else if output == "" {
			return r.refs(inner, &unit{spec: u.spec, scope: inner}, node)
		}
	}
	if len(inner.units) == 0 {
		return nil
	}
	if mainly(output) && u.chain && u.spec.output == nil {
		output = ""
	}
	last := inner.units[len(inner.units)-1-min(u.extra, len(inner.units)-1)]
	if output == "" {
		if u.chain {
			return r.outputs(last, "", n)
		}
		u.text.problemf(n, "declare it with output", "the composite %s has no output", u.name)
		return nil
	}
	for _, c := range inner.units { // error outputs of what is inside show outside
		if c.step != nil && slices.Contains(c.step.outputs(), output) {
			return []ref{{c.step, output, n}}
		}
	}
	u.text.problemf(n, "", "%s has no output %q", u.name, output)
	return nil
}

// mainly says whether the main output of a transform may be called so.
func mainly(output string) bool { return output == "output" || output == "good" }

func named(outs []string) []string {
	return slices.DeleteFunc(slices.Clone(outs), func(s string) bool { return s == "" })
}

// outputs lists the outputs that a step has by its settings.
func (s *step) outputs() []string {
	var outs []string
	if s.def.outputs != nil {
		outs = s.def.outputs(s)
	} else if !s.def.sink {
		outs = []string{""}
	}
	if e := s.settings.sub("error_handling"); e != nil && e.has("output") {
		outs = append(outs, e.text("output"))
	} else if s.def.reads {
		outs = append(outs, "errors")
	}
	if s.def.windowed {
		outs = append(outs, "late")
	}
	if len(outs) == 0 {
		outs = []string{""}
	}
	return outs
}

// order sorts the steps so that each comes after its inputs, and reports cycles.
func (r *resolver) order() {
	const (
		unseen = iota
		open
		done
	)
	state := map[*step]int{}
	var sorted []*step
	var visit func(s *step, path []*step) bool
	visit = func(s *step, path []*step) bool {
		switch state[s] {
		case done:
			return true
		case open:
			i := slices.Index(path, s)
			var ids []string
			for _, p := range path[i:] {
				ids = append(ids, p.id)
			}
			s.text.problemf(s.kindNode, "", "the pipeline has a cycle: %s", strings.Join(append(ids, s.id), " -> "))
			return false
		}
		state[s] = open
		ok := true
		for _, in := range s.inputs {
			for _, f := range in.from {
				ok = ok && visit(f.step, append(path, s))
			}
		}
		state[s] = done
		sorted = append(sorted, s)
		return ok
	}
	for _, s := range r.steps {
		if !visit(s, nil) {
			r.steps = nil
			return
		}
	}
	r.steps = sorted
}
