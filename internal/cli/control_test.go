package cli_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/strandline-stream/strandline/internal/cli"
)

// asked runs strandline why, and gives what it prints and its exit code.
func asked(args ...string) string {
	var out, errs bytes.Buffer
	code := cli.Main(append([]string{"why"}, args...), nil, &out, &errs)
	return fmt.Sprintf("%d: %s%s", code, &out, &errs)
}

// TestARunThatGoesOnIsAsked runs an endless pipeline and asks it in every way, until Ctrl-C ends it.
func TestARunThatGoesOnIsAsked(t *testing.T) {
	root, err := os.MkdirTemp("", "ctl") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root)
	t.Setenv("XDG_RUNTIME_DIR", root)
	elsewhere := filepath.Join(root, "s")
	for _, c := range []struct{ run, why []string }{
		{nil, nil},
		{nil, []string{"--pid", fmt.Sprint(os.Getpid())}},
		{[]string{"--control", elsewhere}, []string{"--control", elsewhere}},
	} {
		out, in := io.Pipe()
		var errs bytes.Buffer
		code := make(chan int)
		go func() {
			n := cli.Main(append([]string{"run", written(t, endless)}, c.run...), nil, in, &errs)
			in.Close()
			code <- n
		}()
		lines := bufio.NewReader(out)
		first, err := lines.ReadString('\n') // it runs
		if err != nil {
			t.Fatal(err)
		}
		go io.Copy(io.Discard, lines) // and goes on
		if got := asked(c.why...); !strings.Contains(got, "0: Generate: ") || !strings.Contains(got, " records read, watermark ") || !strings.Contains(got, "\nCombine: watermark ") {
			t.Errorf("%v: %q after %q", c.why, got, first)
		}
		if got := asked(append(c.why, "--key", "k0", "--window", "2100-01-01T00:00:00Z")...); !strings.Contains(got, "0: [2100-01-01 00:00:00, 00:00:01) of k0 has no element: none has come that belongs in it") {
			t.Errorf("%v: %q", c.why, got)
		}
		if got := asked(append(c.why, "--key", "k0", "--window", "2000-01-01T00:00:00Z")...); !strings.Contains(got, "of k0 has expired: the watermark stands at ") {
			t.Errorf("%v: %q", c.why, got)
		}
		if got := asked(append(c.why, "--key", "k7", "--window", "2100-01-01T00:00:00Z", "--json")...); !strings.Contains(got, `"state": "empty"`) {
			t.Errorf("%v: %q", c.why, got)
		}
		if got := asked(append(c.why, "--step", "Conbine")...); !strings.Contains(got, `1: strandline: there is no step "Conbine"; is "Combine" meant?`) {
			t.Errorf("%v: %q", c.why, got)
		}
		if got := asked(append(c.why, "--at", "10:00")...); !strings.Contains(got, "2: strandline: --at, --at-record") {
			t.Errorf("%v: %q", c.why, got)
		}
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if n := <-code; n != 130 {
			t.Errorf("exit code %d, want 130: %s", n, &errs)
		}
		if left, _ := filepath.Glob(filepath.Join(root, "strandline", "*")); len(left) > 0 {
			t.Errorf("%v are left", left)
		}
		if _, err := os.Lstat(elsewhere); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the socket is left: %v", err)
		}
	}
}
