package yaml

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/prose"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/trial"
	"github.com/strandline-stream/strandline/watermark"
)

// Verification says how [Recording.Verify] goes about it. The zero value is a sound one.
type Verification struct {
	// Runs is how many runs there are, 2 at least. Defaults to [DefaultRuns].
	Runs int
	// Seed decides which orders of arrival there are, and how the steps of some runs take turns.
	Seed uint64
	// Bound is how far behind another a record of a source may be, by the id of the source.
	// Defaults to what the watermark of the source says, or to what its records need if that is
	// more.
	Bound map[string]time.Duration
	// Patience is how long a smaller input is looked for; not at all if it is negative. Defaults
	// to 30 s.
	Patience time.Duration
}

// DefaultRuns is how many runs a verification has: with three other orders of arrival.
const DefaultRuns = 23

// Verdict is what a verification found. S9.1 holds if Difference is nil.
type Verdict struct {
	Runs    int              `json:"runs"`
	Seed    uint64           `json:"seed"`
	Seconds float64          `json:"seconds"` // without the search for a smaller input
	Results []VerifiedResult `json:"results"`
	Sources []VerifiedSource `json:"sources"`
	// Arrival are the steps whose answer depends on the order of arrival by what they are.
	Arrival    []ArrivalStep `json:"depends_on_arrival,omitempty"`
	Difference *Difference   `json:"difference,omitempty"`
}

// VerifiedResult is what was compared of one result.
type VerifiedResult struct {
	Step  string `json:"step"`
	Cells int    `json:"cells"`
	// Skipped says why some runs were not compared in it; empty if all were.
	Skipped string `json:"skipped,omitzero"`
}

// VerifiedSource is what a source gave.
type VerifiedSource struct {
	Step    string `json:"step"`
	Records int    `json:"records"`
	// Malformed are those that could not be read; they are given in every run.
	Malformed int  `json:"malformed,omitzero"`
	Timed     bool `json:"timed"`
	// Bound is how far behind another a record was in some runs, and Beyond how many records are
	// further behind than the pipeline's own watermark allows.
	Bound  string `json:"bound,omitzero"`
	Beyond int    `json:"beyond,omitzero"`
	bound  time.Duration
	given  bool // the bound is the pipeline's own
}

// ArrivalStep is a step that goes by the order of arrival.
type ArrivalStep struct {
	Step string `json:"step"`
	Why  string `json:"why"`
}

// Difference is where two runs do not agree. Cells are of the smallest input if there is one.
type Difference struct {
	// Step is the first step whose rows differ, in the order of the pipeline.
	Step string `json:"step"`
	Line int    `json:"line"`
	// A and B are what the runs were like; Alike says that they were alike in everything.
	A     string `json:"a"`
	B     string `json:"b"`
	Alike bool   `json:"alike"`
	// Cells are some of those that differ, and Differ is how many results' cells do with all records.
	Cells  []DifferentCell `json:"cells"`
	Differ int             `json:"differ"`
	// Dropped says which records were late in which run.
	Dropped []string `json:"dropped,omitempty"`
	// Again says that the two runs differ when they are repeated; then Smallest is an input with
	// as few records as were found to show it.
	Again bool `json:"again"`
	// Least says that none of these records can be left out; the search had its time.
	Least    bool            `json:"least"`
	Smallest []SmallestInput `json:"smallest,omitempty"`
}

// DifferentCell is a cell with what two runs have in it.
type DifferentCell struct {
	Key    string `json:"key,omitzero"`
	Window string `json:"window,omitzero"`
	Where  string `json:"-"`
	A      string `json:"a"`
	B      string `json:"b"`
}

// verifier is a verification under way.
type verifier struct {
	Verification
	r       *Recording
	bounds  map[string]int64 // in microseconds
	arrives map[string][]trial.Arriving
	verdict *Verdict
}

// ErrNothing says that there is nothing to be verified.
var ErrNothing = errors.New("there is nothing to verify")

// Verify runs the pipeline in many ways over the recording, and compares what the runs end with
// (S9.1): in batch mode and in replay, with several numbers of workers, sizes of batches and
// splits, and in other orders of arrival. Watermarks are as far behind as the records need, so that
// nothing is late where it is read. If two runs differ it finds the step, and a small input that
// shows it. The error is that of a run that failed.
func (r *Recording) Verify(ctx context.Context, how Verification) (*Verdict, error) {
	how.Runs = cmp.Or(how.Runs, DefaultRuns)
	how.Patience = cmp.Or(how.Patience, 30*time.Second)
	v := &verifier{Verification: how, r: r, bounds: map[string]int64{}, arrives: map[string][]trial.Arriving{}, verdict: &Verdict{Seed: how.Seed}}
	if err := v.look(); err != nil {
		return nil, err
	}
	began := time.Now()
	a, b, err := v.runs(ctx)
	v.verdict.Seconds = time.Since(began).Seconds()
	if err == nil && b == nil {
		n := 0
		for _, x := range v.verdict.Results {
			n += x.Cells
		}
		if n == 0 {
			err = fmt.Errorf("%w: no run gave a row that can be compared%s", ErrNothing, v.verdict.skipped())
		}
	}
	if err != nil || b == nil {
		return v.verdict, err
	}
	v.find(ctx, *a, *b)
	return v.verdict, ctx.Err()
}

// look prepares the sources.
func (v *verifier) look() error {
	n := 0
	for _, s := range v.r.Sources {
		x := VerifiedSource{Step: s.Step, Records: len(s.Records), Malformed: len(s.Malformed), Timed: s.Timed}
		n += len(s.Records)
		declared, known := s.step.bound()
		x.bound, x.given = max(declared, s.Lag()), known && s.Lag() <= declared
		if b, ok := v.Bound[s.Step]; ok {
			x.bound, x.given = b, false
		}
		bound := etime.Span(x.bound)
		if x.Bound = x.bound.String(); !s.Timed {
			x.Bound, bound = "", trial.Free
		} else if known {
			high := etime.Min
			for i := range s.Records {
				high = max(high, s.Records[i].Time)
				if etime.Sub(high, s.Records[i].Time) > etime.Span(declared) {
					x.Beyond++
				}
			}
		}
		v.bounds[s.Step] = bound
		v.verdict.Sources = append(v.verdict.Sources, x)
		all := make([]trial.Arriving, len(s.Records))
		var buf []byte
		for i := range s.Records {
			buf = append(record.OfList(s.Records[i].Row).AppendJSON(buf[:0]), etime.Format(s.Records[i].Time)...)
			all[i] = trial.Arriving{At: s.Records[i].Time, Content: trial.Content(buf)}
		}
		v.arrives[s.Step] = all
	}
	for name := range v.Bound {
		if _, known := v.bounds[name]; !known {
			return fmt.Errorf("there is no source %q, but %s", name, strings.Join(v.r.names(), ", "))
		}
	}
	if n == 0 {
		return fmt.Errorf("%w: %s gave no record%s", ErrNothing, strings.Join(v.r.names(), " and "), v.r.unreadable())
	}
	v.verdict.Arrival = v.r.p.arrivalSteps()
	return nil
}

// arrivalSteps are those that go by the order of arrival.
func (p *Pipeline) arrivalSteps() (all []ArrivalStep) {
	plan := p.Explain()
	for _, s := range plan.Engine.Steps {
		if s.Arrival != "" {
			all = append(all, ArrivalStep{s.ID, s.Arrival})
		}
	}
	return all
}

// unreadable says how many records there would have been, and what is wrong with the first; empty if
// none was malformed.
func (r *Recording) unreadable() string {
	n, first := 0, ""
	for _, s := range r.Sources {
		if n += len(s.Malformed); first == "" && len(s.Malformed) > 0 {
			first = r.p.secrets.hide(s.Malformed[0].String())
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" that could be read, but %d malformed, the first %s", n, first)
}

func (r *Recording) names() []string {
	var all []string
	for _, s := range r.Sources {
		all = append(all, s.Step)
	}
	return all
}

// bound is what the watermark of a source allows a record to be behind; known says whether it is a
// fixed time.
func (s *step) bound() (d time.Duration, known bool) {
	switch {
	case s.marks == nil && s.kind == "Generate":
		return s.settings.duration("disorder"), true
	case s.marks == nil:
		return 0, false
	}
	kind := s.marks.settings.text("strategy")
	return s.marks.settings.duration("bound"), kind == "" && !slices.ContainsFunc([]string{"delay", "quantile", "floor", "ceiling", "calendar", "periods"}, s.marks.settings.has) || kind == "bounded" || kind == "ascending"
}

// settings are the runs.
func (v *verifier) settings() []trial.Setting {
	all := trial.Settings(max(3, (v.Runs-17+1)/2)) // 17, and two for each order
	return all[:min(v.Runs, len(all))]
}

// runs compares every run with the first one, and gives the two that differ.
func (v *verifier) runs(ctx context.Context) (a, b *trial.Setting, err error) {
	settings := v.settings()
	var first *Outcome
	for _, s := range settings {
		out, err := v.try(ctx, s, nil, false)
		if err != nil {
			return nil, nil, fmt.Errorf("%v: %w", s, err)
		}
		v.verdict.Runs++
		if first == nil {
			first = out
			for _, r := range out.Results {
				x := VerifiedResult{Step: r.Step}
				if cells, err := r.Cells(); err != nil {
					x.Skipped = err.Error()
				} else {
					x.Cells = len(cells)
				}
				v.verdict.Results = append(v.verdict.Results, x)
			}
		} else if d := differ(first.Results, out.Results, v.verdict.Results); d != nil {
			v.verdict.Difference = &Difference{A: settings[0].String(), B: s.String(), Alike: settings[0] == s, Differ: d.all}
			v.tell(d, first, out)
			return &settings[0], &s, nil
		}
	}
	return nil, nil, nil
}

// try runs over the records that are kept of each source; nil is all.
func (v *verifier) try(ctx context.Context, s trial.Setting, keep [][]int, inner bool) (*Outcome, error) {
	t := Trial{Batch: s.Batch, Workers: s.Workers, Size: s.Size, Splits: s.Splits, Inner: inner, Order: map[string][]int{}}
	t.Strategy = func(step string, w watermark.Strategy) watermark.Strategy {
		if bound, source := v.bounds[step]; source && bound != trial.Free {
			return watermark.Bounded(etime.Duration(bound)).NoGuard()
		} else if source {
			return w
		}
		return watermark.EndOfInput() // of times that are assigned further down
	}
	for i, from := range v.r.Sources {
		all := v.arrives[from.Step]
		var kept []int
		if keep != nil {
			kept = keep[i]
			some := make([]trial.Arriving, len(kept))
			for j, k := range kept {
				some[j] = all[k]
			}
			all = some
		}
		order := kept
		if s.Order > 0 {
			order = trial.Order(all, v.bounds[from.Step], v.Seed, s.Order)
			if keep != nil {
				for j, k := range order {
					order[j] = kept[k]
				}
			}
		}
		if keep != nil || s.Order > 0 {
			t.Order[from.Step] = order
		}
	}
	if s.Turns {
		t.Options = append(t.Options, trial.InTurns(v.Seed, s.Workers))
	}
	return v.r.Try(ctx, t)
}

// found is the first result in which two runs differ.
type found struct {
	result *Result
	cells  [][2]*Cell
	all    int // cells that differ, in all results
}

// differ compares results; it notes in told what cannot be compared.
func differ(a, b []*Result, told []VerifiedResult) *found {
	var first *found
	n := 0
	for i, x := range a {
		if told != nil && told[i].Skipped != "" && told[i].Cells == 0 {
			continue
		}
		mine, err := x.Cells()
		theirs, err2 := b[i].Cells()
		if err = cmp.Or(err, err2); err != nil {
			if told != nil {
				told[i].Skipped = err.Error()
			}
			continue
		}
		if cells := differing(mine, theirs); len(cells) > 0 {
			if n += len(cells); first == nil {
				first = &found{result: x, cells: cells}
			}
		}
	}
	if first != nil {
		first.all = n
	}
	return first
}

// tell puts what was found into the difference.
func (v *verifier) tell(f *found, a, b *Outcome) {
	d := v.verdict.Difference
	d.Step, d.Line, d.Cells, d.Dropped = f.result.Step, f.result.line, nil, nil
	for i, c := range f.cells {
		if i == shownRows {
			break
		}
		of := cmp.Or(c[0], c[1])
		x := DifferentCell{Key: of.Key, Where: of.where(), A: c[0].text(f.result.Names, f.result.Key), B: c[1].text(f.result.Names, f.result.Key)}
		if of.In {
			x.Window = of.Window.String()
		}
		d.Cells = append(d.Cells, x)
	}
	for i, out := range []*Outcome{a, b} {
		for _, s := range out.Report.Steps {
			if n := s.Counts.LateRecords; n > 0 {
				d.Dropped = append(d.Dropped, fmt.Sprintf("%s: %s dropped %s as late", [...]string{"A", "B"}[i], s.ID, prose.Several(int(n), "record")))
			}
		}
	}
}

// find looks for fewer records that show the difference of two runs, and for the step.
func (v *verifier) find(ctx context.Context, a, b trial.Setting) {
	sizes := make([]int, len(v.r.Sources))
	n := 0
	for i, s := range v.r.Sources {
		sizes[i] = len(s.Records)
		n += sizes[i]
	}
	parted := func(keep []int) [][]int {
		parts := make([][]int, len(sizes))
		low, i := 0, 0
		for _, k := range keep {
			for k >= low+sizes[i] {
				low += sizes[i]
				i++
			}
			parts[i] = append(parts[i], k-low)
		}
		return parts
	}
	search := trial.Search[*Outcome]{
		Settings: v.settings(),
		Run:      func(s trial.Setting, keep []int) (*Outcome, error) { return v.try(ctx, s, parted(keep), false) },
		Differ:   func(x, y *Outcome) bool { return differ(x.Results, y.Results, nil) != nil },
		Patience: v.Patience,
	}
	found := search.Smallest(n, b)
	b = found.With
	keep, d := parted(found.Keep), v.verdict.Difference
	if d.Again = found.Again; d.Again {
		d.B, d.Alike, d.Least = b.String(), a == b, found.Least
		for i, s := range v.r.Sources {
			d.Smallest = append(d.Smallest, SmallestInput{Source: s.Step, Records: len(keep[i]), Of: len(s.Records), from: s, keep: keep[i]})
		}
	}
	for range 5 { // the same once more, with what the steps inside give
		x, err := v.try(ctx, a, keep, true)
		if err != nil {
			return
		}
		y, err := v.try(ctx, b, keep, true)
		if err != nil {
			return
		}
		if f := cmp.Or(differ(x.Inner, y.Inner, nil), differ(x.Results, y.Results, nil)); f != nil {
			v.tell(f, x, y)
			return
		}
	}
}
