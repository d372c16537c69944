package yaml_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/strandline-stream/strandline/yaml"
)

// checked gives what the check of a pipeline finds wrong; "" if nothing is.
func checked(t *testing.T, text string, o yaml.Options) (*yaml.Pipeline, string) {
	t.Helper()
	p, err := yaml.Parse("pipeline.yaml", text, o)
	if err == nil {
		err = p.Check(t.Context())
	}
	if err != nil {
		return p, err.Error()
	}
	return p, ""
}

func TestRetractionsAreNotTakenForResults(t *testing.T) {
	const text = `pipeline:
  type: chain
  transforms:
    - {type: Create, config: {elements: [{t: 1, x: 1}, {t: 2, x: 2}]}, watermark: {timestamp: t, unit: s}}
    - {type: Combine, name: C, windowing: {type: fixed, size: 10s, trigger: {repeat: {after_count: 1}}, accumulation: HOW}, config: {combine: {n: {value: x, fn: sum}}}}
    - BETWEEN
    - LAST
`
	const hand = "{type: MapToFields, name: M, config: {fields: {n: n}}}"
	for _, last := range []string{"{type: WriteToJson, config: {path: none.json}}", "{type: WriteToCsv, config: {path: '-'}}", "{type: AssertEqual, config: {elements: []}}"} {
		for _, c := range []struct {
			how, between string
			refused      bool
		}{{"retracting", hand, true}, {"accumulating", hand, false}, {"discarding", hand, false}, {"retracting, final_only: true", hand, false}} {
			_, got := checked(t, strings.NewReplacer("HOW", c.how, "BETWEEN", c.between, "LAST", last).Replace(text), yaml.Options{})
			if c.refused != strings.Contains(got, "pipeline.yaml:7:14: ") || c.refused != strings.Contains(got, "retractions") || !c.refused && got != "" {
				t.Errorf("%s, %s, %s: %q", c.how, c.between, last, got)
			}
		}
	}
}

func TestAFileIsWrittenByOneStepAndNotReadByAny(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.json")
	if err := os.WriteFile(in, []byte("{\"x\": 1}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"link.json", "out-link.json"} {
		if err := os.Symlink(in, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(in, filepath.Join(dir, "hard.data")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "again")); err != nil {
		t.Fatal(err)
	}
	const text = `pipeline:
  transforms:
    - {type: ReadFromJson, name: R, config: {path: {{read}}, follow: {{follow}}}}
    - {type: WriteToJson, name: A, input: R, config: {path: {{dir}}/{{a}}}}
    - {type: WriteToJson, name: B, input: R, config: {path: {{dir}}/{{b}}}}
`
	for _, c := range []struct{ read, a, b, want string }{
		{"in.json", "a.json", "b.json", ""},
		{"in.json", "a.json", "a.json", "5:61: {{b}} is written by two steps: A in line 4"},
		{"in.json", "a.json", "./a.json", "is written by two steps: A in line 4"},
		{"in.json", "a.json", "again/a.json", "is written by two steps: A in line 4"},
		{"in.json", "in.json", "b.json", "is read by the pipeline itself: by R in line 3"},
		{"in.json", "a.json", "./in.json", "is read by the pipeline itself"},
		{"in.json", "a.json", "link.json", "is read by the pipeline itself"},
		{"in.json", "a.json", "hard.data", "is read by the pipeline itself"},
		{"again/in.json", "a.json", "out-link.json", "is read by the pipeline itself"},
		{"i*.json", "a.json", "b.json", ""},
		{"i*.json", "a.json", "in-new.json", "is read by the pipeline itself"},
		{"again/i*.json", "a.json", "in-new.json", "is read by the pipeline itself"},
	} {
		for _, follow := range []string{"false", "true"} {
			if follow == "true" && strings.Contains(c.read, "*") {
				continue // patterns are not followed
			}
			set := map[string]string{"dir": dir, "read": filepath.Join(dir, c.read), "follow": follow, "a": c.a, "b": c.b}
			_, got := checked(t, text, yaml.Options{Set: set})
			want := strings.ReplaceAll(c.want, "{{b}}", filepath.Join(dir, c.b))
			if c.want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%+v, follow %s: %q", c, follow, got)
			}
		}
	}
	if _, got := checked(t, text, yaml.Options{Set: map[string]string{"dir": "/dev", "read": in, "follow": "false", "a": "null", "b": "null"}}); got != "" {
		t.Errorf("a device: %s", got)
	}
}

const parted = `pipeline:
  transforms:
    - {type: Create, name: A, config: {elements: [{k: a, x: 1}, {k: b, x: 2}, {k: z, x: 3}]}}
    - {type: Partition, name: P, input: A, config: {by: k, outputs: [a, b], unknown_output: rest}}
    - {type: MapToFields, name: M, input: P.a, config: {fields: {y: x}}}
`

func TestWhatNoStepTakesFromAPartitionIsPrinted(t *testing.T) {
	var out bytes.Buffer
	p, wrong := checked(t, parted, yaml.Options{Stdout: &out, Stderr: &out})
	if wrong != "" {
		t.Fatal(wrong)
	}
	plan := p.Explain()
	built, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := built.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := built.Flush(); err != nil {
		t.Fatal(err)
	}
	const want = `{"step":"P.b","k":"b","x":2}` + "\n" + `{"step":"P.rest","k":"z","x":3}` + "\n" + `{"step":"M","y":1}` + "\n"
	if out.String() != want {
		t.Errorf("printed\n%s", out.String())
	}
	text := plan.String()
	if !strings.Contains(text, "printed, since no step consumes .b and .rest\n") || !plan.Steps[1].Printed {
		t.Errorf("the plan says\n%s", text)
	}
}

func TestAStepWithoutAMainOutputIsNotSaidToBePrinted(t *testing.T) {
	p, wrong := checked(t, parted+`    - {type: WriteToJson, name: W, input: [P.b, P.rest], config: {path: none.json}}
`, yaml.Options{})
	if wrong != "" {
		t.Fatal(wrong)
	}
	plan := p.Explain()
	for _, s := range plan.Steps {
		if s.Printed != (s.Name == "M") {
			t.Errorf("%s: printed %v, in\n%s", s.Name, s.Printed, plan)
		}
	}
	// Where a sink has the standard output to itself nothing else is printed.
	p, wrong = checked(t, parted+`    - {type: WriteToJson, name: W, input: M, config: {path: "-"}}
`, yaml.Options{})
	if plan := p.Explain().String(); wrong != "" || strings.Contains(plan, "printed") || strings.Count(plan, "(not used)") != 2 {
		t.Errorf("%s\n%s", wrong, plan)
	}
}

// alone notes whether it is written by two goroutines at once.
type alone struct{ writers, clashes atomic.Int32 }

func (a *alone) Write(b []byte) (int, error) {
	if a.writers.Add(1) > 1 {
		a.clashes.Add(1)
	}
	for range 100 {
		_ = bytes.Count(b, []byte("x"))
	}
	a.writers.Add(-1)
	return len(b), nil
}

type refusing struct{}

var errFull = errors.New("no space left")

func (refusing) Write([]byte) (int, error) { return 0, errFull }

func TestStandardErrorIsWrittenByOneStepAtATimeAndItsFailureEndsTheRun(t *testing.T) {
	const text = `pipeline:
  transforms:
    - {type: Generate, name: A, config: {rows: 20000}}
    - {type: Generate, name: B, config: {rows: 20000, seed: 7}}
    - {type: LogForTesting, name: L, input: A}
    - {type: LogForTesting, name: K, input: B}
`
	log := &alone{}
	p, wrong := checked(t, text, yaml.Options{Stderr: log})
	if wrong != "" {
		t.Fatal(wrong)
	}
	built, err := p.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := built.Run(t.Context()); err != nil || log.clashes.Load() > 0 {
		t.Errorf("%v, %d clashes", err, log.clashes.Load())
	}
	if p, wrong = checked(t, text, yaml.Options{Stderr: refusing{}}); wrong != "" {
		t.Fatal(wrong)
	}
	if built, err = p.Build(); err != nil {
		t.Fatal(err)
	}
	if _, err := built.Run(t.Context()); !errors.Is(err, errFull) {
		t.Errorf("the run ended with %v", err)
	}
}
