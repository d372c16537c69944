package yaml_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/yaml"
)

const squares = `# comments stay
pipeline:
  type: chain
  transforms:
    - {type: ReadFromText, name: Übung, config: {path: nowhere.txt}}
    - {type: MapToFields, name: Numbers, config: {fields: {n: int(line)}}}
    - {type: MapToFields, name: Squares, config: {append: true, fields: {square: n**2}}}
    - {type: WriteToText, name: Écrit, config: {path: nowhere-out.txt}}
`

func verdicts(t *testing.T, text string) (results []yaml.TestResult, all string) {
	t.Helper()
	results, err := yaml.Test(t.Context(), "pipeline.yaml", text, "", yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Err == nil {
			all += "pass "
		} else {
			all += "fail "
		}
	}
	return results, strings.TrimSpace(all)
}

func TestFixedTestsPassAndSayWhatThereWas(t *testing.T) {
	const text = squares + `tests:
  - name: one
    mock_inputs: [{name: Squares, elements: [{n: 1}, {n: 2}, {n: 3}]}]
    expected_outputs: [{name: Squares, elements: [{n: 1, square: 1}, {n: 2, square: 5}]}]
  - name: two
    mock_outputs: [{name: Übung, elements: [{line: "7"}]}]
    expected_outputs: [{name: Squares, elements: []}, {name: Numbers, elements: [{n: 7}]}]
`
	results, got := verdicts(t, text)
	if got != "fail fail" {
		t.Fatal(got)
	}
	fixed, err := yaml.FixTests(text, results)
	if err != nil {
		t.Fatal(err)
	}
	if _, got := verdicts(t, fixed); got != "pass pass" {
		t.Errorf("%s, of\n%s", got, fixed)
	}
	for _, want := range []string{"# comments stay", "{n: 2, square: 4}", "{n: 3, square: 9}", "{n: 7, square: 49}"} {
		if !strings.Contains(fixed, want) {
			t.Errorf("it does not say %q:\n%s", want, fixed)
		}
	}
	if strings.Contains(fixed, "square: 5") {
		t.Errorf("it says square: 5:\n%s", fixed)
	}
}

func TestACreatedTestHasTheFirstRowsOfTheSourcesAndPasses(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.csv")
	var b strings.Builder
	b.WriteString("a,b,c\n")
	for i := range 1000 {
		b.WriteString(string(rune('0'+i%5)) + ",1,Ccc\n")
	}
	if err := os.WriteFile(in, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	text := `pipeline:
  type: chain
  transforms:
    - {type: ReadFromCsv, config: {path: ` + in + `}}
    - {type: Filter, config: {keep: a > 1}}
    - {type: WriteToJson, config: {path: ` + in + `.json}}
`
	with, err := yaml.CreateTest(t.Context(), "pipeline.yaml", text, yaml.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(in); err != nil { // the test needs it no more
		t.Fatal(err)
	}
	if _, got := verdicts(t, with); got != "pass" {
		t.Errorf("%s, of\n%s", got, with)
	}
	if _, err := os.Stat(in + ".json"); err == nil {
		t.Error("the sink has written")
	}
	for _, want := range []string{"mock_outputs:", "expected_inputs:", "a: 0", "a: 4"} {
		if !strings.Contains(with, want) {
			t.Errorf("it does not say %q:\n%s", want, with)
		}
	}
}
