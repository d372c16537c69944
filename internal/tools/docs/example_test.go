package docs_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/strandline-stream/strandline/internal/tools/docs"
)

// public are the packages of which everything must be shown in an example.
var public = []string{".", "window", "trigger", "combine", "combine/sketch", "watermark", "connector", "connector/csv", "connector/datagen",
	"connector/jsonl", "connector/memory", "connector/stdio", "connector/timestamp", "strandlinetest"}

func TestEverythingExportedIsShownInAnExample(t *testing.T) {
	dir, _ := load(t)
	root := os.DirFS(dir)
	symbols, err := docs.Exported(root, public)
	if err != nil {
		t.Fatal(err)
	}
	if len(symbols) < 300 {
		t.Errorf("only %d symbols were found", len(symbols))
	}
	found, err := docs.Unshown(root, symbols)
	if err != nil {
		t.Fatal(err)
	}
	report(t, found)
	t.Attr("symbols", fmt.Sprint(len(symbols)))
}

// What no example names is found; what one calls, or is given by what it calls, is not.
func TestWhatNoExampleUsesIsFound(t *testing.T) {
	root := fstest.MapFS{
		"p/p.go": {Data: []byte("package p\n\ntype Shape struct{}\n\ntype Hidden struct{}\n\ntype Asked interface{ Ask() }\n\n" +
			"func New() Shape { return Shape{} }\n\nfunc (Shape) Area() int { return 0 }\n\nfunc (Shape) Ask() {}\n\nfunc (Shape) Unused() {}\n\nfunc Other(Hidden) {}\n\nconst Most = 1\n")},
		"p/example_test.go": {Data: []byte("package p_test\n\nimport \"github.com/strandline-stream/strandline/p\"\n\nfunc ExampleNew() { _ = p.New().Area() + p.Most }\n")},
		"p/p_test.go":       {Data: []byte("package p_test\n\nimport \"github.com/strandline-stream/strandline/p\"\n\nvar _ = p.Other\n")},
	}
	symbols, err := docs.Exported(root, []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	found, err := docs.Unshown(root, symbols)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, f.What)
	}
	want := []string{"p: no example uses Hidden", "p: no example uses Asked", "p: no example uses Shape.Unused", "p: no example uses Other"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
