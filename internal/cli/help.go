package cli

import (
	"fmt"
	"io"
	"strings"
)

const intro = `Strandline processes streams of events by event time: counts, sums and other
aggregations per key and window, over data that comes late and out of order,
with every record accounted for.

Today pipelines are written in Go, with the package
github.com/strandline-stream/strandline; "make demo" in its repository runs
three of them. This program does not run pipelines yet.
`

const helpHelp = `Usage: strandline help [command]

Prints what strandline can do, or what one command does.
`

func helpCommand() command {
	return command{name: "help", summary: "explain a command", help: helpHelp, run: runHelp}
}

func runHelp(out io.Writer, args []string) error {
	switch len(args) {
	case 0:
		_, err := io.WriteString(out, overview())
		return err
	case 1:
		c, err := find(args[0])
		if err != nil {
			return err
		}
		_, err = io.WriteString(out, c.help)
		return err
	}
	return &usageError{
		message: fmt.Sprintf("help explains one command, not %d", len(args)),
		hint:    fmt.Sprintf("Run %q.", "strandline help "+args[0]),
	}
}

// overview is the help without arguments.
func overview() string {
	var b strings.Builder
	b.WriteString(intro)
	b.WriteString("\nUsage: strandline <command> [arguments]\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.summary)
	}
	b.WriteString("\nExit codes:\n")
	for _, code := range []struct {
		code int
		mean string
	}{
		{ExitComplete, "done, and the result is complete"},
		{ExitError, "the pipeline failed, or its result is not complete"},
		{ExitUsage, "the command line was not understood; nothing was run"},
		{ExitInterrupted, "interrupted before it was done"},
	} {
		fmt.Fprintf(&b, "  %-10d %s\n", code.code, code.mean)
	}
	b.WriteString("\nRun \"strandline help <command>\" for more about one of them.\n")
	return b.String()
}
