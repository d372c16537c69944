package yaml_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/yaml"
)

// played is what came of a pipeline.
type played struct {
	rows   []string // printed, in whatever order
	report *strandline.Report
	dir    string // where its files were
}

// file is what a pipeline wrote to a file.
func (p played) file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// play runs a pipeline with files: NAME, CONTENT, NAME, CONTENT, ... The text says {{dir}} for
// their directory.
func play(t *testing.T, text string, files ...string) (played, error) {
	t.Helper()
	return playWith(t, text, 1, files...)
}

func playWith(t *testing.T, text string, parallel int, files ...string) (p played, err error) {
	t.Helper()
	p.dir = t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(p.dir, files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	pipeline, err := yaml.Parse("pipeline.yaml", text, yaml.Options{Set: map[string]string{"dir": p.dir}, Stdout: &out, Stderr: &out, Parallel: parallel})
	if err != nil {
		t.Fatal(err)
	}
	if err := pipeline.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	built, err := pipeline.Build()
	if err != nil {
		t.Fatal(err)
	}
	opts := []strandline.Option{strandline.Workers(pipeline.Workers())}
	if !pipeline.Streaming() {
		opts = append(opts, strandline.Batch())
	}
	p.report, err = built.Run(t.Context(), opts...)
	if ferr := built.Flush(); ferr != nil {
		t.Fatal(ferr)
	}
	if err == nil {
		if errs := built.Verdict(); len(errs) > 0 {
			err = errs[0]
		}
	}
	p.rows = lines(out.String())
	return p, err
}

// gives plays a pipeline that must be complete, and compares what it prints.
func gives(t *testing.T, text string, files []string, want ...string) played {
	t.Helper()
	p, err := play(t, text, files...)
	if err != nil {
		t.Fatal(err)
	}
	same(t, p.rows, want)
	return p
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	want = slices.Clone(want)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestOneBrokenLineOfManyIsSetAsideWithItsPlaceAndTheRestIsCounted(t *testing.T) {
	var b strings.Builder
	const n, broken = 30_000, 17_431
	for i := 1; i <= n; i++ {
		if i == broken {
			b.WriteString("{\"k\": \"a\", \"n\": 1\n") // its brace is not closed
		} else {
			b.WriteString("{\"k\": \"a\", \"n\": 1}\n")
		}
	}
	const text = `pipeline:
  transforms:
    - {type: ReadFromJson, name: Read, config: {path: '{{dir}}/in.json'}}
    - {type: Combine, name: Counts, input: Read, config: {group_by: k, combine: {n: sum}}}
    - {type: MapToFields, name: Errors, input: Read.errors, config: {fields: {element: element, position: position}}}
`
	for _, parallel := range []int{1, 4} {
		p, err := playWith(t, text, parallel, "in.json", b.String())
		if err != nil {
			t.Fatal(err)
		}
		same(t, p.rows, []string{
			fmt.Sprintf(`{"step":"Counts","k":"a","n":%d}`, n-1),
			fmt.Sprintf(`{"step":"Errors","element":"{\"k\": \"a\", \"n\": 1","position":"%s/in.json:%d"}`, p.dir, broken),
		})
		if c := p.report.Steps[0].Counts; c.In != n || c.Malformed != 1 {
			t.Errorf("parallel %d: %d read, %d malformed", parallel, c.In, c.Malformed)
		}
	}
}

func TestAnUnbalancedQuoteInALargeCSVCostsOneRecord(t *testing.T) {
	var b strings.Builder
	b.WriteString("k,n\n")
	for i := range 20_000 {
		if i == 9_999 {
			b.WriteString("\"a,1\n")
		}
		fmt.Fprintf(&b, "a,1\n")
	}
	gives(t, `pipeline:
  transforms:
    - {type: ReadFromCsv, name: Read, config: {path: '{{dir}}/in.csv'}}
    - {type: Combine, name: Counts, input: Read, config: {group_by: k, combine: {n: sum}}}
    - {type: MapToFields, name: Errors, input: Read.errors, config: {fields: {element: element}}}
`, []string{"in.csv", b.String()}, `{"step":"Counts","k":"a","n":20000}`, `{"step":"Errors","element":"\"a,1"}`)
}

func TestAQuotedFieldOfCSVMayHoldLinesDelimitersAndQuotes(t *testing.T) { // RFC 4180
	gives(t, "pipeline: {type: chain, transforms: [{type: ReadFromCsv, config: {path: '{{dir}}/in.csv'}}]}",
		[]string{"in.csv", "a,b\r\n\"x,\"\"y\"\"\r\nz\",1\r\n"}, `{"a":"x,\"y\"\r\nz","b":1}`)
}

func TestAColumnOfMixedTypesKeepsEachValueAsItIs(t *testing.T) {
	p := gives(t, "pipeline: {type: chain, transforms: [{type: ReadFromJson, config: {path: '{{dir}}/in.json'}}]}",
		[]string{"in.json", `{"v": 1}
{"v": "one"}
{"v": [1, "x"]}
{"v": null}
{"v": {"a": true}}
{"w": 2}
`}, `{"v":1,"w":null}`, `{"v":"one","w":null}`, `{"v":[1,"x"],"w":null}`, `{"v":null,"w":null}`, `{"v":{"a":true},"w":null}`, `{"v":null,"w":2}`)
	if p.report.Steps[0].Counts.Malformed != 0 {
		t.Error("a record is malformed")
	}
}

func TestARecordWithAKeyTwiceIsMalformed(t *testing.T) { // RFC 8259 calls what becomes of it unpredictable
	gives(t, `pipeline:
  transforms:
    - {type: ReadFromJson, name: Read, config: {path: '{{dir}}/in.json'}}
    - {type: MapToFields, name: Good, input: Read, config: {fields: {n: n}}}
    - {type: MapToFields, name: Bad, input: Read.errors, config: {fields: {msg: msg}}}
`, []string{"in.json", "{\"n\": 1}\n{\"n\": 2, \"n\": 3}\n"}, `{"step":"Good","n":1}`, `{"step":"Bad","msg":"key \"n\" is given twice"}`)
}

func TestNumbersBeyondTwoToThe53AreExactThroughReadSumAndWrite(t *testing.T) {
	const big = 1<<53 + 1 // the first whole number that no float64 is
	p := gives(t, `pipeline:
  type: chain
  transforms:
    - {type: ReadFromJson, config: {path: '{{dir}}/in.json'}}
    - {type: Combine, config: {combine: {sum: {value: n, fn: sum}, max: {value: n, fn: max}, top: {value: n, fn: {type: top, config: {n: 1}}}, distinct: {value: n, fn: distinct}}}}
    - {type: WriteToCsv, config: {path: '{{dir}}/out.csv'}}
`, []string{"in.json", fmt.Sprintf("{\"n\": %d}\n{\"n\": %d}\n{\"n\": %d}\n", big, big+1, int64(-1))})
	if got, want := p.file(t, "out.csv"), "sum,max,top,distinct\n18014398509481986,9007199254740994,[9007199254740994],3\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestASumThatNoIntegerHoldsFails(t *testing.T) {
	_, err := play(t, "pipeline: {type: chain, transforms: [{type: Create, config: {elements: [9223372036854775807, 1]}}, {type: Combine, config: {combine: {element: sum}}}]}")
	if err == nil || !strings.Contains(err.Error(), "integer") && !strings.Contains(err.Error(), "overflow") {
		t.Errorf("the error is %v", err)
	}
}

func TestNullIsAGroupOfItsOwn(t *testing.T) {
	const files = "{\"k\": null, \"n\": 1}\n{\"k\": \"\", \"n\": 2}\n{\"k\": \"null\", \"n\": 4}\n{\"n\": 8}\n"
	gives(t, "pipeline: {type: chain, transforms: [{type: ReadFromJson, config: {path: '{{dir}}/in.json'}}, {type: Combine, config: {group_by: k, combine: {n: sum}}}]}",
		[]string{"in.json", files}, `{"k":null,"n":9}`, `{"k":"","n":2}`, `{"k":"null","n":4}`)
	gives(t, "pipeline: {type: chain, transforms: [{type: Create, config: {elements: [{k: 0, n: 1}, {k: null, n: 2}, {k: 0, n: 4}]}}, {type: Combine, config: {group_by: k, combine: {n: sum}}}]}",
		nil, `{"k":0,"n":5}`, `{"k":null,"n":2}`)
	gives(t, "pipeline: {type: chain, transforms: [{type: Create, config: {elements: [{k: a, g: 0, n: 1}, {k: null, g: 0, n: 2}, {k: null, g: null, n: 4}, {k: null, g: 0, n: 8}]}}, {type: Combine, config: {group_by: [k, g], combine: {n: sum}}}]}",
		nil, `{"k":"a","g":0,"n":1}`, `{"k":null,"g":0,"n":10}`, `{"k":null,"g":null,"n":4}`)
}

func TestNullFindsNoPartnerInAJoin(t *testing.T) { // as in SQL
	gives(t, `pipeline:
  transforms:
    - {type: Create, name: A, config: {elements: [{k: x, a: 1}, {k: null, a: 2}]}}
    - {type: Create, name: B, config: {elements: [{k: x, b: 3}, {k: null, b: 4}]}}
    - {type: Join, input: {a: A, b: B}, config: {type: outer, equalities: k, fields: {a: [a], b: [b]}}}
`, nil, `{"a":1,"b":3}`, `{"a":2,"b":null}`, `{"a":null,"b":4}`)
}

func TestNaNAndNegativeZeroAreOneGroupEach(t *testing.T) {
	gives(t, "pipeline: {type: chain, transforms: [{type: Create, config: {elements: [{x: .nan}, {x: .nan}, {x: 0.0}, {x: -0.0}, {x: 1.5}]}}, {type: Combine, config: {group_by: x, combine: {n: count}}}, {type: MapToFields, config: {fields: {n: n}}}]}",
		nil, `{"n":2}`, `{"n":2}`, `{"n":1}`)
}

func TestTheThresholdOfErrorHandlingIsAShareOfAllRows(t *testing.T) {
	const text = `pipeline:
  transforms:
    - {type: ReadFromCsv, name: Read, config: {path: '{{dir}}/in.csv'}}
    - {type: MapToFields, name: Inverse, input: Read, config: {fields: {y: 1 / x}, error_handling: {output: errors, threshold: %s}}}
    - {type: WriteToJson, name: Good, input: Inverse, config: {path: '{{dir}}/good.json'}}
    - {type: WriteToJson, name: Bad, input: Inverse.errors, config: {path: '{{dir}}/bad.json'}}
`
	in := "x\n" + strings.Repeat("1\n", 9) + "0\n"
	if _, err := play(t, fmt.Sprintf(text, "0.1"), "in.csv", in); err != nil {
		t.Errorf("a tenth of the rows may fail, and does: %v", err)
	}
	_, err := play(t, fmt.Sprintf(text, "0.09"), "in.csv", in)
	if want := "Inverse: 1 of 10 rows failed, more than the threshold of 0.09 allows"; err == nil || err.Error() != want {
		t.Errorf("the error is %v", err)
	}
}

func TestSecretsAreInNoErrorNoPlanAndNoRow(t *testing.T) {
	const secret = "s3cret-token"
	env := func(name string) (string, bool) { return "/nowhere/" + secret + "/in.json", name == "TOKEN" }
	p, err := yaml.Parse("pipeline.yaml", "pipeline: {type: chain, transforms: [{type: ReadFromJson, config: {path: '${env:TOKEN}'}}]}", yaml.Options{Getenv: env})
	if err != nil {
		t.Fatal(err)
	}
	err = p.Check(t.Context())
	if err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("the error is %v", err)
	}
	dir := t.TempDir()
	in := filepath.Join(dir, secret+".json")
	if err := os.WriteFile(in, []byte("{\"a\": 1}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env = func(name string) (string, bool) { return in, name == "TOKEN" }
	p, err = yaml.Parse("pipeline.yaml", "pipeline: {type: chain, transforms: [{type: ReadFromJson, config: {path: '${env:TOKEN}'}}, {type: WriteToCsv, config: {path: '${env:TOKEN}.out'}}]}", yaml.Options{Getenv: env})
	if err == nil {
		err = p.Check(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if plan := p.Explain().String(); strings.Contains(plan, secret) {
		t.Errorf("the plan has it:\n%s", plan)
	}
	// and not of a run: the file has gone before it begins
	built, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(in); err != nil {
		t.Fatal(err)
	}
	_, err = built.Run(t.Context())
	if err = built.Hide(err); err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "${env:TOKEN}") {
		t.Errorf("the error is %v", err)
	}
}

func TestASecretOfAFileIsItsTextWithoutTheEndOfTheLine(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"secret": dir + "/in.json\r\n", "in.json": "{\"a\": 1}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gives(t, "pipeline: {type: chain, transforms: [{type: ReadFromJson, config: {path: '${file:"+dir+"/secret}'}}]}", nil, `{"a":1}`)
	p, err := yaml.Parse("pipeline.yaml", "pipeline: {type: chain, transforms: [{type: ReadFromJson, config: {path: '${file:/dev/zero}'}}]}", yaml.Options{})
	if err == nil {
		err = p.Check(t.Context())
	}
	if err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("the error is %v", err)
	}
}
