package cli_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/strandline-stream/strandline/internal/cli"
)

const endless = `pipeline:
  type: chain
  transforms:
    - type: Generate
      config: {keys: 2, rate: 50000}
    - type: Combine
      windowing: {type: fixed, size: 1s}
      config: {group_by: key, combine: {n: count}}
options: {streaming: true}
`

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipeline.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCtrlCEndsARunWithTheLedger(t *testing.T) {
	out, in := io.Pipe()
	var errs bytes.Buffer
	code := make(chan int)
	go func() {
		c := cli.Main([]string{"run", written(t, endless)}, nil, in, &errs)
		in.Close()
		code <- c
	}()
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil { // it runs
		t.Fatal(err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Fatal(err)
	}
	if c := <-code; c != 130 {
		t.Errorf("exit code %d, want 130: %s", c, &errs)
	}
	if text := errs.String(); !strings.Contains(text, "ledger: ") || !strings.HasSuffix(text, "the run is not complete\n") {
		t.Errorf("standard error is %q", text)
	}
}

// A reader that has seen enough, as head has, is no mistake to talk about.
func TestAReaderThatGoesAwayEndsTheRunWithoutComplaint(t *testing.T) {
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	code := make(chan int)
	go func() { code <- cli.Main([]string{"run", written(t, endless)}, nil, in, &errs) }()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if c := <-code; c != 1 || strings.Contains(errs.String(), "strandline:") {
		t.Errorf("exit code %d: %s", c, &errs)
	}
	in.Close()
}
