package yaml_test

import (
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline/internal/lateness"
	"github.com/strandline-stream/strandline/yaml"
)

// costs gives what a pipeline costs, in which IN stands for the source, under bounds and an allowed
// lateness in seconds.
func costs(t *testing.T, text string, allowed int, bounds ...int) *lateness.Result {
	t.Helper()
	p, wrong := checked(t, strings.Replace(text, "IN", `{type: Create, name: In, config: {elements: [{k: a, v: 1, at: 1}, {k: a, v: 2, at: 12}, {k: a, v: 3, at: 2}, {k: b, v: 4, at: 25}]},
      watermark: {timestamp: at, unit: s}, windowing: {type: fixed, size: 10s}}`, 1), yaml.Options{})
	if wrong != "" {
		t.Fatal(wrong)
	}
	o := yaml.LatenessOptions{Allowed: []time.Duration{time.Duration(allowed) * time.Second}, Objective: lateness.DefaultObjective(), Sample: 3}
	for _, b := range bounds {
		o.Bounds = append(o.Bounds, time.Duration(b)*time.Second)
	}
	r, err := p.Lateness(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The rows that one pane becomes are one cell: a late element makes another pane of them, and pollutes
// nothing.
func TestAllRowsOfAPaneAreOneCell(t *testing.T) {
	const text = `pipeline:
  type: chain
  transforms:
    - IN
    - {type: Combine, config: {group_by: k, combine: {all: {value: v, fn: group}}}}
    - {type: Explode, config: {fields: all}}
    - {type: WriteToJson, config: {path: "-"}}
`
	r := costs(t, text, 60, 0)
	if x := r.Settings[0]; r.Complete != 3 || x.Dropped != 0 || x.Polluted != 0 || x.Panes != 4 || x.Corrected != 1 {
		t.Errorf("%d cells; %+v", r.Complete, x)
	}
	r = costs(t, text, 0, 0, 10)
	if x := r.Settings[0]; x.Dropped != 1 || x.Polluted != 1 || x.Outputs[0].Changed != 1 {
		t.Errorf("%+v", x)
	}
	if c := r.Settings[0].Outputs[0].Sample[0]; c.Key != `{"k":"a"}` || c.Want != `{"all":1}; {"all":3}` || c.Got != `{"all":1}` {
		t.Errorf("%+v", c)
	}
	if x := r.Settings[1]; x.Dropped != 0 || x.Polluted != 0 {
		t.Errorf("%+v", x)
	}
}

// A join gives the pairs of a key and window once more, with the one that came late; without a field
// that names the group, each pair is a cell.
func TestPairsThatALatePaneRepeatsAreNotPolluted(t *testing.T) {
	r := costs(t, `pipeline:
  transforms:
    - IN
    - {type: Filter, name: Odd, input: In, config: {keep: "v % 2 == 1"}}
    - {type: Join, input: {l: In, r: Odd}, config: {equalities: k, fields: {l: {k: k, v: v}, r: {w: v}}}}
    - {type: WriteToJson, input: Join, config: {path: "-"}}
`, 60, 0)
	// 1 and 3 of the first window with 1 and 3.
	if x := r.Settings[0]; r.Complete != 4 || x.Dropped != 0 || x.Polluted != 0 {
		t.Errorf("%d cells; %+v", r.Complete, x)
	}
	if len(r.Notes) < 2 || r.Notes[1] != "WriteToJson has no fields that name a group, so each of its rows is a cell" {
		t.Errorf("%q", r.Notes)
	}
}

// Where a pane cannot be computed under some setting, it is no error but a cell that is missing.
func TestAPaneThatCannotBeComputedIsAMissingCell(t *testing.T) {
	p, wrong := checked(t, `pipeline:
  type: chain
  transforms:
    - {type: Create, config: {elements: [{v: 9223372036854775807, at: 1}, {v: 5, at: 2}, {v: 1, at: 12}, {v: -5, at: 3}]}, watermark: {timestamp: at, unit: s}}
    - {type: Combine, windowing: {type: fixed, size: 10s}, config: {combine: {n: {value: v, fn: sum}}}}
`, yaml.Options{})
	if wrong != "" {
		t.Fatal(wrong)
	}
	r, err := p.Lateness(t.Context(), yaml.LatenessOptions{Bounds: []time.Duration{0, 20 * time.Second}, Objective: lateness.DefaultObjective()})
	if err != nil {
		t.Fatal(err)
	}
	// Without the -5, which comes late, the sum does not fit.
	if x := r.Settings[0]; r.Complete != 2 || x.Dropped != 1 || x.Polluted != 1 || x.Outputs[0].Missing != 1 {
		t.Errorf("%d cells; %+v", r.Complete, x)
	}
	if x := r.Settings[1]; x.Dropped != 0 || x.Polluted != 0 {
		t.Errorf("%+v", x)
	}
}
