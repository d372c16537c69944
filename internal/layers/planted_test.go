package layers_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/strandline-stream/strandline/internal/layers"
)

const module = "example.org/lib"

// plant makes a source of one package comment and one file, as if it lay at that path.
func plant(t *testing.T, name string, nested bool, text string) *layers.Source {
	t.Helper()
	source := &layers.Source{Module: module}
	if err := source.Add(name, nested, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return source
}

// expect wants exactly one finding with the file and line, the rule and some of the advice,
// or none where want is empty.
func expect(t *testing.T, found []layers.Finding, want ...string) {
	t.Helper()
	if len(want) == 0 {
		for _, f := range found {
			t.Errorf("unexpected: %s", f)
		}
		return
	}
	if len(found) != 1 {
		t.Fatalf("%d findings, want one with %q: %v", len(found), want, found)
	}
	for _, part := range want {
		if text := found[0].String(); !strings.Contains(text, part) {
			t.Errorf("finding without %q: %s", part, text)
		}
	}
}

func TestAPlantedImportIsFound(t *testing.T) {
	importing := func(path string) string { return "package x\n\nimport _ \"" + path + "\"\n" }
	for _, c := range []struct {
		name, file, imported string
		nested               bool
		want                 []string // empty: allowed
	}{
		{"instants import nothing of ours", "internal/etime/x.go", module + "/window", false,
			[]string{"internal/etime/x.go:3", "imports example.org/lib/window", `imports of the layer "instants"`, "go down only"}},
		{"the model may import instants", "window/x.go", module + "/internal/etime", false, nil},
		{"the model does not know the core", "trigger/x.go", module + "/internal/core", false, []string{"trigger/x.go:3", `"model"`}},
		{"windows do not know triggers", "window/x.go", module + "/trigger", false, []string{"window/x.go:3"}},
		{"watermarks know windows", "watermark/x.go", module + "/window", false, nil},
		{"watermarks do not know combiners", "watermark/x.go", module + "/combine", false, []string{`"watermarks"`}},
		{"the core does not know the engine", "internal/core/x.go", module + "/internal/run", false, []string{`"decisions"`}},
		{"the plan knows no model", "internal/plan/x.go", module + "/window", false, []string{`"plan"`}},
		{"encodings know no model", "internal/codec/x.go", module + "/combine", false, []string{`"encodings"`}},
		{"the contract knows no connector", "connector/x.go", module + "/connector/jsonl", false, []string{`"connector contract"`}},
		{"a connector knows the contract", "connector/jsonl/x.go", module + "/connector", false, nil},
		{"connectors share parts", "connector/jsonl/x.go", module + "/internal/lines", false, nil},
		{"a connector knows no other", "connector/jsonl/x.go", module + "/connector/stdio", false, []string{`"connectors"`}},
		{"a connector does not know the engine", "connector/jsonl/x.go", module + "/internal/run", false, []string{`"connectors"`}},
		{"the engine knows no connector", "internal/run/x.go", module + "/connector/memory", false, []string{`"engine"`}},
		{"the engine's tests may", "internal/run/x_test.go", module + "/connector/memory", false, nil},
		{"the API knows no connector", "x.go", module + "/connector/jsonl", false, []string{"x.go:3", `"API"`}},
		{"the API's tests may", "x_test.go", module + "/connector/jsonl", false, nil},
		{"the oracle shares no code", "internal/oracle/x.go", module + "/window", false, []string{`"oracle"`, "nothing of this project"}},
		{"nor do its tests", "internal/oracle/x_test.go", module + "/window", false, []string{`"oracle"`}},
		{"the program is its commands", "cmd/strandline/x.go", module, false, []string{`"program"`}},
		{"commands stand on the public API", "internal/cli/x.go", module + "/internal/run", false, []string{`"commands"`}},
		{"examples stand on the public API", "examples/sensors/x.go", module + "/internal/etime", false, []string{`"examples"`}},
		{"examples may use connectors", "examples/sensors/x.go", module + "/connector/stdio", false, nil},
		{"but not their parts", "examples/sensors/x.go", module + "/internal/lines", false, []string{`"examples"`}},
		{"nobody imports the commands", "x.go", module + "/internal/cli", false, []string{`"API"`}},
		{"a nested module keeps its layer", "beam/x.go", module + "/internal/run", true, []string{"beam/x.go:3", `"Beam's transcripts"`}},
		{"benchmarks are users", "bench/x.go", module + "/internal/core", true, []string{`"benchmarks"`}},
		{"a nested module may use others", "beam/x.go", "github.com/apache/beam/sdks/v2/go/pkg/beam", true, nil},
		{"the main module may not", "connector/jsonl/x.go", "github.com/apache/beam/sdks/v2/go/pkg/beam", false,
			[]string{"connector/jsonl/x.go:3", "nested module"}},
		{"tests may use the test modules", "window/x_test.go", "go.uber.org/goleak", false, nil},
		{"what is shipped may not", "window/x.go", "go.uber.org/goleak", false, []string{"window/x.go:3"}},
		{"nothing uses C", "internal/codec/x.go", "C", false, []string{"imports C"}},
		{"tests use the kit of their layer", "combine/x_test.go", module + "/combine/combinetest", false, nil},
		{"tests use no kit above their layer", "window/x_test.go", module + "/strandlinetest", false, []string{`"model"`}},
		{"a package needs a layer", "helper/x.go", "fmt", false, []string{"helper: a package in no layer", "every package has a layer", "table.go"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, layers.Imports(plant(t, c.file, c.nested, importing(c.imported)), layers.Table), c.want...)
		})
	}
}

func TestAPlantedImpurityIsFound(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             []string // empty: allowed
	}{
		{"goroutine", "internal/core/x.go", "package x\n\nfunc f() {\n\tgo f()\n}\n",
			[]string{"internal/core/x.go:4", "starts a goroutine", `no goroutines in the layer "decisions"`, "return a value"}},
		{"select", "window/x.go", "package x\n\nfunc f() {\n\tselect {}\n}\n", []string{"window/x.go:4", "selects over channels"}},
		{"now", "trigger/x.go", "package x\n\nimport \"time\"\n\nvar t = time.Now()\n",
			[]string{"trigger/x.go:5", "uses time.Now", `the layer "model" is pure`, "time is an argument"}},
		{"now as a value", "trigger/x.go", "package x\n\nimport \"time\"\n\nvar now = time.Now\n", []string{"uses time.Now"}},
		{"now by another name", "watermark/x.go", "package x\n\nimport clock \"time\"\n\nvar t = clock.Now()\n", []string{"uses time.Now"}},
		{"time by a dot", "watermark/x.go", "package x\n\nimport . \"time\"\n\nvar t = Now()\n", []string{"imports time by a dot"}},
		{"after", "internal/plan/x.go", "package x\n\nimport \"time\"\n\nvar c = time.After(1)\n", []string{"uses time.After"}},
		{"the machine's zones", "window/x.go", "package x\n\nimport \"time\"\n\nvar l, _ = time.LoadLocation(\"Europe/Berlin\")\n", []string{"uses time.LoadLocation"}},
		{"computing with time", "window/x.go", "package x\n\nimport \"time\"\n\nvar d = time.Second\n", nil},
		{"files", "internal/codec/x.go", "package x\n\nimport \"os\"\n\nvar f = os.Args\n", []string{"internal/codec/x.go:3", "imports os", "is pure"}},
		{"below files", "combine/x.go", "package x\n\nimport _ \"os/exec\"\n", []string{"imports os/exec"}},
		{"network", "internal/etime/x.go", "package x\n\nimport _ \"net\"\n", []string{"imports net"}},
		{"addresses without network", "internal/codec/x.go", "package x\n\nimport _ \"net/netip\"\n", nil},
		{"randomness", "combine/x.go", "package x\n\nimport _ \"math/rand/v2\"\n", []string{"imports math/rand/v2"}},
		{"a hash seeded at start", "internal/core/x.go", "package x\n\nimport _ \"hash/maphash\"\n", []string{"imports hash/maphash"}},
		{"a hash seeded at start, where the row allows it", "internal/codec/x.go", "package x\n\nimport _ \"hash/maphash\"\n", nil},
		{"a log", "internal/core/x.go", "package x\n\nimport _ \"log/slog\"\n", []string{"imports log/slog"}},
		{"tests may", "internal/core/x_test.go", "package x\n\nimport \"time\"\n\nfunc f() {\n\tgo f()\n\t_ = time.Now()\n}\n", nil},
		{"the engine may", "internal/run/x.go", "package x\n\nimport \"time\"\n\nfunc f() {\n\tgo f()\n\t_ = time.Now()\n}\n", nil},
		{"the API starts no goroutine", "x.go", "package x\n\nfunc f() {\n\tgo f()\n}\n", []string{"x.go:4", `"API"`}},
		{"the API may wait", "x.go", "package x\n\nfunc f() {\n\tselect {}\n}\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, layers.Purity(plant(t, c.file, false, c.text), layers.Table), c.want...)
		})
	}
}

func TestAMissingPackageCommentIsFound(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             []string // empty: allowed
	}{
		{"none", "window/x.go", "package window\n", []string{"window: no package comment", "every package says", "doc.go"}},
		{"one of another form", "window/x.go", "// Windows and more.\npackage window\n", []string{"no package comment"}},
		{"one in a test only", "window/x_test.go", "// Package window assigns.\npackage window\n", []string{"no package comment"}},
		{"a good one", "window/x.go", "// Package window assigns.\npackage window\n", nil},
		{"a program's", "cmd/x/main.go", "// Command x does.\npackage main\n", nil},
		{"a program without", "cmd/x/main.go", "package main\n", []string{"cmd/x: no package comment"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, layers.Comments(plant(t, c.file, false, c.text)), c.want...)
		})
	}
}

func TestALongFileAndAMachinesPathAreFound(t *testing.T) {
	// Put together here, so that this file names no such path itself.
	path := func(parts ...string) string { return strings.Join(parts, "/") }
	for _, c := range []struct {
		name, file, text string
		want             []string // empty: allowed
	}{
		{"701 lines", "window/x.go", "package x\n" + strings.Repeat("\n", 700), []string{"window/x.go: 701 lines", "700 lines", "one concept a file"}},
		{"700 lines", "window/x.go", "package x\n" + strings.Repeat("\n", 699), nil},
		{"long data", "data/x.jsonl", strings.Repeat("{}\n", 701), nil},
		{"a path in code", "a/x.go", "package x\n\nconst p = \"" + path("", "work", "x") + "\"\n", []string{"a/x.go:3", "no path of one machine", "t.TempDir"}},
		{"a path in a document", "docs/x.md", "See " + path("", "root", "go") + ".\n", []string{"docs/x.md:1"}},
		{"a home in a script", ".ci/run", "cd " + path("", "home", "me") + "\n", []string{".ci/run:1"}},
		{"a file address", "docs/x.md", "(" + path("file:", "", "", "home", "me") + ")\n", []string{"docs/x.md:1"}},
		{"a neighbour of the repository", "docs/x.md", "`" + path("..", "shared", "data") + "`\n", []string{"docs/x.md:1"}},
		{"a directory of that name", "docs/x.md", path(".", "work", "x") + " " + path("a", "home", "x") + "\n", nil},
		{"an address", "docs/x.md", path("https:", "", "example.org", "home", "x") + "\n", nil},
		{"not text", "data/x.gz", "\x00 " + path("", "work", "x") + "\n", nil},
		{"not the project's", "bin/x.go", "package x\n// " + path("", "work", "x") + "\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := layers.Files(fstest.MapFS{c.file: {Data: []byte(c.text)}})
			if err != nil {
				t.Fatal(err)
			}
			expect(t, found, c.want...)
		})
	}
}
