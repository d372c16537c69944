package yaml

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// spec is a transform as it is written.
type spec struct {
	node      *yaml.Node // the whole mapping
	text      *text      // where its problems go: a provider's body may stand in another file
	kind      string
	kindNode  *yaml.Node
	name      string     // as given, or else the type
	nameNode  *yaml.Node // nil if no name is given
	input     *yaml.Node
	output    *yaml.Node
	config    *yaml.Node
	windowing *yaml.Node
	watermark *yaml.Node
	chain     bool
	children  []*spec // in the order of the text; a composite has some
	doubtful  bool    // it has keys that are wrong, which has been reported
	extra     int     // so many children at the end stand outside the chain
	composite bool
	source    bool // written as source
	depth     int  // how many providers it came through
}

// forTransforms are the keys of a transform.
var forTransforms = []setting{
	{name: "type", form: textForm, required: true, doc: "which transform it is"},
	{name: "name", form: textForm, doc: "what it is called by others, and in messages; its type if it is not given"},
	{name: "input", form: anyForm, doc: "where its rows come from: the name of a transform, or TRANSFORM.OUTPUT; a list or a mapping of them for transforms that take several. In a chain it is the transform before"},
	{name: "output", form: anyForm, doc: "not supported: only composites say what they give"},
	{name: "config", form: mapForm, doc: "its settings"},
	{name: "windowing", form: mapForm, doc: "the windows that its input is put into: see Windows"},
	{name: "watermark", form: mapForm, ours: true, doc: "of a source or AssignTimestamps: where event times are, and how the watermark follows: see Watermarks"},
	{name: "output_schema", form: anyForm, doc: "not supported: use ValidateWithSchema"},
	{name: "resource_hints", form: anyForm, doc: "accepted, and without effect"},
	{name: "error_handling", form: anyForm, doc: "belongs under config"},
}

// forComposites are the keys of the types chain and composite.
var forComposites = []setting{
	{name: "type", form: choiceForm, choices: []string{"chain", "composite"}, doc: "in a chain each transform takes what the one before it gives; composite if it is not given, and that is a chain, too, if it has an input and none of its transforms names one"},
	{name: "name", form: textForm, doc: "what it is called by others, and in messages"},
	{name: "input", form: anyForm, doc: "what its transforms can take as input: a name, or a mapping of names"},
	{name: "output", form: anyForm, doc: "what it gives: the name of one of its transforms, or a mapping of output names to them"},
	{name: "windowing", form: mapForm, doc: "the windows that its input is put into"},
	{name: "transforms", form: listForm, doc: "its transforms"},
	{name: "source", form: mapForm, doc: "of a chain: a transform that stands before the others"},
	{name: "sink", form: mapForm, doc: "of a chain: a transform that stands behind the others"},
	{name: "extra_transforms", form: listForm, doc: "of a chain: transforms beside it, which name their input"},
	{name: "resource_hints", form: anyForm, doc: "accepted, and without effect"},
}

var transformKeys, compositeKeys = names(forTransforms), names(forComposites)

// parseSpec reads one transform.
func (t *text) parseSpec(n *yaml.Node, depth int) *spec {
	s := &spec{node: n, text: t, depth: depth}
	if n.Kind == yaml.ScalarNode && !isNull(n) { // a type alone
		s.kind, s.kindNode, s.name = n.Value, n, n.Value
		return s
	}
	if n.Kind != yaml.MappingNode {
		t.problemf(n, "", "a transform must be a mapping with a type, and is %s", kindOf(n))
		return nil
	}
	s.kindNode = get(n, "type")
	if isNull(s.kindNode) {
		if get(n, "transforms") == nil {
			t.problemf(n, "", "a transform needs a type")
			return nil
		}
		s.kind, s.kindNode = "composite", n
	} else if s.kindNode.Kind != yaml.ScalarNode {
		t.problemf(s.kindNode, "", "a type must be text, and is %s", kindOf(s.kindNode))
		return nil
	} else {
		s.kind = s.kindNode.Value
	}
	s.composite = s.kind == "composite" || s.kind == "chain"
	s.chain = s.kind == "chain"
	keys := transformKeys
	if s.composite {
		keys = compositeKeys
	}
	entries(n, func(k, v *yaml.Node) {
		if !slices.Contains(keys, k.Value) {
			hint := meant(k.Value, keys)
			switch d := catalog[s.kind]; {
			case d != nil && slices.Contains(names(d.settings), k.Value):
				hint = "it belongs under config"
			case slices.Contains(names(forWindows), k.Value):
				hint = "it belongs under windowing"
			case slices.Contains(names(forWatermarks), k.Value):
				hint = "it belongs under watermark"
			}
			t.problemf(k, hint, "a transform of type %s has no key %q", s.kind, k.Value)
			s.doubtful = true
		}
	})
	s.name = s.kind
	if v := get(n, "name"); !isNull(v) {
		if v.Kind != yaml.ScalarNode {
			t.problemf(v, "", "a name must be text, and is %s", kindOf(v))
		} else {
			s.name, s.nameNode = v.Value, v
		}
	}
	s.input, s.output = given(get(n, "input")), given(get(n, "output"))
	s.config, s.windowing, s.watermark = given(get(n, "config")), given(get(n, "windowing")), given(get(n, "watermark"))
	for _, k := range []string{"output_schema"} {
		if key, v := entry(n, k); v != nil {
			t.problemf(key, "use ValidateWithSchema", "%s is not supported", k)
		}
	}
	if key, v := entry(n, "error_handling"); v != nil {
		t.problemf(key, "it belongs under config", "a transform of type %s has no key %q", s.kind, "error_handling")
	}
	if s.composite {
		t.parseChildren(s)
	}
	return s
}

func given(n *yaml.Node) *yaml.Node {
	if isNull(n) {
		return nil
	}
	return n
}

func (t *text) parseChildren(s *spec) {
	add := func(n *yaml.Node) {
		if c := t.parseSpec(n, s.depth); c != nil {
			s.children = append(s.children, c)
		}
	}
	list := func(key string) []*yaml.Node {
		k, v := entry(s.node, key)
		if isNull(v) {
			if key == "transforms" && get(s.node, "source") == nil {
				t.problemf(k, "", "there are no transforms")
			}
			return nil
		}
		if v.Kind != yaml.SequenceNode {
			t.problemf(v, "", "%s must be a list, and is %s", key, kindOf(v))
			return nil
		}
		if key == "transforms" && len(v.Content) == 0 && isNull(get(s.node, "source")) {
			t.problemf(v, "", "there are no transforms")
		}
		return v.Content
	}
	if k, v := entry(s.node, "source"); !isNull(v) {
		add(v)
		if n := len(s.children); n > 0 {
			s.children[n-1].source = true
		}
		if !s.chain {
			t.problemf(k, "write type: chain, or list it under transforms", "source can stand only in a chain")
		}
	}
	for _, n := range list("transforms") {
		add(n)
	}
	if s.input != nil && !slices.ContainsFunc(s.children, func(c *spec) bool { return c.input != nil || c.output != nil }) {
		s.chain = true // Beam's rule: with an input of its own, and none named within, a composite is a chain
	}
	if k, v := entry(s.node, "sink"); !isNull(v) {
		add(v)
		if !s.chain {
			t.problemf(k, "write type: chain, or list it under transforms", "sink can stand only in a chain")
		}
	}
	if k, v := entry(s.node, "extra_transforms"); !isNull(v) {
		if !s.chain {
			t.problemf(k, "list them under transforms", "extra_transforms can stand only in a chain")
		}
		before := len(s.children)
		for _, n := range list("extra_transforms") {
			add(n)
		}
		s.extra = len(s.children) - before
	}
}

// provided is a transform that a provider defines.
type provided struct {
	text     *text
	node     *yaml.Node
	params   map[string]*yaml.Node // by name, its schema
	defaults map[string]string
	body     *yaml.Node
}

const maxExpansion = 16 // providers within providers

// parseProviders reads the section of that name. open reads an included file.
func (t *text) parseProviders(n *yaml.Node, open func(path string) (string, error), into map[string]*provided, depth int) {
	if isNull(n) {
		return
	}
	if n.Kind != yaml.SequenceNode {
		t.problemf(n, "", "providers must be a list, and is %s", kindOf(n))
		return
	}
	for _, p := range n.Content {
		if p.Kind != yaml.MappingNode {
			t.problemf(p, "", "a provider must be a mapping, and is %s", kindOf(p))
			continue
		}
		if k, path := entry(p, "include"); path != nil {
			t.include(k, path, open, into, depth)
			continue
		}
		kind := get(p, "type")
		if kind == nil || kind.Value != "yaml" {
			what := "without a type"
			at := p
			if kind != nil {
				what, at = "of type "+kind.Value, kind
			}
			t.problemf(at, "only providers of type yaml can run here", "a provider %s is not supported", what)
			continue
		}
		entries(p, func(k, _ *yaml.Node) {
			if !slices.Contains([]string{"type", "transforms", "config"}, k.Value) {
				t.problemf(k, meant(k.Value, []string{"type", "transforms", "config"}), "a provider has no key %q", k.Value)
			}
		})
		transforms := get(p, "transforms")
		if transforms == nil || transforms.Kind != yaml.MappingNode {
			t.problemf(p, "", "a provider of type yaml needs transforms: a mapping of names to definitions")
			continue
		}
		entries(transforms, func(name, def *yaml.Node) { t.define(name, def, into) })
	}
}

func (t *text) include(k, path *yaml.Node, open func(path string) (string, error), into map[string]*provided, depth int) {
	if depth >= maxExpansion {
		t.problemf(k, "", "includes are nested deeper than %d", maxExpansion)
		return
	}
	name, local := strings.CutPrefix(path.Value, "file://")
	if scheme, _, remote := strings.Cut(path.Value, "://"); remote && !local {
		t.problemf(path, "copy it, and write its path", "a provider cannot be read over %s", scheme)
		return
	}
	if !filepath.IsAbs(name) { // beside the file that names it
		name = filepath.Join(filepath.Dir(t.file), name)
	}
	s, err := open(name)
	if err != nil {
		t.problemf(path, "", "the provider cannot be read: %v", err)
		return
	}
	other := t.another(name, s)
	if root := other.parseNode(s); root != nil {
		other.parseProviders(root, open, into, depth+1)
	}
}

func (t *text) define(name, def *yaml.Node, into map[string]*provided) {
	if def.Kind != yaml.MappingNode {
		t.problemf(def, "", "the transform %s must be a mapping with a body, and is %s", name.Value, kindOf(def))
		return
	}
	keys := []string{"config_schema", "body", "requires_inputs", "description"}
	entries(def, func(k, _ *yaml.Node) {
		if !slices.Contains(keys, k.Value) {
			t.problemf(k, meant(k.Value, keys), "the definition of %s has no key %q", name.Value, k.Value)
		}
	})
	p := &provided{text: t, node: name, params: map[string]*yaml.Node{}, defaults: map[string]string{}, body: get(def, "body")}
	if isNull(p.body) {
		t.problemf(name, "", "the transform %s needs a body", name.Value)
		return
	}
	entries(get(get(def, "config_schema"), "properties"), func(k, v *yaml.Node) {
		p.params[k.Value] = v
		if d := get(v, "default"); d != nil && d.Kind == yaml.ScalarNode {
			p.defaults[k.Value] = d.Value
		}
	})
	if into[name.Value] != nil {
		t.problemf(name, "", "the transform %s is defined twice", name.Value)
	}
	if catalog[name.Value] != nil {
		t.problemf(name, "choose another name", "the transform %s exists already", name.Value)
	}
	into[name.Value] = p
}

// expand makes the body of a provided transform into a spec, with the values of config in the
// places of its parameters.
func (p *provided) expand(s *spec) *spec {
	t := s.text
	if s.depth >= maxExpansion {
		t.problemf(s.kindNode, "", "providers use each other deeper than %d: does %s use itself?", maxExpansion, s.kind)
		return nil
	}
	values := map[string]string{}
	for k, v := range p.defaults {
		values[k] = v
	}
	known := make([]string, 0, len(p.params))
	for k := range p.params {
		known = append(known, k)
	}
	slices.Sort(known)
	if s.config != nil && s.config.Kind != yaml.MappingNode {
		t.problemf(s.config, "", "the config of %s must be a mapping, and is %s", s.kind, kindOf(s.config))
		return nil
	}
	ok := true
	entries(s.config, func(k, v *yaml.Node) {
		if p.params[k.Value] == nil {
			t.problemf(k, meant(k.Value, known), "%s has no setting %q", s.kind, k.Value)
			ok = false
			return
		}
		values[k.Value] = flow(v)
		if want := get(p.params[k.Value], "type"); want != nil && !isOfType(v, want.Value) {
			t.problemf(v, "", "%s of %s must be of type %s, and is %s", k.Value, s.kind, want.Value, shown(v))
			ok = false
		}
	})
	for _, k := range known {
		if _, given := values[k]; !given && mentions(p.body, k) {
			t.problemf(s.kindNode, "", "%s needs the setting %q", s.kind, k)
			ok = false
		}
	}
	if !ok {
		return nil
	}
	body, within := p.fillBody(values)
	if body == nil {
		return nil
	}
	return within.parseSpec(body, s.depth+1)
}

// fillBody gives the body with values for its parameters, and the text that it stands in.
func (p *provided) fillBody(values map[string]string) (*yaml.Node, *text) {
	if p.body.Kind == yaml.ScalarNode { // text that becomes YAML
		before := len(*p.text.problems)
		t := p.text.another(fmt.Sprintf("%s (body of %s)", p.text.file, p.node.Value), p.body.Value)
		filled := t.fill(p.body.Value, values, func(int) bool { return false })
		if len(*t.problems) > before {
			return nil, t
		}
		t.lines = strings.Split(filled, "\n")
		return t.parseNode(filled), t
	}
	return p.text.fillNode(p.body, values), p.text
}

// fillNode copies n with parameters filled in.
func (t *text) fillNode(n *yaml.Node, values map[string]string) *yaml.Node {
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		c.Content[i] = t.fillNode(child, values)
	}
	if n.Kind != yaml.ScalarNode || !strings.Contains(n.Value, "{") {
		return &c
	}
	whole := parameter.FindStringSubmatch(n.Value)
	if whole != nil && whole[0] == n.Value { // the value takes the form of what it is given
		if v, known := values[whole[1]]; known {
			var doc yaml.Node
			if yaml.Load([]byte(v), &doc) == nil && len(doc.Content) == 1 {
				place(doc.Content[0], n.Line, n.Column)
				return doc.Content[0]
			}
		}
	}
	if strings.Contains(n.Value, "{%") {
		t.problemf(n, "write the steps out; only {{name}} is replaced", "templates with {%% ... %%} are not supported")
	}
	c.Value = parameter.ReplaceAllStringFunc(n.Value, func(use string) string {
		name := parameter.FindStringSubmatch(use)[1]
		if v, known := values[name]; known {
			return v
		}
		t.problemf(n, "declare it under config_schema", "the parameter %s has no value", name)
		return use
	})
	return &c
}

func place(n *yaml.Node, line, column int) {
	n.Line, n.Column = line, column
	for _, c := range n.Content {
		place(c, line, column)
	}
}

// mentions says whether a body uses a parameter.
func mentions(n *yaml.Node, name string) bool {
	for _, m := range parameter.FindAllStringSubmatch(n.Value, -1) {
		if m[1] == name {
			return true
		}
	}
	return slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return mentions(c, name) })
}

// flow writes a value on one line.
func flow(n *yaml.Node) string {
	switch n.Kind {
	case yaml.SequenceNode:
		parts := make([]string, len(n.Content))
		for i, c := range n.Content {
			parts[i] = inFlow(c)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case yaml.MappingNode:
		var parts []string
		entries(n, func(k, v *yaml.Node) { parts = append(parts, inFlow(k)+": "+inFlow(v)) })
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return n.Value
}

func inFlow(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode && (n.Tag == "!!str" || n.Style != 0) {
		return fmt.Sprintf("%q", n.Value)
	}
	return flow(n)
}

// isOfType says whether a value has a type of JSON Schema.
func isOfType(n *yaml.Node, want string) bool {
	switch want {
	case "integer":
		return n.Tag == "!!int"
	case "number":
		return n.Tag == "!!int" || n.Tag == "!!float"
	case "boolean":
		return n.Tag == "!!bool"
	case "array":
		return n.Kind == yaml.SequenceNode
	case "object":
		return n.Kind == yaml.MappingNode
	}
	return n.Kind == yaml.ScalarNode
}
