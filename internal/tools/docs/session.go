package docs

import (
	"fmt"
	"regexp"
	"strings"
)

// Step is a part of the session that a page shows: a file that is there from here on, or a
// block of commands.
type Step struct {
	Page, File, Text string // a file, if File is given
	Line             int
	Commands         []string
	Prints           Output // of all commands together
}

var (
	run = regexp.MustCompile(`^((?:cat [\w./-]+ \| )?strandline run [^;|>]*[^;|> ])( *;.*)?$`)
)

// Session gives the steps of a page that shows commands of strandline, in order.
func Session(p Page) (steps []Step, found []Finding) {
	shows := false
	for i, b := range p.Blocks {
		if b.File != "" && b.File != anyOrder && b.Lang != "sh" && b.Lang != "go" {
			steps = append(steps, Step{Page: p.Name, Line: b.Line, File: b.File, Text: b.Text})
		}
		if b.Lang != "sh" {
			continue
		}
		all, session := lines(b), 0
		for _, line := range all {
			if c, _ := known(line); c.Session {
				session++
			}
		}
		if session == 0 {
			continue
		}
		if session < len(all) {
			found = append(found, Finding{p.Name, b.Line, "commands that are run and commands that are not stand in one block"})
			continue
		}
		shows = true
		steps = append(steps, Step{Page: p.Name, Line: b.Line, Commands: all, Prints: p.prints(i)})
	}
	if !shows {
		return nil, found
	}
	return steps, found
}

// OnTerminal is a command as it must be run elsewhere to print what it prints on a terminal.
func OnTerminal(line string) string {
	m := run.FindStringSubmatch(line)
	if m == nil || strings.Contains(line, "--json") {
		return line
	}
	return fmt.Sprintf("%s --table%s", m[1], m[2])
}

// WithOutput is a page with what a step prints in the place of what it said.
func WithOutput(page string, s Step, prints string) string {
	block := "```sh\n" + strings.Join(s.Commands, "\n") + "\n```\n"
	before, after, ok := strings.Cut(page, block)
	if !ok {
		return page
	}
	for _, head := range []string{"\n```text\n", "\n```text in-any-order\n"} {
		if rest, is := strings.CutPrefix(after, head); is {
			if _, behind, ok := strings.Cut("\n"+rest, "\n```\n"); ok {
				return before + block + head + prints + "```\n" + behind
			}
		}
	}
	return page
}
