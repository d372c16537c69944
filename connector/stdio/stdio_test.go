package stdio_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/stdio"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/window"
)

func TestTextKeepsTheContract(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.txt": "one\r\n\ntwo", "b.txt": "", "c.txt": "\xff\x00\n" + strings.Repeat("x", 100) + "\nend\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"one", "", "two", "\xff\x00", "end"} // and the long line is malformed
	for name, s := range map[string]stdio.Source{"one split": stdio.Text("*.txt").MaxLine(99), "a split a file": stdio.Text("*.txt").MaxLine(99).SplitPerFile()} {
		t.Run(name, func(t *testing.T) {
			connectortest.ExerciseSource(t, func(*testing.T) connector.Source[string] { return s }, want)
		})
	}
	if s := stdio.Text("*.txt"); s.Name() != "*.txt" || !s.Bounded() {
		t.Errorf("%s, bounded %v", s.Name(), s.Bounded())
	}
}

func TestStdinIsReadFromTheProcess(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer func(old *os.File) { os.Stdin = old }(os.Stdin)
	os.Stdin = in
	connectortest.ExerciseSource(t, func(*testing.T) connector.Source[string] { return stdio.Stdin() }, nil)

	io.WriteString(out, "one\ntwo")
	out.Close()
	splits, err := stdio.Stdin().Splits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r, err := splits[0].Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []string
	for {
		var b connector.Batch[string]
		if err := r.Read(t.Context(), &b); err != nil {
			if err != io.EOF {
				t.Error(err)
			}
			break
		}
		got = append(got, b.Values...)
	}
	if want := []string{"one", "two"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextProblemsAreExplained(t *testing.T) {
	t.Chdir(t.TempDir())
	for says, s := range map[string]stdio.Source{
		"stdio: gone.txt: no such file":                           stdio.Text("gone.txt"),
		"stdio: MaxLine(0): a line has a byte at least":           stdio.Text("x").MaxLine(0),
		"stdio: stdin: is no set of files, and cannot be split b": stdio.Stdin().SplitPerFile(),
	} {
		if _, err := s.Splits(t.Context()); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("got %v, want %s...", err, says)
		}
	}
}

func TestLinesKeepTheContract(t *testing.T) {
	connectortest.ExerciseSink(t, func(*testing.T) (connector.Sink, func() []string) {
		var out bytes.Buffer
		return stdio.LinesTo(&out), func() []string { return strings.Split(out.String(), "\n")[:strings.Count(out.String(), "\n")] }
	}, []string{"one", "two", "", "four"})
}

func write(s connector.Sink, rows connector.Rows, t *testing.T) error {
	w, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return errors.Join(w.Write(t.Context(), rows), w.Flush(t.Context()), w.Close())
}

type city string

type degrees float64

func (d degrees) String() string { return fmt.Sprintf("%.1f °C", float64(d)) }

func TestLinesPrintForPeople(t *testing.T) {
	var out bytes.Buffer
	values := []any{"text", city("Köln"), degrees(21.04), errors.New("an error"), netip.MustParseAddr("::1"), 7, 1.5, nil,
		[]string{"a"}, struct {
			Sensor string
			Count  int
		}{"a", 2}, "\xff"}
	if err := write(stdio.LinesTo(&out), connectortest.NewRows(values), t); err != nil {
		t.Fatal(err)
	}
	const want = "text\nKöln\n21.0 °C\nan error\n::1\n7\n1.5\nnull\n[\"a\"]\n{\"Sensor\":\"a\",\"Count\":2}\n\xff\n"
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
}

func TestPanesAreATable(t *testing.T) {
	at := func(s int64) time.Time { return time.Unix(s, 0) }
	rows := connectortest.NewRows([]int{3, 4, 5, 6}).
		Set(1, window.Between(at(0), at(10)).Last(), window.Between(at(0), at(10)), trigger.Pane{Timing: trigger.OnTime, First: true}).
		Set(2, window.Between(at(0), at(10)).Last(), window.Between(at(0), at(10)), trigger.Pane{Timing: trigger.Late, Index: 1, NonEarly: 1, Last: true})
	var out bytes.Buffer
	if err := write(stdio.PanesTo(&out), rows, t); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 5 {
		t.Fatalf("got %q", out.String())
	}
	for i, want := range [][]string{
		{"1970-01-01T00:00:00Z", "no window", "no pane", "3"},
		{"1970-01-01T00:00:09.999999Z", "[1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z)", "on time pane 0 (0), first", "4"},
		{"1970-01-01T00:00:09.999999Z", "[1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z)", "late pane 1 (1), last", "5"},
		{"1970-01-01T00:00:00Z", "no window", "no pane", "6"},
	} {
		at := 0
		for _, text := range want {
			found := strings.Index(lines[i][at:], text)
			if found < 0 {
				t.Fatalf("line %d is %q, want %q in that order", i, lines[i], want)
			}
			at += found + len(text)
		}
		if at != len(lines[i]) {
			t.Errorf("line %d goes on after the value: %q", i, lines[i])
		}
	}
	if value := strings.LastIndex(lines[1], "4"); lines[2][value] != '5' || lines[3][value] != '6' {
		t.Errorf("the values are not below each other:\n%s", out.String())
	}
}

func TestAReaderThatHasGoneAwayIsNamed(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	defer out.Close()
	if err := write(stdio.LinesTo(out), connectortest.NewRows([]string{"a"}), t); !errors.Is(err, connector.ErrReaderGone) {
		t.Errorf("a closed pipe: %v", err)
	}
	r, w := io.Pipe()
	r.Close()
	if err := write(stdio.LinesTo(w), connectortest.NewRows([]string{"a"}), t); !errors.Is(err, connector.ErrReaderGone) {
		t.Errorf("a closed pipe within the program: %v", err)
	}
	if err := write(stdio.LinesTo(failing{}), connectortest.NewRows([]string{"a"}), t); err == nil || errors.Is(err, connector.ErrReaderGone) || err.Error() != "output: disk full" {
		t.Errorf("another error: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAValueThatCannotBePrintedLeavesWholeLines(t *testing.T) {
	var out bytes.Buffer
	err := write(stdio.LinesTo(&out), connectortest.NewRows([]any{"before", map[string]any{"f": func() {}}}), t)
	if err == nil || !strings.HasPrefix(err.Error(), "stdio: a value of type map[string]interface {} cannot be printed") || out.String() != "before\n" {
		t.Errorf("got %v and %q", err, out.String())
	}
}
