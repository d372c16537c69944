package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/cli"
)

// command runs a command with files in a directory of its own: NAME, CONTENT, ... Arguments that
// are names of files become their paths.
func command(t *testing.T, args []string, files ...string) (code int, out, err string) {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(files[i+1], "DIR", dir)), 0o644); err != nil {
			t.Fatal(err)
		}
		for j := range args {
			if args[j] == files[i] {
				args[j] = path
			}
		}
	}
	var stdout, stderr bytes.Buffer
	code = cli.Main(args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), strings.ReplaceAll(stderr.String(), dir, "DIR")
}

const counting = "pipeline: {type: chain, transforms: [{type: ReadFromJson, name: Read, config: {path: DIR/in.json}}, {type: Combine, config: {group_by: k, combine: {n: count}}}]}\n"

func TestMalformedRecordsThatReachNoOutputEndWithCode3(t *testing.T) {
	code, out, err := command(t, []string{"run", "p.yaml"}, "p.yaml", counting, "in.json", "{\"k\": \"a\"}\nbroken\n{\"k\": \"a\"}\n")
	if code != 3 || out != "{\"k\":\"a\",\"n\":2}\n" { // and the results are complete
		t.Errorf("code %d, printed %q", code, out)
	}
	for _, want := range []string{"malformed records reached no output: 1 of 3, the first: DIR/in.json:2:", "ledger: 3 read = 2 kept + 1 malformed;"} {
		if !strings.Contains(err, want) {
			t.Errorf("it does not say %q, but\n%s", want, err)
		}
	}
}

func TestMalformedRecordsThatAStepConsumesAreNoFailure(t *testing.T) {
	code, out, err := command(t, []string{"run", "p.yaml"}, "p.yaml", `pipeline:
  transforms:
    - {type: ReadFromJson, name: Read, config: {path: DIR/in.json}}
    - {type: WriteToJson, input: Read, config: {path: DIR/good.json}}
    - {type: MapToFields, input: Read.errors, config: {fields: {element: element}}}
`, "in.json", "{\"k\": \"a\"}\nbroken\n")
	if code != 0 || out != "{\"element\":\"broken\"}\n" {
		t.Errorf("code %d, printed %q, said\n%s", code, out, err)
	}
}

func TestMoreErrorsThanTheThresholdAllowsEndWithCode3(t *testing.T) {
	const text = `pipeline:
  transforms:
    - {type: Create, config: {elements: [0, 1, 2, 4]}}
    - {type: MapToFields, name: Inverse, input: Create, config: {fields: {y: 1 / element}, error_handling: {output: errors, threshold: LIMIT}}}
    - {type: LogForTesting, input: Inverse.errors}
`
	for limit, want := range map[string]int{"0.25": 0, "0.24": 3} {
		if code, _, err := command(t, []string{"run", "p.yaml"}, "p.yaml", strings.Replace(text, "LIMIT", limit, 1)); code != want {
			t.Errorf("threshold %s: code %d, want %d; it said\n%s", limit, code, want, err)
		}
	}
}

func TestAMistakeInThePipelineEndsWithCode1AndItsPlace(t *testing.T) {
	code, out, err := command(t, []string{"run", "p.yaml"}, "p.yaml", strings.Replace(counting, "count}", "cuont}", 1), "in.json", "{\"k\": \"a\"}\n")
	if code != 1 || out != "" || !strings.Contains(err, "p.yaml:1:") || !strings.Contains(err, "did you mean count?") {
		t.Errorf("code %d, printed %q, said\n%s", code, out, err)
	}
}

func TestACommandLineThatIsNotUnderstoodEndsWithCode2(t *testing.T) {
	for _, args := range [][]string{{"rnu", "p.yaml"}, {"run"}, {"run", "--nothing", "p.yaml"}} {
		if code, _, err := command(t, args); code != 2 || !strings.Contains(err, "--help") {
			t.Errorf("%v: code %d, said\n%s", args, code, err)
		}
	}
}

func TestSecretsAreShownNeitherByExplainNorByFailures(t *testing.T) {
	t.Setenv("STRANDLINE_TEST_TOKEN", "s3cret-token")
	const text = "pipeline: {type: chain, transforms: [{type: ReadFromJson, config: {path: DIR/in.json}}, {type: WriteToCsv, config: {path: 'DIR/${env:STRANDLINE_TEST_TOKEN}/out.csv'}}]}\n"
	for _, args := range [][]string{{"explain", "p.yaml"}, {"explain", "p.yaml", "--json"}, {"run", "p.yaml"}} {
		code, out, err := command(t, args, "p.yaml", text, "in.json", "{\"k\": \"a\"}\n")
		if strings.Contains(out+err, "s3cret-token") {
			t.Errorf("%v shows it:\n%s%s", args, out, err)
		}
		if args[0] == "run" && (code != 1 || !strings.Contains(err, "${env:STRANDLINE_TEST_TOKEN}")) {
			t.Errorf("code %d, said\n%s", code, err)
		}
	}
}
