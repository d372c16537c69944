package yaml

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Limits of a pipeline's text, which is not trusted with the memory of who reads it.
const (
	maxText  = 1 << 20
	maxDepth = 64
)

// text is a file's text, and where problems with it are gathered.
type text struct {
	file     string
	lines    []string
	problems *Problems // of all texts of a pipeline
	secrets  *secrets  // so are these
	// parameters are the names in {{}} that were met, of all texts too.
	parameters map[string]bool
}

func newText(file, s string) *text {
	return &text{file: file, lines: strings.Split(s, "\n"), problems: new(Problems), secrets: new(secrets), parameters: map[string]bool{}}
}

// another is a further text of the same pipeline.
func (t *text) another(file, s string) *text {
	return t.with(file, strings.Split(s, "\n"))
}

// with is another, whose lines are cut.
func (t *text) with(file string, lines []string) *text {
	other := *t
	other.file, other.lines = file, lines
	return &other
}

// problemf notes a problem with the node n.
func (t *text) problemf(n *yaml.Node, hint, format string, args ...any) {
	t.at(n, 0, 0, hint, format, args...)
}

// at notes a problem with a part of the scalar n, from the byte offset on.
func (t *text) at(n *yaml.Node, offset, length int, hint, format string, args ...any) {
	p := &Problem{File: t.file, Message: t.secrets.hide(fmt.Sprintf(format, args...)), Hint: t.secrets.hide(hint), Length: max(length, 1)}
	if n != nil {
		p.Line, p.Column = t.place(n, offset)
		if length == 0 && n.Kind == yaml.ScalarNode && offset == 0 {
			p.Length = max(len(n.Value), 1)
			if strings.Contains(n.Value, "\n") {
				p.Length = 1
			}
			if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
				p.Length += 2
			}
		}
		if p.Line > len(t.lines) { // behind the end
			p.Line, p.Column = len(t.lines), len(t.lines[len(t.lines)-1])+1
		}
		if p.Line > 0 {
			p.Text = strings.TrimRight(t.lines[p.Line-1], "\r")
			p.Column = min(max(p.Column, 1), len(p.Text)+1)
			p.Length = max(min(p.Length, len(p.Text)-p.Column+1), 1)
		}
	}
	*t.problems = append(*t.problems, p)
}

// place is line and column of a byte of the scalar n.
func (t *text) place(n *yaml.Node, offset int) (line, column int) {
	if offset == 0 || n.Kind != yaml.ScalarNode {
		return n.Line, n.Column
	}
	switch {
	case n.Style&yaml.LiteralStyle != 0:
		before := n.Value[:min(offset, len(n.Value))]
		down := strings.Count(before, "\n")
		line = n.Line + 1 + down
		if line > len(t.lines) {
			return n.Line, n.Column
		}
		within := offset - (strings.LastIndexByte(before, '\n') + 1)
		indent := len(t.lines[n.Line]) - len(strings.TrimLeft(t.lines[n.Line], " "))
		return line, indent + within + 1
	case n.Line > 0 && n.Line <= len(t.lines):
		quote := 0
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			quote = 1
		}
		rest := t.lines[n.Line-1]
		from := n.Column - 1 + quote
		if from <= len(rest) && strings.HasPrefix(rest[from:], n.Value) { // no escapes, one line
			return n.Line, from + offset + 1
		}
	}
	return n.Line, n.Column
}

// parseNode reads one document of YAML within the limits, and checks what holds for all of it:
// no aliases, no key twice. It gives nil if there is nothing to go on with.
func (t *text) parseNode(s string) *yaml.Node {
	if len(s) > maxText {
		t.problemf(nil, "", "a pipeline may have at most %d bytes; this one has %d", maxText, len(s))
		return nil
	}
	var doc yaml.Node
	if err := yaml.Load([]byte(s), &doc); err != nil {
		t.syntax(err)
		return nil
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		t.problemf(nil, "", "there is no pipeline in this file")
		return nil
	}
	root := doc.Content[0]
	t.inBytes(root)
	if !t.sound(root, maxDepth) {
		return nil
	}
	return root
}

// inBytes makes the columns of nodes count bytes, as all columns here do: the parser counts
// characters.
func (t *text) inBytes(n *yaml.Node) {
	n.Column = t.bytesTo(n.Line, n.Column)
	for _, c := range n.Content {
		t.inBytes(c)
	}
}

func (t *text) bytesTo(line, column int) int {
	if line < 1 || line > len(t.lines) {
		return column
	}
	rest := t.lines[line-1]
	for n := 1; n < column && rest != ""; n++ {
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	return len(t.lines[line-1]) - len(rest) + 1
}

// position is where the parser stood: at the end of what it names, if that is a range.
var position = regexp.MustCompile(`at L(\d+)\.C(\d+)(?:-(?:L(\d+)\.)?C(\d+))?: (.*)`)

// syntax notes an error of the YAML parser.
func (t *text) syntax(err error) {
	var line, column int
	message := err.Error()
	if m := position.FindStringSubmatch(message); m != nil {
		fmt.Sscan(m[1], &line)
		fmt.Sscan(m[2], &column)
		fmt.Sscan(m[3], &line)
		fmt.Sscan(m[4], &column)
		message = m[5]
	} else if i := strings.LastIndex(message, "yaml: "); i >= 0 {
		message = message[i+len("yaml: "):]
	}
	if message == "no documents in stream" {
		t.problemf(nil, "begin with pipeline:, or let strandline init write it", "the file is empty")
		return
	}
	if line == 0 {
		t.problemf(nil, "", "this is not YAML: %s", message)
		return
	}
	hint := ""
	if l := t.lines[min(line, len(t.lines))-1]; strings.HasPrefix(strings.TrimLeft(l, " "), "\t") {
		hint = "indent with spaces: YAML takes no tabs for that"
	}
	t.problemf(&yaml.Node{Line: line, Column: t.bytesTo(line, column)}, hint, "this is not YAML: %s", message)
}

// sound refuses aliases, tags of types, keys that are no text or come twice, and what is
// nested too deeply.
func (t *text) sound(n *yaml.Node, depth int) bool {
	if depth < 0 {
		t.problemf(n, "", "nested deeper than %d levels", maxDepth)
		return false
	}
	ok := true
	switch n.Kind {
	case yaml.AliasNode:
		t.problemf(n, "write it out, or use a provider of type yaml", "aliases are not supported")
		return false
	case yaml.MappingNode:
		seen := map[string]*yaml.Node{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			if k.Kind != yaml.ScalarNode {
				hint := ""
				if k.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0 {
					hint = "a parameter {{x}} at the beginning of a value must be given with --set, or stand in quotes"
				}
				t.problemf(k, hint, "a key must be text")
				ok = false
				continue
			}
			if k.Tag == "!!merge" || k.Value == "<<" {
				t.problemf(k, "write it out, or use a provider of type yaml", "merge keys are not supported")
				ok = false
			}
			if first := seen[k.Value]; first != nil {
				t.problemf(k, "", "the key %q is given twice: first in line %d", k.Value, first.Line)
				ok = false
			}
			seen[k.Value] = k
		}
	}
	for _, c := range n.Content {
		ok = t.sound(c, depth-1) && ok
	}
	return ok
}

var parameter = regexp.MustCompile(`\{\{-?\s*(.*?)\s*-?\}\}`)

var word = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)

// fill puts the values of parameters in their places, and notes the names of all that it finds:
// {{name}} is replaced by text, whatever stands around it. Names that have no value are left if open
// is true, since they may be parameters of a provider; other uses of braces are refused.
func (t *text) fill(s string, values map[string]string, open func(line int) bool) string {
	lines := strings.Split(s, "\n")
	before := len(*t.problems)
	for i, l := range lines {
		bare := l
		if c := strings.TrimSpace(l); strings.HasPrefix(c, "#") {
			continue
		}
		if j := strings.Index(bare, "{%"); j >= 0 && !comment(bare[:j]) && len(*t.problems) == before {
			t.problemf(&yaml.Node{Line: i + 1, Column: j + 1}, "write the steps out; only {{name}} is replaced", "templates with {%% ... %%} are not supported")
		}
		var filled strings.Builder
		done := 0
		for _, m := range parameter.FindAllStringSubmatchIndex(l, -1) {
			use, name := l[m[0]:m[1]], l[m[2]:m[3]]
			node := &yaml.Node{Line: i + 1, Column: m[0] + 1}
			filled.WriteString(l[done:m[0]])
			done = m[1]
			if comment(l[:m[0]]) {
				filled.WriteString(use)
				continue
			}
			t.parameters[name] = true
			switch value, known := values[name]; {
			case known:
				use = value
			case !word.MatchString(name):
				t.problemf(node, "only {{name}} is replaced", "the template %s is not supported", use)
			case !open(i + 1):
				t.problemf(node, fmt.Sprintf("give it with --set %s=VALUE", name), "the parameter %s has no value", name)
			}
			filled.WriteString(use)
		}
		lines[i] = filled.String() + l[done:]
	}
	return strings.Join(lines, "\n")
}

// comment says whether what follows the text on its line is a comment: behind a # at the
// beginning of a word that is in no quotes. Quotes count where a value begins; within plain
// text they are letters.
func comment(before string) bool {
	var quote byte    // that is open
	begins := true    // a value may begin here
	last := byte(' ') // the character before
	for i := 0; i < len(before); i++ {
		c := before[i]
		switch {
		case quote == '"' && c == '\\':
			i++
		case quote == '\'' && c == quote && i+1 < len(before) && before[i+1] == quote:
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '#' && (last == ' ' || last == '\t'):
			return true
		case begins && (c == '"' || c == '\''):
			quote, begins = c, false
		case c == ' ' || c == '\t':
			begins = begins || last == ':'
		case c == '[' || c == '{' || c == ',':
			begins = true
		case c == '-' && begins: // of a list
		default:
			begins = false
		}
		last = c
	}
	return false
}

// providersIn says which lines belong to the top-level key providers, whose bodies have
// parameters of their own.
func providersIn(s string) func(line int) bool {
	within := map[int]bool{}
	inside := false
	for i, l := range strings.Split(s, "\n") {
		if l != "" && l[0] != ' ' && l[0] != '#' && l[0] != '-' && l[0] != '\r' {
			inside = strings.HasPrefix(l, "providers:")
		}
		within[i+1] = inside
	}
	return func(line int) bool { return within[line] }
}

// entries calls f for each key of a mapping.
func entries(n *yaml.Node, f func(key, value *yaml.Node)) {
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		f(n.Content[i], n.Content[i+1])
	}
}

// get gives the value of a key; nil if there is none.
func get(n *yaml.Node, key string) *yaml.Node {
	_, v := entry(n, key)
	return v
}

func entry(n *yaml.Node, key string) (k, v *yaml.Node) {
	entries(n, func(a, b *yaml.Node) {
		if a.Value == key {
			k, v = a, b
		}
	})
	return k, v
}

// isNull says whether a value is null or left out.
func isNull(n *yaml.Node) bool {
	return n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

// kindOf names what a node is, for messages.
func kindOf(n *yaml.Node) string {
	switch {
	case isNull(n):
		return "nothing"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	}
	switch n.Tag {
	case "!!int":
		return "an integer"
	case "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	}
	return "text"
}

// scalarNode is text that stands nowhere.
func scalarNode(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
}
