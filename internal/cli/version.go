package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the linker in "make build", from git describe. Otherwise the go command
// knows it, if it built a tagged module.
var version string

func versionCommand(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Long: `Prints the version of strandline, the Go release that built it and the platform
it was built for, on one line.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			built := ""
			if info, ok := debug.ReadBuildInfo(); ok {
				built = info.Main.Version
			}
			_, err := fmt.Fprintf(s.out, "strandline %s %s %s/%s\n",
				cmp.Or(version, built, "(unknown)"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
