package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever a source reads, the command that is printed shows the difference again, over the records
// that were written: here two of one key, of which the one may overtake the other.
func TestTheSmallestInputOfEverySourceShowsTheDifference(t *testing.T) {
	dir := t.TempDir()
	var jsonl, csv, text, elements []string
	for i := range 20 {
		k, second := string(rune('a'+i%3)), fmt.Sprintf("2026-07-01T10:00:%02dZ", i)
		jsonl = append(jsonl, fmt.Sprintf(`{"about": {"k": "%s", "at": "%s"}, "x": %d, "more": [1, {"y": null}]}`, k, second, i*7%11))
		csv = append(csv, fmt.Sprintf("%s;%s;%d;\"a;b\"", k, second, i*7%11))
		text = append(text, fmt.Sprintf("%s %s %d", k, second, i*7%11))
		elements = append(elements, fmt.Sprintf(`{k: %s, at: "%s", x: %d, n: null}`, k, second, i*7%11))
	}
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	lines := write("in.jsonl", strings.Join(jsonl, "\n")+"\n")
	array := write("in.json", "[\n"+strings.Join(jsonl, ",\n")+"\n]\n")
	table := write("in.csv", "k;at;x;z\n"+strings.Join(csv, "\n")+"\n")
	plain := write("in.txt", strings.Join(text, "\n")+"\n")
	parquet := filepath.Join(dir, "in.parquet")
	if code, _, errs := command(t, []string{"run", "p.yaml"}, "p.yaml", `pipeline: {type: chain, transforms: [{type: ReadFromJson, config: {path: `+lines+`}},
  {type: MapToFields, config: {fields: {k: about.k, at: "parseTime(about.at, '%Y-%m-%dT%H:%M:%SZ')", x: x, f: x / 3}}}, {type: WriteToParquet, config: {path: `+parquet+`}}]}`); code != 0 {
		t.Fatal(errs)
	}
	flat := "{type: MapToFields, config: {fields: {k: about.k, x: x}}}"
	for name, c := range map[string][2]string{
		"json":    {"{type: ReadFromJson, name: In, config: {path: " + lines + "}, watermark: {timestamp: about.at, bound: 10s}}", flat},
		"array":   {"{type: ReadFromJson, name: In, config: {path: " + array + ", lines: false}, watermark: {timestamp: about.at, bound: 10s}}", flat},
		"csv":     {"{type: ReadFromCsv, name: In, config: {path: " + table + ", delimiter: ';'}, watermark: {timestamp: at, bound: 10s}}", "{type: Filter, config: {keep: x >= 0}}"},
		"parquet": {"{type: ReadFromParquet, name: In, config: {path: " + parquet + "}, watermark: {timestamp: at, bound: 10s}}", "{type: Filter, config: {keep: f >= 0}}"},
		"create":  {"{type: Create, name: In, config: {elements: [" + strings.Join(elements, ", ") + "]}, watermark: {timestamp: at, bound: 10s}}", "{type: Filter, config: {keep: x >= 0}}"},
		"text":    {"{type: ReadFromText, name: In, config: {path: " + plain + "}}", "{type: MapToFields, config: {fields: {k: 'line[0]', x: 'line[23]'}}}"},
		"made up": {"{type: Generate, name: In, config: {rows: 60, disorder: 5s, keys: 3}}", "{type: MapToFields, config: {fields: {k: key, x: value}}}"},
	} {
		file := write("pipeline of "+name+".yaml", "pipeline:\n  type: chain\n  transforms:\n    - "+c[0]+"\n    - "+c[1]+"\n    - {type: Previous, name: Before, config: {key: k, fields: {before: x}}}\n")
		code, out, errs := command(t, []string{"verify", file})
		_, again, there := strings.Cut(out, "\n  strandline ")
		if code != 1 || !there || !strings.Contains(out, "first in the step Before (line 6)") || !strings.Contains(out, "In: 2 of ") {
			t.Errorf("%s: code %d, printed\n%s%s", name, code, out, errs)
			continue
		}
		again = strings.TrimSpace(again)
		var args []string // in single quotes where there are spaces
		for i, part := range strings.Split(again, "'") {
			if i%2 == 1 {
				args = append(args, part)
			} else {
				args = append(args, strings.Fields(part)...)
			}
		}
		code, out, errs = command(t, args)
		if code != 1 || !strings.Contains(out, "over 2 records") || !strings.Contains(out, "first in the step Before (line 6)") || !strings.Contains(out, "no record can be left out") {
			t.Errorf("%s: %v: code %d, printed\n%s%s", name, args, code, out, errs)
		}
	}
}

// Secrets of paths are shown neither in positions nor in messages.
func TestVerifyTellsNoSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s3cret-token")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "in.jsonl"), []byte("{\"t\": 1, \"x\": 1}\n{\"t\": 2, \"x\": 2}\n{\"t\": 3, \"x\": 3}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("STRANDLINE_TEST_DIR", dir)
	file := filepath.Join(t.TempDir(), "p.yaml")
	if err := os.WriteFile(file, []byte("pipeline: {type: chain, transforms: [{type: ReadFromJson, name: In, config: {path: '${env:STRANDLINE_TEST_DIR}/in.jsonl'}, watermark: {timestamp: t, unit: s, bound: 9s}}, {type: Previous, config: {key: t, fields: {before: x}}}, {type: Previous, name: Last, config: {key: before, fields: {was: x}}}]}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{nil, {"--json"}} {
		code, out, errs := command(t, append([]string{"verify", file}, flags...))
		if code != 1 || strings.Contains(out+errs, "s3cret") || !strings.Contains(out, "${env:STRANDLINE_TEST_DIR}/in.jsonl:") {
			t.Errorf("code %d, printed\n%s%s", code, out, errs)
		}
	}
}
