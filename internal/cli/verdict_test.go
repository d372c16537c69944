package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// judged is a pipeline whose rows are ROWS, of which a threshold or AssertEqual may not like some.
const judged = `pipeline:
  transforms:
    - {type: ReadFromJson, name: Read, config: {path: DIR/in.json}}
    - {type: MapToFields, name: Inverse, input: Read, config: {fields: {y: 1 / x}, error_handling: {output: errors, threshold: 0.1}}}
    - {type: LogForTesting, input: Inverse.errors}
    - {type: AssertEqual, name: Right, input: Inverse, config: {elements: [{y: WANT}]}}
`

func TestRowsThatAreWrongWeighMoreThanRowsThatAreMissing(t *testing.T) {
	for _, c := range []struct {
		what, in, want string
		code           int
		says           []string
	}{
		{"all right", "{\"x\": 1}\n", "1.0", 0, nil},
		{"malformed", "{\"x\": 1}\nbroken\n", "1.0", 3, []string{"malformed records"}},
		{"malformed and wrong", "{\"x\": 1}\nbroken\n", "2.0", 1, []string{"malformed records", "Right: the rows are not"}},
		{"above the threshold", "{\"x\": 1}\n{\"x\": 0}\n", "1.0", 3, []string{"threshold"}},
		{"above the threshold and wrong", "{\"x\": 1}\n{\"x\": 0}\n", "2.0", 1, []string{"threshold", "Right: the rows are not"}},
	} {
		code, _, err := command(t, []string{"run", "p.yaml"}, "p.yaml", strings.Replace(judged, "WANT", c.want, 1), "in.json", c.in)
		if code != c.code {
			t.Errorf("%s: code %d, want %d; it said\n%s", c.what, code, c.code, err)
		}
		for _, want := range c.says {
			if !strings.Contains(err, want) {
				t.Errorf("%s: it does not say %q, but\n%s", c.what, want, err)
			}
		}
	}
}

func TestALimitIsRefusedWhereAStepNeedsAllRows(t *testing.T) {
	for _, last := range []string{"{type: WriteToJson, config: {path: DIR/out.json}}", "{type: AssertEqual, config: {elements: [1, 2]}}"} {
		code, out, err := command(t, []string{"run", "p.yaml", "--limit", "1"}, "p.yaml", "pipeline: {type: chain, transforms: [{type: Create, config: {elements: [1, 2]}}, "+last+"]}\n")
		if code != 2 || out != "" || !strings.Contains(err, "(line 1) needs all rows") {
			t.Errorf("%s: code %d, printed %q, said\n%s", last, code, out, err)
		}
	}
}

func TestNumbersThatNoRunCanHaveAreMistakesOfUsage(t *testing.T) {
	const text = "pipeline: {type: chain, transforms: [{type: Create, config: {elements: [1]}}]}\n"
	for _, args := range [][]string{
		{"run", "p.yaml", "--workers=-1"}, {"run", "p.yaml", "--workers=1025"}, {"run", "p.yaml", "--limit=-1"},
		{"tap", "p.yaml", "Create", "--limit=-1"}, {"explain", "p.yaml", "--workers=-1"}, {"diff", "p.yaml", "p.yaml", "--limit=-1"},
		{"test", "-"}, {"test", "p.yaml", "--suite", "-"},
	} {
		name := strings.Join(args, " ")
		if code, out, err := command(t, args, "p.yaml", text); code != 2 || out != "" || !strings.Contains(err, "--help") {
			t.Errorf("%s: code %d, printed %q, said\n%s", name, code, out, err)
		}
	}
	code, _, err := command(t, []string{"run", "p.yaml"}, "p.yaml", text+"options: {workers: 1025}\n")
	if code != 1 || !strings.Contains(err, "p.yaml:2:20: workers are 1024 at most") {
		t.Errorf("code %d, said\n%s", code, err)
	}
}

func TestWhatIsTooLargeToBeAPipelineIsNotRead(t *testing.T) {
	const zero = "/dev/zero"
	if _, err := os.Stat(zero); err != nil {
		t.Skip("this system has no file without an end: ", err)
	}
	const text = "pipeline: {type: chain, transforms: [{type: Create, config: {elements: [1]}}]}\n"
	for _, args := range [][]string{{"run", zero}, {"validate", zero}, {"test", "p.yaml", "--suite", zero}} {
		code, _, err := command(t, args, "p.yaml", text)
		if code != 1 || !strings.Contains(err, zero+": no pipeline is larger than 1048576 bytes") {
			t.Errorf("%v: code %d, said\n%s", args, code, err)
		}
	}
}

func TestTapEndsWithAllThatSinksWroteToStandardOutput(t *testing.T) {
	code, out, err := command(t, []string{"tap", "p.yaml", "A"}, "p.yaml", `pipeline:
  transforms:
    - {type: Create, name: A, config: {elements: [{x: 1}, {x: 2}]}}
    - {type: WriteToJson, name: W, input: A, config: {path: "-"}}
    - {type: MapToFields, name: M, input: A, config: {fields: {y: x * 10}}}
    - {type: WriteToJson, name: W2, input: M, config: {path: "-"}}
`)
	for _, want := range []string{"- {\"x\":1}\n", "\n{\"x\":2}\n", "{\"y\":10}\n{\"y\":20}\n"} {
		if code != 0 || !strings.Contains("\n"+out, want) {
			t.Errorf("code %d, no %q in\n%s%s", code, want, out, err)
		}
	}
}

func TestTheBooksTellNoSecret(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("STRANDLINE_TEST_SHORT", dir)
	t.Setenv("STRANDLINE_TEST_LONG", dir+"/more-s3cret")
	if err := os.WriteFile(filepath.Join(dir, "more-s3cret.json"), []byte("{\"k\": 1}\nbroken\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	books := filepath.Join(dir, "books.json")
	// The shorter one is known first, and the longer one begins with it.
	const text = "pipeline: {transforms: [{type: ReadFromJson, name: R, config: {path: '${env:STRANDLINE_TEST_LONG}.json'}}, {type: WriteToJson, input: R, config: {path: '${env:STRANDLINE_TEST_SHORT}/out.json'}}]}\n"
	code, _, err := command(t, []string{"run", "p.yaml", "--ledger", books}, "p.yaml", text)
	b, readErr := os.ReadFile(books)
	if code != 3 || readErr != nil {
		t.Fatalf("code %d, %v, said\n%s", code, readErr, err)
	}
	for _, said := range []string{string(b), err} {
		if strings.Contains(said, "s3cret") || !strings.Contains(said, "${env:STRANDLINE_TEST_LONG}.json:2") {
			t.Errorf("it says\n%s", said)
		}
	}
	code, _, err = command(t, []string{"run", "p.yaml", "--ledger", dir + "/more-s3cret/none.json"}, "p.yaml", text)
	if code != 1 && code != 3 || strings.Contains(err, "s3cret") {
		t.Errorf("code %d, said\n%s", code, err)
	}
}

func TestALimitHidesNoFailure(t *testing.T) {
	code, out, err := command(t, []string{"run", "p.yaml", "--limit", "1"}, "p.yaml", `pipeline:
  transforms:
    - {type: Create, name: A, config: {elements: [{x: 1}, {x: 0}]}}
    - {type: MapToFields, name: M, input: A, config: {fields: {y: x}}}
    - {type: MapToFields, name: F, input: A, config: {fields: {z: 1 / x}}}
`)
	if code != 1 || out != "{\"step\":\"M\",\"y\":1}\n" || !strings.Contains(err, "division by zero") {
		t.Errorf("code %d, printed %q, said\n%s", code, out, err)
	}
}
