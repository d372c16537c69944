package layers

import "slices"

// Layer is one row of the table: some packages and what they may import.
type Layer struct {
	// Name is the layer in the words of docs/ARCHITECTURE.md.
	Name string
	// Packages are patterns of directories relative to the root: "window" is one package, "."
	// the root package, "connector/..." the package and all below it, except what lies under
	// an internal directory of theirs. The first row that fits a package is its row.
	Packages []string
	// Imports are patterns of the packages of this project that it may import. It may import
	// the standard library too, and in a nested module any other module.
	Imports []string
	// Tests are patterns of what only its test files may import, beyond Imports, itself and
	// the public test kits.
	Tests []string
	// Modules are the other modules that it may import although it lies in the main module.
	Modules []string
	// Pure packages decide: no goroutine, clock, input, output, context, logger, randomness.
	Pure bool
	// World are the packages of the standard library that it may import although it is pure.
	World []string
	// Still packages start no goroutine, though they may touch the world.
	Still bool
}

const instants = "internal/etime"

var (
	model = []string{"window", "trigger", "combine", "watermark"}

	// public is what a user may import.
	public = and(model, ".", "combine/...", "connector/...", "control", "strandlinetest")

	// parts are what connectors and what reads rows share.
	parts = in("internal/delimited", "internal/files", "internal/lines", "internal/number", "internal/output", "internal/swar")

	// kits are the public test kits and what each stands on: the tests of a layer that sees
	// the one may use the other.
	kits = map[string]string{
		"combine/combinetest":     "combine",
		"connector/connectortest": "connector",
		"strandlinetest":          ".",
	}

	// testModules are the other modules that any test file may import.
	testModules = []string{
		"github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "github.com/santhosh-tekuri/jsonschema/v6", "go.uber.org/goleak", "pgregory.net/rapid",
	}
)

// Table is the house from the ground up. Imports go down only.
var Table = []Layer{
	{Name: "instants", Packages: in(instants), Pure: true},
	{Name: "watermarks", Packages: in("watermark"), Imports: in("window", instants), Pure: true},
	{Name: "laws of combiners", Packages: in("combine/combinetest"), Imports: in("combine", instants), Still: true},
	// Sketches are approximations by libraries; only who asks for them links those.
	{Name: "sketches", Packages: in("combine/sketch"), Imports: in("combine", "internal/codec", instants), Still: true,
		Modules: in("github.com/axiomhq/hyperloglog", "github.com/apache/datasketches-go")},
	{Name: "model", Packages: in("window", "trigger", "combine/..."), Imports: in("combine", instants), Pure: true},

	// The interner of keys is seeded anew in each process; nothing of its order leaves it.
	{Name: "encodings", Packages: in("internal/codec"), Imports: in(instants), Pure: true, World: in("hash/maphash")},
	{Name: "decisions", Packages: in("internal/core"), Imports: and(model, instants), Pure: true},
	{Name: "plan", Packages: in("internal/plan"), Imports: in(instants), Pure: true},
	{Name: "reasons", Packages: in("internal/why"), Imports: in("internal/prose", instants), Pure: true},
	{Name: "numbers for people", Packages: in("internal/prose"), Pure: true},
	{Name: "sizes of values", Packages: in("internal/size"), Pure: true},
	{Name: "misspelt words", Packages: in("internal/near"), Pure: true},

	{Name: "connector contract", Packages: in("connector"), Imports: and(model, instants), Still: true},
	{Name: "timestamps", Packages: in("connector/timestamp"), Imports: in(instants), Still: true},
	{Name: "parts of connectors", Packages: parts,
		Imports: and(parts, "connector", instants), Modules: in("github.com/klauspost/compress")},
	{Name: "connectors", Packages: in("connector/..."),
		Imports: slices.Concat(model, parts, in("connector", "connector/timestamp", instants))},

	// The declarative front end: dynamic rows, what reads and writes them, what computes with
	// them, and on top of the public API what builds pipelines.
	{Name: "rows", Packages: in("internal/record"), Imports: in(instants), Pure: true},
	{Name: "expressions", Packages: in("internal/expr"), Imports: in("internal/record", "internal/prose", "window", "connector/timestamp", instants), Pure: true},
	{Name: "rows in files", Packages: in("internal/rowio/..."),
		Imports: slices.Concat(parts, in("internal/rowio/...", "internal/record", "connector", "connector/timestamp", instants)),
		Modules: in("github.com/parquet-go/parquet-go"), Tests: in("connector/connectortest", "trigger", "window")},

	{Name: "engine", Packages: in("internal/run"),
		Imports: and(model, "connector", "internal/core", "internal/plan", "internal/codec", "internal/size", instants),
		Tests:   in("connector/...", "internal/oracle")},
	{Name: "API", Packages: in("."),
		Imports: and(model, "connector", "internal/run", "internal/plan", "internal/why", "internal/near", "internal/prose", "internal/codec", instants), Still: true,
		Tests: and(public, "internal/oracle", "internal/core")},
	{Name: "what lateness costs", Packages: in("internal/lateness"), Imports: in("internal/prose"), Pure: true, World: in("math/rand/v2")},
	{Name: "control", Packages: in("control"), Imports: in("."), Tests: public},
	{Name: "page of what lateness costs", Packages: in("internal/lateness/report"), Imports: in("internal/lateness", "internal/prose"), Pure: true},
	{Name: "trials", Packages: in("internal/trial"), Imports: in("connector", "internal/run", "internal/prose", instants), Still: true},
	{Name: "test kit", Packages: in("strandlinetest"),
		Imports: and(model, ".", "connector", "connector/memory", "internal/run", "internal/core", "internal/trial", "internal/prose", instants),
		Tests:   and(public, "internal/oracle")},

	{Name: "oracle", Packages: in("internal/oracle"), Still: true}, // shares no code with the engine
	{Name: "simulation", Packages: in("internal/sim"),
		Imports: and(public, "internal/oracle", "internal/run", "internal/trial", instants)},

	{Name: "declarative front end", Packages: in("yaml", "yaml/..."),
		Imports: and(public, "yaml/...", "internal/record", "internal/rowio/...", "internal/expr", "internal/near", "internal/prose", "internal/trial", "internal/lateness", "internal/size", instants),
		Modules: in("go.yaml.in/yaml/v4")},
	{Name: "commands", Packages: in("internal/cli"), Imports: and(public, "yaml/...", "internal/record", "internal/rowio/...", "internal/expr", "internal/lateness", "internal/lateness/report", "internal/output", "internal/prose"),
		Modules: in("github.com/spf13/cobra", "go.yaml.in/yaml/v4")},
	{Name: "program", Packages: in("cmd/..."), Imports: in("internal/cli")},
	{Name: "examples", Packages: in("examples/..."), Imports: and(public, "examples/...")},
	{Name: "tools of the house", Packages: in("internal/layers", "internal/tools/..."), Imports: in("internal/layers", "internal/tools/...", "internal/prose"), Tests: in("internal/cli")},

	{Name: "Beam's transcripts", Packages: in("beam/..."), Imports: and(public, "beam/...")},
	{Name: "pages in a browser", Packages: in("browser/..."), Imports: in("internal/lateness", "internal/lateness/report")},
	{Name: "benchmarks", Packages: in("bench/..."), Imports: and(public, "internal/trial", "bench/...")},
}

// in lists patterns.
func in(patterns ...string) []string { return patterns }

// and lists the patterns of base and more.
func and(base []string, more ...string) []string { return slices.Concat(base, more) }
