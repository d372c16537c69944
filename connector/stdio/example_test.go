package stdio_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/connectortest"
	"github.com/strandline-stream/strandline/connector/stdio"
)

// Text is printed as it is, and what has no text of its own as JSON. Panes have their time, window
// and number before it.
func ExampleLines() {
	type count struct{ N int }
	var text bytes.Buffer
	ctx := context.Background()
	for _, sink := range []connector.Sink{stdio.Lines(), stdio.LinesTo(&text), stdio.PanesTo(&text), stdio.Panes()} {
		w, err := sink.Open(ctx) // as a run does
		if err != nil {
			fmt.Println(err)
			return
		}
		w.Write(ctx, connectortest.NewRows([]count{{3}}))
		w.Flush(ctx)
		w.Close()
	}
	// Output:
	// {"N":3}
	// 1970-01-01T00:00:00Z  no window  no pane  {"N":3}
}

// Lines of text, of files whose names fit, each read by itself.
func ExampleText() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	os.WriteFile(filepath.Join(dir, "a.log"), []byte("one\ntwo\n"), 0o600)
	os.WriteFile(filepath.Join(dir, "b.log"), []byte("three\nmuch too long a line\n"), 0o600)

	ctx := context.Background()
	splits, err := stdio.Text(filepath.Join(dir, "*.log")).SplitPerFile().MaxLine(10).Splits(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range splits {
		r, err := s.Open(ctx) // as a run does
		if err != nil {
			fmt.Println(err)
			return
		}
		defer r.Close()
		var b connector.Batch[string]
		for r.Read(ctx, &b) == nil {
			fmt.Println(b.Values, len(b.Malformed))
		}
	}
	fmt.Println(stdio.Stdin().Bounded())
	// Output:
	// [one two] 0
	// [three] 1
	// false
}
