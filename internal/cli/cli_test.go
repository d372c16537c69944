package cli_test

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/cli"
)

// run runs a command and gives its exit code and both streams.
func run(args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = cli.Main(args, &o, &e)
	return code, o.String(), e.String()
}

func TestVersionIsOneLine(t *testing.T) {
	line := regexp.MustCompile(`^strandline \S+ go1\.\S+ [a-z0-9]+/[a-z0-9]+\n$`)
	for _, args := range [][]string{{"version"}, {"--version"}, {"-version"}} {
		if code, out, errOut := run(args...); code != 0 || !line.MatchString(out) || errOut != "" {
			t.Errorf("%v: code %d, out %q, err %q", args, code, out, errOut)
		}
	}
}

func TestHelpNamesEveryCommandAndEveryExitCode(t *testing.T) {
	for _, args := range [][]string{nil, {"help"}, {"-h"}, {"-help"}, {"--help"}} {
		code, out, errOut := run(args...)
		if code != 0 || errOut != "" {
			t.Errorf("%v: code %d, err %q", args, code, errOut)
		}
		for _, want := range []string{"Usage: strandline", "\n  version ", "\n  help ", "\n  0 ", "\n  1 ", "\n  2 ", "\n  130 "} {
			if !strings.Contains(out, want) {
				t.Errorf("%v: no %q in:\n%s", args, want, out)
			}
		}
		for line := range strings.Lines(out) {
			if len(line) > 81 {
				t.Errorf("%v: a line longer than 80 columns: %q", args, line)
			}
		}
	}
}

func TestHelpOfACommand(t *testing.T) {
	for _, args := range [][]string{{"help", "version"}, {"version", "--help"}, {"version", "-h"}} {
		if code, out, errOut := run(args...); code != 0 || !strings.HasPrefix(out, "Usage: strandline version\n") || errOut != "" {
			t.Errorf("%v: code %d, out %q, err %q", args, code, out, errOut)
		}
	}
}

func TestWhatIsNotUnderstoodExitsWithTwoAndAHint(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"verison"}, "strandline: unknown command \"verison\"\nDid you mean \"version\"? Run \"strandline help\" for the commands.\n"},
		{[]string{"VERSION"}, "strandline: unknown command \"VERSION\"\nDid you mean \"version\"? Run \"strandline help\" for the commands.\n"},
		{[]string{"ver"}, "strandline: unknown command \"ver\"\nDid you mean \"version\"? Run \"strandline help\" for the commands.\n"},
		{[]string{"hlep"}, "strandline: unknown command \"hlep\"\nDid you mean \"help\"? Run \"strandline help\" for the commands.\n"},
		{[]string{"run"}, "strandline: unknown command \"run\"\nRun \"strandline help\" for the commands.\n"},
		{[]string{""}, "strandline: unknown command \"\"\nRun \"strandline help\" for the commands.\n"},
		{[]string{"--frob"}, "strandline: unknown command \"--frob\"\nRun \"strandline help\" for the commands.\n"},
		{[]string{"help", "verson"}, "strandline: unknown command \"verson\"\nDid you mean \"version\"? Run \"strandline help\" for the commands.\n"},
		{[]string{"help", "version", "help"}, "strandline: help explains one command, not 2\nRun \"strandline help version\".\n"},
		{[]string{"version", "now"}, "strandline: version takes no arguments, but has \"now\"\nRun \"strandline version\".\n"},
	} {
		if code, out, errOut := run(c.args...); code != 2 || out != "" || errOut != c.want {
			t.Errorf("%q: code %d, out %q, err %q; want 2 and %q", c.args, code, out, errOut, c.want)
		}
	}
}

// closed is standard output after its reader has gone.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("write: broken pipe") }

func TestOutputThatCannotBeWrittenExitsWithOne(t *testing.T) {
	for _, arg := range []string{"version", "help"} {
		var errOut bytes.Buffer
		code := cli.Main([]string{arg}, closed{}, &errOut)
		if want := "strandline: write: broken pipe\n"; code != 1 || errOut.String() != want {
			t.Errorf("%s: code %d, err %q; want 1 and %q", arg, code, errOut.String(), want)
		}
	}
}
