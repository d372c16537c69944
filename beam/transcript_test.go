package beam

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/strandlinetest"
	"github.com/strandline-stream/strandline/trigger"
)

// transcript is one document of the file. As in Beam's harness, what is left out has the
// default that parse sets, and other keys say nothing: one transcript misspells its windowing
// and is about the global window.
type transcript struct {
	Name            string
	Error           string                 // what the message must match that rejects it; empty: it must hold
	WindowFn        string                 `yaml:"window_fn"`
	TriggerFn       string                 `yaml:"trigger_fn"`
	Accumulation    string                 `yaml:"accumulation_mode"`
	Timestamp       string                 `yaml:"timestamp_combiner"`
	AllowedLateness int64                  `yaml:"allowed_lateness"`
	Actions         []map[string]yaml.Node `yaml:"transcript"`
}

// closeColon is a key in braces whose colon is followed at once by a list, as in
// {values:[1, 2]}. YAML 1.2 allows it, and the package that reads YAML here does not.
var closeColon = regexp.MustCompile(`(\w:)([\[{])`)

// parse reads all documents of the file.
func parse(text []byte) ([]transcript, error) {
	var docs []yaml.Node
	text = closeColon.ReplaceAll(text, []byte("$1 $2"))
	if err := yaml.Load(text, &docs, yaml.WithAllDocuments()); err != nil {
		return nil, err
	}
	all := make([]transcript, len(docs))
	for i := range docs {
		all[i] = transcript{WindowFn: "GlobalWindows", TriggerFn: "Default", Accumulation: "accumulating", Timestamp: "OUTPUT_AT_EOW"}
		if err := docs[i].Load(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// play runs a transcript: an integer is an element, and its time in seconds. It returns what
// the kit says if the transcript does not hold.
func (x *transcript) play(ctx context.Context) error {
	assign, err1 := assigner(x.WindowFn)
	when, err2 := triggerOf(x.TriggerFn)
	output, err3 := outputTime(x.Timestamp)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	p := strandline.New(x.Name)
	s := strandlinetest.NewStream[int64]("numbers")
	keyed := s.Read(p).
		KeyBy("one key", func(*int64) string { return "key" }).
		WindowInto(assign).
		Trigger(when).
		AllowedLateness(time.Duration(x.AllowedLateness) * time.Second).
		OutputTime(output)
	switch x.Accumulation {
	case "accumulating":
	case "discarding":
		keyed = keyed.Discarding()
	default:
		return fmt.Errorf("%s is an accumulation mode that this test does not know", x.Accumulation)
	}
	// Without the key the panes of an action may come in any order, as Beam has it.
	groups := strandline.GroupByKey("group", keyed).
		Map("values", func(g *strandline.KV[string, []int64]) []int64 { return g.Value })
	out := strandlinetest.Collect(groups)

	// As in Beam's harness nothing is said of what comes when the input ends.
	s.Watch(out).AnyAtEnd(out)
	for i, action := range x.Actions {
		if len(action) != 1 {
			return fmt.Errorf("action %d has %d names, not one", i, len(action))
		}
		for name, what := range action {
			if err := act(s, out, name, &what); err != nil {
				return fmt.Errorf("action %d, %s: %w", i, name, err)
			}
		}
	}
	_, err := s.Play(ctx, p)
	return err
}

// act records one action of a transcript.
func act(s *strandlinetest.Stream[int64], out *strandlinetest.Collected[[]int64], name string, what *yaml.Node) error {
	switch name {
	case "input":
		var numbers []int64
		if err := what.Load(&numbers); err != nil {
			return err
		}
		batch := make([]strandlinetest.Element[int64], len(numbers))
		for i, n := range numbers {
			batch[i] = strandlinetest.At(time.Unix(n, 0), n)
		}
		s.AddBatch(batch...)
	case "watermark":
		var seconds int64
		if err := what.Load(&seconds); err != nil {
			return err
		}
		s.AdvanceWatermark(time.Unix(seconds, 0))
	case "expect":
		var panes []yaml.Node
		if err := what.Load(&panes); err != nil {
			return err
		}
		wants := make([]strandlinetest.Want[[]int64], len(panes))
		for i := range panes {
			var w expected
			if err := panes[i].Load(&w, yaml.WithKnownFields()); err != nil {
				return err
			}
			wants[i] = w.want()
		}
		s.Expect(out, wants...)
	case "state": // what a runner keeps, which Beam's own harnesses do not judge either
	default:
		return errors.New("this test does not know it")
	}
	return nil
}

// expected is a pane as transcripts say it: nil for what is left open. Windows and times are
// seconds, what is finer cut towards zero: [0, 10 s) is [0, 9], its last instant 9.
type expected struct {
	Window         *[2]int64
	Values         *[]int64
	Timestamp      *int64
	Index          *int64
	Nonspeculative *int64 `yaml:"nonspeculative_index"`
	Early          *bool
	Late           *bool
	Final          *bool
}

func (e *expected) want() strandlinetest.Want[[]int64] {
	type pane = strandline.Pane[[]int64]
	w := strandlinetest.Any[[]int64]()
	if e.Values != nil {
		w = w.Where(fmt.Sprint("values ", *e.Values), func(p pane) bool {
			return slices.Equal(slices.Sorted(slices.Values(p.Value)), slices.Sorted(slices.Values(*e.Values)))
		})
	}
	part(&w, "window", e.Window, func(p pane) [2]int64 { return [2]int64{seconds(p.Window.Start()), seconds(p.Window.Last())} })
	part(&w, "timestamp", e.Timestamp, func(p pane) int64 { return seconds(p.Time) })
	part(&w, "index", e.Index, func(p pane) int64 { return p.Index })
	part(&w, "nonspeculative_index", e.Nonspeculative, func(p pane) int64 { return p.NonEarly })
	part(&w, "early", e.Early, func(p pane) bool { return p.Timing == trigger.Early })
	part(&w, "late", e.Late, func(p pane) bool { return p.Timing == trigger.Late })
	part(&w, "final", e.Final, func(p pane) bool { return p.Last })
	return w
}

// part adds one attribute to a want, if it is not left open.
func part[A comparable](w *strandlinetest.Want[[]int64], name string, want *A, of func(strandline.Pane[[]int64]) A) {
	if want != nil {
		*w = w.Where(fmt.Sprint(name, " ", *want), func(p strandline.Pane[[]int64]) bool { return of(p) == *want })
	}
}

// seconds cuts a time to whole seconds, towards zero.
func seconds(t time.Time) int64 { return t.UnixMicro() / 1_000_000 }
