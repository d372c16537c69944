package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/yaml"
)

// Exit codes of the process.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitData        = 3
	exitInterrupted = 130
)

// exitCodes is the table that help and the reference are made from.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "complete"},
	{exitError, "the pipeline is wrong, or the run failed"},
	{exitUsage, "the command line was not understood"},
	{exitData, "complete, but with bad data: more errors than a threshold allows, or malformed records that reached no output"},
	{exitInterrupted, "interrupted"},
}

var exitHelp = func() string {
	var b strings.Builder
	b.WriteString("Exit codes:")
	for _, c := range exitCodes {
		fmt.Fprintf(&b, "\n  %-4d", c.code)
		column := 7
		for i, word := range strings.Fields(c.meaning) {
			if column+1+len(word) > 79 {
				b.WriteString("\n      ")
				column = 6
			}
			b.WriteString(" " + word)
			if column += 1 + len(word); i == 0 {
				column--
			}
		}
	}
	return b.String()
}()

// coded is an error with the exit code that it stands for. Its text may have been printed.
type coded struct {
	code int
	err  error // nil: there is nothing left to say
}

func (e *coded) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *coded) Unwrap() error { return e.err }

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // out is one
	progress bool // err is one
}

// Main runs the command that args name, args[0] being the first after the program's name, and
// returns the exit code of the process. Results go to stdout; what went wrong, and what to do
// about it, to stderr. SIGINT and SIGTERM stop it: the second one at once.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	growHeap()
	ctx, stop := interruptible(stderr)
	defer stop()
	s := &streams{in: stdin, out: stdout, err: stderr, terminal: isTerminal(stdout), progress: isTerminal(stderr)}
	root := rootCommand(s)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var c *coded
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &c):
		if c.err != nil {
			fmt.Fprintln(stderr, "strandline:", explained(c.err))
		}
		return c.code
	case errors.Is(err, connector.ErrReaderGone), errors.Is(err, syscall.EPIPE):
		return exitError // whoever read the output has seen enough
	}
	fmt.Fprintf(stderr, "strandline: %v\nRun \"%s --help\".\n", err, helpFor(root, args))
	return exitUsage
}

// helpFor is the command whose help would help.
func helpFor(root *cobra.Command, args []string) string {
	if c, _, err := root.Find(args); err == nil {
		return c.CommandPath()
	}
	return root.CommandPath()
}

// interruptible gives a context that ends with the first signal; the second ends the process.
func interruptible(stderr io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-done:
			return
		}
		cancel()
		select {
		case <-signals:
			fmt.Fprintln(stderr, "strandline: stopped at once")
			os.Exit(exitInterrupted)
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}

// isTerminal says whether w is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && info.Mode()&os.ModeDevice != 0 && f.Name() != os.DevNull
}

func rootCommand(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "strandline",
		Short: "counts and sums per key and window over events that come late and out of order",
		Long: `Strandline computes counts, sums and joins per key and window over events that
come late and out of order. Pipelines are YAML files in the language of Beam
YAML. Every record is accounted for.

` + exitHelp,
		Example: `  strandline init events.jsonl > pipeline.yaml
  strandline run pipeline.yaml`,
		SilenceErrors: true, SilenceUsage: true,
		SuggestionsMinimumDistance: 2,
		Args:                       cobra.NoArgs,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetHelpCommandGroupID("")
	for _, add := range []func(*streams) *cobra.Command{
		runCommand, validateCommand, explainCommand, testCommand, tapCommand, initCommand,
		verifyCommand, latenessCommand, diffCommand, ledgerCommand, functionsCommand, connectorsCommand, schemaCommand, versionCommand,
	} {
		root.AddCommand(add(s))
	}
	return root
}

// explained is an error as it is shown: problems of a pipeline with their lines.
func explained(err error) string {
	if ps, ok := errors.AsType[yaml.Problems](err); ok {
		return strings.TrimRight(ps.Frames(), "\n")
	}
	return err.Error()
}
