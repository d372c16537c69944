package layers_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strandline-stream/strandline/internal/layers"
)

// TestALoadedTreeShowsViolationsInEveryModule plants one violation in the main module, one in
// a nested module, and one behind a build constraint, on disk.
func TestALoadedTreeShowsViolationsInEveryModule(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                "module " + module + "\n\ngo 1.27\n",
		"window/fixed.go":       "package window\n\nimport _ \"" + module + "/internal/run\"\n",
		"window/plan9.go":       "//go:build plan9\n\npackage window\n\nimport _ \"" + module + "/internal/core\"\n",
		"internal/run/run.go":   "package run\n",
		"internal/core/core.go": "package core\n",
		"bench/go.mod":          "module " + module + "/bench\n\ngo 1.27\n",
		"bench/main.go":         "package main\n\nimport _ \"" + module + "/internal/core\"\n",
		"tools/go.mod":          "module " + module + "/tools\n\ngo 1.27\n",
	} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	source, err := layers.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range layers.Imports(source, layers.Table) {
		got = append(got, f.Place)
	}
	slices.Sort(got)
	if want := []string{"bench/main.go:3", "window/fixed.go:3", "window/plan9.go:5"}; !slices.Equal(got, want) {
		t.Errorf("found at %v, want %v", got, want)
	}
}
