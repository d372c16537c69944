package yaml_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/yaml"
)

// beamCase is a pipeline after one of Beam's examples, documents or tests, and what must come of
// it. In an archive of testdata/beam a case is a file with its name, and behind it files that
// are called NAME: PART. The parts are
//
//	file PATH    something to read, under the directory {{dir}}
//	rows         what is printed, in whatever order
//	log          what LogForTesting prints, in whatever order
//	wrote PATH   what a sink has written under {{dir}}, in whatever order of the lines
//	problems     what is wrong with the text: each line must stand in the messages
//	failure      what the failure of the run must contain
//	tests        each test of the text, behind "pass" or "fail"
type beamCase struct {
	name, text string
	parts      map[string]string
}

// beamCases reads the archives; the name of a case begins with that of its archive.
func beamCases(t *testing.T) []beamCase {
	t.Helper()
	files, err := filepath.Glob("testdata/beam/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var all []beamCase
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		archive := strings.TrimSuffix(filepath.Base(file), ".txtar")
		for _, f := range a.Files {
			name, part, more := strings.Cut(f.Name, ": ")
			name = archive + "/" + name
			if !more {
				all = append(all, beamCase{name, string(f.Data), map[string]string{}})
				continue
			}
			if len(all) == 0 || all[len(all)-1].name != name {
				t.Fatalf("%s: the part %q belongs to no case", file, f.Name)
			}
			all[len(all)-1].parts[part] = string(f.Data)
		}
	}
	return all
}

// lines gives the lines of s in order; time is written as it comes.
func lines(s string) []string {
	list := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if len(list) == 1 && list[0] == "" {
		return nil
	}
	slices.Sort(list)
	return list
}

func TestPipelinesOfBeamYAMLGiveTheResultsThatTheyGiveInBeam(t *testing.T) {
	seen := map[string]bool{}
	all := beamCases(t)
	t.Attr("cases", strconv.Itoa(len(all)))
	for _, c := range all {
		if seen[c.name] {
			t.Errorf("%s: there are two of that name", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

func (c *beamCase) run(t *testing.T) {
	dir := t.TempDir()
	expects := 0
	for part, data := range c.parts {
		kind, path, _ := strings.Cut(part, " ")
		switch {
		case kind == "file":
			if err := os.WriteFile(filepath.Join(dir, path), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		case slices.Contains([]string{"rows", "log", "wrote", "problems", "failure", "tests"}, kind):
			expects++
		default:
			t.Fatalf("there is no part %q", part)
		}
	}
	if expects == 0 {
		t.Fatal("nothing is expected of it")
	}
	var out, log bytes.Buffer
	o := yaml.Options{
		Set: map[string]string{"dir": dir}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log,
		Getenv: func(string) (string, bool) { return "", false },
	}
	if want, ok := c.parts["tests"]; ok {
		results, err := yaml.Test(t.Context(), "pipeline.yaml", c.text, "", o)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, r := range results {
			verdict := "pass"
			if r.Err != nil {
				verdict = "fail"
			}
			got.WriteString(verdict + " " + r.Name + "\n")
			if r.Err != nil {
				t.Logf("%s: %v", r.Name, r.Err)
			}
		}
		if got.String() != want {
			t.Errorf("got\n%swant\n%s", got.String(), want)
		}
		return
	}
	err := runText(t.Context(), c.text, o)
	if ps, ok := errors.AsType[yaml.Problems](err); ok || c.parts["problems"] != "" {
		want, expected := c.parts["problems"]
		if !expected || !ok {
			t.Fatalf("the error is\n%v", err)
		}
		for _, line := range lines(want) {
			if !strings.Contains(ps.Error(), line) {
				t.Errorf("not among the problems: %s\nThere are\n%s", line, ps.Error())
			}
		}
		if len(ps) != len(lines(want)) {
			t.Errorf("%d problems, want %d:\n%s", len(ps), len(lines(want)), ps.Frames())
		}
		return
	}
	if want, ok := c.parts["failure"]; ok {
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("the failure is\n%v\nwant one with\n%s", err, want)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	compare := func(part, got string) {
		if g, w := lines(got), lines(c.parts[part]); !slices.Equal(g, w) {
			t.Errorf("%s: got\n%s\nwant\n%s", part, strings.Join(g, "\n"), strings.Join(w, "\n"))
		}
	}
	compare("rows", out.String())
	compare("log", log.String())
	for part := range c.parts {
		if path, ok := strings.CutPrefix(part, "wrote "); ok {
			b, err := os.ReadFile(filepath.Join(dir, path))
			if err != nil {
				t.Error(err)
			}
			compare(part, string(b))
		}
	}
}

// runText parses, checks, builds and runs a pipeline.
func runText(ctx context.Context, text string, o yaml.Options) error {
	p, err := yaml.Parse("pipeline.yaml", text, o)
	if err != nil {
		return err
	}
	if err := p.Check(ctx); err != nil {
		return err
	}
	built, err := p.Build()
	if err != nil {
		return err
	}
	opts := []strandline.Option{strandline.Workers(p.Workers())}
	if !p.Streaming() {
		opts = append(opts, strandline.Batch())
	}
	if _, err := built.Run(ctx, opts...); err != nil {
		return err
	}
	if err := built.Flush(); err != nil {
		return err
	}
	return errors.Join(built.Verdict()...)
}

func TestThePageOnBeamYAMLNamesEachCaseAndEachTransform(t *testing.T) {
	b, err := os.ReadFile("../docs/beam-yaml.md")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]bool{} // whether the page names it
	for _, c := range beamCases(t) {
		cases[c.name] = false
	}
	instead := map[string]string{}
	for i, line := range strings.Split(string(b), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case !strings.HasPrefix(line, "| ") || cells[0] == "in Beam" || cells[0] == "transform":
		case strings.Count(line, " |") == 2:
			instead[strings.Trim(cells[0], "`")] = cells[1]
		default:
			if len(cells) < 3 || !slices.Contains([]string{"yes", "no", "in other words"}, cells[1]) {
				t.Errorf("line %d does not say whether it runs: %s", i+1, line)
				continue
			}
			named := strings.Split(strings.Trim(strings.TrimSuffix(cells[2], " |"), "`"), "`, `")
			for _, name := range named {
				if _, there := cases[name]; !there {
					t.Errorf("line %d: there is no case %q", i+1, name)
				}
				cases[name] = true
			}
		}
	}
	for name, told := range cases {
		if !told {
			t.Errorf("the page does not name the case %q", name)
		}
	}
	for name, why := range yaml.Refused() {
		if instead[name] != why {
			t.Errorf("the page says of %s: %q, and its refusal: %q", name, instead[name], why)
		}
		delete(instead, name)
	}
	for name := range instead {
		t.Errorf("%s is not refused", name)
	}
	for _, e := range yaml.Transforms() {
		if !e.Ours && !strings.Contains(string(b), "`"+e.Name+"`") && !strings.HasPrefix(e.Name, "ReadFrom") && !strings.HasPrefix(e.Name, "WriteTo") && e.Name != "LogForTesting" {
			t.Errorf("the page does not name %s", e.Name)
		}
	}
}
