package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// results collects what "go test -json" reports, while it prints what go test prints without
// -json and -v: a line for each package, and the output of tests that failed.
type results struct {
	packages, tests int      // that passed
	failures        []string // tests, and packages that failed without one
	skips           []skip
	reached         []reached

	output map[string]*strings.Builder // by package and test, until it ends
}

// skip is a test that did not run, and its reason in its own words.
type skip struct{ pkg, test, reason string }

// reached is a count that a test reported by t.Attr.
type reached struct{ pkg, test, key, value string }

// event is one line of "go test -json".
type event struct {
	Action, Package, Test, Output, Key, Value string
}

// read consumes the stream of one go test and prints to out.
func (r *results) read(in io.Reader, out io.Writer) {
	r.output = map[string]*strings.Builder{}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		var e event
		switch {
		case line == "":
		case line[0] != '{' || json.Unmarshal([]byte(line), &e) != nil:
			fmt.Fprint(out, line) // the go command itself
		default:
			r.take(e, out)
		}
		if err != nil {
			return
		}
	}
}

// take takes one event.
func (r *results) take(e event, out io.Writer) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(out, e.Output)
	case "output":
		if r.output[key] == nil {
			r.output[key] = &strings.Builder{}
		}
		r.output[key].WriteString(e.Output)
		return
	case "attr":
		r.reached = append(r.reached, reached{e.Package, e.Test, e.Key, e.Value})
	case "pass", "skip", "fail":
		text := ""
		if b := r.output[key]; b != nil {
			text = withoutProgress(b.String())
		}
		delete(r.output, key)
		if e.Test == "" {
			r.endPackage(e, text, out)
		} else {
			r.endTest(e, text, out)
		}
	}
}

// endTest takes the end of one test or subtest.
func (r *results) endTest(e event, text string, out io.Writer) {
	switch e.Action {
	case "pass":
		if !strings.Contains(e.Test, "/") {
			r.tests++
		}
	case "skip":
		r.skips = append(r.skips, skip{e.Package, e.Test, reason(text)})
	case "fail":
		if !strings.Contains(e.Test, "/") {
			r.failures = append(r.failures, e.Package+" "+e.Test)
		}
		fmt.Fprint(out, text)
	}
}

// endPackage takes the end of a package and prints its line.
func (r *results) endPackage(e event, text string, out io.Writer) {
	if e.Action == "fail" {
		// What was running when the process died did not end by itself.
		for key, b := range r.output {
			if strings.HasPrefix(key, e.Package+" ") {
				fmt.Fprint(out, withoutProgress(b.String()))
				delete(r.output, key)
			}
		}
		fmt.Fprint(out, text)
		if !slices.ContainsFunc(r.failures, func(f string) bool { return strings.HasPrefix(f, e.Package+" ") }) {
			r.failures = append(r.failures, e.Package)
		}
		return
	}
	if e.Action == "pass" {
		r.packages++
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "?   \t") {
			fmt.Fprint(out, line)
		}
	}
}

// progress are lines that tell where a test run is, which go test prints with -v only.
var progress = regexp.MustCompile(`(?m)^(=== (RUN|PAUSE|CONT|NAME|ATTR) .*|PASS)\n`)

func withoutProgress(text string) string { return progress.ReplaceAllString(text, "") }

// reason is what a skipped test said, on one line.
func reason(text string) string {
	var said []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--- SKIP") {
			said = append(said, line)
		}
	}
	if len(said) == 0 {
		return "it gave no reason"
	}
	return strings.Join(said, " ")
}
