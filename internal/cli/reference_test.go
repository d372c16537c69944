package cli_test

import (
	"os"
	"testing"

	"github.com/strandline-stream/strandline/internal/cli"
)

// TestTheReferenceIsFresh compares the page with what the tables say now.
func TestTheReferenceIsFresh(t *testing.T) {
	const page = "../../docs/yaml/reference.md"
	if os.Getenv("STRANDLINE_UPDATE") != "" {
		if err := os.WriteFile(page, []byte(cli.Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(b) != cli.Reference() {
		t.Errorf("%s is not what the tables say: STRANDLINE_UPDATE=1 go test ./internal/cli -run TestTheReferenceIsFresh writes it", page)
	}
}
