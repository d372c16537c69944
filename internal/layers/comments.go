package layers

import "strings"

// Comments finds packages without a package comment that starts as the go command expects.
func Comments(s *Source) []Finding {
	var found []Finding
	for _, p := range s.Packages {
		name, documented := "", false
		for _, file := range p.Files {
			if file.Test() {
				continue
			}
			name = file.AST.Name.Name
			text := file.AST.Doc.Text()
			documented = documented || text != "" && (name == "main" || strings.HasPrefix(text, "Package "+name+" "))
		}
		if !documented {
			found = append(found, Finding{
				Place: p.Dir, What: "no package comment", Rule: "every package says what it is for",
				Do: `add doc.go with "// Package name ...": its role, its layer, and what it does not know`,
			})
		}
	}
	return found
}
