package yaml_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/strandline-stream/strandline/yaml"
	goyaml "go.yaml.in/yaml/v4"
)

// Whatever is a pipeline must not be underlined in an editor: those of the documentation and the
// examples fit the schema, as a validator that is not ours reads it.
func TestPipelinesFitTheSchema(t *testing.T) {
	schema := compiled(t)
	n := 0
	for name, text := range written(t) {
		if _, err := yaml.Parse(name, text, yaml.Options{}); err != nil {
			continue // it shows a mistake, or needs a parameter
		}
		n++
		if err := fits(t, schema, text); err != nil {
			t.Errorf("%s:\n%s\n%v", name, text, err)
		}
	}
	if n < 20 {
		t.Errorf("only %d pipelines were found", n)
	}
}

// An editor shows the mistakes of form.
func TestTheSchemaRefusesWhatIsNoPipeline(t *testing.T) {
	schema := compiled(t)
	for trigger, good := range map[string]bool{
		"always":                                     true,
		"after_watermark":                            true,
		"{after_count: 3}":                           true,
		"{after_processing_time: 1m}":                true,
		"{repeat: {after_count: 3}}":                 true,
		"{any: [{after_count: 3}, always]}":          true,
		"{in_order: [never, {all: [default]}]}":      true,
		"{or_finally: {main: always, until: never}}": true,
		"{after_watermark: {early: {after_count: 2}, late: {after_count: 1}}}": true,

		"sometimes":                                 false,
		"after_count":                               false,
		"{after_count: many}":                       false,
		"{after_count: 0}":                          false,
		"{repeat: sometimes}":                       false,
		"{any: always}":                             false,
		"{any: []}":                                 false,
		"{after_count: 3, always: null}":            false,
		"{after_watermark: {soon: always}}":         false,
		"{after_watermark: {early: {count: 2}}}":    false,
		"{or_finally: {main: always, untl: never}}": false,
	} {
		text := "pipeline:\n  type: chain\n  transforms:\n    - type: Combine\n      windowing: {type: fixed, size: 1m, trigger: " + trigger + "}\n      config: {group_by: k, combine: {n: count}}\n"
		if err := fits(t, schema, text); (err == nil) != good {
			t.Errorf("trigger: %s: %v", trigger, err)
		}
	}
	for _, text := range []string{
		"pipelin: {}\n",
		"pipeline:\n  transforms:\n    - {type: Filter, config: {kep: n > 1}}\n",
		"pipeline:\n  transforms:\n    - {name: Nameless}\n",
		"pipeline:\n  transforms:\n    - {type: Combine, windowing: {type: fixd, size: 1m}, config: {combine: {n: count}}}\n",
		"pipeline:\n  transforms:\n    - {type: ReadFromCsv, watermark: {timestmp: at}, config: {path: a.csv}}\n",
	} {
		if fits(t, schema, text) == nil {
			t.Errorf("the schema has nothing against\n%s", text)
		}
	}
}

// compiled gives the schema as an editor loads it.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(yaml.JSONSchema())
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("pipeline.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("pipeline.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func fits(t *testing.T, schema *jsonschema.Schema, text string) error {
	t.Helper()
	var v any
	if err := goyaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	as, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(as)))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(document)
}

// written gives the pipelines of the documentation and the examples.
func written(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	block := regexp.MustCompile("(?s)```yaml[^\n]*\n(pipeline:.*?)```")
	for _, pattern := range []string{"../README.md", "../docs/*.md", "../docs/yaml/*.md", "../examples/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Ext(f) == ".yaml" {
				all[f] = string(text)
				continue
			}
			for _, m := range block.FindAllStringSubmatchIndex(string(text), -1) {
				line := 1 + strings.Count(string(text[:m[2]]), "\n")
				all[fmt.Sprintf("%s:%d", f, line)] = string(text[m[2]:m[3]])
			}
		}
	}
	return all
}
