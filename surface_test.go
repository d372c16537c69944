package strandline_test

import (
	"context"
	"errors"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/combine"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/memory"
	"github.com/strandline-stream/strandline/trigger"
	"github.com/strandline-stream/strandline/watermark"
	"github.com/strandline-stream/strandline/window"
)

// surface uses everything that package strandline exports, with the types that a user would see:
// if it compiles, all is inferred that should be. It is not run.
var _ = surface

func surface(ctx context.Context) error {
	p := strandline.New("surface")
	var _ string = p.Name()
	var _ string = p.Fingerprint()
	var _ string = p.String()
	var _ error = p.Err()
	var _ string = p.Explain(strandline.Workers(2))
	var plan strandline.Plan = p.Plan(strandline.Batch())
	var _ []strandline.PlanStep = plan.Steps
	var _ []strandline.PlanEdge = plan.Edges

	// Reading.
	var in strandline.PCollection[event] = strandline.Read(p, memory.Slice("events", []event{}), watermark.Bounded(time.Second), at)
	var _ strandline.PCollection[event] = strandline.ReadMicros(p, memory.Slice("micros", []event{}), watermark.Ascending(), func(e *event) int64 { return e.At })
	var _ strandline.PCollection[string] = in.OnMalformed(func(m connector.Malformed) string { return m.String() })
	in = in.StopAfterMalformed(10)
	var _ strandline.PCollection[time.Duration] = in.OnQuarantined(func(q strandline.Quarantined[event]) time.Duration { return q.Time.Sub(q.Watermark) })
	var _ string = in.Step()

	// Element by element.
	var texts strandline.PCollection[string] = in.Map("text", func(e *event) string { return e.Key })
	_ = in.MapValue("text of value", event.String)
	_ = texts.Filter("some", func(s *string) bool { return *s != "" }).FilterValue("some values", func(s string) bool { return s != "" })
	_ = in.FlatMap("parts", func(e *event, emit func(string)) { emit(e.Key) })
	_ = in.ParDo("with context", func(x *strandline.Context, e *event, emit func(string)) {
		var _ time.Time = x.Time()
		var _ time.Time = x.Watermark()
		var w window.Interval
		var ok bool
		w, ok = x.Window()
		_, _ = w, ok
		var _ trigger.Pane = x.Pane()
		emit(e.Key)
	})
	numbers, rest := in.ParDo2("with a side output", func(x *strandline.Context, e *event, main func(int64), side func(string)) { main(e.N); side(e.Key) })
	var _ strandline.PCollection[int64] = numbers
	_ = strandline.Flatten("both", texts, rest)
	in = in.AssignTimestamps("at", at).Reshuffle("spread")

	// Keys.
	var keyed strandline.Keyed[string, event] = in.KeyBy("key", key)
	keyed = in.KeyByValue("key of value", func(e event) string { return e.Key })
	var pairs strandline.Keyed[string, int64] = in.KeyByWith("key and value", func(e *event) (string, int64) { return e.Key, e.N })
	pairs = keyed.MapValues("values", value)
	texts = pairs.MapEntries("entries", func(k string, n *int64) string { return k })
	pairs = strandline.FlattenKeyed("both keyed", pairs, pairs)

	// Windows.
	for _, w := range []window.Assigner{window.Global(), window.Fixed(time.Second), window.Sliding(time.Minute, time.Second), window.Session(time.Minute), window.Cumulative(time.Hour, time.Minute), window.Days()} {
		keyed = keyed.WindowInto(w)
		in = in.WindowInto(w)
	}
	in = in.Trigger(trigger.Default()).AllowedLateness(time.Minute).Discarding().Accumulating().FinalOnly().AllowRepeats().EmptyWindows().OutputTime(strandline.EndOfWindow).OnlyIfNonEmpty().EmptyLastPanes()
	keyed = keyed.Trigger(trigger.AfterWatermark().Early(trigger.AfterCount(1)).Late(trigger.AfterCount(1))).AllowedLateness(time.Minute).Discarding().Accumulating().FinalOnly().
		OutputTime(strandline.Earliest).OutputTime(strandline.Latest).OutputTime(strandline.EarliestTransformed).OnlyIfNonEmpty().EmptyLastPanes()

	keyed = keyed.SessionBy("gap", func(k string, e *event) time.Duration { return time.Minute })

	// Aggregations.
	var counts strandline.Results[string, event, int64] = keyed.CombinePerKey("count", combine.Count[event]())
	var sums strandline.Results[string, event, int64] = keyed.CombinePerKey("sum", combine.Sum(value))
	var lists strandline.Results[string, event, []event] = strandline.GroupByKey("group", keyed)
	var total strandline.Combined[event, int64] = in.Combine("total", combine.Count[event]())
	var _ strandline.PCollection[strandline.KV[string, int64]] = counts.PCollection
	var _ strandline.Keyed[string, int64] = sums.Keyed()
	var _ strandline.PCollection[string] = lists.OnLate(func(l strandline.Late[event]) string {
		var _ event = l.Value
		var _, _ time.Time = l.Time, l.Watermark
		var _ []window.Interval = l.Missed
		var _ time.Duration = l.By()
		return ""
	})
	var _ strandline.PCollection[error] = counts.OnFailed(func(f strandline.FailedPane[string]) error { return f.Err })
	var _ strandline.PCollection[strandline.Late[strandline.KV[string, event]]] = strandline.LateOf(counts)
	var once strandline.Once[string] = strandline.Distinct("distinct", texts)
	var _ strandline.PCollection[string] = once.OnLate(func(l strandline.Late[string]) string { return l.Value })
	var _ strandline.Results[string, event, event] = strandline.LatestPerKey("latest per key", keyed)
	var _ strandline.Results[string, event, []event] = strandline.TopPerKey("top per key", keyed, 3, value)
	var _ strandline.Results[string, event, []event] = strandline.SamplePerKey("sample per key", keyed, 3, 1)
	var _ strandline.PCollection[time.Duration] = total.OnLate(func(l strandline.Late[event]) time.Duration { return l.By() })

	// Joins.
	var both strandline.Joined[string, event, int64, string] = keyed.CoGroup("co-group", pairs, func(k string, left []event, right []int64) string { return k })
	var three strandline.Joined3[string, event, int64, int64, string] = keyed.CoGroup3("co-group of three", pairs, pairs, func(k string, first []event, second, third []int64) string { return k })
	var _ strandline.PCollection[int] = three.OnLate(func(strandline.Late[event]) int { return 0 }, func(strandline.Late[int64]) int { return 1 }, func(strandline.Late[int64]) int { return 2 })
	_ = keyed.InnerJoin("inner", pairs, func(k string, left *event, right *int64) string { return k })
	_ = keyed.LeftJoin("left join", pairs, func(k string, left *event, right *int64) string { return k })
	_ = keyed.IntervalJoin("interval join", pairs, -time.Second, time.Minute, func(k string, left *event, right *int64) string { return k })
	_ = keyed.AsOfJoin("as-of join", pairs, func(k string, left *event, version *int64) string { return k })
	_ = pairs.Deduplicate("deduplicate", time.Hour)
	var _ strandline.PCollection[int] = both.OnLate(func(strandline.Late[event]) int { return 0 }, func(strandline.Late[int64]) int { return 1 })

	// Side inputs.
	var sided strandline.Sided[event, string] = in.WithSide("side", total.PCollection, func(x *strandline.Context, e *event, n *int64, emit func(string)) { emit(e.Key) })
	_ = in.WithSideList("side list", texts, func(x *strandline.Context, e *event, all []string, emit func(int)) { emit(len(all)) })
	_ = in.WithSideMap("side map", sums.Keyed(), func(x *strandline.Context, e *event, all map[string]int64, emit func(int64)) { emit(all[e.Key]) })
	var _ strandline.PCollection[string] = in.WithLatest("latest", total.PCollection, func(x *strandline.Context, e *event, n *int64, emit func(string)) { emit(e.Key) })
	_ = in.WithLatestMap("latest map", sums.Keyed(), func(x *strandline.Context, e *event, all map[string]int64, emit func(int64)) { emit(all[e.Key]) })
	var _ strandline.PCollection[time.Duration] = sided.OnLate(func(l strandline.Late[event]) time.Duration { return l.By() })

	// State and timers.
	for _, scope := range []strandline.Scope{strandline.PerKey, strandline.PerWindow} {
		var s strandline.Stepped[string, event, string] = keyed.Stateful("state", scope,
			func(x *strandline.Turn[string, string], s *[]int64, e *event) {
				x.Emit(x.Key)
				x.SetTimer("later", x.Time().Add(time.Second))
				x.ClearTimer("later")
				x.ClearState()
			},
			func(x *strandline.Turn[string, string], s *[]int64, name string) { x.Emit(name) })
		var _ strandline.PCollection[int] = s.OnLate(func(strandline.Late[event]) int { return 0 })
	}

	_ = keyed.StatefulCombining("combining", strandline.PerWindow, combine.Sum(value),
		func(x *strandline.Turn[string, string], s *bool, sum strandline.CombiningState[event, int64], e *event) {
			sum.Add(e)
			_, _ = sum.Get()
			sum.Clear()
		}, nil)

	// Results.
	var panes strandline.PCollection[strandline.Pane[strandline.KV[string, int64]]] = strandline.PanesOf(counts.PCollection)
	panes.WriteTo(memory.Collect(new([]strandline.Pane[strandline.KV[string, int64]])))
	strandline.Each(texts, "each", func(x strandline.Pane[string]) {
		var _ string = x.Value
		var _ time.Time = x.Time
		var _ window.Interval = x.Window
		var _ trigger.Timing = x.Timing
		var _, _ int64 = x.Index, x.NonEarly
		var _, _, _ bool = x.First, x.Last, x.Drained
	})

	// Running.
	var running *strandline.Running = p.Start(ctx, strandline.Workers(2), strandline.Batch(), strandline.Clock(nil))
	running.Drain()
	var report *strandline.Report
	_, _ = running.Wait()
	report, err := p.Run(ctx, []strandline.Option{strandline.Workers(1)}...)
	for _, s := range report.Steps {
		var step strandline.StepReport = s
		var _, _, _ string = step.ID, step.Kind, step.Site
		var _ int64 = step.Counts.DroppedLate
		if err := step.Balance(); err != nil {
			return err
		}
	}
	var _ bool = report.Complete
	var _ string = strandline.Ledger(report)
	for _, named := range []error{strandline.ErrNoEventTime, strandline.ErrWatermarkBackwards, strandline.ErrTooManyMalformed, strandline.ErrMalformed, strandline.ErrUnbalanced} {
		if errors.Is(err, named) {
			return err
		}
	}
	var panicked *strandline.PanicError
	if errors.As(err, &panicked) {
		var _, _ string = panicked.Step, panicked.Element
		var _ []byte = panicked.Stack
	}
	return err
}
