package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Results of one system and the baseline of another, as they may come. The counts are by hand:
// equal, changed, only in the first, only in the second.
func TestDiffOnTwentyPairs(t *testing.T) {
	const (
		three = `{"w":"2026-07-01T10:00:00Z","shop":"n","sum":13.5}
{"w":"2026-07-01T10:00:00Z","shop":"s","sum":3}
{"w":"2026-07-01T11:00:00Z","shop":"s","sum":-2}
`
		ints = "shop,n\na,1\nb,9007199254740993\n"
	)
	for i, c := range []struct {
		name         string
		a, b         string // .jsonl if it begins with {, else .csv, or NAME: before it
		flags        string
		want         [4]int
		says, differ string // in the output; differ: an error
	}{
		{"the same file", three, three, "", [4]int{3, 0, 0, 0}, "total of sum: 14.5, then 14.5", ""},
		{"another order, CSV", three, "shop,sum,w\ns,-2,2026-07-01T11:00:00Z\ns,3.0,2026-07-01T10:00:00Z\nn,13.50,2026-07-01T10:00:00Z\n", "", [4]int{3, 0, 0, 0}, "cells by w, shop; compared: sum", ""},
		{"instants of another zone and without one", three, "shop,sum,w\ns,-2,2026-07-01T13:00:00+02:00\ns,3,2026-07-01 10:00:00\nn,13.5,2026-07-01T10:00:00.000Z\n", "", [4]int{3, 0, 0, 0}, "", ""},
		{"tab-separated", three, "b.tsv:shop\tsum\tw\ns\t-2\t2026-07-01T11:00:00Z\ns\t3\t2026-07-01T10:00:00Z\nn\t13.5\t2026-07-01T10:00:00Z\n", "", [4]int{3, 0, 0, 0}, "", ""},
		{"an array of JSON", three, "b.json:[" + strings.ReplaceAll(strings.TrimSpace(three), "\n", ",\n") + "]\n", "", [4]int{3, 0, 0, 0}, "", ""},
		{"one value", three, strings.Replace(three, "13.5", "13.25", 1), "", [4]int{2, 1, 0, 0}, `changed {"w":"2026-07-01T10:00:00Z","shop":"n"}: {"sum":13.5}, then {"sum":13.25}`, ""},
		{"a row less and another", three, strings.Replace(three, `11:00:00Z","shop":"s"`, `12:00:00Z","shop":"s"`, 1), "", [4]int{2, 0, 1, 1}, "", ""},
		{"no results at all", three, "", "", [4]int{0, 0, 3, 0}, "", ""},
		{"no results on both sides", "", "", "", [4]int{0, 0, 0, 0}, "cells by nothing; compared: nothing", ""},
		{"not a number, and text that says so", "k,x\na,NaN\nb,1\n", "k,x\na,NaN\nb,none\n", "", [4]int{1, 1, 0, 0}, "compared as text, since one of the files has text there: x", ""},
		{"not a number on both sides", "k,x\na,NaN\nb,1\n", "k,x\na,NaN\nb,1.0\n", "", [4]int{2, 0, 0, 0}, "total of x: NaN, then NaN", ""},
		{"floats within the tolerance", three, strings.Replace(three, "13.5", "13.500000001", 1), "--tolerance 1e-9", [4]int{3, 0, 0, 0}, "", ""},
		{"floats beyond the tolerance", three, strings.Replace(three, "13.5", "13.50000002", 1), "--tolerance 1e-9", [4]int{2, 1, 0, 0}, "", ""},
		{"large integers are exact", ints, strings.Replace(ints, "993", "992", 1), "", [4]int{1, 1, 0, 0}, "total of n: 9007199254740994, then 9007199254740993", ""},
		{"numbers as keys", "id,x\n1,10\n2,20\n", "x,id\n20,2\n11,1\n", "--key id", [4]int{1, 1, 0, 0}, "", ""},
		{"numbers that are text elsewhere", "{\"id\":\"1\",\"x\":10}\n{\"id\":\"b\",\"x\":20}\n", "id,x\n1,10\n2,20\n", "--key id", [4]int{1, 0, 1, 1}, "compared as text, since one of the files has text there: id", ""},
		{"a null and nothing", "{\"k\":\"a\",\"x\":null}\n{\"k\":\"b\",\"x\":1}\n", "k,x\na,\nb,1\n", "", [4]int{2, 0, 0, 0}, "", ""},
		{"older panes", "{\"k\":\"a\",\"x\":1}\n{\"k\":\"a\",\"x\":2}\n", "k,x\na,2\n", "", [4]int{1, 0, 0, 0}, "was an older pane of its cell", ""},
		{"fields of one side only", "{\"k\":\"a\",\"x\":1,\"pane\":\"on time\"}\n", "k,x,load_id\na,1,77\n", "", [4]int{1, 0, 0, 0}, "b.csv has it: load_id", ""},
		{"no field in common", "k,x\na,1\n", "key,value\na,1\n", "", [4]int{}, "", "the files have no field in common: DIR/a.csv has k, x, and DIR/b.csv has key, value"},
		{"all fields numbers", "id,x\n1,1\n", "id,x\n1,1\n", "", [4]int{}, "", "say with --key which do, of id, x"},
		{"a key that one has not", "k,x\na,1\n", "k,y\na,1\n", "--key x", [4]int{}, "", "--key x: DIR/b.csv has no such field, but k, y"},
		{"a file that is broken", three, three + "{\"w\":\n", "", [4]int{}, "", "DIR/b.jsonl:4: "},
	} {
		dir := t.TempDir()
		var paths []string
		for side, content := range []string{c.a, c.b} {
			name, rest, given := strings.Cut(content, ":")
			if !given || len(name) > 10 || strings.HasPrefix(name, "{") {
				name, rest = [...]string{"a", "b"}[side]+".csv", content
				if strings.HasPrefix(content, "{") || content == "" {
					name = strings.Replace(name, "csv", "jsonl", 1)
				}
			}
			paths = append(paths, filepath.Join(dir, name))
			if err := os.WriteFile(paths[side], []byte(rest), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		code, out, errs := command(t, append(append([]string{"diff"}, paths...), strings.Fields(c.flags)...))
		out, errs = strings.ReplaceAll(out, dir, "DIR"), strings.ReplaceAll(errs, dir, "DIR")
		if c.differ != "" {
			if code != 1 || !strings.Contains(errs, c.differ) {
				t.Errorf("%d. %s: code %d, said\n%s", i+1, c.name, code, errs)
			}
			continue
		}
		agree := c.want[1]+c.want[2]+c.want[3] == 0
		counts := fmt.Sprintf("%d equal, %d changed, %d only in %s, %d only in %s\n", c.want[0], c.want[1], c.want[2], paths[0], c.want[3], paths[1])
		if !strings.HasPrefix(out, strings.ReplaceAll(counts, dir, "DIR")) || !strings.Contains(out, c.says) || (code == 0) != agree {
			t.Errorf("%d. %s: code %d, printed\n%s%s", i+1, c.name, code, out, errs)
		}
	}
}

// A baseline in Parquet has instants of its own type.
func TestDiffWithABaselineInParquet(t *testing.T) {
	dir := t.TempDir()
	parquet := filepath.Join(dir, "baseline.parquet")
	text := `pipeline:
  type: chain
  transforms:
    - {type: Create, config: {elements: [{shop: n, t: "2026-07-01T10:00:00Z", n: 2, x: 1.5}, {shop: s, t: "2026-07-01T11:00:00Z", n: 3, x: 2.0}]}}
    - {type: MapToFields, config: {fields: {shop: shop, w: "parseTime(t, '%Y-%m-%dT%H:%M:%SZ')", n: n, x: x}}}
    - {type: WriteToParquet, config: {path: ` + parquet + `}}
`
	if code, _, err := command(t, []string{"run", "p.yaml"}, "p.yaml", text); code != 0 {
		t.Fatal(err)
	}
	for content, want := range map[string]string{
		"w,shop,n,x\n2026-07-01 11:00:00,s,3,2\n2026-07-01T12:00:00+02:00,n,2,1.5\n": "2 equal, 0 changed, 0 only in",
		"w,shop,n,x\n2026-07-01 11:00:00,s,4,2\n2026-07-01T12:00:00Z,n,2,1.5\n":      "0 equal, 1 changed, 1 only in",
	} {
		code, out, err := command(t, []string{"diff", "a.csv", parquet}, "a.csv", content)
		if !strings.HasPrefix(out, want) || (code == 0) != strings.HasPrefix(want, "2 equal") {
			t.Errorf("code %d\n%s%s", code, out, err)
		}
	}
}
