package yaml

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/record"
	"go.yaml.in/yaml/v4"
)

// Tests are rewritten in the text itself, of which nothing else changes: comments, parameters
// and what only stands in text stay. The text that comes of it is read again, and must say what
// it was meant to.

// FixTests gives the text with the rows of every expectation as they were in results. Nothing
// else of the text is changed. It is an error if an expectation is made by a parameter.
func FixTests(source string, results []TestResult) (string, error) {
	doc, err := outlined(source)
	if err != nil {
		return "", err
	}
	var edits []edit
	for _, r := range results {
		for elements, got := range r.got {
			n := expectation(doc, r, elements)
			if n == nil || n.Kind != yaml.SequenceNode {
				return "", fmt.Errorf("line %d: the expectation cannot be rewritten, since a parameter makes it: write its rows out", elements.Line)
			}
			slices.SortFunc(got, func(a, b record.Value) int { return strings.Compare(a.String(), b.String()) })
			rows := make([]*yaml.Node, len(got))
			for i, v := range got {
				rows[i] = nodeOf(v)
			}
			e, err := editOf(source, n, rows)
			if err != nil {
				return "", err
			}
			edits = append(edits, e)
			n.Content = rows
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from }) // from behind
	for _, e := range edits {
		source = source[:e.from] + e.text + source[e.to:]
	}
	return source, says(source, doc)
}

// edit puts a text in the place of the bytes from one to another.
type edit struct {
	from, to int
	text     string
}

// outlined reads a text that has parameters, which become words of the same length: nodes are
// where they are in the text.
func outlined(source string) (*yaml.Node, error) {
	masked := parameter.ReplaceAllStringFunc(source, func(use string) string {
		if strings.Contains(use, "\n") {
			return use
		}
		return strings.Repeat("x", len(use))
	})
	var doc yaml.Node
	if err := yaml.Load([]byte(masked), &doc); err != nil {
		return nil, fmt.Errorf("the tests cannot be rewritten, since the text is YAML only once its parameters are filled in: %w", err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, errors.New("the tests cannot be rewritten, since the text is not one document of YAML")
	}
	newText("", source).inBytes(&doc)
	return doc.Content[0], nil
}

// expectation finds the elements of a result in the outline of the text that its test stands in.
func expectation(doc *yaml.Node, r TestResult, elements *yaml.Node) *yaml.Node {
	tests := doc
	if doc.Kind == yaml.MappingNode {
		tests = get(doc, "tests")
	}
	if tests == nil || r.index >= len(tests.Content) {
		return nil
	}
	for _, section := range []string{"expected_outputs", "expected_inputs"} {
		there := scalars(get(tests.Content[r.index], section))
		for i, e := range scalars(get(r.node, section)) {
			if get(e, "elements") == elements && i < len(there) {
				return get(there[i], "elements")
			}
		}
	}
	return nil
}

// editOf replaces the items of a list by others, in the form that the list has.
func editOf(source string, list *yaml.Node, items []*yaml.Node) (edit, error) {
	start := offset(source, list.Line)
	at := start + list.Column - 1
	if at >= len(source) {
		return edit{}, fmt.Errorf("line %d: the end of the list is not found", list.Line)
	}
	before := source[start:at]
	if source[at] != '[' { // a list of lines
		to := blockEnd(source, list)
		if len(items) == 0 {
			return edit{at, to, "  []\n"}, nil
		}
		return edit{at, to, strings.TrimLeft(lines(items, len(before)), " ")}, nil
	}
	to := flowEnd(source, at)
	if to < 0 {
		return edit{}, fmt.Errorf("line %d: the end of the list is not found", list.Line)
	}
	rest, _, _ := strings.Cut(source[to:], "\n")
	key := strings.TrimLeft(before, " -")
	if len(items) > 1 && key == "elements: " && strings.TrimSpace(rest) == "" { // alone on its line
		return edit{at - 1, to + len(rest), "\n" + strings.TrimRight(lines(items, len(before)-len(key)), "\n")}, nil
	}
	return edit{at, to, inline(&yaml.Node{Kind: yaml.SequenceNode, Content: items})}, nil
}

// lines writes a list of which each item is a line.
func lines(items []*yaml.Node, indent int) string {
	var b strings.Builder
	for _, n := range items {
		fmt.Fprintf(&b, "%*s- %s\n", indent, "", inline(n))
	}
	return b.String()
}

// bare are names that are text also without quotes.
var bare = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// notText are words that some readers of YAML take for something else.
var notText = []string{"yes", "no", "on", "off", "true", "false", "null"}

// inline writes what nodeOf gives on one line.
func inline(n *yaml.Node) string {
	var parts []string
	switch n.Kind {
	case yaml.SequenceNode:
		for _, c := range n.Content {
			parts = append(parts, inline(c))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case yaml.MappingNode:
		entries(n, func(k, v *yaml.Node) {
			name := k.Value
			if !bare.MatchString(name) || slices.Contains(notText, strings.ToLower(name)) {
				name = quoted(name)
			}
			parts = append(parts, name+": "+inline(v))
		})
		return "{" + strings.Join(parts, ", ") + "}"
	}
	if n.Style != 0 || n.Tag == "!!str" {
		return quoted(n.Value)
	}
	return n.Value
}

// quoted writes text as JSON does, which YAML reads too.
func quoted(text string) string { return string(record.AppendQuoted(nil, text)) }

// offset is where a line begins.
func offset(source string, line int) int {
	at := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(source[at:], '\n')
		if i < 0 {
			return len(source)
		}
		at += i + 1
	}
	return at
}

// blockEnd is where the lines of a list end: before the first that is indented less, or as much
// and no item. Empty lines and comments at the end are not of the list.
func blockEnd(source string, list *yaml.Node) int {
	at := offset(source, list.Line)
	end := at
	for first := true; at < len(source); first = false {
		line, _, _ := strings.Cut(source[at:], "\n")
		next := min(at+len(line)+1, len(source))
		rest := strings.TrimLeft(line, " ")
		indent := len(line) - len(rest)
		switch {
		case first:
		case strings.TrimSpace(rest) == "" || rest[0] == '#':
			at = next
			continue
		case indent < list.Column-1 || indent == list.Column-1 && strings.TrimRight(rest, "\r") != "-" && !strings.HasPrefix(rest, "- "):
			return end
		}
		at, end = next, next
	}
	return end
}

// flowEnd is behind the bracket that closes the one at a place; -1 if there is none.
func flowEnd(source string, at int) int {
	depth := 0
	var quote byte
	begins := true
	for i := at; i < len(source); i++ {
		c := source[i]
		switch {
		case quote == '"' && c == '\\':
			i++
		case quote == '\'' && strings.HasPrefix(source[i:], "''"):
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case begins && (c == '"' || c == '\''):
			quote, begins = c, false
		case c == '#' && (source[i-1] == ' ' || source[i-1] == '\t' || source[i-1] == '\n'):
			for i+1 < len(source) && source[i+1] != '\n' {
				i++
			}
		case c == '[' || c == '{':
			depth++
			begins = true
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case c == ',' || c == ':':
			begins = true
		case c == ' ' || c == '\n' || c == '\r' || c == '\t':
		default:
			begins = false
		}
	}
	return -1
}

// says holds a text that was edited against what it was to say.
func says(source string, want *yaml.Node) error {
	got, err := outlined(source)
	if err == nil && !sameNodes(got, want) {
		err = errors.New("the text says something else then")
	}
	if err != nil {
		return fmt.Errorf("the tests cannot be rewritten here, write them by hand: %w", err)
	}
	return nil
}

func sameNodes(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Value == b.Value && slices.EqualFunc(a.Content, b.Content, sameNodes)
}

// addTest gives the text with one more test, behind those that there are.
func addTest(source string, test *yaml.Node) (string, error) {
	doc, err := outlined(source)
	if err != nil {
		return "", err
	}
	if source != "" && !strings.HasSuffix(source, "\n") {
		source += "\n"
	}
	b, err := yaml.Dump(test, yaml.WithIndent(2))
	if err != nil {
		return "", err
	}
	item := func(indent int) string {
		margin := strings.Repeat(" ", indent)
		text := strings.ReplaceAll(strings.TrimRight(string(b), "\n"), "\n", "\n"+margin+"  ")
		return margin + "- " + text + "\n"
	}
	key, tests := entry(doc, "tests")
	switch {
	case doc.Kind != yaml.MappingNode:
		return "", errors.New("a test cannot be added to a text that is no mapping")
	case key == nil && doc.Style&yaml.FlowStyle != 0 && doc.Column == 1:
		return "", errors.New("a test cannot be added to a pipeline in braces: write its sections as lines that begin with pipeline: and options:")
	case key == nil:
		tests = &yaml.Node{Kind: yaml.SequenceNode}
		doc.Content = append(doc.Content, scalarNode("tests"), tests)
		source += "tests:\n" + item(0)
	case isNull(tests), tests.Kind == yaml.SequenceNode && len(tests.Content) == 0:
		at := offset(source, key.Line)
		line, _, _ := strings.Cut(source[at:], "\n")
		*tests = yaml.Node{Kind: yaml.SequenceNode}
		source = source[:at] + "tests:\n" + item(0) + source[at+len(line)+1:]
	case tests.Kind != yaml.SequenceNode || tests.Style&yaml.FlowStyle != 0:
		return "", fmt.Errorf("line %d: a test cannot be added to a list in brackets: write each test on lines that begin with -", key.Line)
	default:
		end := blockEnd(source, tests)
		source = source[:end] + item(tests.Column-1) + source[end:]
	}
	tests.Content = append(tests.Content, test)
	return source, says(source, doc)
}
