package strandline_test

import (
	"errors"
	"fmt"
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

// mistakes are pipelines that cannot run, with what the user is told, from the line on.
var mistakes = []struct {
	name  string
	build func(p *strandline.Pipeline, in strandline.PCollection[event])
	want  []string // each in the message
}{
	{"windows without event time", func(p *strandline.Pipeline, _ strandline.PCollection[event]) {
		strandline.Read(p, memory.Slice("timeless", keyed("a1")), watermark.Ascending(), nil).WindowInto(window.Fixed(10*time.Second)).Combine("count", combine.Count[event]())
	}, []string{`combine "count": no event time: elements without one cannot be windowed by fixed(10s): give Read a function for it, or use AssignTimestamps`}},
	{"two steps of one name", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.Map("twice", func(e *event) event { return *e }).Map("twice", func(e *event) event { return *e })
	}, []string{`two steps are named "twice" (the first at construction_test.go:`, "give each its own"}},
	{"a window without a size", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.WindowInto(window.Fixed(0)).Combine("count", combine.Count[event]())
	}, []string{`combine "count": the window: `, "size must be more than 0"}},
	{"a trigger that counts to nothing", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.Trigger(trigger.AfterCount(0)).Combine("count", combine.Count[event]())
	}, []string{`combine "count": the trigger: `, "AfterCount"}},
	{"negative allowed lateness", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.AllowedLateness(-time.Second).Combine("count", combine.Count[event]())
	}, []string{`combine "count": allowed lateness is -1s: it cannot be negative`}},
	{"watermarks of one's own behind a Flatten of branches", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		both := strandline.Flatten("both", in.Filter("l", func(*event) bool { return true }), in.Filter("r", func(*event) bool { return false }))
		both.AssignTimestampsAndWatermarks("own", at, watermark.Bounded(0))
	}, []string{`AssignTimestampsAndWatermarks "own": it stands behind a Flatten of branches of one source`, "put it before they part"}},
	{"idleness where nothing is read", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.AssignTimestampsAndWatermarks("own", at, watermark.Bounded(0).Idle(time.Second))
	}, []string{`AssignTimestampsAndWatermarks "own": idleness is judged where records are read: give Idle and IdleAdvance to Read`}},
	{"a pointer as a key", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.KeyBy("by pointer", func(e *event) *string { return &e.Key })
	}, []string{`"by pointer": the key: `, "pointer"}},
	{"aggregating accumulating panes again", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.WindowInto(window.Fixed(time.Minute)).AllowedLateness(time.Hour).Combine("first", combine.Count[event]()).Combine("second", combine.Max(combine.Self[int64]))
	}, []string{`combine "second": its input gives a cell several times`, "FinalOnly or Discarding"}},
	{"taking together what is windowed otherwise", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		strandline.Flatten("both", in.WindowInto(window.Fixed(time.Minute)), in.WindowInto(window.Fixed(time.Hour)))
	}, []string{`Flatten "both": collection 2 is windowed otherwise than the first (fixed(1h), trigger `, "not fixed(1m)", "put WindowInto behind it"}},
	{"a collection of another pipeline", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		other := strandline.New("other")
		strandline.Flatten("both", in, input(other, nil, 0))
	}, []string{`Flatten "both": collection 2 belongs to another pipeline: build both in one`}},
	{"a join with another pipeline", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		other := strandline.New("other")
		in.KeyBy("left key", key).InnerJoin("join", input(other, nil, 0).KeyBy("right key", key), func(string, *event, *event) int { return 0 })
	}, []string{`inner join "join": collection 2 belongs to another pipeline`}},
	{"state that cannot be encoded", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.KeyBy("key", key).Stateful("state", strandline.PerKey, func(*strandline.Turn[string, int], *chan int, *event) {}, nil)
	}, []string{`stateful "state": the state: `, "chan int", "so that it can be part of a checkpoint"}},
	{"state per window of windows that merge", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.KeyBy("key", key).WindowInto(window.Session(time.Minute)).Stateful("state", strandline.PerWindow, func(*strandline.Turn[string, int], *int, *event) {}, nil)
	}, []string{`stateful "state": windows of session(1m) merge, and its state cannot`}},
	{"a bound that is negative", func(p *strandline.Pipeline, _ strandline.PCollection[event]) {
		strandline.Read(p, memory.Slice("negative", keyed("a1")), watermark.Bounded(-time.Second), at)
	}, []string{"Read negative: the watermark: ", "bound must not be negative"}},
	{"marks of records of another type", func(p *strandline.Pipeline, _ strandline.PCollection[event]) {
		strandline.Read(p, memory.Slice("marks", keyed("a1")), watermark.Punctuated(func(*int) (t time.Time, ok bool) { return }), at)
	}, []string{"Read marks: the watermark punctuated", "of another type"}},
	{"settings before the windows that set them back", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.Trigger(trigger.Never()).AllowedLateness(time.Hour).WindowInto(window.Fixed(time.Minute)).Combine("count", combine.Count[event]())
	}, []string{"windows fixed(1m): Trigger and AllowedLateness came before them, for no grouping, and would be lost: windows set everything back, so say it behind them"}},
	{"settings before sessions with gaps of their own", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.KeyBy("key", key).WindowInto(window.Global()).FinalOnly().Discarding().SessionBy("gap", gap).CombinePerKey("count", combine.Count[event]())
	}, []string{"windows session(gap of each element): FinalOnly and Discarding came before them"}},
	{"sessions that a join by time would lose", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		k := in.KeyBy("key", key)
		k.SessionBy("gap", gap).IntervalJoin("near", k, 0, time.Second, func(string, *event, *event) int { return 0 })
	}, []string{`interval join "near": an input comes from SessionBy`, "put SessionBy behind the join"}},
	{"versions from sessions", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		k := in.KeyBy("key", key)
		k.AsOfJoin("valid", k.SessionBy("gap", gap), func(string, *event, *event) int { return 0 })
	}, []string{`as-of join "valid": an input comes from SessionBy`}},
	{"malformed records of what was not read", func(_ *strandline.Pipeline, in strandline.PCollection[event]) {
		in.Filter("some", func(*event) bool { return true }).StopAfterMalformed(3)
	}, []string{`StopAfterMalformed: only what Read returned has malformed records, and "some" is none`}},
}

func TestMistakesOfConstructionSayWhereWhatAndWhatToDo(t *testing.T) {
	for _, m := range mistakes {
		p := strandline.New("mistaken")
		m.build(p, input(p, nil, 0))
		rep, err := p.Run(t.Context())
		if err == nil || rep.Complete {
			t.Errorf("%s: no error", m.name)
			continue
		}
		for _, want := range append(m.want, `pipeline "mistaken" cannot run:`, "\nconstruction_test.go:") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got\n%v\nwithout %q", m.name, err, want)
			}
		}
		if n := strings.Count(err.Error(), "construction_test.go:"); n > 1+strings.Count(strings.Join(m.want, ""), "construction_test.go:") {
			t.Errorf("%s: one mistake is reported several times:\n%v", m.name, err)
		}
	}
}

func TestAllMistakesAreReportedAtOnce(t *testing.T) {
	p := strandline.New("mistaken")
	in := input(p, nil, 0)
	for _, m := range mistakes {
		m.build(p, in)
	}
	_, err := p.Run(t.Context())
	for _, m := range mistakes {
		for _, want := range m.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s is not in it: %q", m.name, want)
			}
		}
	}
	if !errors.Is(err, strandline.ErrNoEventTime) || !errors.Is(p.Err(), strandline.ErrNoEventTime) {
		t.Error("the named error is not found in the whole")
	}
}

func TestWhatIsNilIsAMistakeOfConstruction(t *testing.T) {
	type in = strandline.PCollection[event]
	var (
		noMap   func(*event) int
		noValue func(event) int
		noKeep  func(*event) bool
		noText  func(*event) string
		noTime  func(*event) time.Time
		noLate  func(strandline.Late[event]) int
		noPane  func(strandline.Pane[event])
		noSplit func(*event) (string, int)
	)
	keys := func(c in) strandline.Keyed[string, event] { return c.KeyBy("key", key) }
	counted := func(c in) strandline.Results[string, event, int64] {
		return keys(c).CombinePerKey("count", combine.Count[event]())
	}
	for name, build := range map[string]func(c in){
		"map":                func(c in) { c.Map("m", noMap) },
		"map value":          func(c in) { c.MapValue("m", noValue) },
		"filter":             func(c in) { c.Filter("f", noKeep) },
		"flat map":           func(c in) { c.FlatMap[int]("f", nil) },
		"par do":             func(c in) { c.ParDo[int]("p", nil) },
		"par do with a side": func(c in) { c.ParDo2[int, int]("p", nil) },
		"timestamps":         func(c in) { c.AssignTimestamps("t", noTime) },
		"key":                func(c in) { c.KeyBy("k", noText) },
		"key and value":      func(c in) { c.KeyByWith("k", noSplit) },
		"map values":         func(c in) { keys(c).MapValues("m", noMap) },
		"map entries":        func(c in) { keys(c).MapEntries[int]("m", nil) },
		"combiner":           func(c in) { keys(c).CombinePerKey[int64, int64]("c", nil) },
		"late":               func(c in) { counted(c).OnLate(noLate) },
		"failed":             func(c in) { counted(c).OnFailed[int](nil) },
		"join":               func(c in) { keys(c).InnerJoin[event, int]("j", c.KeyBy("other", key), nil) },
		"state":              func(c in) { keys(c).Stateful[int, int]("s", strandline.PerKey, nil, nil) },
		"window":             func(c in) { c.WindowInto(nil).Combine("c", combine.Count[event]()) },
		"trigger":            func(c in) { c.Trigger(nil).Combine("c", combine.Count[event]()) },
		"sink":               func(c in) { c.WriteTo(nil) },
		"each":               func(c in) { strandline.Each(c, "e", noPane) },
	} {
		p := strandline.New("nil")
		build(input(p, nil, 0))
		if err := p.Err(); err == nil || !strings.Contains(err.Error(), "nil") || !strings.HasPrefix(err.Error(), "construction_test.go:") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	p := strandline.New("nil")
	strandline.Read(p, nil, watermark.Ascending(), noTime)
	strandline.Read(p, memory.Slice("events", keyed("a1")), nil, noTime)
	if err := p.Err(); err == nil || !strings.Contains(err.Error(), "the source is nil") || !strings.Contains(err.Error(), "the watermark strategy is nil") {
		t.Errorf("read: got %v", err)
	}
}

// What a step has used may be set anew behind it.
func TestSettingsThatAGroupingHasUsedMayBeSetBack(t *testing.T) {
	p := strandline.New("used")
	fixed := window.Fixed(time.Minute)
	in := input(p, nil, 0).WindowInto(fixed).AllowedLateness(time.Hour).Discarding()
	in.Combine("count", combine.Count[event]()).WindowInto(window.Global()).Combine("again", combine.Count[int64]())
	in.WithSide("side", in, func(*strandline.Context, *event, *event, func(int)) {}).WindowInto(fixed)
	k := in.KeyBy("key", key)
	k.Stateful("state", strandline.PerWindow, func(*strandline.Turn[string, int], *int, *event) {}, nil).WindowInto(fixed)
	k.Deduplicate("first", time.Hour).WindowInto(fixed).CombinePerKey("firsts", combine.Count[event]())
	k.IntervalJoin("near", k, 0, time.Hour, func(string, *event, *event) int { return 0 }).WindowInto(fixed)
	if err := p.Err(); err != nil {
		t.Error(err)
	}
}

func TestARunWithoutAWorkerDoesNotStart(t *testing.T) {
	for _, n := range []int{0, -3} {
		p := strandline.New("none")
		drop(input(p, keyed("a1"), 0))
		rep, err := p.Run(t.Context(), strandline.Workers(n))
		if err == nil || rep.Complete || !strings.Contains(err.Error(), fmt.Sprintf("Workers(%d): a run has one worker at least: leave it out for one, or give runtime.NumCPU()", n)) {
			t.Errorf("%d workers: got %v", n, err)
		}
		mustRun(t, p) // the pipeline is none the worse for it
	}
}

func TestATimerWithoutAFunctionForTimersIsAMistake(t *testing.T) {
	p := strandline.New("timer")
	input(p, keyed("a1"), 0).KeyBy("key", key).Stateful("state", strandline.PerKey, func(x *strandline.Turn[string, int], _ *int, e *event) {
		x.SetTimer("soon", at(e))
	}, nil)
	if _, err := p.Run(t.Context()); err == nil || !strings.Contains(err.Error(), `step "state"`) || !strings.Contains(err.Error(), "timer") {
		t.Errorf("got %v", err)
	}
}
