package docs_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/tools/docs"
	"github.com/strandline-stream/strandline/internal/tools/tree"
)

// load gives the root of the repository and its pages.
func load(t *testing.T) (root string, pages []docs.Page) {
	t.Helper()
	root, err := tree.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	if pages, err = docs.Pages(os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	return root, pages
}

func report(t *testing.T, found []docs.Finding) {
	t.Helper()
	for _, f := range found {
		t.Error(f)
	}
}

func TestLinksAndNamedFilesExist(t *testing.T) {
	root, pages := load(t)
	report(t, docs.Links(os.DirFS(root), pages))
}

func TestCitedRulesExist(t *testing.T) {
	root, _ := load(t)
	found, err := docs.Rules(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	report(t, found)
}

func TestCommandsAreKnownAndPrintWhatThePageSays(t *testing.T) {
	root, pages := load(t)
	found, err := docs.Shell(os.DirFS(root), pages)
	if err != nil {
		t.Fatal(err)
	}
	report(t, found)
	for _, c := range docs.Shown(pages) {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", c.Line)
		cmd.Dir = root
		compare(t, fmt.Sprintf("%s:%d: %s", c.Page, c.N, c.Line), cmd, c.Prints)
	}
}

func TestPagesThatAreCheckedElsewhereAreCheckedThere(t *testing.T) {
	root, _ := load(t)
	for page, test := range docs.Elsewhere {
		for _, name := range []string{page, test} {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestSnippetsCompileAndPrintWhatThePageSays builds all snippets in a module that stands outside
// this one, as a user's does, and runs each in a directory with the page's files. They are
// packages of one program, since linking is what takes the time.
func TestSnippetsCompileAndPrintWhatThePageSays(t *testing.T) {
	root, pages := load(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var programs []docs.Program
	for _, p := range pages {
		some, found := docs.Programs(p)
		report(t, found)
		programs = append(programs, some...)
	}
	if len(programs) < 10 {
		t.Errorf("only %d snippets were found", len(programs))
	}
	write("go.mod", fmt.Sprintf("module snippets\n\ngo 1.27\n\nrequire github.com/strandline-stream/strandline v0.0.0\n\nreplace github.com/strandline-stream/strandline => %s\n", root))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))
	imports, calls := "", ""
	for i, p := range programs {
		source := strings.Replace(p.Source, "package main", fmt.Sprintf("package p%d", i), 1)
		write(fmt.Sprintf("p%d/main.go", i), strings.Replace(source, "func main()", "func Main()", 1))
		for name, text := range p.Files {
			write(fmt.Sprintf("run%d/%s", i, name), text)
		}
		imports += fmt.Sprintf("import \"snippets/p%d\"\n", i)
		calls += fmt.Sprintf("\tcase \"p%d\":\n\t\tp%d.Main()\n", i, i)
	}
	write("main.go", "package main\n\nimport \"os\"\n"+imports+"\nfunc main() {\n\tswitch os.Args[1] {\n"+calls+"\t}\n}\n")
	program := filepath.Join(dir, "snippets")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-ldflags=-w -mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the snippets do not compile: %v\n%s", err, out)
	}
	for i, p := range programs {
		cmd := exec.CommandContext(t.Context(), program, fmt.Sprintf("p%d", i))
		cmd.Dir = filepath.Join(dir, fmt.Sprintf("run%d", i))
		if err := os.MkdirAll(cmd.Dir, 0o755); err != nil {
			t.Fatal(err)
		}
		compare(t, fmt.Sprintf("%s:%d", p.Page, p.Line), cmd, p.Prints)
	}
	t.Attr("snippets", fmt.Sprint(len(programs)))
}

// TestSessionsPrintWhatThePageSays runs the commands of the program strandline, page by page.
// STRANDLINE_UPDATE puts what they print into the pages.
func TestSessionsPrintWhatThePageSays(t *testing.T) {
	root, pages := load(t)
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin+"/strandline", "./cmd/strandline")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	commands := 0
	for _, p := range pages {
		steps, found := docs.Session(p)
		report(t, found)
		dir := t.TempDir()
		for _, shared := range []string{"docs", "examples"} {
			if err := os.Symlink(filepath.Join(root, shared), filepath.Join(dir, shared)); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.Name)))
		if err != nil {
			t.Fatal(err)
		}
		page := string(text)
		for _, s := range steps {
			if s.File != "" {
				if err := os.WriteFile(filepath.Join(dir, s.File), []byte(s.Text), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			got := ""
			for _, line := range s.Commands {
				commands++
				cmd := exec.CommandContext(t.Context(), "sh", "-c", docs.OnTerminal(line))
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Errorf("%s:%d: %s: %v\n%s", p.Name, s.Line, line, err, out)
				}
				got += string(out)
			}
			if !s.Prints.Is(got) {
				t.Errorf("%s:%d: %s prints\n%s\nand the page says\n%s", p.Name, s.Line, strings.Join(s.Commands, "; "), got, s.Prints.Text)
				page = docs.WithOutput(page, s, got)
			}
		}
		if page != string(text) && os.Getenv("STRANDLINE_UPDATE") != "" {
			if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(p.Name)), []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if commands < 20 {
		t.Errorf("only %d commands were found", commands)
	}
	t.Attr("commands", fmt.Sprint(commands))
}

// compare runs a command and compares what it prints.
func compare(t *testing.T, what string, cmd *exec.Cmd, want docs.Output) {
	t.Helper()
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Errorf("%s: %v\n%s%s", what, err, out.String(), problems.String())
		return
	}
	if !want.Is(out.String()) {
		t.Errorf("%s prints\n%s\nand the page says\n%s", what, out.String(), want.Text)
	}
}
