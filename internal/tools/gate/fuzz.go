package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/prose"
)

// fuzzing is what one run of a fuzz target came to.
type fuzzing struct {
	execs   int64
	crasher string // the file that go test wrote, if it failed
}

// fuzz fuzzes one target for that long.
func (g *gate) fuzz(t target, long time.Duration) (fuzzing, error) {
	var f fuzzing
	cmd := g.command(t.module, nil, "go", "test", "-run=^$", "-fuzz=^"+t.name+"$",
		"-fuzztime="+long.String(), "-fuzzminimizetime=10s", t.pkg)
	var said strings.Builder
	err := g.stream(cmd, func(r io.Reader) { f.read(r, &said) })
	if err != nil {
		fmt.Fprint(g.out, said.String())
	}
	return f, err
}

var (
	execs   = regexp.MustCompile(`^fuzz: .*\bexecs: (\d+)`)
	crasher = regexp.MustCompile(`^\s*Failing input written to (\S+)`)
)

// read follows the output of go test; what is not progress goes to said.
func (f *fuzzing) read(r io.Reader, said io.Writer) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if m := crasher.FindStringSubmatch(line); m != nil {
			f.crasher = m[1]
		}
		if m := execs.FindStringSubmatch(line); m != nil {
			f.execs, _ = strconv.ParseInt(m[1], 10, 64)
		} else if !strings.HasPrefix(line, "fuzz: elapsed") {
			fmt.Fprint(said, line)
		}
		if err != nil {
			return
		}
	}
}

// fuzzAll fuzzes the targets one after the other until the deadline, each for its part of the
// time that is left, and adds a line for each to the summary.
func (g *gate) fuzzAll(targets []target, deadline time.Time) {
	for i, t := range targets {
		long := share(time.Until(deadline), len(targets)-i)
		if long == 0 || g.ctx.Err() != nil {
			g.summary.notRun("fuzzing of "+g.where(t.pkg)+" "+t.name, "no time was left")
			continue
		}
		fmt.Fprintf(g.out, "fuzz %s %s for %s\n", t.pkg, t.name, long)
		start := time.Now()
		f, err := g.fuzz(t, long)
		s := step{kind: "fuzz", where: g.where(t.pkg) + " " + t.name, took: time.Since(start), reached: prose.Grouped(f.execs) + " execs", err: err}
		if f.crasher != "" {
			s.note = "input kept in " + f.crasher
		}
		g.summary.add(s)
	}
}

// share is how long one of the targets may take that still have to come: its part of the time
// that is left in whole seconds, at least one second, and nothing when no time is left.
func share(left time.Duration, targets int) time.Duration {
	if left <= 0 {
		return 0
	}
	return max(time.Second, (left / time.Duration(targets)).Truncate(time.Second))
}
