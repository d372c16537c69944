package strandline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/internal/etime"
	"github.com/strandline-stream/strandline/internal/plan"
	"github.com/strandline-stream/strandline/internal/run"
	"github.com/strandline-stream/strandline/internal/why"
	"github.com/strandline-stream/strandline/window"
)

// fates answers what became of records that were followed.
func (r *Running) fates(ctx context.Context, step *plan.Step, q Question) (Answer, error) {
	events, more := r.opts.Watch.Events()
	a := Answer{Step: step.ID, Key: strings.Join(q.Key, ", ")}
	steps, _ := r.run.Steps(ctx)
	w := etime.Min
	for i := range steps {
		if steps[i].Step == step.ID {
			w = steps[i].W
		}
	}
	a.Watermark = instant(w)
	for i := range events {
		if e := &events[i]; e.Kind == run.Came && e.Step == step.ID {
			a.Records = append(a.Records, fate(e, events[i+1:], w, r.opts.Pause != nil))
		}
	}
	if len(a.Records) == 0 {
		what := fmt.Sprintf("no record of %s with the event time %s", a.Key, etime.Format(etime.Micros(q.Time)))
		if a.Key == "" {
			what = fmt.Sprintf("no record with the event time %s", etime.Format(etime.Micros(q.Time)))
		}
		if q.Record > 0 {
			what = fmt.Sprintf("record %d", q.Record)
		}
		text := fmt.Sprintf("%s has reached the step %q: it was not read, it could not be, or a step before has filtered it out", what, step.ID)
		if q.Record > 0 {
			text = strings.Replace(text, "has reached", "has not reached", 1)
		}
		a.Notes = append(a.Notes, text)
	}
	if more > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("there was more than is remembered: %d events are missing here", more))
	}
	return a, nil
}

// fate says what became of the record of one event, given what happened after it.
func fate(came *run.Event, after []run.Event, w int64, numbered bool) RecordAnswer {
	r := &why.Record{Key: came.Key, At: came.At, W: came.W}
	if numbered {
		r.Number = came.Record
	}
	out := RecordAnswer{Record: r.Number, Time: etime.Time(came.At), Watermark: instant(came.W)}
	var all []why.Outcome
	for _, win := range came.Windows {
		o := why.Outcome{Fate: why.Kept, Lo: win.Lo(), Hi: win.Hi(), Due: win.Hi(), Expiry: win.Hi(), W: w}
		for i := range after {
			e := &after[i]
			if e.Step != came.Step || e.Key != came.Key {
				continue
			}
			own := e.Record == came.Record && e.At == came.At && slices.Contains(e.Windows, win)
			switch {
			case e.Kind == run.Missed && own:
				o.Fate, o.Expiry = why.Dropped, e.Expiry[slices.Index(e.Windows, win)]
			case e.Kind == run.Refused && own:
				o.Fate = why.Refused
			case e.Kind == run.Fired && o.Fate == why.Kept && holds(e.Windows[0], win):
				o.Fate, o.Pane = why.InPane, paneOf(e)
				o.Lo, o.Hi = e.Windows[0].Micros() // a session may have grown
			}
		}
		out.Fates = append(out.Fates, string(o.Fate))
		all = append(all, o)
	}
	out.Text = why.Tell(r, all)
	return out
}

// holds says whether a window is another, or has merged with it.
func holds(given, win window.Interval) bool {
	return given == win || given.Lo() <= win.Lo() && win.Hi() <= given.Hi()
}
