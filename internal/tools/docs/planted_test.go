package docs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/strandline-stream/strandline/internal/tools/docs"
)

// site makes a repository of files.
func site(files map[string]string) fstest.MapFS {
	root := fstest.MapFS{"Makefile": {Data: []byte("test: ## run\n\tgo test\n")}}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

func parse(t *testing.T, root fstest.MapFS) []docs.Page {
	t.Helper()
	pages, err := docs.Pages(root)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func texts(found []docs.Finding) (all []string) {
	for _, f := range found {
		all = append(all, f.String())
	}
	return all
}

func TestALinkToNothingIsFound(t *testing.T) {
	root := site(map[string]string{
		"README.md": "[a](docs/a.md) [b](docs/b.md) [c](docs/a.md#two-words) [d](docs/a.md#three)\n[e](https://example.org/x) `[f](g.md)`\n" +
			"`docs/a.md` and `docs/` are there, `docs/c.md` and `other/` are not, `late.jsonl` is written.\n```go\n\"late.jsonl\" [h](i.md)\n```\n",
		"docs/a.md": "# Two words!\n\n[up](../README.md) [out](../../x.md)\n",
	})
	want := []string{
		"README.md:1: the link docs/b.md leads to no file",
		"README.md:1: the link docs/a.md#three leads to no heading",
		"README.md:3: there is no file or directory docs/c.md",
		"README.md:3: there is no file or directory other/",
		"docs/a.md:3: the link ../../x.md leaves the repository",
	}
	if got := texts(docs.Links(root, parse(t, root))); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestARuleThatIsNotStatedIsFound(t *testing.T) {
	root := site(map[string]string{
		"docs/semantics.md": "# Rules\n\n**S1.1** One.\n\n**S1.2** Two, as S1.1.\n\n**S1.2** Three.\n",
		"a/b.go":            "package a\n\n// By S1.1 and S1.3.\n",
	})
	found, err := docs.Rules(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"docs/semantics.md:7: S1.2 is stated twice, the first time in line 5",
		"a/b.go:3: there is no rule S1.3 in docs/semantics.md",
	}
	if got := texts(found); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestAnUnknownCommandIsFound(t *testing.T) {
	root := site(map[string]string{
		"README.md": "`make test`, `make it`.\n\n```sh\nmake test   # all of it\nmake bread\nrm -rf .\n```\n",
	})
	found, err := docs.Shell(root, parse(t, root))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`README.md:1: the Makefile has no target "it"`,
		`README.md:5: the Makefile has no target "bread"`,
		`README.md:6: the command "rm -rf ." is not in the table of internal/tools/docs`,
	}
	if got := texts(found); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestAPieceOfAProgramStandsWhereTheCommentSays(t *testing.T) {
	page := docs.Parse("a.md", "```go\nx := 1\n```\n\n<!-- program\nfunc main() {\n\t// here\n\tfmt.Println(x)\n}\n-->\n\n"+
		"```go\nx := window.Global()\n```\n\n```text\nglobal\n```\n\n```jsonl in.jsonl\n{}\n```\n\nProse.\n\n```go\npackage main\n```\n")
	programs, found := docs.Programs(page)
	if len(found) != 1 || found[0].Line != 2 {
		t.Errorf("found %v, want the piece in line 2 only", found)
	}
	if len(programs) != 2 {
		t.Fatalf("%d programs", len(programs))
	}
	const want = "package main\n\nimport (\n\t\"fmt\"\n\t\"github.com/strandline-stream/strandline/window\"\n)\n\n" +
		"func main() {\n\t\n//line a.md:13\nx := window.Global()\n//line around.go:1\n\n\tfmt.Println(x)\n}\n"
	if got := programs[0]; got.Source != want || got.Prints.Text != "global\n" || got.Files["in.jsonl"] != "{}\n" {
		t.Errorf("got %+v", got)
	}
	if got := programs[1]; got.Source != "//line a.md:27\npackage main\n" || got.Prints.Text != "" {
		t.Errorf("got %+v", got)
	}
}

func TestOnlyCommandsWithOutputAreRun(t *testing.T) {
	page := docs.Parse("a.md", "```sh\ngo run ./examples/sensors\n```\n\n```text\nlines\n```\n\nAnd:\n\n```sh\ngo run ./examples/sensors\n```\n\n```sh\nmake test\n```\n```text\nok\n```\n")
	if got := fmt.Sprint(docs.Shown([]docs.Page{page})); got != "[{a.md 2 go run ./examples/sensors {lines\n false}}]" {
		t.Errorf("got %v", got)
	}
}

func TestOutputMayComeInAnyOrderWhereThePageSaysSo(t *testing.T) {
	const page = "```go\npackage main\n```\n```text%s\na\nb\n```\n"
	for order, same := range map[string]bool{"": false, " in-any-order": true} {
		programs, _ := docs.Programs(docs.Parse("a.md", fmt.Sprintf(page, order)))
		if got := programs[0].Prints; !got.Is("a\nb\n\n") || got.Is("b\na\n") != same || got.Is("a\nb\nb\n") {
			t.Errorf("%q: %+v", order, got)
		}
	}
}

func TestGoThatIsNotFormattedIsFound(t *testing.T) {
	_, found := docs.Programs(docs.Parse("a.md", "```go\npackage main\n\nfunc main () {}\n```\n\n<!-- program\n// here\n-->\n```go\nx := f( 1)\n```\n"))
	if len(found) != 2 || found[0].Line != 2 || found[1].Line != 11 {
		t.Errorf("found %v, want the blocks in lines 2 and 11", found)
	}
}

func TestASessionIsInTheOrderOfThePage(t *testing.T) {
	page := docs.Parse("a.md", "```jsonl a.jsonl\n{}\n```\n\n```sh\nstrandline init a.jsonl > p.yaml\nstrandline run p.yaml\n```\n\n```text in-any-order\none\ntwo\n```\n\n"+
		"```yaml p.yaml\npipeline:\n```\n\n```sh\nmake build\n```\n\n```sh\nmake build\nstrandline version\n```\n")
	steps, found := docs.Session(page)
	if want := []string{"a.md:24: commands that are run and commands that are not stand in one block"}; !slices.Equal(texts(found), want) {
		t.Errorf("found %q", texts(found))
	}
	if len(steps) != 3 || steps[0].File != "a.jsonl" || len(steps[1].Commands) != 2 || steps[2].File != "p.yaml" {
		t.Fatalf("got %+v", steps)
	}
	if !steps[1].Prints.Is("two\none\n") || steps[1].Prints.Is("one\n") {
		t.Errorf("it prints %+v", steps[1].Prints)
	}
	if steps, _ := docs.Session(docs.Parse("b.md", "```jsonl a.jsonl\n{}\n```\n\n```sh\nmake build\n```\n")); steps != nil {
		t.Errorf("a page without commands of strandline has the session %+v", steps)
	}
}

func TestRowsAreShownAsOnATerminal(t *testing.T) {
	for line, want := range map[string]string{
		"strandline run p.yaml":                      "strandline run p.yaml --table",
		`strandline run p.yaml --set a=1; echo "$?"`: `strandline run p.yaml --set a=1 --table; echo "$?"`,
		"cat a.jsonl | strandline run p.yaml":        "cat a.jsonl | strandline run p.yaml --table",
		"strandline run p.yaml > a.jsonl":            "strandline run p.yaml > a.jsonl",
		"strandline run p.yaml --json":               "strandline run p.yaml --json",
		"strandline tap p.yaml Combine":              "strandline tap p.yaml Combine",
	} {
		if got := docs.OnTerminal(line); got != want {
			t.Errorf("%s is run as %s, want %s", line, got, want)
		}
	}
}

func TestOutputIsPutUnderItsCommands(t *testing.T) {
	page := "```sh\nstrandline version\n```\n\n```text\nold\n```\n\n```sh\nstrandline functions\n```\n\n```text\n```\nend\n"
	steps, _ := docs.Session(docs.Parse("a.md", page))
	for _, s := range steps {
		page = docs.WithOutput(page, s, "new\n")
	}
	if want := "```sh\nstrandline version\n```\n\n```text\nnew\n```\n\n```sh\nstrandline functions\n```\n\n```text\nnew\n```\nend\n"; page != want {
		t.Errorf("got\n%s", page)
	}
}
