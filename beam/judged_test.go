package beam

import (
	"strconv"
	"testing"

	"go.yaml.in/yaml/v4"
)

// A transcript in which one expected number, or one yes or no, is another does not hold: what
// the transcripts say is judged word by word, and passing them means something.
func TestEveryWordOfAnExpectationIsJudged(t *testing.T) {
	n := 0
	for _, x := range known(t) {
		if x.Error != "" {
			continue
		}
		for _, action := range x.Actions {
			panes, ok := action["expect"]
			if !ok {
				continue
			}
			for _, word := range scalars(&panes) {
				was := word.Value
				word.Value = another(was)
				if err := x.play(t.Context()); !judged(err) {
					t.Errorf("%s holds, with %s for %s at line %d: %v", x.Name, word.Value, was, word.Line, err)
				}
				word.Value = was
				n++
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d words were changed", n)
	}
}

// scalars lists the values in a tree, without the keys.
func scalars(n *yaml.Node) (all []*yaml.Node) {
	for i, sub := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			continue
		}
		all = append(all, scalars(sub)...)
	}
	if n.Kind == yaml.ScalarNode {
		all = append(all, n)
	}
	return all
}

// another is another number, or the other of true and false.
func another(word string) string {
	switch word {
	case "true":
		return "false"
	case "false":
		return "true"
	}
	n, err := strconv.Atoi(word)
	if err != nil {
		return "not a number"
	}
	return strconv.Itoa(n + 1)
}
