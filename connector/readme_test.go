package connector_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/connector"
)

// The snippets of the README are those of example_test.go, which is compiled and run.
func TestSnippetsOfTheREADMECompile(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	snippets := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(readme, -1)
	if len(snippets) < 3 {
		t.Errorf("the README has %d snippets", len(snippets))
	}
	for _, s := range snippets {
		if !strings.Contains(string(code), string(s[1])) {
			t.Errorf("not in example_test.go:\n%s", s[1])
		}
	}
}

func TestAMalformedRecordSaysWhereAndWhy(t *testing.T) {
	m := connector.Malformed{Raw: []byte("x"), Position: "readings.jsonl:17", Reason: errors.New("not JSON")}
	if got, want := m.String(), "readings.jsonl:17: not JSON"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
