package layers

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
)

// impurePackages are the standard packages through which a package would touch the world,
// with those below them. Packages that only compute with names of that world are left out.
var impurePackages = []string{
	"context", "crypto/rand", "hash/maphash", "log", "math/rand", "net", "os", "runtime/debug", "syscall", "testing",
}

// harmless are below an impure package but touch nothing.
var harmless = []string{"net/netip", "net/url"}

// clock is what package time does beyond computing: it reads a clock or a machine's zone, or
// it waits.
var clock = []string{
	"After", "AfterFunc", "LoadLocation", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until",
}

// Purity finds what pure packages must not contain, and goroutines in still ones. Test files
// may do as they like.
func Purity(s *Source, table []Layer) []Finding {
	var found []Finding
	for _, p := range s.Packages {
		row, _ := rowOf(table, p.Dir)
		if !row.Pure && !row.Still {
			continue
		}
		for _, file := range p.Files {
			if file.Test() {
				continue
			}
			found = append(found, s.goroutines(row, file)...)
			if row.Pure {
				found = append(found, s.worldly(row, file)...)
			}
		}
	}
	return found
}

// Sequential says whether a package starts no goroutine, and drives no engine that does.
func Sequential(table []Layer, dir string) bool {
	row, there := rowOf(table, dir)
	return there && (row.Pure || row.Still) && !covers(row.Imports, "internal/run")
}

// goroutines finds go statements, and in pure packages selects as well.
func (s *Source) goroutines(row Layer, file File) []Finding {
	var found []Finding
	ast.Inspect(file.AST, func(node ast.Node) bool {
		what := ""
		switch node.(type) {
		case *ast.GoStmt:
			what = "starts a goroutine"
		case *ast.SelectStmt:
			if row.Pure {
				what = "selects over channels"
			}
		}
		if what != "" {
			found = append(found, Finding{
				Place: file.at(s.Fset, node), What: what, Rule: fmt.Sprintf("no goroutines in the layer %q", row.Name),
				Do: "return a value that tells the engine (internal/run) what to start; only it and connectors run goroutines",
			})
		}
		return true
	})
	return found
}

// worldly finds imports that reach the world, and uses of the clock.
func (s *Source) worldly(row Layer, file File) []Finding {
	var found []Finding
	rule := fmt.Sprintf("the layer %q is pure", row.Name)
	clockName := ""
	for _, spec := range file.AST.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if within(impurePackages, imported) && !slices.Contains(slices.Concat(harmless, row.World), imported) {
			found = append(found, Finding{
				Place: file.at(s.Fset, spec), What: fmt.Sprintf("imports %s", imported), Rule: rule,
				Do: "it decides and does nothing else: take the value as an argument, return the decision",
			})
		}
		if imported != "time" {
			continue
		}
		clockName = "time"
		if spec.Name != nil {
			clockName = spec.Name.Name
		}
		if clockName == "." {
			found = append(found, Finding{
				Place: file.at(s.Fset, spec), What: "imports time by a dot", Rule: rule,
				Do: "import it by its name, so that uses of the clock can be seen",
			})
		}
	}
	ast.Inspect(file.AST, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok || clockName == "" {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == clockName && slices.Contains(clock, selector.Sel.Name) {
			found = append(found, Finding{
				Place: file.at(s.Fset, selector), What: "uses time." + selector.Sel.Name, Rule: rule,
				Do: "time is an argument here (S1.6): let the caller pass the instant or the zone",
			})
		}
		return true
	})
	return found
}
