package jsonl_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/jsonl"
)

// TestTheLastPositionIsThatOfTheLastRecord reads files to their ends, in one goroutine and in several.
func TestTheLastPositionIsThatOfTheLastRecord(t *testing.T) {
	dir := t.TempDir()
	for name, lines := range map[string]int{"a.jsonl": 3, "b.jsonl": 20_000} {
		text := strings.Repeat(`{"Sensor": "s"}`+"\n", lines)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, parallel := range []int{1, 3} {
			splits, err := jsonl.File[reading](filepath.Join(dir, name)).Parallel(parallel).Splits(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			r, err := splits[0].Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			p := r.(connector.Positioner)
			if got := p.Position(); got != "" {
				t.Errorf("before the first record: %q", got)
			}
			n := 0
			for {
				var b connector.Batch[reading]
				if err := r.Read(t.Context(), &b); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				n += len(b.Values)
			}
			if got, want := p.Position(), fmt.Sprintf("%s:%d", filepath.Join(dir, name), lines); got != want || n != lines {
				t.Errorf("%s, %d goroutines: %q after %d records, want %q", name, parallel, got, n, want)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
