package yaml

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
)

// count is how many random pipelines to try, as in internal/sim: STRANDLINE_CASES, or as many as
// fit into STRANDLINE_BUDGET.
func count(t *testing.T) (n uint64, until time.Time) {
	n = 200
	if s := os.Getenv("STRANDLINE_CASES"); s != "" {
		v, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("STRANDLINE_CASES: %v", err)
		}
		n = v
	}
	if s := os.Getenv("STRANDLINE_BUDGET"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Fatalf("STRANDLINE_BUDGET: %v", err)
		}
		return 1 << 62, time.Now().Add(d)
	}
	return n, time.Time{}
}

// firstSeed is STRANDLINE_FIRST, or STRANDLINE_SEED to try one case again.
func firstSeed(t *testing.T) (seed uint64, alone bool) {
	for _, name := range []string{"STRANDLINE_SEED", "STRANDLINE_FIRST"} {
		if s := os.Getenv(name); s != "" {
			seed, err := strconv.ParseUint(s, 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return seed, name == "STRANDLINE_SEED"
		}
	}
	return 1, false
}

// TestRandomPipelinesOfYAMLAreThoseOfTheAPI writes pipelines as YAML and builds them by calls of
// the API. Both must have one fingerprint, and give the same panes and late records.
func TestRandomPipelinesOfYAMLAreThoseOfTheAPI(t *testing.T) {
	n, until := count(t)
	from, alone := firstSeed(t)
	if alone {
		n = 1
	}
	bad, done, kinds, panes := 0, 0, map[string]int{}, 0
	for seed := from; seed < from+n && bad < 3 && (until.IsZero() || time.Now().Before(until)); seed++ {
		c := draw(seed)
		done++
		for k := range c.kinds {
			kinds[k]++
		}
		got, diff := c.differs(t)
		panes += got
		if diff != "" {
			t.Errorf("STRANDLINE_SEED=%d go test -run %s ./yaml\n%s\n%s", seed, t.Name(), c.text(), diff)
			bad++
		} else if alone {
			t.Logf("%s", c.text())
		}
	}
	t.Attr("cases", strconv.Itoa(done))
	t.Logf("%d pipelines with %d panes compared; of them with %v", done, panes, kinds)
	if bad == 0 && !alone && n >= 200 && until.IsZero() {
		for _, k := range []string{
			"Filter", "MapToFields", "Flatten", "list of inputs", "Combine", "Join", "filter of results", "late records", "batch", "nulls",
			"global", "fixed", "sliding", "sessions", "cumulative", "calendar", "lateness", "trigger", "discarding", "final only",
			"words", "boxes", "scalar key", "text key", "no key", "several keys", "values", "inner", "left", "right", "outer",
		} {
			if kinds[k] == 0 {
				t.Errorf("there was no pipeline with %s", k)
			}
		}
	}
}

// differs says in which way the pipeline of the text is not that of the calls.
func (c *pair) differs(t *testing.T) (panes int, diff string) {
	text := c.text()
	p, err := Parse("pipeline", text, Options{Getenv: func(string) (string, bool) { return "", false }})
	if err != nil {
		return 0, err.Error()
	}
	var fromText, fromCalls []string
	for _, output := range c.outputs() {
		if err := p.Watch(output, func(r Row) { fromText = append(fromText, shownRow(r)) }); err != nil {
			return 0, err.Error()
		}
	}
	if err := p.Check(t.Context()); err != nil {
		return 0, err.Error()
	}
	built, err := p.Build()
	if err != nil {
		return 0, err.Error()
	}
	api := strandline.New("pipeline")
	c.build(api, func(r Row) error { fromCalls = append(fromCalls, shownRow(r)); return nil })
	if err := api.Err(); err != nil {
		return 0, "the calls: " + err.Error()
	}
	if a, b := built.Fingerprint(), api.Fingerprint(); a != b {
		return 0, fmt.Sprintf("the fingerprints are %s and %s, of\n%sand\n%s", a, b, built.Pipeline, api)
	}
	var opts []strandline.Option
	if c.batch {
		opts = append(opts, strandline.Batch())
	}
	if _, err := built.Run(t.Context(), opts...); err != nil {
		return 0, err.Error()
	}
	if _, err := api.Run(t.Context(), opts...); err != nil {
		return 0, "the calls: " + err.Error()
	}
	slices.Sort(fromText)
	slices.Sort(fromCalls)
	if !slices.Equal(fromText, fromCalls) {
		return len(fromText), "the text gives\n" + strings.Join(fromText, "\n") + "\nand the calls\n" + strings.Join(fromCalls, "\n")
	}
	return len(fromText), ""
}

// shownRow is all that is known of a row on its way out.
func shownRow(r Row) string {
	return fmt.Sprintf("%s at %d in %v %t %+v: %s", r.Step, r.Time, r.Window, r.In, r.Pane, r.JSON())
}
