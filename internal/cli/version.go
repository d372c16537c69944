package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// version is set by the linker in "make build", from git describe. Otherwise the go command
// knows it, if it built a tagged module.
var version string

const versionHelp = `Usage: strandline version

Prints the version of strandline, the Go release that built it and the platform
it was built for, on one line.
`

func versionCommand() command {
	return command{name: "version", summary: "print the version", help: versionHelp, run: runVersion}
}

func runVersion(out io.Writer, args []string) error {
	if len(args) > 0 {
		return &usageError{
			message: fmt.Sprintf("version takes no arguments, but has %q", args[0]),
			hint:    `Run "strandline version".`,
		}
	}
	built := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		built = info.Main.Version
	}
	_, err := fmt.Fprintf(out, "strandline %s %s %s/%s\n",
		cmp.Or(version, built, "(unknown)"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
