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

func TestNothingButExpectationsChangesWhenTestsAreFixed(t *testing.T) {
	const before = `# a comment
pipeline:
  type: chain
  transforms:
    - {type: Create, config: {elements: [{x: 1}, {x: 2}]}}   # as  it   stands
    - type: Filter
      config: {keep: x >= {{least}}}
    - {type: MapToFields, name: M, config: {fields: {y: {{what}}, 's': "'n #1 {{what}}'"}}}

tests:
  - name: lines   # another comment
    expected_outputs:
      - name: M
        elements:
EXPECTED1
    allowed_sources: []

  # about the next
  - {name: braces, expected_outputs: [{name: M, elements: EXPECTED2}]}   # the end
options: {streaming: false}
`
	text := strings.NewReplacer("EXPECTED1", "        - {y: 5}   # gone\n        - y: 6\n          s: |\n            abc\n", "EXPECTED2", `[{y: "]"}, {s: 'it''s ]'}]`).Replace(before)
	want := strings.NewReplacer("EXPECTED1", "        - {y: 1, s: \"n #1 x\"}\n        - {y: 2, s: \"n #1 x\"}\n", "EXPECTED2", `[{y: 1, s: "n #1 x"}, {y: 2, s: "n #1 x"}]`).Replace(before)
	o := yaml.Options{Set: map[string]string{"least": "1", "what": "x"}}
	results, err := yaml.Test(t.Context(), "pipeline.yaml", text, "", o)
	if err != nil {
		t.Fatal(err)
	}
	fixed, err := yaml.FixTests(text, results)
	if err != nil {
		t.Fatal(err)
	}
	if fixed != want {
		t.Errorf("it is\n%s\nwant\n%s", fixed, want)
	}
	o.Set["least"] = "2"
	if results, err = yaml.Test(t.Context(), "pipeline.yaml", fixed, "", o); err != nil || results[0].Err == nil {
		t.Fatalf("the parameter has no effect any more: %v", err)
	}
	o.Set["least"] = "3" // no rows
	for range 2 {
		if results, err = yaml.Test(t.Context(), "pipeline.yaml", fixed, "", o); err != nil {
			t.Fatal(err)
		}
		if fixed, err = yaml.FixTests(fixed, results); err != nil {
			t.Fatal(err)
		}
	}
	if results, err = yaml.Test(t.Context(), "pipeline.yaml", fixed, "", o); err != nil || results[0].Err != nil || results[1].Err != nil {
		t.Errorf("%v, %v, of\n%s", err, results, fixed)
	}
}

func TestAnExpectationThatAParameterMakesIsNotRewritten(t *testing.T) {
	const text = "pipeline: {type: chain, transforms: [{type: Create, name: C, config: {elements: [1]}}]}\ntests:\n  - {name: t, expected_outputs: [{name: C, elements: {{rows}}}]}\n"
	results, err := yaml.Test(t.Context(), "pipeline.yaml", text, "", yaml.Options{Set: map[string]string{"rows": "[2]"}})
	if err != nil {
		t.Fatal(err)
	}
	if fixed, err := yaml.FixTests(text, results); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("%v, and\n%s", err, fixed)
	}
}

func TestAnAddedTestLeavesTheTextAsItIs(t *testing.T) {
	const text = `pipeline:
  type: chain
  transforms:
    - {type: Create, config: {elements: [1, {{two}}]}}   # as  it   stands
    - {type: Filter, name: F, config: {keep: element > 1}}
TESTSoptions: {streaming: false} # the end
`
	o := yaml.Options{Set: map[string]string{"two": "2"}}
	for _, tests := range []string{"", "tests:\n", "tests: []\n", "tests:\n- name: a\n  expected_outputs:\n  - {name: F, elements: [2]}\n# about options\n"} {
		before := strings.Replace(text, "TESTS", tests, 1)
		with, err := yaml.CreateTest(t.Context(), "pipeline.yaml", before, o)
		if err != nil {
			t.Errorf("with %q: %v", tests, err)
			continue
		}
		for line := range strings.Lines(before) {
			if !strings.Contains(with, line) && line != "tests: []\n" {
				t.Errorf("with %q: %q is lost in\n%s", tests, line, with)
			}
		}
		results, err := yaml.Test(t.Context(), "pipeline.yaml", with, "", o)
		if err != nil || len(results) != 1+strings.Count(tests, "name: a") {
			t.Errorf("with %q: %v, %d results of\n%s", tests, err, len(results), with)
		}
		for _, r := range results {
			if r.Err != nil {
				t.Errorf("with %q: %v", tests, r.Err)
			}
		}
	}
	if _, err := yaml.CreateTest(t.Context(), "pipeline.yaml", strings.Replace(text, "TESTS", "tests: [{name: a, expected_outputs: [{name: F, elements: [2]}]}]\n", 1), o); err == nil {
		t.Error("a test was added to a list in brackets")
	}
}
