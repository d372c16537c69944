package docs

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// RulesPage is where the numbered rules are.
const RulesPage = "docs/semantics.md"

var (
	stated = regexp.MustCompile(`^\*\*(S\d+(?:\.\d+)?)\*\* `)
	cited  = regexp.MustCompile(`\bS(?:[1-9]|1[0-9])\.\d+\b`)
)

// Rules finds citations, in pages and in Go files, of rules that are not stated in the rules
// page, and rules that are stated twice.
func Rules(root fs.FS) ([]Finding, error) {
	page, err := fs.ReadFile(root, RulesPage)
	if err != nil {
		return nil, err
	}
	var found []Finding
	rules := map[string]int{}
	for i, line := range strings.Split(string(page), "\n") {
		m := stated.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if first, twice := rules[m[1]]; twice {
			found = append(found, Finding{RulesPage, i + 1, fmt.Sprintf("%s is stated twice, the first time in line %d", m[1], first)})
		}
		rules[m[1]] = i + 1
	}
	names, err := tree.Files(root)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".md") || strings.HasPrefix(name, "internal/tools/docs/") {
			continue
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, rule := range cited.FindAllString(line, -1) {
				if rules[rule] == 0 {
					found = append(found, Finding{name, i + 1, fmt.Sprintf("there is no rule %s in %s", rule, RulesPage)})
				}
			}
		}
	}
	return found, nil
}
