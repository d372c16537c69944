package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// target is one test function to be run alone.
type target struct {
	module    tree.Module
	pkg, name string
}

// targets lists the test functions whose names match the pattern, in all modules. Packages that
// do not build are a failed step of the summary.
func (g *gate) targets(pattern string) []target {
	var all []target
	for _, m := range g.withCode() {
		start := time.Now()
		var out bytes.Buffer
		cmd := g.command(m, nil, "go", "test", "-list", pattern, "./...")
		cmd.Stdout = &out
		err := cmd.Run()
		if g.ctx.Err() != nil {
			return nil
		}
		if err != nil {
			g.summary.add(step{kind: "list", where: m.Name(), took: time.Since(start), err: fmt.Errorf("go test -list: %w", err)})
		}
		all = append(all, parseList(m, out.String())...)
	}
	return all
}

// parseList reads what "go test -list" prints: the names of each package, then its line.
func parseList(m tree.Module, text string) []target {
	var all, open []target
	for line := range strings.Lines(text) {
		word := strings.Fields(line)
		switch {
		case len(word) == 1:
			open = append(open, target{module: m, name: word[0]})
		case len(word) > 1 && word[0] == "ok":
			for _, t := range open {
				t.pkg = word[1]
				all = append(all, t)
			}
			open = nil
		}
	}
	return all
}

// where is the package's directory, for people: without the path of the main module.
func (g *gate) where(pkg string) string {
	if dir, ok := strings.CutPrefix(pkg, g.modules[0].Path+"/"); ok {
		return dir
	}
	if pkg == g.modules[0].Path {
		return "."
	}
	return pkg
}
