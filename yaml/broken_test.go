package yaml_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/strandline-stream/strandline/yaml"
)

var update = flag.Bool("update", false, "write what there is into the files of expectations: read them afterwards")

// problemsOf gives all that is wrong with a pipeline.
func problemsOf(t *testing.T, name, text string) yaml.Problems {
	t.Helper()
	p, err := yaml.Parse(name, text, yaml.Options{Getenv: func(string) (string, bool) { return "", false }})
	if err == nil {
		err = p.Check(t.Context())
	}
	if err == nil {
		return nil
	}
	ps, ok := errors.AsType[yaml.Problems](err)
	if !ok {
		t.Fatalf("%s: the error is of type %T: %v", name, err, err)
	}
	return ps
}

func TestEachMistakeIsReportedWithItsLineAndAHint(t *testing.T) {
	const file = "testdata/broken.txtar"
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Files)%2 != 0 || len(a.Files) < 2*40 {
		t.Fatalf("%d files", len(a.Files))
	}
	for i := 0; i < len(a.Files); i += 2 {
		name, text, want := a.Files[i].Name, string(a.Files[i].Data), string(a.Files[i+1].Data)
		if a.Files[i+1].Name != name+": problems" {
			t.Fatalf("%q follows %q", a.Files[i+1].Name, name)
		}
		ps := problemsOf(t, "pipeline.yaml", text)
		if len(ps) != 1 {
			t.Errorf("%s: %d problems:\n%s", name, len(ps), ps.Frames())
		}
		got := ps.Frames()
		if wd, err := os.Getwd(); err == nil {
			got = strings.ReplaceAll(got, wd, "HERE")
		}
		if *update {
			a.Files[i+1].Data = []byte(got)
		} else if got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTenMistakesAreReportedAtOnce(t *testing.T) {
	const text = `pipeline:
  transforms:
    - type: Create
      config: {elements: [{k: a, n: 1}], shuffle: true}
    - type: Filter
      name: One
      input: Crate
      config: {keep: n > 1}
    - type: Filter
      name: Two
      input: Create
      config: {keep: m > 1, langage: python}
    - type: Combin
      input: Create
    - type: Combine
      input: Create
      windowing: {type: fixed, size: ten}
      config: {group_by: k}
    - type: MapToFields
      input: Create
      confg: {}
    - type: Sql
      input: Create
options: {streaming: perhaps}
test: []
`
	ps := problemsOf(t, "pipeline.yaml", text)
	var lines []string
	for _, p := range ps {
		lines = append(lines, strings.SplitN(p.Error(), ":", 3)[1])
	}
	if got, want := strings.Join(lines, " "), "4 7 12 13 15 17 21 22 24 25"; got != want {
		t.Errorf("%d problems, in the lines %s; want ten, in %s:\n%s", len(ps), got, want, ps.Frames())
	}
}

func TestWhatComesAfterAWrongConditionIsChecked(t *testing.T) {
	ps := problemsOf(t, "p.yaml", `pipeline:
  type: chain
  transforms:
    - type: Create
      config: {elements: [{n: 1}]}
    - type: Filter
      config: {keep: m > 1}
    - type: MapToFields
      config: {fields: {x: q + 1}}
`)
	if len(ps) != 2 || ps[0].Line != 7 || ps[1].Line != 9 {
		t.Errorf("%s", ps.Frames())
	}
}

func TestWhatIsAggregatedIsCheckedBesideAWrongKey(t *testing.T) {
	ps := problemsOf(t, "p.yaml", `pipeline:
  type: chain
  transforms:
    - type: Create
      config: {elements: [{k: a, n: 1}]}
    - type: Combine
      config: {group_by: kk, combine: {twice: {value: k, fn: sum}, m: max}}
`)
	if got := ps.Frames(); len(ps) != 3 || !strings.Contains(got, `"kk"`) || !strings.Contains(got, "sum needs numbers") || !strings.Contains(got, `m`) {
		t.Errorf("%d problems:\n%s", len(ps), got)
	}
}
