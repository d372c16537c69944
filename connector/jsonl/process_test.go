package jsonl_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/jsonl"

	"go.uber.org/goleak"
)

// What standard input and output do can only be seen from outside of a process: the test
// binary starts itself, and the variable says as what.
const role = "STRANDLINE_JSONL_TEST"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		goleak.VerifyTestMain(m)
	case "write":
		os.Exit(writeForEver())
	case "read":
		os.Exit(readAndGiveUp())
	}
}

func child(t *testing.T, as string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+as)
	return cmd
}

func writeForEver() int {
	w, err := jsonl.Stdout().Open(context.Background())
	for err == nil {
		err = w.Write(context.Background(), connectortest.NewRows([]string{"a line"}))
	}
	fmt.Fprintln(os.Stderr, err)
	if errors.Is(err, connector.ErrReaderGone) && w.Close() == nil {
		return 3
	}
	return 4
}

func TestAClosedStdoutPipeIsAnErrorAndNoSignal(t *testing.T) {
	cmd := child(t, "write")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "\"a line\"\n" {
		t.Errorf("first line %q, %v", line, err)
	}
	out.Close()
	cmd.Wait()
	if got, want := stderr.String(), "stdout: the reader of the output has gone away\n"; got != want || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("%v with %q, want exit status 3 with %q", cmd.ProcessState, got, want)
	}
}

// readAndGiveUp reads the standard input until nothing is left to read, and is cancelled
// while it waits for more.
func readAndGiveUp() int {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	splits, _ := jsonl.Stdin[reading]().Splits(ctx)
	r, err := splits[0].Open(ctx)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	var b connector.Batch[reading]
	for err == nil {
		err = r.Read(ctx, &b)
		for _, v := range b.Values {
			fmt.Println(v.Sensor)
		}
		if b.CaughtUp {
			// The next Read waits; the timer is only there to be sure that it does.
			time.AfterFunc(50*time.Millisecond, cancel)
		}
	}
	began := time.Now()
	closed := r.Close()
	fmt.Println(err, closed, "quickly:", time.Since(began) < 500*time.Millisecond)
	for began := time.Now(); runtime.NumGoroutine() > before && time.Since(began) < 5*time.Second; {
		runtime.Gosched()
	}
	fmt.Println("goroutines left:", runtime.NumGoroutine()-before)
	return 0
}

func TestStandardInput(t *testing.T) {
	const lines = "{\"sensor\":\"a\"}\nbad\n{\"sensor\":\"b\"}"
	t.Run("a file", func(t *testing.T) {
		path := t.TempDir() + "/in"
		if err := os.WriteFile(path, []byte(lines), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cmd := child(t, "read")
		cmd.Stdin = f
		expect(t, cmd, "a\nb\nEOF <nil> quickly: true\ngoroutines left: 0\n")
	})
	t.Run("a pipe that ends", func(t *testing.T) {
		cmd := child(t, "read")
		cmd.Stdin = strings.NewReader(lines)
		expect(t, cmd, "a\nb\nEOF <nil> quickly: true\ngoroutines left: 0\n")
	})
	t.Run("nothing", func(t *testing.T) {
		expect(t, child(t, "read"), "EOF <nil> quickly: true\ngoroutines left: 0\n")
	})
	t.Run("a pipe that stays open", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("only Linux lets a pipe be opened anew, so that a Read of it can be interrupted")
		}
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		cmd := child(t, "read")
		cmd.Stdin = in
		if _, err := io.WriteString(out, lines); err != nil {
			t.Fatal(err)
		}
		// The last line has no end, and its writer is still there: it is not read.
		expect(t, cmd, "a\ncontext canceled <nil> quickly: true\ngoroutines left: 0\n")
		in.Close()
	})
}

func expect(t *testing.T, cmd *exec.Cmd, want string) {
	t.Helper()
	if got, err := cmd.CombinedOutput(); string(got) != want || err != nil {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}
