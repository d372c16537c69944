package cli_test

import (
	"bytes"
	"encoding/json/v2"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/cli"
)

// The 55 cells and the five means are those of the answers beside the readings.
func TestTheMetersPipelineGivesTheKnownCells(t *testing.T) {
	t.Chdir("../..")
	file, err := os.ReadFile("examples/meters/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var known struct {
		Cells       map[string]map[string]int `json:"cells"`
		NeverCloses struct {
			Served map[string]float64 `json:"served"`
		} `json:"never_closes"`
	}
	if err := json.Unmarshal(file, &known); err != nil {
		t.Fatal(err)
	}
	var cells, means []string
	for region, months := range known.Cells {
		for month, m3 := range months {
			cells = append(cells, fmt.Sprintf("%s,%s,%d", month, region, m3))
		}
		means = append(means, fmt.Sprintf("%s,%v", region, known.NeverCloses.Served[region]))
	}
	if slices.Sort(cells); len(cells) != 55 {
		t.Fatalf("%d cells", len(cells))
	}
	slices.Sort(means)
	for _, args := range [][]string{nil, {"--workers", "2"}} {
		var out, errs bytes.Buffer
		if code := cli.Main(append([]string{"run", "examples/meters/pipeline.yaml"}, args...), nil, &out, &errs); code != 0 {
			t.Fatalf("exit code %d: %s", code, &errs)
		}
		got := strings.Split(strings.TrimSpace(out.String()), "\n")
		at := slices.Index(got, "region,mean_m3")
		if got[0] != "month,region,m3" || at < 0 {
			t.Fatalf("%v: %q", args, got)
		}
		gotCells, gotMeans := got[1:at], got[at+1:]
		slices.Sort(gotCells)
		slices.Sort(gotMeans)
		if !slices.Equal(gotCells, cells) || !slices.Equal(gotMeans, means) {
			t.Errorf("%v: got %q and %q,\nwant %q and %q", args, gotCells, gotMeans, cells, means)
		}
	}
}
