package yaml_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/yaml"
)

// recorded gives the recording of a pipeline whose text may name FILE, with that content.
func recorded(t *testing.T, text, content string) (*yaml.Recording, error) {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	if err := os.WriteFile(in, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	p, wrong := checked(t, strings.NewReplacer("FILE", in, "DIR", dir).Replace(text), yaml.Options{})
	if wrong != "" {
		t.Fatal(wrong)
	}
	return p.Record(t.Context())
}

// rowsOf gives the rows of a result, put in order.
func rowsOf(r *yaml.Result) string {
	var all []string
	for _, row := range r.Rows {
		all = append(all, row.Window.String()+" "+string(row.JSON()))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

const visits = `{"page": "a", "at": 1, "came": 100}
{"page": "b", "at": 12, "came": 101}
broken
{"page": "a", "at": 2, "came": 102}
{"page": "a", "at": 25, "came": 103}
`

const perPage = `pipeline:
  type: chain
  transforms:
    - {type: ReadFromJson, name: Visits, config: {path: FILE}, watermark: {timestamp: at, unit: s, STRATEGY}}
    - {type: Combine, name: Count, windowing: {type: fixed, size: 10s}, config: {group_by: page, combine: {n: count}}}
    - {type: MapToFields, name: Renamed, config: {fields: {where: page, n: n}}}
    - {type: WriteToJson, config: {path: DIR/out.json}}
`

func TestARecordingHoldsWhatTheSourcesGive(t *testing.T) {
	r, err := recorded(t, strings.Replace(perPage, "STRATEGY", "strategy: arrival, delay: 1s, arrival: came", 1), visits)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Sources[0]
	if len(r.Sources) != 1 || s.Step != "Visits" || !s.Timed || len(s.Splits) != 1 || len(s.Records) != 4 || s.Lag() != 10*time.Second {
		t.Fatalf("%d sources, the first %+v, a lag of %v", len(r.Sources), s, s.Lag())
	}
	if len(s.Malformed) != 1 || !strings.HasSuffix(s.Malformed[0].Position, "in.jsonl:3") {
		t.Errorf("malformed: %v", s.Malformed)
	}
	for i, want := range [][2]int64{{1, 100}, {12, 101}, {2, 102}, {25, 103}} { // event time and arrival, in seconds
		if x := s.Records[i]; x.Time != want[0]*1e6 || x.Arrival != want[1]*1e6 || x.Number != int64(i) {
			t.Errorf("record %d: %+v", i, x)
		}
	}
}

// With a bound of 5 s the record of second 2 comes when the watermark is at 7, and its window is
// open; with none the watermark is at 12, and the window is gone.
func TestATrialHasAnotherWatermarkAndLateness(t *testing.T) {
	r, err := recorded(t, strings.Replace(perPage, "STRATEGY", "bound: 5s", 1), visits)
	if err != nil {
		t.Fatal(err)
	}
	const first, second, third = "[1970-01-01T00:00:00Z, 1970-01-01T00:00:10Z) ", "[1970-01-01T00:00:10Z, 1970-01-01T00:00:20Z) ", "[1970-01-01T00:00:20Z, 1970-01-01T00:00:30Z) "
	rest := "\n" + second + `{"where":"b","n":1}` + "\n" + third + `{"where":"a","n":1}`
	all := first + `{"where":"a","n":2}` + rest
	ascending := func(string, watermark.Strategy) watermark.Strategy { return watermark.Ascending() }
	for name, c := range map[string]struct {
		trial yaml.Trial
		want  string
		late  int64
	}{
		"as it is":            {yaml.Trial{}, all, 0},
		"batch":               {yaml.Trial{Batch: true, Strategy: ascending}, all, 0},
		"several":             {yaml.Trial{Workers: 3, Size: 1, Splits: 2}, all, 0},
		"ascending":           {yaml.Trial{Strategy: ascending}, first + `{"where":"a","n":1}` + rest, 1},
		"ascending, lateness": {yaml.Trial{Strategy: ascending, Lateness: func(time.Duration) time.Duration { return time.Hour }}, first + `{"where":"a","n":1}` + "\n" + all, 0},
		"in order":            {yaml.Trial{Strategy: ascending, Order: map[string][]int{"Visits": {0, 2, 1, 3}}}, all, 0},
		"some of them":        {yaml.Trial{Order: map[string][]int{"Visits": {3}}}, third + `{"where":"a","n":1}`, 0},
	} {
		out, err := r.Try(t.Context(), c.trial)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := out.Results[0]
		if len(out.Results) != 1 || got.Step != "WriteToJson" || strings.Join(got.Key, " ") != "where" || rowsOf(got) != c.want {
			t.Errorf("%s: %d results, of %s by %v\n%s\nwant\n%s", name, len(out.Results), got.Step, got.Key, rowsOf(got), c.want)
		}
		late := int64(0)
		for _, s := range out.Report.Steps {
			late += s.Counts.LateRecords
		}
		if late != c.late {
			t.Errorf("%s: %d late", name, late)
		}
	}
}

func TestATrialWritesAndPrintsNothing(t *testing.T) {
	dir := t.TempDir()
	var out strings.Builder
	p, wrong := checked(t, `pipeline:
  transforms:
    - {type: Create, config: {elements: [1, 2]}}
    - {type: WriteToJson, input: Create, config: {path: `+dir+`/out.json}}
    - {type: WriteToCsv, input: Create, config: {path: "-"}}
    - {type: LogForTesting, input: Create}
    - {type: AssertEqual, input: LogForTesting, config: {elements: [7]}}
`, yaml.Options{Stdout: &out, Stderr: &out})
	if wrong != "" {
		t.Fatal(wrong)
	}
	r, err := p.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o, err := r.Try(context.Background(), yaml.Trial{Batch: true, Inner: true})
	if err != nil {
		t.Fatal(err)
	}
	var names, inner []string
	for _, x := range o.Results {
		names = append(names, x.Step)
		if len(x.Rows) != 2 {
			t.Errorf("%s has %d rows", x.Step, len(x.Rows))
		}
	}
	for _, x := range o.Inner {
		inner = append(inner, x.Step)
	}
	if got := strings.Join(names, " ") + ", " + strings.Join(inner, " "); got != "WriteToJson WriteToCsv LogForTesting AssertEqual, Create LogForTesting AssertEqual" {
		t.Errorf("results are of %s", got)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 || out.Len() > 0 {
		t.Errorf("it has written %v and printed %q", files, out.String())
	}
}

func TestWhatDoesNotEndIsNotRecorded(t *testing.T) {
	for text, want := range map[string]string{
		"pipeline: {type: chain, transforms: [{type: ReadFromJson, name: Live, config: {path: FILE, follow: true}}]}": "Live (line 1) does not end, so it cannot be recorded and run again: leave follow out",
		"pipeline: {type: chain, transforms: [{type: Generate}]}":                                                     "Generate (line 1) does not end, so it cannot be recorded and run again: say with rows how many",
	} {
		if _, err := recorded(t, text, visits); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
