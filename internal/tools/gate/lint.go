package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// The linters that the module in tools pins, by the name of their command.
const (
	staticcheck = "honnef.co/go/tools/cmd/staticcheck"
	govulncheck = "golang.org/x/vuln/cmd/govulncheck"
)

// lint is "make lint".
func (g *gate) lint() {
	g.format()
	for _, m := range g.withCode() {
		g.vet(m)
	}
	g.linter(staticcheck)
}

// vuln is "make vuln".
func (g *gate) vuln() { g.linter(govulncheck) }

// linter builds a linter at the version that tools/go.mod pins, and runs it in every module.
func (g *gate) linter(path string) {
	name := filepath.Base(path)
	binary := filepath.Join(g.root, "bin", name)
	build := g.command(tree.Module{Dir: "tools"}, nil, "go", "build", "-o", binary, path)
	if err := build.Run(); err != nil {
		g.summary.add(step{kind: name, where: "build", err: err})
		return
	}
	for _, m := range g.withCode() {
		fmt.Fprintf(g.out, "%s ./... (%s)\n", name, m.Name())
		start := time.Now()
		cmd := g.command(m, nil, binary, "./...")
		cmd.Stdout = g.out
		err := cmd.Run()
		g.summary.add(step{kind: name, where: m.Name(), took: time.Since(start), err: err})
	}
}

// format checks that "go fmt" would change no file. The formatter is the one of the Go release
// that built this program, as a gofmt elsewhere on the PATH may be older than the code.
func (g *gate) format() {
	start := time.Now()
	root := os.DirFS(g.root)
	names, err := tree.Files(root)
	n, wrong := 0, 0
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") {
			continue
		}
		n++
		text, err := os.ReadFile(filepath.Join(g.root, name))
		if err != nil {
			fmt.Fprintln(g.out, err)
			wrong++
			continue
		}
		switch formatted, err := format.Source(text); {
		case err != nil:
			fmt.Fprintf(g.out, "%s: %v\n", name, err)
			wrong++
		case !bytes.Equal(formatted, text):
			fmt.Fprintf(g.out, "%s: go fmt would change it\n", name)
			wrong++
		}
	}
	if wrong > 0 {
		err = errors.Join(err, fmt.Errorf("%d files are not formatted", wrong))
	}
	g.summary.add(step{kind: "format", where: "all modules", took: time.Since(start), reached: fmt.Sprintf("%d files", n), err: err})
}
