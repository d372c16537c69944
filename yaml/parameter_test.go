package yaml_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/yaml"
)

// A # begins a comment at the beginning of a word that is in no quotes: YAML 1.2, 6.6.
func TestAParameterBehindASignForCommentsIsFilledInIfThatIsInQuotes(t *testing.T) {
	for value, filled := range map[string]bool{
		`"n #1 {{x}}"`: true, `'n #1 {{x}}'`: true, `'it''s #1 {{x}}'`: true, `"a \" #1 {{x}}"`: true, `[a, "b # {{x}}"]`: true, `{a: 'b # {{x}}'}`: true,
		`a#b {{x}}`: true, `"a"  # {{x}}`: false, `it's # {{x}}'`: false, `a # {{x}}`: false, "a\t# {{x}}": false, `f(x, y) - 'a # {{x}}'`: false,
	} {
		_, err := yaml.Parse("p.yaml", "pipeline: {type: chain, transforms: [{type: Create, config: {elements: [1]}}]}\nother: "+value+"\n", yaml.Options{})
		var ps yaml.Problems
		if !errors.As(err, &ps) {
			t.Fatal(err)
		}
		if wanted := strings.Contains(err.Error(), "the parameter x has no value"); wanted != filled {
			t.Errorf("%s: %v", value, err)
		}
	}
}
