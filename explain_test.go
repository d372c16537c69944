package strandline_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

var site = regexp.MustCompile(` \(\w+_test\.go:\d+\)`)

// explains compares the plan with text, but for the places of the steps, which it must have, and
// the fingerprint, which is another test's.
func explains(t *testing.T, p *strandline.Pipeline, want string, opts ...strandline.Option) {
	t.Helper()
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	got := p.Explain(opts...)
	steps := len(p.Plan(opts...).Steps)
	if n := len(site.FindAllString(got, -1)); n != steps {
		t.Errorf("%d of %d steps say where they were made", n, steps)
	}
	got = strings.ReplaceAll(site.ReplaceAllString(got, ""), p.Fingerprint(), "F")
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("the plan is\n%s\nwant\n%s", got, want)
	}
}

// On two workers: what is fused, where elements travel, what is accumulated before that.
func TestThePlanOfAKeyedCountSaysWhatIsFusedAndWhatTravels(t *testing.T) {
	p := strandline.New("counts")
	counts := strandline.Read(p, memory.Slice("events", keyed("a1")), watermark.Bounded(5*time.Second), at).
		KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).AllowedLateness(time.Minute).
		CombinePerKey("count", combine.Count[event]())
	counts.OnLate(func(l strandline.Late[event]) string { return "" }).WriteTo(memory.Collect(new([]string)))
	explains(t, p, `
pipeline "counts", fingerprint F
2 workers, 2 stages

stage 0, one task on each worker, 3 steps fused
  read events
    watermark: bounded(5s)
    event time: by a function of the record
    values: struct{At:int64,Key:string,N:int64}
  key: key by
    reads: read events
    values: string -> struct{At:int64,Key:string,N:int64}
  combine locally
    reads: key
    values: string -> struct{At:int64,Key:string,N:int64}

stage 1, one task on each worker, 3 steps fused
  count: combine per key
    reads: combine locally (by key, through a queue); combine locally, partial results (by key, through a queue)
    key: string
    windows: fixed(10s)
    trigger: default
    allowed lateness: 1m0s
    panes: accumulating
    partial results before the exchange: one for each key and window, as long as that is fewer than elements
    state: a flat table for each window
    values: struct{Key:string,Value:int64}
  count.late: map
    reads: count, late
    values: string
  write collect
    reads: count.late
`, strandline.Workers(2))
}

// On one worker there is one stage. A trigger that is not the default, sessions and retractions
// fall back to cells, and each says why.
func TestThePlanOfRetractionsInBatchSaysWhyItFallsBack(t *testing.T) {
	p := strandline.New("changes")
	sessions := strandline.Read(p, memory.Slice("events", keyed("a1")), watermark.Ascending(), at).
		KeyBy("key", key).WindowInto(window.Session(10*time.Second)).
		CombinePerKey("sessions", combine.Sum(value))
	sessions.WindowInto(window.Fixed(time.Hour)).Trigger(trigger.AfterCount(2)).Discarding().OnlyIfNonEmpty().
		Combine("total", combine.Count[strandline.KV[string, int64]]())
	explains(t, p, `
pipeline "changes", fingerprint F
1 worker, 1 stage, batch

stage 0, one task on each worker, 7 steps fused
  read events
    watermark: held back until the end of the input (batch), instead of bounded(0s)
    event time: by a function of the record
    values: struct{At:int64,Key:string,N:int64}
  key: key by
    reads: read events
    values: string -> struct{At:int64,Key:string,N:int64}
  sessions: combine per key
    reads: key (by key)
    key: string
    windows: session(10s)
    trigger: default
    panes: accumulating
    partial results before the exchange: none: with one worker there is no exchange
    state: a cell for each key and window: each element is added to each of its windows
    not a faster kind of state, since: windows merge
    values: struct{Key:string,Value:int64}
  window into
    reads: sessions
    values: struct{Key:string,Value:int64}
  key by
    reads: window into
    values: struct{} -> struct{Key:string,Value:int64}
  total: combine
    reads: key by (by key)
    key: struct{}
    windows: fixed(1h)
    trigger: afterCount(2)
    panes: discarding, on time only if something is new
    partial results before the exchange: none: with one worker there is no exchange
    state: a cell for each key and window: each element is added to each of its windows
    not a faster kind of state, since: the trigger is not the default
    depends on arrival: the trigger may finish before an element comes that would have counted
    values: struct{Key:struct{},Value:int64}
  map
    reads: total
    values: int64
`, strandline.Batch())
}

// What goes by event time states its bound, and what depends on the order of arrival says so.
func TestThePlanOfJoinsAndSidesStatesTheirBounds(t *testing.T) {
	p := strandline.New("joins")
	in := strandline.Read(p, memory.Slice("events", keyed("a1")), watermark.Bounded(time.Second).Idle(time.Minute), at).AlignSplits(time.Hour)
	k := in.KeyBy("key", key).Deduplicate("first", time.Hour)
	pairs := k.IntervalJoin("pairs", k, 0, time.Minute, func(string, *event, *event) int64 { return 0 })
	pairs.Reshuffle("spread").WithLatest("look", in, func(*strandline.Context, *int64, *event, func(int64)) {})
	explains(t, p, `
pipeline "joins", fingerprint F
3 workers, 4 stages

stage 0, one task on each worker, 2 steps fused
  read events
    watermark: bounded(1s).idle(1m), splits that are more than 1h0m0s ahead wait
    event time: by a function of the record
    values: struct{At:int64,Key:string,N:int64}
  key: key by
    reads: read events
    values: string -> struct{At:int64,Key:string,N:int64}

stage 1, one task on each worker, 5 steps fused
  first: deduplicate
    reads: key (by key, through a queue)
    parameters: within 1h0m0s
    key: string
    state: an instant for each key until the watermark is 1h0m0s past it
    depends on arrival: the first element of a key to arrive is kept
    values: struct{Key:string,Value:struct{At:int64,Key:string,N:int64}}
  key by
    reads: first
    values: string -> struct{At:int64,Key:string,N:int64}
  left
    reads: key by
  right
    reads: key by
  both
    reads: left; right
    values: string -> struct{Right:bool,L:struct{At:int64,Key:string,N:int64},R:struct{At:int64,Key:string,N:int64}}

stage 2, one task on each worker, 1 step fused
  pairs: interval join
    reads: both (by key, through a queue)
    parameters: from 0s to 1m0s
    key: string
    state: a left element is kept until the watermark is more than 1m0s past its time, a right one until it is more than 0s past its time
    values: int64

stage 3, one task on each worker, 2 steps fused
  spread: reshuffle
    reads: pairs (spread, through a queue)
    values: int64
  look: with latest
    reads: spread; read events (broadcast, through a queue)
    state: every worker has the latest value of the side, and elements until the first one
    depends on arrival: an element sees the latest value that has arrived
    values: int64
`, strandline.Workers(3))
}

// Every way to fall back to a cell for each key and window is named, and so is the reason for which
// nothing is accumulated before the exchange.
func TestThePlanNamesEveryFallback(t *testing.T) {
	const s = time.Second
	type k = strandline.Keyed[string, event]
	fixed := window.Fixed(10 * s)
	flat, cells, slices := "a flat table for each window", "a cell for each key and window: each element is added to each of its windows",
		"slices of sliding windows, merged when a window fires: the cost of an element does not grow with size/period"
	for _, c := range []struct {
		what                     string
		group                    func(k) strandline.Results[string, event, int64]
		state, fallback, partial string
	}{
		{"fixed windows", func(k k) strandline.Results[string, event, int64] { return counted(k.WindowInto(fixed)) }, flat, "", ""},
		{"final only", func(k k) strandline.Results[string, event, int64] {
			return counted(k.WindowInto(fixed).Trigger(trigger.AfterCount(3)).FinalOnly())
		}, flat, "", ""},
		{"sliding windows", func(k k) strandline.Results[string, event, int64] {
			return counted(k.WindowInto(window.Sliding(10*s, 5*s)))
		}, slices, "", "none: an element is in several windows"},
		{"gaps", func(k k) strandline.Results[string, event, int64] {
			return counted(k.WindowInto(window.Sliding(5*s, 10*s)))
		}, cells, "the windows leave gaps", "none: the windows leave gaps"},
		{"no common slice", func(k k) strandline.Results[string, event, int64] {
			return counted(k.WindowInto(window.Sliding(61*s, 60*s)))
		}, cells, "size and period have no common slice of a 16th of the period: there would be 61 slices in a window", ""},
		{"sessions", func(k k) strandline.Results[string, event, int64] { return counted(k.WindowInto(window.Session(s))) }, cells, "windows merge", "none: windows merge"},
		{"cumulative", func(k k) strandline.Results[string, event, int64] {
			return counted(k.WindowInto(window.Cumulative(10*s, s)))
		}, cells, "an element is in several windows", ""},
		{"user's", func(k k) strandline.Results[string, event, int64] {
			return counted(k.WindowInto(window.Custom("mine", func(time.Time) []window.Interval { return nil })))
		}, cells, "the windows are the user's own", ""},
		{"a trigger", func(k k) strandline.Results[string, event, int64] {
			return counted(k.WindowInto(fixed).Trigger(trigger.Repeat(trigger.AfterCount(3))))
		}, cells, "the trigger is not the default", ""},
		{"output time", func(k k) strandline.Results[string, event, int64] {
			return counted(k.WindowInto(fixed).OutputTime(strandline.Latest))
		}, cells, "results carry a time of their elements (latest)", ""},
		{"empty last panes", func(k k) strandline.Results[string, event, int64] {
			return counted(k.WindowInto(fixed).EmptyLastPanes())
		}, cells, "empty last panes are asked for", ""},
		{"retractions", func(k k) strandline.Results[string, event, int64] {
			r := counted(k.WindowInto(fixed).AllowedLateness(time.Hour).Retracting())
			strandline.Each(r.PCollection, "changes", func(strandline.Pane[strandline.KV[string, int64]]) {})
			return r
		}, cells, "results take back what they replace", "none: results take back what they replace"},
	} {
		p := strandline.New("fallbacks")
		step := c.group(input(p, nil, 0).KeyBy("key", key)).Step()
		if err := p.Err(); err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		for _, got := range p.Plan(strandline.Workers(2)).Steps {
			if got.ID != step {
				continue
			}
			if c.partial == "" && c.fallback != "" {
				c.partial = "none: " + c.fallback
			} else if c.partial == "" {
				c.partial = "one for each key and window, as long as that is fewer than elements"
			}
			if got.State != c.state || got.Fallback != c.fallback || got.Partial != c.partial {
				t.Errorf("%s: state %q, since %q, partial results %q", c.what, got.State, got.Fallback, got.Partial)
			}
		}
	}
}

func counted(k strandline.Keyed[string, event]) strandline.Results[string, event, int64] {
	return k.CombinePerKey("count", combine.Count[event]())
}

// The structured plan has every step, and every edge between two of them.
func TestThePlanHasAllStepsAndEdges(t *testing.T) {
	p := several("")
	pl := p.Plan(strandline.Workers(4))
	at := map[string]strandline.PlanStep{}
	for _, s := range pl.Steps {
		at[s.ID] = s
	}
	inputs := map[string]int{}
	for _, e := range pl.Edges {
		from, to := at[e.From], at[e.To]
		if from.ID == "" || to.ID == "" || e.Input != inputs[e.To] {
			t.Errorf("edge %+v joins no two steps, or is out of order", e)
		}
		inputs[e.To]++
		if e.Queued != (from.Stage != to.Stage) || e.Exchange != "local" && !e.Queued {
			t.Errorf("edge %+v goes from stage %d to %d", e, from.Stage, to.Stage)
		}
	}
	if pl.Fingerprint != p.Fingerprint() || pl.Pipeline != "several" || pl.Workers != 4 || pl.Batch || len(at) != len(pl.Steps) {
		t.Errorf("%+v", pl)
	}
	for _, line := range strings.Split(strings.TrimSpace(p.String()), "\n") {
		if id, _, _ := strings.Cut(line, ":"); at[id].ID == "" {
			t.Errorf("there is no step %q", id)
		}
	}
}

func TestThePlanOfAPipelineWithMistakesHasItsSteps(t *testing.T) {
	p := strandline.New("mistaken")
	input(p, nil, 0).KeyBy("pointer", func(e *event) *string { return &e.Key }).CombinePerKey("count", combine.Count[event]())
	if text := p.Explain(); p.Err() == nil || !strings.Contains(text, "count: combine per key") {
		t.Errorf("%v\n%s", p.Err(), text)
	}
	if text := fmt.Sprint(strandline.New("empty").Plan()); !strings.Contains(text, "0 steps") {
		t.Error(text)
	}
}

// A trigger that finishes at the window's end closes nothing that was still open, unless lateness is
// allowed.
func TestThePlanSaysWhetherATriggerCanFinishTooEarly(t *testing.T) {
	for lateness, may := range map[time.Duration]bool{0: false, time.Minute: true} {
		p := strandline.New("early")
		strandline.Read(p, memory.Slice("events", keyed("a1")), watermark.Ascending(), at).
			KeyBy("key", key).WindowInto(window.Fixed(10*time.Second)).Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(2))).AllowedLateness(lateness).
			CombinePerKey("sum", combine.Sum(value))
		if got := strings.Contains(p.Explain(), "the trigger may finish before an element comes"); got != may {
			t.Errorf("with an allowed lateness of %v it says that the trigger may finish too early: %v, want %v", lateness, got, may)
		}
	}
}
