package strandline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/near"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/internal/why"
)

// Question asks why a window of a key has not given anything, or what became of a record.
type Question struct {
	// Step is the id of a windowed step. It may be left out if there is only one.
	Step string `json:"step,omitzero"`
	// Key is the key as text, in one part unless [KeyNames] says otherwise; none if the step has no
	// keys.
	Key []string `json:"key,omitzero"`
	// Window is the start of the window; the zero time for the global window.
	Window time.Time `json:"window,omitzero"`
	// Time, instead of Window, asks for the windows that hold this instant. If the run follows the
	// question ([Follow]), it asks for the records with this event time.
	Time time.Time `json:"time,omitzero"`
	// Record asks for the n-th record, counted from 1, of those that could be read. The run must
	// follow the question.
	Record int64 `json:"record,omitzero"`
}

// Answer is what a run says to a [Question].
type Answer struct {
	Step string `json:"step"`
	Key  string `json:"key,omitzero"`
	// Watermark is the step's own, and zero before the first and after the last record.
	Watermark time.Time      `json:"watermark,omitzero"`
	Windows   []WindowAnswer `json:"windows,omitzero"`
	Records   []RecordAnswer `json:"records,omitzero"`
	// Notes say what else is to be known.
	Notes []string `json:"notes,omitzero"`
}

// WindowAnswer is what there is to say of one window.
type WindowAnswer struct {
	// Start and End are zero for the global window.
	Start time.Time `json:"start,omitzero"`
	End   time.Time `json:"end,omitzero"`
	// State is "waiting", "empty", "late", "fired", "closed" or "expired".
	State string `json:"state"`
	Text  string `json:"text"`
	// HeldBy is the split or step that holds the watermark.
	HeldBy string `json:"held_by,omitzero"`
	// FiresIn is how many seconds it takes at the present rate until the window fires, 0 if that is
	// not known.
	FiresIn float64 `json:"fires_in_seconds,omitzero"`
}

// RecordAnswer is what became of one record in one step.
type RecordAnswer struct {
	Record int64     `json:"record,omitzero"`
	Time   time.Time `json:"time"`
	// Watermark is the step's when the record came.
	Watermark time.Time `json:"watermark,omitzero"`
	// Fates are what became of it in each of its windows: "fired", "dropped", "closed", "waiting".
	Fates []string `json:"fates"`
	Text  string   `json:"text"`
}

// String gives the sentences, one a line.
func (a Answer) String() string {
	var lines []string
	for _, w := range a.Windows {
		lines = append(lines, w.Text)
	}
	for _, r := range a.Records {
		lines = append(lines, r.Text)
	}
	return strings.Join(append(lines, a.Notes...), "\n")
}

// ErrNoAnswer says that the worker that could answer a question was busy for as long as was waited.
var ErrNoAnswer = errors.New("no worker has answered in time")

// Why says why a window has not fired, or when it has. It may be called at any time, by any
// goroutine. The worker that has the key answers between two batches; ctx bounds the time that is
// waited for it.
func (r *Running) Why(ctx context.Context, q Question) (Answer, error) {
	if r.run == nil {
		return Answer{}, r.broken
	}
	if q.Step == "" {
		all := r.p.windowed()
		if len(all) != 1 {
			return Answer{}, fmt.Errorf("which step is meant? Those with windows are %s", list(all))
		}
		q.Step = all[0]
	}
	step, err := r.p.stepNamed(q.Step)
	if err != nil {
		return Answer{}, err
	}
	w := r.opts.Watch
	if q.Record > 0 && w == nil {
		return Answer{}, errors.New("what became of a record is known only to a run that follows the question from its start")
	}
	if w != nil && (q.Record > 0 || !q.Time.IsZero()) {
		return r.fates(ctx, step, q)
	}
	kq := &run.KeyQuestion{Step: q.Step, Text: strings.Join(q.Key, ", "), At: etime.Min, Show: func(k any) string { return r.p.keys.show(q.Step, k) }}
	if r.p.keys.Parse != nil {
		if kq.Key, err = r.p.keys.Parse(q.Step, q.Key); err != nil {
			return Answer{}, err
		}
		kq.Text = kq.Show(kq.Key)
	}
	switch {
	case !q.Time.IsZero():
		kq.At, kq.Within = etime.Micros(q.Time), true
	case !q.Window.IsZero():
		kq.At = etime.Micros(q.Window)
	}
	sights, complete := r.run.Key(ctx, kq)
	s := merged(sights, q.Step)
	if s == nil {
		return Answer{}, r.unanswered(q.Step, complete)
	}
	if !s.Windowed {
		return Answer{}, fmt.Errorf("step %q has no windows: those that have are %s", q.Step, list(r.p.windowed()))
	}
	if kq.At == etime.Min && !(len(s.Cells) == 1 && s.Cells[0].Window.IsGlobal()) {
		return Answer{}, fmt.Errorf("which window of step %q is meant? Give its start", q.Step)
	}
	a := Answer{Step: q.Step, Key: kq.Text, Watermark: instant(s.W)}
	if len(s.Cells) == 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%s is in no window of step %q: its windows leave a gap there", etime.Format(kq.At), q.Step))
		return a, nil
	}
	if s.Merges && w != nil {
		remembered(w, s, kq.At)
	}
	if !s.Exact {
		a.Notes = append(a.Notes, fmt.Sprintf("no window of step %q starts at %s: above is what holds that instant", q.Step, etime.Format(kq.At)))
	}
	if !s.Known && len(q.Key) > 0 {
		if note := unknownKey(q.Step, kq.Text, s.Others); note != "" {
			a.Notes = append(a.Notes, note)
		}
	}
	about := r.about(ctx, step, s)
	for i := range s.Cells {
		a.Windows = append(a.Windows, r.window(about, kq.Text, &s.Cells[i]))
	}
	if slices.ContainsFunc(a.Windows, func(w WindowAnswer) bool { return w.State == string(why.Empty) }) {
		a.Notes = append(a.Notes, about.before...)
	}
	return a, nil
}

// remembered puts, where nothing of a key holds an instant any more, the window that gave the last pane
// there: an element alone would have another one than the window that it was merged into.
func remembered(w *run.Watch, s *run.KeySight, at int64) {
	events, _ := w.Events()
	for i := range s.Cells {
		c := &s.Cells[i]
		for _, e := range slices.Backward(events) {
			if c.There || e.Kind != run.Fired || e.Step != s.Step {
				continue
			}
			win := e.Windows[0]
			if lo, hi := win.Micros(); lo <= at && at < hi {
				longer := etime.Sub(hi, c.Window.Hi())
				c.Window, c.Due, c.Expiry = win, etime.Add(c.Due, longer), etime.Add(c.Expiry, longer)
				s.Exact = lo == at
				break
			}
		}
	}
}

// unanswered is the error of a question to which no worker had an answer.
func (r *Running) unanswered(step string, complete bool) error {
	switch {
	case !slices.Contains(r.p.windowed(), step):
	case !complete:
		return fmt.Errorf("step %q: %w: it waits for a slow sink, or for a source that gives nothing", step, ErrNoAnswer)
	case r.run.Over():
		return fmt.Errorf("step %q: the run ended before it began", step)
	}
	return fmt.Errorf("step %q has no windows: those that have are %s", step, list(r.p.windowed()))
}

// unknownKey says that a key is not among those that a step holds.
func unknownKey(step, key string, others []string) string {
	if meant := near.Of(key, others); meant != "" {
		return fmt.Sprintf("no open window of step %q has the key %s; is %s meant?", step, key, meant)
	}
	if len(others) == 0 {
		return ""
	}
	slices.Sort(others)
	return fmt.Sprintf("no open window of step %q has the key %s; there is, say, %s", step, key, list(others[:min(3, len(others))]))
}

// stepNamed finds a step.
func (p *Pipeline) stepNamed(id string) (*plan.Step, error) {
	var ids []string
	for _, s := range p.graph.Steps() {
		if s.ID == id {
			return s, nil
		}
		ids = append(ids, s.ID)
	}
	if meant := near.Of(id, ids); meant != "" {
		return nil, fmt.Errorf("there is no step %q; is %q meant?", id, meant)
	}
	return nil, fmt.Errorf("there is no step %q; those with windows are %s", id, list(p.windowed()))
}

// windowed lists the steps that have windows of keys.
func (p *Pipeline) windowed() (ids []string) {
	for _, s := range p.graph.Steps() {
		if w, ok := s.Op.(interface{ HasWindows() bool }); ok && w.HasWindows() {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// list writes names: "a", "b" and "c".
func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	quotes := make([]string, len(names))
	for i, n := range names {
		quotes[i] = quoted(n)
	}
	if len(quotes) == 1 {
		return quotes[0]
	}
	return strings.Join(quotes[:len(quotes)-1], ", ") + " and " + quotes[len(quotes)-1]
}

// merged takes together what workers know of a key: one of them has it, others may have accumulated
// elements of it before the exchange.
func merged(all []run.KeySight, step string) (s *run.KeySight) {
	for i := range all {
		if c := &all[i]; c.Step == step && (s == nil || better(c, s)) {
			s = c
		}
	}
	if s == nil {
		return nil
	}
	for i := range all {
		c := &all[i]
		if c == s {
			continue
		}
		s.Others = append(s.Others, c.Others...)
		if c.Step == step {
			continue
		}
		s.Known = s.Known || c.Known
		for j := range c.Cells {
			for k := range s.Cells {
				if s.Cells[k].Window == c.Cells[j].Window && c.Cells[j].Partial > 0 {
					s.Cells[k].Partial++
					s.Cells[k].There = true
				}
			}
		}
	}
	return s
}

// better says whether a knows more of the key than b: it has elements of it, or the key, or stands
// further behind.
func better(a, b *run.KeySight) bool {
	there := func(s *run.KeySight) bool {
		return slices.ContainsFunc(s.Cells, func(c run.CellSight) bool { return c.There })
	}
	switch {
	case there(a) != there(b):
		return there(a)
	case a.Known != b.Known:
		return a.Known
	}
	return a.W < b.W
}

// surroundings are what a window's case has of the run.
type surroundings struct {
	step   *plan.Step
	w, now int64
	splits []why.Split
	holder *why.Split
	heldBy string
	heldAt int64
	before []string // what steps before hold, which may still come
}

// about finds where the watermark of a step comes from.
func (r *Running) about(ctx context.Context, step *plan.Step, s *run.KeySight) *surroundings {
	a := &surroundings{step: step, w: s.W, now: r.run.Now()}
	if r.opts.Pause != nil {
		a.now = etime.Min
	}
	sources := map[*plan.Step]bool{}
	ancestry(step, sources)
	all := r.run.Splits()
	for _, v := range all {
		for from := range sources {
			if from.ID == v.Step {
				a.splits = append(a.splits, splitOf(&v))
			}
		}
	}
	steps, _ := r.run.Steps(ctx)
	r.trace(a, &s.StepSight, steps, all, len(steps)+1)
	open := map[string]int64{}
	for i := range steps {
		open[steps[i].Step] += steps[i].Open
	}
	for _, p := range r.p.graph.Steps() {
		if n := open[p.ID]; n > 0 && p != step && sources[p] {
			a.before = append(a.before, fmt.Sprintf("the step %s before it holds what no pane has had: %d elements, counted once for each window", p.ID, n))
		}
	}
	return a
}

// trace follows the watermark up to the split, or to the step, that holds it.
func (r *Running) trace(a *surroundings, s *run.StepSight, steps []run.StepSight, all []run.SplitSight, left int) {
	var least *run.LaneSight
	for i := range s.Lanes {
		l := &s.Lanes[i]
		if l.W != etime.Max && !l.Idle && (least == nil || l.W < least.W) {
			least = l
		}
	}
	if least == nil || left == 0 {
		return
	}
	for i := range all {
		if all[i].Step == least.Step && all[i].Number == least.Split {
			h := splitOf(&all[i])
			a.holder = &h
			return
		}
	}
	var behind *run.StepSight
	for i := range steps {
		if st := &steps[i]; st.Step == least.Step && (behind == nil || st.Output() < behind.Output()) {
			behind = st
		}
	}
	switch {
	case behind == nil:
	case behind.Hold < behind.W:
		a.heldBy, a.heldAt = behind.Step, behind.Hold
	default:
		r.trace(a, behind, steps, all, left-1)
	}
}

func splitOf(s *run.SplitSight) why.Split {
	return why.Split{Source: s.Source, Number: s.Number, Of: s.Of, Read: s.Read, Watermark: s.Watermark, Last: s.Last, Seen: s.Seen, Withheld: s.Withheld,
		Idle: s.Idle, Ended: s.Ended, Paused: s.Paused, Follows: s.Follows, IdleAfter: etime.Span(s.IdleAfter), WasW: s.EarlierWatermark, WasAt: s.EarlierNow}
}

// window answers for one window.
func (r *Running) window(a *surroundings, key string, cell *run.CellSight) WindowAnswer {
	lo, hi := cell.Window.Micros()
	c := &why.Case{
		Key: key, Lo: lo, Hi: hi, Due: cell.Due, Expiry: cell.Expiry, Lateness: etime.Sub(cell.Expiry, cell.Due), W: a.w, Now: a.now, Batch: r.opts.Batch,
		FinalOnly: cell.Due > hi, There: cell.There, Panes: cell.Panes, Closed: cell.Closed, Waits: cell.Waits, FiredW: cell.FiredW, FiredAt: cell.FiredAt,
		Splits: a.splits, Holder: a.holder, HeldBy: a.heldBy, HeldAt: a.heldAt,
	}
	if c.FinalOnly {
		c.Lateness = etime.Sub(cell.Due, hi)
	}
	c.Missed, c.MissedAt, c.MissedW = cell.Missed, cell.MissedAt, cell.MissedW
	if w := r.opts.Watch; w != nil && w.Record == 0 && !w.HasAt {
		r.recall(c, a.step.ID, cell)
	}
	state, text := why.Answer(c)
	out := WindowAnswer{Start: instant(lo), End: instant(hi), State: string(state), Text: text}
	if state == why.Waiting {
		switch in, ok := c.FiresIn(); {
		case c.HeldBy != "":
			out.HeldBy = c.HeldBy
		case c.Holder != nil:
			out.HeldBy = fmt.Sprintf("%s split %d", c.Holder.Source, c.Holder.Number+1)
			if ok {
				out.FiresIn = etime.Duration(in).Seconds()
			}
		}
	}
	return out
}

// recall adds to a case what the run remembers of the window.
func (r *Running) recall(c *why.Case, step string, cell *run.CellSight) {
	events, more := r.opts.Watch.Events()
	c.Followed, c.Missed = more == 0, 0
	for _, e := range events {
		if e.Step != step || !slices.Contains(e.Windows, cell.Window) {
			continue
		}
		switch e.Kind {
		case run.Came:
			c.Came++
		case run.Missed:
			c.Missed, c.MissedAt, c.MissedW = c.Missed+1, e.At, e.W
		case run.Fired:
			c.History = append(c.History, paneOf(&e))
		}
	}
}

func paneOf(e *run.Event) why.Pane {
	return why.Pane{Index: e.Pane.Index, Timing: e.Pane.Timing.String(), W: e.W, Clock: e.Clock, Record: e.Record}
}
