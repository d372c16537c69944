package layers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Imports finds packages without a row, and imports that their row does not allow.
func Imports(s *Source, table []Layer) []Finding {
	var found []Finding
	for _, p := range s.Packages {
		row, ok := rowOf(table, p.Dir)
		if !ok {
			found = append(found, Finding{
				Place: p.Dir, What: "a package in no layer", Rule: "every package has a layer",
				Do: "give it a row in internal/layers/table.go, above what it imports",
			})
			continue
		}
		for _, file := range p.Files {
			for _, spec := range file.AST.Imports {
				imported, err := strconv.Unquote(spec.Path.Value)
				if err != nil || s.allowed(row, p, file, imported) {
					continue
				}
				found = append(found, Finding{
					Place: file.at(s.Fset, spec), What: fmt.Sprintf("imports %s", imported),
					Rule: fmt.Sprintf("imports of the layer %q", row.Name), Do: s.advice(row, imported),
				})
			}
		}
	}
	return found
}

// allowed judges one import.
func (s *Source) allowed(row Layer, p Package, file File, imported string) bool {
	dir, own := s.own(imported)
	switch {
	case own:
		return covers(row.Imports, dir) || file.Test() && (dir == p.Dir || covers(row.Tests, dir) || row.sees(kits[dir]))
	case p.Nested:
		return imported != "C"
	}
	return standard(imported) || within(row.Modules, imported) || file.Test() && within(testModules, imported)
}

// sees tells whether the layer has or may import the package in that directory.
func (l Layer) sees(dir string) bool { return covers(l.Packages, dir) || covers(l.Imports, dir) }

// advice says what to do about an import that is not allowed.
func (s *Source) advice(row Layer, imported string) string {
	if _, own := s.own(imported); !own {
		return "use the standard library, or move what needs that module to a nested module; " +
			"if it must be here, name the module in the row in internal/layers/table.go and say why in docs/decisions"
	}
	return fmt.Sprintf("imports go down only; %s may import %s: move the code to the layer that both may see, "+
		"or pass what is needed as an argument", strings.Join(row.Packages, ", "), orNothing(row.Imports))
}

// own turns the import path of a package of this project into its directory.
func (s *Source) own(imported string) (dir string, ok bool) {
	if imported == s.Module {
		return ".", true
	}
	return strings.CutPrefix(imported, s.Module+"/")
}

// standard tells whether it is a package of the standard library: their first element has no
// dot. "C" is none.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") && imported != "C"
}

// within tells whether a package belongs to one of the modules.
func within(modules []string, imported string) bool {
	return slices.ContainsFunc(modules, func(m string) bool {
		return imported == m || strings.HasPrefix(imported, m+"/")
	})
}

func orNothing(patterns []string) string {
	if len(patterns) == 0 {
		return "nothing of this project"
	}
	return strings.Join(patterns, ", ")
}
