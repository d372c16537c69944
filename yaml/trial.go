package yaml

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/watermark"
	"go.yaml.in/yaml/v4"
)

// Trial is what one run over a [Recording] is like. Nothing is written or printed in it.
type Trial struct {
	// Batch holds the watermark back until the end of the input. Otherwise it is a replay.
	Batch bool
	// Workers is the number of workers. Defaults to 1.
	Workers int
	// Size is how many records are read at a time, at the most. Defaults to
	// [connector.BatchSize].
	Size int
	// Splits is how many splits the records of each source are dealt to, in turn. Defaults to
	// the splits of the source itself.
	Splits int
	// Order says by the id of a source which of its records come, and in which order: they are
	// indexes into Records. Of a source that it does not name all come in the order recorded.
	Order map[string][]int
	// Strategy may give a step that has a watermark another one, and Lateness windows another
	// allowed lateness; nil leaves all as the pipeline says.
	Strategy func(step string, w watermark.Strategy) watermark.Strategy
	Lateness func(time.Duration) time.Duration
	// Trace follows the run record by record, so that [Result.When] and [Outcome.Late] tell when each
	// row came. Then Workers, Size, Splits and Order are not looked at: one worker reads one record
	// at a time, in the order of [Recording.Turns].
	Trace bool
	// Lose makes the steps that carry values from one window to the next, Previous, forget them as
	// soon as a traced trial has handled the first record that came at that time or later: a loss of
	// state. Never if it is the zero time.
	Lose time.Time
	cut  *cutter // says which records of a traced trial are read alone; nil: all

	// Inner asks for what the steps inside give, too, and not only for the results.
	Inner bool
	// Options are more options of the run.
	Options []strandline.Option
}

// Outcome is what a trial gave.
type Outcome struct {
	Report *strandline.Report
	// Results are what is written or printed, in the order of the text.
	Results []*Result
	// Inner are the outputs of all steps, each after those it reads from: only where they were
	// asked for. Rows that came too late are not among them, nor records that could not be read.
	Inner []*Result
	// Late are the records that came too late, of a traced trial.
	Late []Late
}

// Result is what one step gave: the rows in the order in which they came. Those that were
// aggregated carry the pane that they belong to.
type Result struct {
	// Step is the name of the step, or STEP.OUTPUT. A step that writes has the rows that it is
	// given.
	Step  string
	Names []string
	// Key are the fields that name a group, if the rows come from a grouping whose key they
	// still have: none if all rows are one group. It is nil otherwise.
	Key []string
	// Discards says that a later pane of a window holds only what is new.
	Discards bool
	// Retracts says that some rows take back others.
	Retracts bool
	Rows     []Row
	// When says for each row when it came, in a traced trial.
	When []Moment

	// of is the output that the rows come from.
	of       ref
	merging  bool         // the rows are of windows that merge
	cells    map[at]*Cell // once they were asked for
	noCells  error
	at, line int // of the step: its place among the others, and in the text
}

// Try runs the pipeline over the recording. It may be called by several goroutines at a time.
// Records that were malformed, and panes that could not be computed, are no error.
func (r *Recording) Try(ctx context.Context, t Trial) (*Outcome, error) {
	p := *r.p
	out := &Outcome{}
	var tr *trace
	if t.Trace {
		tr = newTrace(r, t.Lose, t.cut)
		t.Workers, t.Size, t.Splits, t.Order = 1, 1, 0, nil
	}
	take := func(list *[]*Result) func(string, ref, *step, rows) {
		return func(called string, of ref, s *step, rs rows) {
			x := &Result{Step: called, Names: rs.schema.Names(), Key: keyOf(of), of: of, at: slices.Index(p.inOrder, s), line: s.kindNode.Line}
			if w := of.step.windowsOf(); w != nil {
				x.merging = w.kind == "sessions" && !w.finalOnly
				x.Discards = w.accumulation == "discarding" && w.trigger != nil && !w.finalOnly
			}
			x.Retracts = of.step.outs[of.output].retracts
			*list = append(*list, x)
			rs.c.WriteTo(watching{s.id, x.Names, func(row Row) error {
				if x.Rows = append(x.Rows, row); tr != nil {
					x.When = append(x.When, tr.now)
				}
				return nil
			}, nil})
		}
	}
	p.tried = &trying{lateness: t.Lateness, result: take(&out.Results), source: func(s *step) connector.Source[record.Row] { return r.source(s, &t, tr) }, trace: tr}
	if tr != nil {
		p.tried.late = func(s *step, rs rows) {
			rs.c.WriteTo(watching{s.id, rs.schema.Names(), func(row Row) error {
				out.Late = append(out.Late, Late{s.id, tr.now, row})
				return nil
			}, nil})
		}
	}
	if t.Inner {
		p.tried.inner = take(&out.Inner)
	}
	if t.Strategy != nil {
		p.tried.strategy = func(s *step, w watermark.Strategy) watermark.Strategy { return t.Strategy(s.id, w) }
	}
	built, err := p.Build()
	if err != nil {
		return nil, err
	}
	opts := append([]strandline.Option{strandline.Workers(max(t.Workers, 1))}, t.Options...)
	if t.Batch {
		opts = append(opts, strandline.Batch())
	}
	out.Report, err = built.Run(ctx, opts...)
	if out.Report.Complete && !errors.Is(err, strandline.ErrUnbalanced) {
		err = nil
	}
	slices.SortStableFunc(out.Results, func(a, b *Result) int { return a.at - b.at })
	return out, built.Hide(err)
}

// keyOf gives the fields that name the group of an output's rows: those that a Combine groups by,
// as long as steps behind it hand them on.
func keyOf(r ref) []string {
	s := r.step
	switch {
	case r.output != "" && !(s.kind == "Partition"):
		return nil
	case s.kind == "Combine":
		return append([]string{}, s.settings.strings("group_by")...)
	case len(s.inputs) != 1 || len(s.inputs[0].from) != 1 || s.def.windowed || s.windows != nil:
		return nil
	}
	before := keyOf(s.inputs[0].from[0])
	if before == nil {
		return nil
	}
	if s.kind != "MapToFields" {
		if slices.ContainsFunc(before, func(k string) bool { return s.outs[r.output].schema.Index(k) < 0 }) {
			return nil
		}
		return before
	}
	// A field stands for the key if it is the key and nothing else.
	key := []string{}
	fields := s.settings.at("fields")
	for _, k := range before {
		to := ""
		entries(fields, func(as, v *yaml.Node) {
			if e := get(v, "expression"); e != nil {
				v = e
			}
			if strings.TrimSpace(v.Value) == k && to == "" {
				to = as.Value
			}
		})
		if to == "" && s.settings.bool("append") && get(fields, k) == nil && s.outs[""].schema.Index(k) >= 0 {
			to = k
		}
		if to == "" {
			return nil
		}
		key = append(key, to)
	}
	return key
}

// source is what a trial reads in the place of a source.
func (r *Recording) source(s *step, t *Trial, tr *trace) connector.Source[record.Row] {
	i := slices.IndexFunc(r.Sources, func(x *Recorded) bool { return x.step == s })
	from := r.Sources[i]
	d := &dealt{name: s.id, timed: from.Timed, size: t.Size, trace: tr}
	if d.size <= 0 {
		d.size = connector.BatchSize
	}
	hands := t.Splits
	if hands <= 0 {
		hands = max(len(from.Splits), 1)
	}
	for i := range hands {
		h := &hand{dealt: d, number: i, name: fmt.Sprintf("%s/%d", s.id, i)}
		if t.Splits <= 0 && i < len(from.Splits) {
			h.name = from.Splits[i]
		}
		d.hands = append(d.hands, h)
	}
	d.hands[0].malformed = from.Malformed
	if _, some := t.Order[s.id]; !some && t.Splits <= 0 {
		rows, times := from.bySplit()
		for i, h := range d.hands {
			h.rows, h.times = rows[i], times[i]
		}
		return d
	}
	give := func(n, i int) {
		x := &from.Records[i]
		h := d.hands[n%hands]
		if t.Splits <= 0 {
			h = d.hands[x.Split]
		}
		h.rows, h.times = append(h.rows, x.Row), append(h.times, x.Time)
	}
	if order, some := t.Order[s.id]; some {
		for n, i := range order {
			give(n, i)
		}
	} else {
		for i := range from.Records {
			give(i, i)
		}
	}
	return d
}

// dealt is a source of records in memory, dealt to splits.
type dealt struct {
	name  string
	timed bool
	size  int
	hands []*hand
	trace *trace // nil if the trial is not followed
}

func (d *dealt) Name() string  { return d.name }
func (d *dealt) Bounded() bool { return true }
func (d *dealt) Timed() bool   { return d.timed }

func (d *dealt) Splits(context.Context) ([]connector.Split[record.Row], error) {
	all := make([]connector.Split[record.Row], len(d.hands))
	for i, h := range d.hands {
		all[i] = h
	}
	return all, nil
}

// hand is a split of records in memory.
type hand struct {
	*dealt
	number    int
	name      string
	rows      []record.Row
	times     []int64
	malformed []connector.Malformed
}

func (h *hand) Name() string { return h.name }

func (h *hand) Open(context.Context) (connector.Reader[record.Row], error) {
	return &dealing{hand: h, malformed: h.malformed}, nil
}

type dealing struct {
	hand      *hand
	next      int
	malformed []connector.Malformed // not given yet
}

func (r *dealing) Read(ctx context.Context, b *connector.Batch[record.Row]) error {
	if t := r.hand.trace; t != nil {
		return t.read(ctx, r, b)
	}
	*b = connector.Batch[record.Row]{}
	if err := ctx.Err(); err != nil {
		return err
	}
	h := r.hand
	end := min(r.next+h.size, len(h.rows))
	if r.next == end && len(r.malformed) == 0 {
		return io.EOF
	}
	b.Values, b.Malformed = h.rows[r.next:end:end], r.malformed
	if h.timed {
		b.Times = h.times[r.next:end:end]
	}
	r.next, r.malformed = end, nil
	return nil
}

func (r *dealing) Close() error { return nil }
