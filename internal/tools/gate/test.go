package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/layers"
	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// raceCases is how many random pipelines run under the race detector, which is slow.
const raceCases = "200"

// test is "make test".
func (g *gate) test() {
	for _, m := range g.withCode() {
		g.vet(m)
	}
	for _, m := range g.withCode() {
		g.goTest("test", m, nil, "./...")
	}
	switch why := g.noRace(); {
	case g.summary.failed():
		g.summary.notRun("tests with -race", "something before them failed")
	case why != "":
		g.summary.notRun("tests with -race", why)
	default:
		// Without optimization the build takes half the time, and races are the same. What
		// allocates is not, and what the documentation shows runs in processes of its own.
		pkgs, err := g.concurrent()
		if err != nil {
			g.summary.add(step{kind: "race", where: g.modules[0].Name(), err: err})
			return
		}
		g.goTest("race", g.modules[0], []string{"STRANDLINE_CASES=" + raceCases}, append([]string{"-race", "-gcflags=-N -l", "-skip=AllocatesNothing$|^TestSnippetsCompile|^TestSessionsPrint|^TestEverythingExported"}, pkgs...)...)
		g.summary.notRun("-race over packages that start no goroutine, and over the tools", "internal/layers holds them to it")
	}
	g.summary.notRun("-race over the nested modules", "they hold transcripts and measurements; the engine's goroutines are raced in the main module")
	g.summary.notRun("fuzzing beyond the inputs that are kept, and more random pipelines", "make prove BUDGET=10m does them")
}

// concurrent lists the packages of the main module in which goroutines may run: those that the table
// of layers does not call sequential, but for the tools.
func (g *gate) concurrent() (pkgs []string, err error) {
	out, err := g.command(g.modules[0], nil, "go", "list", "./...").Output()
	for line := range strings.Lines(string(out)) {
		pkg := strings.TrimSpace(line)
		dir := g.where(pkg)
		if dir == "internal/layers" || strings.HasPrefix(dir, "internal/tools/") || layers.Sequential(layers.Table, dir) {
			continue
		}
		pkgs = append(pkgs, pkg)
	}
	if err == nil && len(pkgs) == 0 {
		err = errors.New("go list found no package")
	}
	return pkgs, err
}

// vet runs go vet over a module.
func (g *gate) vet(m tree.Module) {
	fmt.Fprintf(g.out, "go vet ./... (%s)\n", m.Name())
	start := time.Now()
	cmd := g.command(m, nil, "go", "vet", "./...")
	cmd.Stdout = g.out
	err := cmd.Run()
	g.summary.add(step{kind: "vet", where: m.Name(), took: time.Since(start), err: err})
}

// goTest runs tests of a module, of the packages that args end with, and adds to the summary what
// they reached and skipped.
func (g *gate) goTest(kind string, m tree.Module, env []string, args ...string) {
	said := args
	if len(said) > 4 {
		said = append(slices.Clone(said[:4]), fmt.Sprintf("and %d more packages", len(args)-4))
	}
	fmt.Fprintf(g.out, "%s (%s)\n", strings.Join(slices.Concat(env, []string{"go test"}, said), " "), m.Name())
	start := time.Now()
	var r results
	cmd := g.command(m, env, "go", append([]string{"test", "-json"}, args...)...)
	err := g.stream(cmd, func(in io.Reader) { r.read(in, g.out) })
	if n := len(r.failures); n > 0 {
		err = fmt.Errorf("%d failed, the first: %s", n, r.failures[0])
	}
	g.summary.add(step{
		kind: kind, where: m.Name(), took: time.Since(start), err: err,
		reached: fmt.Sprintf("%d tests in %d packages", r.tests, r.packages),
	})
	for _, x := range r.reached {
		g.summary.add(step{kind: kind, where: g.where(x.pkg) + " " + x.test, reached: x.value + " " + x.key})
	}
	for _, s := range r.skips {
		g.summary.notRun(kind+" "+g.where(s.pkg)+" "+s.test, s.reason)
	}
}

// noRace says why the race detector cannot run here, or nothing.
func (g *gate) noRace() string {
	out, err := g.command(g.modules[0], nil, "go", "env", "CGO_ENABLED", "CC").Output()
	values := strings.Fields(string(out))
	switch {
	case err != nil || len(values) < 2:
		return "go env did not answer"
	case values[0] != "1":
		return "the race detector needs cgo, which is off here"
	}
	if _, err := exec.LookPath(values[1]); err != nil {
		return "the race detector needs a C compiler, and there is no " + values[1]
	}
	return ""
}
