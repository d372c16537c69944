package strandline_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// vet compiles a file in a package of its own inside the module, and gives what go vet says.
func vet(t *testing.T, body string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "snippet.go")
	text := `package main

import (
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

func main() {
	p := strandline.New("snippet")
	in := strandline.Read(p, memory.Slice("times", []time.Time{}), watermark.Ascending(), func(t *time.Time) time.Time { return *t }).
		WindowInto(window.Fixed(time.Second))
	count, key := combine.Count[time.Time](), func(t *time.Time) int { return t.Second() }
	_, _ = count, key
	` + body + `
}
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "vet", file).CombinedOutput() // in this directory, so in this module
	return string(out), err
}

func TestGroupingWhatIsNotKeyedCannotCompile(t *testing.T) {
	if out, err := vet(t, `in.KeyBy("second", key).CombinePerKey("count", count); strandline.GroupByKey("group", in.KeyBy("again", key))`); err != nil {
		t.Fatalf("the same with keys does not compile: %v\n%s", err, out)
	}
	for body, want := range map[string]string{
		`in.CombinePerKey("count", count)`:   "in.CombinePerKey undefined",
		`strandline.GroupByKey("group", in)`: "does not match",
		`in.Stateful("state", strandline.PerKey, func(*strandline.Turn[int, int], *int, *time.Time) {}, nil)`: "in.Stateful undefined",
		`in.InnerJoin("join", in, func(int, *time.Time, *time.Time) int { return 0 })`:                        "in.InnerJoin undefined",
		`in.KeyBy("second", func(*time.Time) []int { return nil })`:                                           "comparable",
		`in.KeyBy("second", key).CombinePerKey("count", combine.Count[string]())`:                             "string",
	} {
		out, err := vet(t, body)
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: got %v, %s, want an error with %q", body, err, out, want)
		}
	}
}
