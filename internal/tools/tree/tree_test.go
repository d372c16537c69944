package tree_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/strandline-stream/strandline/internal/tools/tree"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestModulesAreListedMainFirstWithTheirCode(t *testing.T) {
	root := fstest.MapFS{
		"bench/go.mod":             file("module example.org/lib/bench\n"),
		"bench/main.go":            file("package main\n"),
		"connector/kafka/go.mod":   file("// a comment\nmodule \"example.org/lib/connector/kafka\"\n"),
		"connector/kafka/read.go":  file("package kafka\n"),
		"go.mod":                   file("module example.org/lib\n\ngo 1.27\n"),
		"lib.go":                   file("package lib\n"),
		"tools/go.mod":             file("module example.org/lib/tools\n"),
		".cache/other/go.mod":      file("module example.org/other\n"),
		"bin/mod/go.mod":           file("module example.org/built\n"),
		"node_modules/some/go.mod": file("module example.org/web\n"),
	}
	got, err := tree.Modules(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []tree.Module{
		{Dir: ".", Path: "example.org/lib", HasCode: true},
		{Dir: "bench", Path: "example.org/lib/bench", HasCode: true},
		{Dir: "connector/kafka", Path: "example.org/lib/connector/kafka", HasCode: true},
		{Dir: "tools", Path: "example.org/lib/tools"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestAFileBelongsToTheInnermostModule(t *testing.T) {
	modules := []tree.Module{{Dir: "."}, {Dir: "a"}, {Dir: "a/b"}, {Dir: "ab"}}
	for name, want := range map[string]string{
		"x.go": ".", "a/x.go": "a", "a/b/c/x.go": "a/b", "ab/x.go": "ab", "abc/x.go": ".",
	} {
		if got := modules[tree.Owner(modules, name)].Dir; got != want {
			t.Errorf("%s belongs to %q, want %q", name, got, want)
		}
	}
}

func TestFilesLeaveOutWhatToolsMade(t *testing.T) {
	root := fstest.MapFS{
		".ci/run": file(""), ".git/config": file(""), ".idea/x": file(""), "bin/strandline": file(""),
		".gitignore": file(""), "sub/.git": file("gitdir: elsewhere"), "a/bin/x": file(""), "a/cabin/x": file(""),
	}
	got, err := tree.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{".ci/run", ".gitignore", "a/cabin/x"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRootIsFoundFromBelowAndFromANestedModule(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{
		"outer/go.mod":           "module example.org/outer\n",
		"outer/repo/go.mod":      "module example.org/lib\n",
		"outer/repo/a/b/x.go":    "package b\n",
		"outer/repo/beam/go.mod": "module example.org/lib/beam\n",
	} {
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := filepath.Join(top, "outer/repo")
	for _, from := range []string{"outer/repo", "outer/repo/a/b", "outer/repo/beam"} {
		got, err := tree.Root(filepath.Join(top, from))
		if err != nil || got != want {
			t.Errorf("from %s: %q, %v; want %q", from, got, err, want)
		}
	}
}
