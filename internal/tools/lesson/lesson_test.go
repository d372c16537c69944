package main

import (
	"bytes"
	"encoding/json/v2"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/cli"
)

// The numbers are those of the answers beside the readings.
func TestTheLessonPrintsTheKnownAnswers(t *testing.T) {
	t.Chdir("../../..")
	type known struct {
		Delay        int                `json:"delay_periods"`
		Tolerance    int                `json:"tolerance_periods"`
		Dropped      int                `json:"dropped"`
		State        int                `json:"peak_state_entries"`
		Polluted     int                `json:"polluted_cells"`
		Cells        int                `json:"cells"`
		Written      string             `json:"july_written_in"`
		Uncomputable int                `json:"uncomputable_rows"`
		Served       map[string]float64 `json:"served"`
	}
	var all struct {
		Sweep       []known `json:"tolerance_sweep"`
		NeverCloses known   `json:"never_closes"`
		Lost        known   `json:"state_lost_at_start_of_2026-08"`
	}
	file, err := os.ReadFile("examples/meters/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &all); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, k := range append(all.Sweep, all.NeverCloses) {
		fmt.Fprintf(&want, "delay %d tolerance %d  dropped %d  state %d  polluted %d of %d  2026-07 written %s  serving same\n",
			k.Delay, k.Tolerance, k.Dropped, k.State, k.Polluted, k.Cells, k.Written)
	}
	s := all.Lost.Served
	fmt.Fprintf(&want, "state lost  uncomputable %d  cells %d  polluted %d  serving central %v north %v east %v west %v south %v\n",
		all.Lost.Uncomputable, all.Lost.Cells, all.Lost.Polluted, s["central"], s["north"], s["east"], s["west"], s["south"])

	for _, workers := range []string{"1", "2"} {
		var got bytes.Buffer
		err = lesson(&got, t.TempDir(), func(args ...string) ([]byte, error) {
			var out, errs bytes.Buffer
			if code := cli.Main(append(args, "--workers", workers), nil, &out, &errs); code != 0 {
				return nil, fmt.Errorf("exit code %d: %s", code, &errs)
			}
			return out.Bytes(), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("%s workers: got\n%swant\n%s", workers, &got, &want)
		}
	}
	page, err := os.ReadFile("docs/lateness.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```sh\nmake lesson\n```\n\n```text\n"+want.String()+"```\n") {
		t.Error("docs/lateness.md says something else")
	}
}
