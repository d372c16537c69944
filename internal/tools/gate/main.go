// Command gate runs the checks of the repository over all its modules, and says at the end
// what ran, what did not and why:
//
//	gate test                 vet, tests, tests with the race detector
//	gate prove -budget 10m    random pipelines and fuzzing for as long as it is given
//	gate lint                 vet, staticcheck, format
//	gate vuln                 govulncheck (asks a server on the network)
//
// It is called by the Makefile. It exits with 0 if every check passed, 1 if one failed, 2 for
// a command line that it does not understand, and 130 when interrupted.
//
// Layer: the project's own tools; nothing that is shipped imports it. It knows tests by the
// output of the go command only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// gate is what every check needs.
type gate struct {
	ctx     context.Context
	root    string // directory of the main module
	modules []tree.Module
	out     io.Writer
	summary summary
}

var errUsage = errors.New("usage: gate test | prove [-budget 10m] | lint | vuln")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed, err := run(ctx, os.Args[1:])
	switch {
	case errors.Is(err, errUsage), errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(os.Stderr, errUsage)
		os.Exit(2)
	case err != nil && ctx.Err() == nil:
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	case ctx.Err() != nil:
		os.Exit(130)
	case failed:
		os.Exit(1)
	}
}

// run runs the check that args name and prints its summary. It tells whether a check failed.
func run(ctx context.Context, args []string) (failed bool, err error) {
	if len(args) == 0 {
		return false, errUsage
	}
	flags := flag.NewFlagSet("gate "+args[0], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	budget := 10 * time.Minute
	if args[0] == "prove" {
		flags.DurationVar(&budget, "budget", budget, "how long to search")
	}
	if err := flags.Parse(args[1:]); err != nil || flags.NArg() > 0 || budget <= 0 {
		return false, errUsage
	}
	root, err := tree.Root(".")
	if err != nil {
		return false, err
	}
	modules, err := tree.Modules(os.DirFS(root))
	if err != nil {
		return false, err
	}
	g := &gate{ctx: ctx, root: root, modules: modules, out: os.Stdout, summary: summary{title: "make " + args[0], start: time.Now()}}
	switch args[0] {
	case "test":
		g.test()
	case "prove":
		g.prove(budget)
	case "lint":
		g.lint()
	case "vuln":
		g.vuln()
	default:
		return false, errUsage
	}
	if ctx.Err() != nil {
		g.summary.interrupted = true
		g.summary.notRun("the rest", "interrupted")
	}
	g.summary.print(g.out)
	return g.summary.failed(), nil
}
