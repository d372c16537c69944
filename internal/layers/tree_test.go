package layers_test

import (
	"os"
	"testing"

	"github.com/strandline-stream/strandline/internal/layers"
	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// TestTheRepositoryKeepsItsLayers applies every rule to every module of the repository.
func TestTheRepositoryKeepsItsLayers(t *testing.T) {
	root, err := tree.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	source, err := layers.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	files, err := layers.Files(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range [][]layers.Finding{
		layers.Imports(source, layers.Table),
		layers.Purity(source, layers.Table),
		layers.Comments(source),
		files,
	} {
		for _, f := range found {
			t.Error(f)
		}
	}
}

// TestEveryModuleAndLayerIsSeen guards the guard: a rule that sees no package finds nothing.
func TestEveryModuleAndLayerIsSeen(t *testing.T) {
	root, err := tree.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	source, err := layers.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	modules, err := tree.Modules(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range source.Packages {
		seen[modules[tree.Owner(modules, p.Dir+"/x.go")].Dir] = true
		if p.Nested == seen["."] && p.Dir == "." {
			t.Errorf("the root package is nested: %t", p.Nested)
		}
		seen["package "+p.Dir] = true
	}
	for _, m := range modules {
		if m.HasCode && !seen[m.Dir] {
			t.Errorf("no package of the module in %s was looked at", m.Dir)
		}
	}
	for _, dir := range []string{".", "window", "internal/core", "internal/run", "connector/jsonl", "internal/layers"} {
		if !seen["package "+dir] {
			t.Errorf("the package in %s was not looked at", dir)
		}
	}
}

// The race detector is spared what is sequential, and must see all that is not.
func TestWhatDrivesTheEngineIsNotSequential(t *testing.T) {
	for dir, want := range map[string]bool{
		".": false, "internal/run": false, "internal/sim": false, "internal/lines": false, "yaml": false, "connector/jsonl": false, "control": false,
		"window": true, "trigger": true, "combine/sketch": true, "internal/expr": true, "internal/nowhere": false,
	} {
		if got := layers.Sequential(layers.Table, dir); got != want {
			t.Errorf("%s is sequential: %v, want %v", dir, got, want)
		}
	}
}
