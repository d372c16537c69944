package yaml_test

import (
	"slices"
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

// What a pane takes back is no row of the answer, also where no field names the group that it was of.
func TestRowsThatAreTakenBackAreNotPolluted(t *testing.T) {
	const text = `pipeline:
  type: chain
  transforms:
    - {type: Create, config: {elements: [{k: a, v: 1, at: 1}, {k: a, v: 2, at: 12}, {k: a, v: 3, at: 2}, {k: b, v: 4, at: 25}]}, watermark: {timestamp: at, unit: s}}
    - {type: Combine, windowing: {type: fixed, size: 10s, accumulation: retracting}, config: {group_by: k, combine: {s: {value: v, fn: sum}}}}
    - {type: MapToFields, config: {fields: FIELDS}}
`
	for _, fields := range []string{"{k: k, s: s}", "{s: s}"} {
		r := costs(t, strings.Replace(text, "FIELDS", fields, 1), 60, 0)
		// 1 of the first window becomes 4 with the 3 that comes when the front is at 12; 2 is final with
		// the 4 at 25, and the 4 at the end.
		x := r.Settings[0]
		if r.Complete != 3 || x.Cells != 3 || x.Dropped != 0 || x.Polluted != 0 || x.Panes != 4 {
			t.Errorf("%s: %d cells; %+v", fields, r.Complete, x)
		}
		if f := x.Freshness; f.Cells != 2 || f.AtEnd != 1 || f.Event == nil || f.Event.P50 != 2_000_000 || f.Event.Max != 5_000_000 {
			t.Errorf("%s: %+v", fields, f)
		}
		if a := r.Advice.Setting; a == nil || a.Behind != 0 || a.Allowed != 60_000_000 {
			t.Errorf("%s: %s", fields, r.Advice.Text)
		}
	}
}

// Sessions that gave something before they merged, and do not take it back, have no final cells; then
// nothing is said of how many are polluted.
func TestOfEarlyPanesOfSessionsNothingIsKnown(t *testing.T) {
	r := costs(t, `pipeline:
  type: chain
  transforms:
    - {type: Create, config: {elements: [{k: a, v: 1, at: 1}, {k: a, v: 2, at: 12}, {k: a, v: 3, at: 2}, {k: b, v: 4, at: 25}]}, watermark: {timestamp: at, unit: s}}
    - {type: Combine, windowing: {type: sessions, gap: 5s, trigger: {after_watermark: {early: {after_count: 1}}}}, config: {group_by: k, combine: {n: {value: v, fn: sum}}}}
`, 60, 0)
	const why = "Combine is not compared: its sessions give early panes, and take none back when they merge: which are final cannot be told"
	if r.Complete != 0 || !slices.Contains(r.Notes, why) || len(r.Settings[0].Outputs) != 0 {
		t.Errorf("%d cells; %q", r.Complete, r.Notes)
	}
	if text := r.Text(false); strings.Contains(text, "pollutes") || strings.Contains(text, "0 of 0") || !strings.Contains(text, "nothing is known of polluted cells") {
		t.Error(text)
	}
}

// The greatest of results cannot follow results that change: an allowed lateness that is asked for is
// refused with the step's place, before the input is read, and one that is chosen is left out.
func TestAnAllowedLatenessThatAStepCannotFollowIsRefusedWithItsPlace(t *testing.T) {
	const text = `pipeline:
  type: chain
  transforms:
    - {type: Create, config: {elements: [{k: a, v: 1, at: 1}, {k: a, v: 2, at: 12}, {k: a, v: 3, at: 2}]}, watermark: {timestamp: at, unit: s}}
    - {type: Combine, windowing: {type: fixed, size: 10sLATE}, config: {group_by: k, combine: {s: {value: v, fn: sum}}}}
    - {type: Combine, name: Greatest, config: {combine: {m: {value: s, fn: max}}}}
`
	p, wrong := checked(t, strings.Replace(text, "LATE", "", 1), yaml.Options{})
	if wrong != "" {
		t.Fatal(wrong)
	}
	r, err := p.Lateness(t.Context(), yaml.LatenessOptions{Objective: lateness.DefaultObjective()})
	if err != nil || slices.ContainsFunc(r.Settings, func(x lateness.Outcome) bool { return x.Setting.Allowed > 0 }) {
		t.Errorf("%v", err)
	}
	_, err = p.Lateness(t.Context(), yaml.LatenessOptions{Allowed: []time.Duration{0, time.Minute}})
	if err == nil || !strings.HasPrefix(err.Error(), "the pipeline can have no allowed lateness, such as 1m0s: Greatest (line 6): ") || strings.Contains(err.Error(), ".go:") {
		t.Errorf("%v", err)
	}
	_, wrong = checked(t, strings.Replace(text, "LATE", ", allowed_lateness: 1m", 1), yaml.Options{})
	if !strings.Contains(wrong, "pipeline.yaml:6:14: ") || strings.Contains(wrong, ".go:") || !strings.Contains(wrong, "final_only: true") {
		t.Errorf("%s", wrong)
	}
}

// Windows that others take the place of before anything is grouped have no lateness to allow.
func TestWindowsThatNothingGroupsByAreLeftAsTheyAre(t *testing.T) {
	r := costs(t, `pipeline:
  type: chain
  transforms:
    - IN
    - {type: Combine, windowing: {type: fixed, size: 20s}, config: {group_by: k, combine: {s: {value: v, fn: sum}}}}
`, 60, 0)
	// 1, 2 and 3 are in one window, and nothing is late for it.
	if x := r.Settings[0]; r.Complete != 2 || x.Dropped != 0 || x.Polluted != 0 || x.Corrected != 0 {
		t.Errorf("%d cells; %+v", r.Complete, x)
	}
}

// Of two sources with bounds of their own no setting is what the pipeline says.
func TestASettingForTwoBoundsIsNotThePipelinesOwn(t *testing.T) {
	text := `pipeline:
  transforms:
    - {type: Create, name: A, config: {elements: [{k: a, v: 1, at: 1}]}, watermark: {timestamp: at, unit: s, bound: 5s}}
    - {type: Create, name: B, config: {elements: [{k: a, v: 2, at: 2}]}, watermark: {timestamp: at, unit: s, bound: 60s}}
    - {type: Combine, input: [A, B], windowing: {type: fixed, size: 10s}, config: {group_by: k, combine: {s: {value: v, fn: sum}}}}
`
	for _, same := range []bool{false, true} {
		if same {
			text = strings.Replace(text, "60s", "5s", 1)
		}
		p, wrong := checked(t, text, yaml.Options{})
		if wrong != "" {
			t.Fatal(wrong)
		}
		r, err := p.Lateness(t.Context(), yaml.LatenessOptions{Bounds: []time.Duration{5 * time.Second}, Objective: lateness.DefaultObjective()})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Settings[0].Setting.AsWritten; got != same {
			t.Errorf("%s: %v", r.Strategy, got)
		}
		if !same && r.Strategy != "bounded(5s) and bounded(1m)" {
			t.Errorf("%s", r.Strategy)
		}
	}
}

// Steps that go by arrival are named, since their cells may differ without a record being dropped.
func TestStepsThatGoByArrivalAreNamed(t *testing.T) {
	r := costs(t, `pipeline:
  type: chain
  transforms:
    - IN
    - {type: Deduplicate, name: Once, config: {by: v, horizon: 1m}}
    - {type: Combine, config: {group_by: k, combine: {s: {value: v, fn: sum}}}}
`, 0, 0)
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasPrefix(n, "Once depends on arrival") }) {
		t.Errorf("%q", r.Notes)
	}
}

// A verification of what cannot be compared says why it cannot.
func TestAVerificationOfNothingSaysWhy(t *testing.T) {
	p, wrong := checked(t, `pipeline:
  type: chain
  transforms:
    - {type: Create, config: {elements: [{v: 1, at: 1}, {v: 2, at: 2}]}, watermark: {timestamp: at, unit: s}}
    - {type: Combine, windowing: {type: fixed, size: 10s, accumulation: discarding, trigger: {after_watermark: {early: {after_count: 1}}}}, config: {combine: {s: {value: v, fn: sum}}}}
`, yaml.Options{})
	if wrong != "" {
		t.Fatal(wrong)
	}
	r, err := p.Record(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err = r.Verify(t.Context(), yaml.Verification{}); err == nil || !strings.Contains(err.Error(), "Combine: its panes discard") {
		t.Errorf("%v", err)
	}
}
