package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/strandline-stream/strandline/internal/prose"
)

const (
	// randomTests are the tests that run as many random cases as they are given time for.
	randomTests = "TestRandomPipelines|TestRelation"
	// overtime is how long such a test may go on after its time, for the build and the case
	// that it is in.
	overtime = 3 * time.Minute
)

// prove is "make prove": half of the budget for random pipelines, the rest for fuzzing.
func (g *gate) prove(budget time.Duration) {
	deadline := g.summary.start.Add(budget)
	first := os.Getenv("STRANDLINE_FIRST")
	if first == "" {
		first = strconv.FormatInt(g.summary.start.Unix(), 10) // other cases than last time
	}
	g.summary.title = fmt.Sprintf("make prove BUDGET=%s, seeds from %s", budget, first)
	random, err1 := targets(os.DirFS(g.root), g.modules, randomTests)
	fuzz, err2 := targets(os.DirFS(g.root), g.modules, "Fuzz")
	if err := errors.Join(err1, err2); err != nil {
		g.summary.add(step{kind: "list", where: "what there is to run", err: err})
		return
	}
	if len(random) == 0 {
		g.summary.notRun("random pipelines", "no test is named "+randomTests)
	}
	if len(fuzz) == 0 {
		g.summary.notRun("fuzzing", "there is no fuzz target")
	}
	half := deadline
	if len(fuzz) > 0 {
		half = deadline.Add(-time.Until(deadline) / 2)
	}
	for i, t := range random {
		g.cases(t, share(time.Until(half), len(random)-i), first)
	}
	g.fuzzAll(fuzz, deadline)
}

// cases runs one random test for that long, from a first seed on.
func (g *gate) cases(t target, long time.Duration, first string) {
	name := g.where(t.pkg) + " " + t.name
	if long == 0 || g.ctx.Err() != nil {
		g.summary.notRun(name, "no time was left")
		return
	}
	env := []string{"STRANDLINE_BUDGET=" + long.String(), "STRANDLINE_FIRST=" + first}
	if os.Getenv("STRANDLINE_CASES") == "" {
		env = append(env, "STRANDLINE_CASES=1000000000") // more than the time allows
	}
	fmt.Fprintf(g.out, "%s %s for %s, seeds from %s\n", t.pkg, t.name, long, first)
	start := time.Now()
	var r results
	cmd := g.command(t.module, env, "go", "test", "-json", "-count=1", "-timeout="+(long+overtime).String(),
		"-run=^"+t.name+"$", t.pkg)
	err := g.stream(cmd, func(in io.Reader) { r.read(in, g.out) })
	s := step{kind: "cases", where: name, took: time.Since(start), err: err, reached: "no count"}
	for _, x := range r.reached {
		if x.key == "cases" {
			s.reached = x.value + " cases"
			if n, err := strconv.ParseInt(x.value, 10, 64); err == nil {
				s.reached = prose.Grouped(n) + " cases"
			}
		}
	}
	switch {
	case len(r.skips) > 0:
		s.note = "skipped: " + r.skips[0].reason
	case s.reached == "no count" && err == nil:
		s.err = errors.New(`the test must report t.Attr("cases", count)`)
	}
	g.summary.add(s)
}
